// Sums of rows of values, weighted by factors. Compiled once for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_VALUE_ROWS_H_
#define SVM_BASE_SIMD_LOOPS_VALUE_ROWS_H_

#include <cstddef>
#include <cstring>

#include "base/simd/loops/vector.h"

namespace svm {
namespace {

template <class Value>
[[gnu::noinline]] void add_value_rows(double* sums, const Value* const* rows, std::size_t first,
                                      const double* factors, std::size_t count, std::size_t width) {
  constexpr std::size_t kRegisters = 8;
  std::size_t k = 0;
  for (; k + kRegisters * kLanes <= width; k += kRegisters * kLanes) {
    Doubles sum[kRegisters];
    for (std::size_t v = 0; v < kRegisters; ++v) sum[v] = load(sums + k + v * kLanes);
    for (std::size_t r = 0; r < count; ++r) {
      const Value* row = rows[r] + first + k;
      const Doubles factor = all(factors[r]);
      for (std::size_t v = 0; v < kRegisters; ++v) {
        sum[v] = multiply_add(factor, load(row + v * kLanes), sum[v]);
      }
    }
    for (std::size_t v = 0; v < kRegisters; ++v) store(sums + k + v * kLanes, sum[v]);
  }
  for (; k < width; k += kLanes) {
    const std::size_t some = width - k < kLanes ? width - k : kLanes;
    double rest[kLanes] = {};
    std::memcpy(rest, sums + k, some * sizeof(double));
    Doubles sum = load(rest);
    for (std::size_t r = 0; r < count; ++r) {
      Value values[kLanes] = {};
      std::memcpy(values, rows[r] + first + k, some * sizeof(Value));
      sum = multiply_add(all(factors[r]), load(values), sum);
    }
    store(rest, sum);
    std::memcpy(sums + k, rest, some * sizeof(double));
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_VALUE_ROWS_H_
