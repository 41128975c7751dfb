// Kernel values and fused sums over bytes. Compiled once for each target (vector.h).
//
// A pass goes over the groups of features that a row has. Dot products are exact, so targets may
// add them in any order.
#ifndef SVM_SIMD_LOOPS_BYTE_LOOPS_H_
#define SVM_SIMD_LOOPS_BYTE_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/loops.h"
#include "simd/loops/tails.h"
#include "simd/loops/vector.h"

namespace svm {
namespace {

// The groups of one row, and a part of a block.
struct ByteTile {
  const std::int8_t* columns;
  const std::uint32_t* groups;
  const std::uint32_t* words;
  std::size_t count;
  std::size_t next;  // distance in bytes to the next columns
};

// Adds the groups q ... q + kNumber - 1, each to its own accumulators.
template <bool kAhead, std::size_t kNumber>
inline void add_groups(const ByteTile& tile, std::size_t q,
                       ByteDots (&dots)[ByteDots::kChains][kRowVectors]) {
  constexpr std::size_t kGroupBytes = 4 * kBlockColumns;
  for (std::size_t c = 0; c < kNumber; ++c) {
    const std::int8_t* columns = tile.columns + tile.groups[q + c] * kGroupBytes;
    const ByteDots::Row row = ByteDots::row(tile.words[q + c]);
    if constexpr (kAhead) prefetch_columns(columns + tile.next);
    for (std::size_t v = 0; v < kRowVectors; ++v) {
      dots[c][v].add(load_vector<WideInts>(columns + v * kVectorBytes), row);
    }
  }
}

template <bool kAhead>
inline void sum_groups(const ByteTile& tile, WideInts (&sums)[kRowVectors]) {
  constexpr std::size_t kChains = ByteDots::kChains;
  for (WideInts& sum : sums) sum = WideInts{};
  for (std::size_t q = 0; q < tile.count;) {
    const std::size_t rest = tile.count - q;
    const std::size_t end = rest < ByteDots::kSteps ? tile.count : q + ByteDots::kSteps;
    ByteDots dots[kChains][kRowVectors];
    for (; q + kChains <= end; q += kChains) add_groups<kAhead, kChains>(tile, q, dots);
    if constexpr (kChains > 1) {
      for (; q < end; ++q) add_groups<kAhead, 1>(tile, q, dots);
    }
    for (const auto& chain : dots) {
      for (std::size_t v = 0; v < kRowVectors; ++v) chain[v].add_to(sums[v]);
    }
  }
}

// Kernel values of the columns of a block from `shift` on. `norms` points to their squared norms.
template <TailForm kForm, bool kAhead>
inline void byte_tile(const ByteTile& tile, const std::int32_t* norms, std::int32_t offset,
                      const SingleTail& tail, WideFloats (&values)[1][kRowVectors]) {
  WideInts sums[kRowVectors];
  sum_groups<kAhead>(tile, sums);
  for (std::size_t v = 0; v < kRowVectors; ++v) {
    if constexpr (kForm == TailForm::kExp) {
      const WideInts norm = load_vector<WideInts>(norms + v * kWideLanes) + offset;
      values[0][v] =
          exp2_of_product(__builtin_convertvector(norm - sums[v] - sums[v], WideFloats), tail);
    } else {
      const WideInts dot = sums[v] + offset;
      values[0][v] =
          join(value_of_dot<kForm>(low_half(dot), tail), value_of_dot<kForm>(high_half(dot), tail));
    }
  }
}

// Calls use(tile, norms, column) for all parts of blocks, and for all rows within each part.
// `norms` belong to the tile's columns; `column` is the index of the first one.
template <class Use>
inline void for_byte_tiles(const ByteBlocks& blocks, std::size_t count, const ByteRows& rows,
                           std::size_t number, const Use& use) {
  constexpr std::size_t kStep = kRowVectors * kWideLanes;
  for (std::size_t first = 0; first < count * kBlockColumns; first += kStep) {
    const std::size_t block = first / kBlockColumns, shift = first % kBlockColumns;
    const std::int8_t* columns = blocks.bytes + (block * blocks.groups * kBlockColumns + shift) * 4;
    for (std::size_t r = 0; r < number; ++r) {
      const ByteTile tile = {
          columns, rows.groups + rows.begin[r], rows.words + rows.begin[r],
          rows.begin[r + 1] - rows.begin[r],
          (shift + kStep < kBlockColumns ? kStep * 4
                                         : blocks.groups * kBlockColumns * 4 - shift * 4)};
      use(tile, r, first);
    }
  }
}

void byte_values(const ByteBlocks& blocks, std::size_t count, const ByteRows& panel,
                 std::size_t rows, const SingleTail& tail, float* const* out) {
  with_form(tail.form, [&](auto form) {
    for_byte_tiles(blocks, count, panel, rows,
                   [&](const ByteTile& tile, std::size_t r, std::size_t k) {
                     WideFloats values[1][kRowVectors];
                     byte_tile<decltype(form)::kForm, true>(tile, blocks.norms + k,
                                                            panel.offsets[r], tail, values);
                     store_tile(values, out + r, k);
                   });
  });
}

void byte_sums(const ByteBlocks& blocks, std::size_t count, const ByteRows& panel,
               const double* factors, std::size_t rows, const SingleTail& tail, double* sums) {
  with_form(tail.form, [&](auto form) {
    for_byte_tiles(blocks, count, panel, rows,
                   [&](const ByteTile& tile, std::size_t r, std::size_t k) {
                     WideFloats values[1][kRowVectors];
                     byte_tile<decltype(form)::kForm, false>(tile, blocks.norms + k,
                                                             panel.offsets[r], tail, values);
                     add_tile(values, factors + r, sums + k);
                   });
  });
}

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_LOOPS_BYTE_LOOPS_H_
