// A symmetric matrix of floats in half of its memory.
#ifndef SVM_KERNELS_ENGINES_PACKED_TRIANGLE_H_
#define SVM_KERNELS_ENGINES_PACKED_TRIANGLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/platform/bits.h"

namespace svm {

// Holds the values (i, j) with j <= i in blocks of 4 by 4, which are a cache line each, so that a
// row passes few lines of the blocks that it crosses as a column.
class PackedTriangle {
 public:
  // The memory for a matrix of `count` rows, in bytes.
  static std::size_t bytes(std::size_t count) {
    return start((count + kSide - 1) / kSide) * sizeof(float);
  }

  // All values are to be set.  Throws std::bad_alloc.
  explicit PackedTriangle(std::size_t count) : values_(new float[bytes(count) / sizeof(float)]) {}

  // Sets the values (begin + r, j) = rows[r][j], for begin + r < end and j <= begin + r.  `begin`
  // is a multiple of 4; threads may set different rows at the same time.
  void set_rows(std::size_t begin, std::size_t end, const float* const* rows) {
    for (std::size_t i = begin; i < end; ++i) {
      float* const out = values_.get() + start(i / kSide) + i % kSide * kSide;
      const float* const row = rows[i - begin];
      for (std::size_t j = 0; j <= i; ++j) out[j / kSide * kBlock + j % kSide] = row[j];
    }
  }

  // out[k] = value (row, columns[k]), for k < count.
  void copy(std::size_t row, const std::uint32_t* columns, std::size_t count, float* out) const {
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

 private:
  static constexpr std::size_t kSide = 4, kBlock = kSide * kSide;

  // The first value of block row `band`, whose blocks are those of columns 0 to 4 band.
  static std::size_t start(std::size_t band) { return kBlock * (band * (band + 1) / 2); }

  // True if the columns from k on are the four of a block.
  static bool is_block(const std::uint32_t* columns, std::size_t k, std::size_t count) {
    if (k + kSide > count || columns[k] % kSide != 0) return false;
    for (std::uint32_t c = 1; c < kSide; ++c) {
      if (columns[k + c] != columns[k] + c) return false;
    }
    return true;
  }

  std::unique_ptr<float[]> values_;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PACKED_TRIANGLE_H_
