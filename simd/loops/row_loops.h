// Generic loops from dots to kernel values.  Compiled for each target (vector.h).
#ifndef SVM_SIMD_LOOPS_ROW_LOOPS_H_
#define SVM_SIMD_LOOPS_ROW_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/loops.h"
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
  for (; k + kWideLanes <= count; k += kWideLanes) store_wide(out + k, look_up(row, places + k));
  for (; k < count; ++k) out[k] = row[places[k]];
}

template <class Number>
inline Number power(Number base, int exponent, Number one) {
  Number result = one;
  for (Number square = base; exponent > 0; exponent /= 2, square = square * square) {
    if (exponent % 2 == 1) result = result * square;
  }
  return result;
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
