// Loops from dot products to kernel values. Compiled once for each target (vector.h).
#ifndef SVM_SIMD_LOOPS_ROW_LOOPS_H_
#define SVM_SIMD_LOOPS_ROW_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/loops.h"
#include "simd/loops/tails.h"
#include "simd/loops/vector.h"

namespace svm {
namespace {

double product_plus(double x, double y, double z) { return x * y + z; }

void to_float(const double* x, std::size_t count, float* out) {
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) store(out + k, load(x + k));
  for (; k < count; ++k) out[k] = static_cast<float>(x[k]);
}

void pick_values(const float* row, const std::uint32_t* places, std::size_t count, float* out) {
  std::size_t k = 0;
  for (; k + kWideLanes <= count; k += kWideLanes) {
    look_up(row, load_wide_words(places + k), out + k);
  }
  for (; k < count; ++k) out[k] = row[places[k]];
}

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

void add_float_rows(double* sums, const float* const* rows, std::size_t first,
                    const double* factors, std::size_t count, std::size_t width) {
  add_value_rows(sums, rows, first, factors, count, width);
}

void polynomials(double gamma, double coef0, int degree, const double* dots, std::size_t count,
                 float* out) {
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    store(out + k, power(gamma * load(dots + k) + coef0, degree, all(1.0)));
  }
  for (; k < count; ++k) {
    out[k] = static_cast<float>(power(gamma * dots[k] + coef0, degree, 1.0));
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_LOOPS_ROW_LOOPS_H_
