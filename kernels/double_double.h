// Numbers of 106 bits: the unevaluated sum of two doubles.
//
//   T. J. Dekker: A floating-point technique for extending the available precision, Numer. Math. 18
//   (1971).
#ifndef SVM_KERNELS_DOUBLE_DOUBLE_H_
#define SVM_KERNELS_DOUBLE_DOUBLE_H_

#include <cmath>

namespace svm {

// |low| is at most half a unit in the last place of `high`.  Sums and products have a relative
// error below 2^-102 (a sum: relative to |a| + |b|) as long as nothing overflows; then they are NaN
// or infinite.
struct DoubleDouble {
  double high = 0, low = 0;

  double to_double() const { return high + low; }
  void add(double term);
};

// a + b for |a| >= |b|, without error.
inline DoubleDouble exact_sum_of_ordered(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b without error.
inline DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// a * b without error, unless a factor is beyond 2^995 or the product below 2^-960.
inline DoubleDouble exact_product(double a, double b) {
  constexpr double kSplitter = 0x1p27 + 1;
  const double big_a = kSplitter * a, a_high = big_a - (big_a - a), a_low = a - a_high;
  const double big_b = kSplitter * b, b_high = big_b - (big_b - b), b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
  const DoubleDouble sum = exact_sum_of_ordered(high.high, high.low + low.high);
  return exact_sum_of_ordered(sum.high, sum.low + low.low);
}

inline void DoubleDouble::add(double term) { *this = *this + DoubleDouble{term, 0}; }

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return exact_sum_of_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline DoubleDouble integer_power(DoubleDouble base, int exponent) {
  DoubleDouble result{1, 0};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base;
    if (exponent > 1) base = base * base;
  }
  return result;
}

}  // namespace svm

#endif  // SVM_KERNELS_DOUBLE_DOUBLE_H_
