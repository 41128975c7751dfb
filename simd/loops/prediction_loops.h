// Sums over features for packed support vectors and rows to predict. Vectors run across support
// vectors or rows, so that each sum is computed in the order of the features. Compiled once for
// each target (vector.h).
#ifndef SVM_SIMD_LOOPS_PREDICTION_LOOPS_H_
#define SVM_SIMD_LOOPS_PREDICTION_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/loops.h"
#include "simd/loops/vector.h"

namespace svm {
namespace {

// Number of columns computed together: two vectors per row keep the adders busy and fit the
// registers.
constexpr std::size_t kTile = 2 * kLanes;

struct TileSums {
  explicit TileSums(const double* from) {
    for (std::size_t r = 0; r < kPackRows; ++r) {
      low[r] = load(from + r * kPackColumns);
      high[r] = load(from + r * kPackColumns + kLanes);
    }
  }
  void store_to(double* to) const {
    for (std::size_t r = 0; r < kPackRows; ++r) {
      store(to + r * kPackColumns, low[r]);
      store(to + r * kPackColumns + kLanes, high[r]);
    }
  }
  Doubles low[kPackRows], high[kPackRows];
};

void add_squared_differences(const double* block, const double* x, std::size_t count,
                             double* sums) {
  for (std::size_t tile = 0; tile < kPackColumns; tile += kTile) {
    TileSums sum(sums + tile);
    const double* column = block + tile;
    const double* row = x;
    for (std::size_t k = 0; k < count; ++k, column += kPackColumns, row += kPackRows) {
      const Doubles low = load(column), high = load(column + kLanes);
      for (std::size_t r = 0; r < kPackRows; ++r) {
        const Doubles value = all(row[r]);
        const Doubles low_difference = value - low, high_difference = value - high;
        sum.low[r] += low_difference * low_difference;
        sum.high[r] += high_difference * high_difference;
      }
    }
    sum.store_to(sums + tile);
  }
}

void add_products(const double* block, const std::uint32_t* slots, const double* x,
                  std::size_t count, double* sums) {
  for (std::size_t tile = 0; tile < kPackColumns; tile += kTile) {
    TileSums sum(sums + tile);
    const double* row = x;
    for (std::size_t k = 0; k < count; ++k, row += kPackRows) {
      const double* column = block + tile + slots[k] * kPackColumns;
      const Doubles low = load(column), high = load(column + kLanes);
      for (std::size_t r = 0; r < kPackRows; ++r) {
        const Doubles value = all(row[r]);
        sum.low[r] += value * low;
        sum.high[r] += value * high;
      }
    }
    sum.store_to(sums + tile);
  }
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

#endif  // SVM_SIMD_LOOPS_PREDICTION_LOOPS_H_
