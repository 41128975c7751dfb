// Sums over features for packed support vectors and rows to predict. Vectors run across support
// vectors or rows, so that each sum is computed in the order of the features. Compiled once for
// each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_PREDICTION_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_PREDICTION_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// The sums of kRows rows and kVectors vectors of columns.  They fill as many registers as keep the
// adders busy.
template <std::size_t kRows, std::size_t kVectors>
struct TileSums {
  TileSums(const double* from, std::size_t stride) {
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = load(from + r * stride + v * kLanes);
    }
  }
  void store_to(double* to, std::size_t stride) const {
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) store(to + r * stride + v * kLanes, sums[r][v]);
    }
  }
  Doubles sums[kRows][kVectors];
};

// Calls add(sum, x, column) for the features k = 0, 1, ... count - 1, all rows and all columns of a
// block; column_of(k) is where the block has the values of feature k.
template <std::size_t kRows, std::size_t kVectors, class ColumnOf, class Add>
inline void add_to_block(const ColumnOf& column_of, const double* x, std::size_t count,
                         double* sums, std::size_t stride, const Add& add) {
  constexpr std::size_t kTile = kVectors * kLanes;
  static_assert(kPackColumns % kTile == 0, "blocks consist of whole tiles");
  for (std::size_t tile = 0; tile < kPackColumns; tile += kTile) {
    TileSums<kRows, kVectors> sum(sums + tile, stride);
    const double* row = x;
    for (std::size_t k = 0; k < count; ++k, row += kRows) {
      const double* const column = column_of(k) + tile;
      Doubles values[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) values[v] = load(column + v * kLanes);
      for (std::size_t r = 0; r < kRows; ++r) {
        const Doubles value = all(row[r]);
        for (std::size_t v = 0; v < kVectors; ++v) add(sum.sums[r][v], value, values[v]);
      }
    }
    sum.store_to(sums + tile, stride);
  }
}

// The same for one row or for kPackRows.
template <class ColumnOf, class Add>
inline void add_rows_to_block(const ColumnOf& column_of, const double* x, std::size_t rows,
                              std::size_t count, double* sums, std::size_t stride, const Add& add) {
  if (rows == 1) {
    add_to_block<1, kPackColumns / kLanes>(column_of, x, count, sums, stride, add);
  } else {
    add_to_block<kPackRows, 2>(column_of, x, count, sums, stride, add);
  }
}

void add_squared_differences(const double* block, const double* x, std::size_t rows,
                             std::size_t count, double* sums, std::size_t stride) {
  add_rows_to_block([block](std::size_t k) { return block + k * kPackColumns; }, x, rows, count,
                    sums, stride,
                    [](Doubles& sum, Doubles value, Doubles column) {
                      const Doubles difference = value - column;
                      sum += difference * difference;
                    });
}

void add_products(const double* block, const std::uint32_t* slots, const double* x,
                  std::size_t rows, std::size_t count, double* sums, std::size_t stride) {
  add_rows_to_block([=](std::size_t k) { return block + slots[k] * kPackColumns; }, x, rows, count,
                    sums, stride,
                    [](Doubles& sum, Doubles value, Doubles column) { sum += value * column; });
}

void add_weighted(const double* values, const double* weights, std::size_t count, double* sums) {
  constexpr std::size_t kPortions = 4;
  static_assert(kSumRows % (kPortions * kLanes) == 0, "whole vectors");
  for (std::size_t begin = 0; begin < kSumRows; begin += kPortions * kLanes) {
    Doubles sum[kPortions];
    for (std::size_t p = 0; p < kPortions; ++p) sum[p] = load(sums + begin + p * kLanes);
    for (std::size_t s = 0; s < count; ++s) {
      const Doubles weight = all(weights[s]);
      for (std::size_t p = 0; p < kPortions; ++p) {
        sum[p] += weight * load(values + s * kSumRows + begin + p * kLanes);
      }
    }
    for (std::size_t p = 0; p < kPortions; ++p) store(sums + begin + p * kLanes, sum[p]);
  }
}

void add_to_all(double value, std::size_t count, double* sums) {
  std::size_t s = 0;
  for (; s + kLanes <= count; s += kLanes) store(sums + s, load(sums + s) + all(value));
  for (; s < count; ++s) sums[s] += value;
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_PREDICTION_LOOPS_H_
