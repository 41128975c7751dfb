// Generic loops from dots to kernel values.  Included only by the files of one instruction set.
#ifndef SVM_SIMD_ROW_LOOPS_H_
#define SVM_SIMD_ROW_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/loops.h"
#include "simd/vector.h"

namespace svm {
namespace {

constexpr std::size_t kStep = kLanes;

inline Longs all_words(std::uint64_t value) { return static_cast<std::int64_t>(value) - Longs{}; }

void to_float(const double* x, std::size_t count, float* out) {
  std::size_t k = 0;
  for (; k + kStep <= count; k += kStep) store(out + k, load(x + k));
  for (; k < count; ++k) out[k] = static_cast<float>(x[k]);
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
  for (; k + kStep <= count; k += kStep) {
    store(out + k, power(gamma * load(dots + k) + coef0, degree, all(1.0)));
  }
  for (; k < count; ++k) {
    out[k] = static_cast<float>(power(gamma * dots[k] + coef0, degree, 1.0));
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_ROW_LOOPS_H_
