// Sums of rows of values, weighted by factors. Compiled once for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_VALUE_ROWS_H_
#define SVM_BASE_SIMD_LOOPS_VALUE_ROWS_H_

#include <cstddef>
#include <cstring>

#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// sums[k] += factor(r) * row(r)[k] for k < width, for r = 0, 1, ... count - 1. Products are rounded
// before they are added unless kFused is true. kVectors vectors of sums are in registers at a time.
template <bool kFused, std::size_t kVectors, class Row, class Factor>
inline void add_weighted_rows(double* sums, std::size_t count, std::size_t width, const Row& row,
                              const Factor& factor) {
  const auto add = [&](Doubles& sum, std::size_t r, Doubles values) {
    sum = kFused ? multiply_add(all(factor(r)), values, sum) : sum + factor(r) * values;
  };
  std::size_t k = 0;
  for (; k + kVectors * kLanes <= width; k += kVectors * kLanes) {
    Doubles sum[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) sum[v] = load(sums + k + v * kLanes);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) add(sum[v], r, load(row(r) + k + v * kLanes));
    }
    for (std::size_t v = 0; v < kVectors; ++v) store(sums + k + v * kLanes, sum[v]);
  }
  for (; k < width; k += kLanes) {
    const std::size_t some = lesser(kLanes, width - k);
    Doubles sum = load_some(sums + k, some);
    for (std::size_t r = 0; r < count; ++r) add(sum, r, load_some(row(r) + k, some));
    double rest[kLanes];
    store(rest, sum);
    std::memcpy(sums + k, rest, some * sizeof(double));
  }
}

template <class Value>
[[gnu::noinline]] void add_value_rows(double* sums, const Value* const* rows, std::size_t first,
                                      const double* factors, std::size_t count, std::size_t width) {
  add_weighted_rows<true, 8>(
      sums, count, width, [=](std::size_t r) { return rows[r] + first; },
      [=](std::size_t r) { return factors[r]; });
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_VALUE_ROWS_H_
