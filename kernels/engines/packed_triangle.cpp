#include "kernels/engines/packed_triangle.h"

#include <algorithm>

#include "base/platform/bits.h"

namespace svm {

std::size_t PackedTriangle::bytes(std::size_t count) {
  return start((count + kSide - 1) / kSide) * sizeof(float);
}

PackedTriangle::PackedTriangle(std::size_t count)
    : values_(new float[bytes(count) / sizeof(float)]) {}

void PackedTriangle::set_rows(std::size_t begin, std::size_t end, const float* const* rows) {
  for (std::size_t i = begin; i < end; ++i) {
    float* const out = values_.get() + start(i / kSide) + i % kSide * kSide;
    const float* const row = rows[i - begin];
    for (std::size_t j = 0; j <= i; ++j) out[j / kSide * kBlock + j % kSide] = row[j];
  }
}

// True if the columns from k on are the four of a block.
bool PackedTriangle::is_block(const std::uint32_t* columns, std::size_t k, std::size_t count) {
  if (k + kSide > count || columns[k] % kSide != 0) return false;
  for (std::uint32_t c = 1; c < kSide; ++c) {
    if (columns[k + c] != columns[k] + c) return false;
  }
  return true;
}

void PackedTriangle::copy(std::size_t row, const std::uint32_t* columns, std::size_t count,
                          float* out) const {
  constexpr std::size_t kAhead = 64;  // columns whose values are asked for ahead
  const std::size_t band = row / kSide, place = row % kSide;
  const float* const along = values_.get() + start(band) + place * kSide;
  const float* const across = values_.get() + band * kBlock + place;
  const auto find = [&](std::size_t column) {
    const std::size_t block = column / kSide;
    return column <= row ? along + block * kBlock + column % kSide
                         : across + start(block) + column % kSide * kSide;
  };
  for (std::size_t k = 0; k < count;) {
    const std::size_t column = columns[k], block = column / kSide;
    if (k + kAhead < count) platform::prefetch(find(columns[k + kAhead]));
    if (block < band && is_block(columns, k, count)) {
      std::copy_n(along + block * kBlock, kSide, out + k);
      k += kSide;
    } else if (block > band && is_block(columns, k, count)) {
      const float* const values = across + start(block);
      for (std::size_t c = 0; c < kSide; ++c) out[k + c] = values[c * kSide];
      k += kSide;
    } else {
      out[k++] = *find(column);
    }
  }
}

}  // namespace svm
