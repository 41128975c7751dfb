// Kernel values and fused sums of kExp by differences of floats and bits. Compiled once for each
// target (vector.h).
//
// A tile of rows and columns is kept in registers. Its shape is the target's choice; in any shape,
// each value is computed by the same operations in the same order.
#ifndef SVM_BASE_SIMD_LOOPS_SINGLE_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_SINGLE_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/tails.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// Words whose bits are counted at a time.
constexpr std::size_t kPartWords = 24;

// The inputs of a tile: a part of a block and a group of rows.
struct FloatTile {
  const float* columns;
  const std::uint32_t* column_words;
  const float* rows;
  const std::uint32_t* row_words;
};

template <std::size_t kRows, std::size_t kVectors>
inline void add_features(const float* columns, const float* rows, std::size_t count,
                         WideFloats (&sums)[kRows][kVectors]) {
  for (std::size_t f = 0; f < count; ++f, columns += kBlockColumns, rows += kRows) {
    WideFloats column[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) column[v] = load_wide(columns + v * kWideLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const WideFloats row = all_wide(rows[r]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        const WideFloats difference = column[v] - row;
        sums[r][v] = multiply_add(difference, difference, sums[r][v]);
      }
    }
  }
}

template <std::size_t kRows, std::size_t kVectors>
inline void count_bits(const std::uint32_t* columns, const std::uint32_t* rows, std::size_t count,
                       WideInts (&counts)[kRows][kVectors]) {
  WideBitCounter counters[kRows][kVectors];
  for (std::size_t w = 0; w < count; ++w, columns += kBlockColumns, rows += kRows) {
    WideInts column[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      column[v] = load_wide_words(columns + v * kWideLanes);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const WideInts row = all_wide_words(rows[r]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        counters[r][v].add(column[v] ^ row);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) counts[r][v] += counters[r][v].sum();
  }
}

template <std::size_t kRows, std::size_t kVectors>
inline void squared_distances(const FloatBlocks& blocks, const FloatTile& tile,
                              WideFloats (&sums)[kRows][kVectors]) {
  std::size_t f = lesser(kPartFeatures, blocks.features);
  add_features(tile.columns, tile.rows, f, sums);
  for (; f < blocks.features; f += kPartFeatures) {
    WideFloats part[kRows][kVectors] = {};
    add_features(tile.columns + f * kBlockColumns, tile.rows + f * kRows,
                 lesser(kPartFeatures, blocks.features - f), part);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] += part[r][v];
    }
  }
  if (blocks.words_per_column == 0) return;
  WideInts counts[kRows][kVectors] = {};
  for (std::size_t w = 0; w < blocks.words_per_column; w += kPartWords) {
    count_bits(tile.column_words + w * kBlockColumns, tile.row_words + w * kRows,
               lesser(kPartWords, blocks.words_per_column - w), counts);
  }
  const WideFloats mark = all_wide(blocks.mark);
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const WideFloats count = convert<WideFloats>(counts[r][v]);
      sums[r][v] = multiply_add(count, mark, sums[r][v]);
    }
  }
}

template <std::size_t kRows, std::size_t kVectors>
inline void tile_values(const FloatBlocks& blocks, const FloatTile& tile, const SingleTail& tail,
                        WideFloats (&values)[kRows][kVectors]) {
  squared_distances(blocks, tile, values);
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      values[r][v] = exp2_of_product(values[r][v], tail);
    }
  }
}

// Calls use(values, r, k) for every tile: values[i][v] is the value of row r + i and of vector v of
// the columns from k on.  Tiles have kRows rows, and one row behind the last whole group.
template <std::size_t kRows, std::size_t kVectors, class Use>
inline void for_float_tiles(const FloatBlocks& blocks, std::size_t count, const FloatPanel& panel,
                            std::size_t rows, const SingleTail& tail, const Use& use) {
  constexpr std::size_t kStep = kVectors * kWideLanes;
  for (std::size_t k = 0; k < count * kBlockColumns; k += kStep) {
    const std::size_t block = k / kBlockColumns, shift = k % kBlockColumns;
    FloatTile tile = {blocks.values + block * blocks.features * kBlockColumns + shift,
                      blocks.words + block * blocks.words_per_column * kBlockColumns + shift,
                      panel.values, panel.words};
    std::size_t r = 0;
    for (; r + kRows <= rows; r += kRows) {
      WideFloats values[kRows][kVectors] = {};
      tile_values(blocks, tile, tail, values);
      use(values, r, k);
      tile.rows += kRows * blocks.features;
      tile.row_words += kRows * blocks.words_per_column;
    }
    if constexpr (kRows > 1) {
      for (; r < rows; ++r) {
        WideFloats values[1][kVectors] = {};
        tile_values(blocks, tile, tail, values);
        use(values, r, k);
        tile.rows += blocks.features;
        tile.row_words += blocks.words_per_column;
      }
    }
  }
}

void float_values(const FloatBlocks& blocks, std::size_t count, const FloatPanel& panel,
                  std::size_t rows, const SingleTail& tail, float* const* out) {
  const auto store = [out](const auto& values, std::size_t r, std::size_t k) {
    store_tile(values, out + r, k);
  };
  if (rows < kSingleRows) {
    for_float_tiles<1, kRowVectors>(blocks, count, panel, rows, tail, store);
  } else {
    for_float_tiles<kSingleRows, kGroupVectors>(blocks, count, panel, rows, tail, store);
  }
}

void float_sums(const FloatBlocks& blocks, std::size_t count, const FloatPanel& panel,
                const double* factors, std::size_t rows, const SingleTail& tail, double* sums) {
  for_float_tiles<kSingleRows, kGroupVectors>(
      blocks, count, panel, rows, tail, [=](const auto& values, std::size_t r, std::size_t k) {
        add_tile(values, factors + r, sums + k);
      });
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_SINGLE_LOOPS_H_
