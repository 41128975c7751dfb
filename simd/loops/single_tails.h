// Kernel values of single precision from sums over features.  Compiled for each target (vector.h).
#ifndef SVM_SIMD_LOOPS_SINGLE_TAILS_H_
#define SVM_SIMD_LOOPS_SINGLE_TAILS_H_

#include <cstddef>
#include <cstdint>

#include "simd/loops.h"
#include "simd/loops/exp_loops.h"
#include "simd/loops/vector.h"

namespace svm {
namespace {

// exp2(x (high + low)), where both factors stand in the tail: k + r with |r| <= 1/2, and a
// polynomial in r with a relative error of 2^-28.  The second factor keeps what rounding the first
// one would lose of a large exponent.
inline WideFloats exp2_of_product(WideFloats x, const SingleTail& tail) {
  constexpr float kFloatRounder = 0x1.8p23F;
  x = at_most(x, all_wide(tail.most));
  const WideFloats high = all_wide(tail.high);
  const WideFloats rounded = multiply_add(x, high, all_wide(kFloatRounder));
  const WideFloats k = rounded - kFloatRounder;
  const WideFloats r = multiply_add(x, all_wide(tail.low), multiply_add_exactly(x, high, -k));
  WideFloats p = all_wide(0x1.417842p-13F);
  p = multiply_add(p, r, all_wide(0x1.5f0948p-10F));
  p = multiply_add(p, r, all_wide(0x1.3b2dd4p-7F));
  p = multiply_add(p, r, all_wide(0x1.c6af7ap-5F));
  p = multiply_add(p, r, all_wide(0x1.ebfbdcp-3F));
  p = multiply_add(p, r, all_wide(0x1.62e430p-1F));
  p = multiply_add(p, r, all_wide(1.0F));
  return times_power(p, k, rounded);
}

inline Doubles power_of(Doubles base, int exponent) {
  Doubles result = all(1.0);
  for (Doubles square = base; exponent > 0; exponent /= 2, square *= square) {
    if (exponent % 2 == 1) result *= square;
  }
  return result;
}

// (e - 1) / (e + 1), where e = exp(2x); x itself where that would cancel.
inline Doubles tanh_of(Doubles x) {
  constexpr double kMost = 20;  // tanh is 1 in floats from 9.1 on
  const Doubles size = at_most(absolute(x), all(kMost));
  const Doubles e = exp_bound_by_polynomial(size + size);
  const Doubles value = (e - 1.0) / (e + 1.0);
  const Doubles signed_value = choose(less(x, Doubles{}), -value, value);
  return choose(less(size, all(0x1p-12)), x, signed_value);
}

// Of forms that take dots.
template <SingleForm kForm>
inline Doubles value_of_dot(Doubles dot, const SingleTail& tail) {
  if constexpr (kForm == SingleForm::kDot) {
    return all(tail.gamma) * dot;
  } else {
    const Doubles argument = multiply_add(all(tail.gamma), dot, all(tail.coef0));
    return kForm == SingleForm::kPower ? power_of(argument, tail.degree) : tanh_of(argument);
  }
}

// Vectors of columns beside one row.
constexpr std::size_t kRowVectors = 4;

// Asks for what a row's pass over other columns will read next.
inline void prefetch_columns(const void* from) {
  constexpr std::size_t kLine = 64;
  for (std::size_t at = 0; at < kRowVectors * kVectorBytes; at += kLine) {
    __builtin_prefetch(static_cast<const char*>(from) + at);
  }
}

// sums += factors * values, for kVectors vectors of columns.
template <std::size_t kRows, std::size_t kVectors>
inline void add_tile(const WideFloats (&values)[kRows][kVectors], const double* factors,
                     double* sums) {
  for (std::size_t v = 0; v < kVectors; ++v, sums += kWideLanes) {
    Doubles low = load(sums), high = load(sums + kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Doubles factor = all(factors[r]);
      low = multiply_add(factor, low_half(values[r][v]), low);
      high = multiply_add(factor, high_half(values[r][v]), high);
    }
    store(sums, low);
    store(sums + kLanes, high);
  }
}

// Calls use() with an object whose kForm is the form.
template <SingleForm kOne>
struct ThisForm {
  static constexpr SingleForm kForm = kOne;
};
template <class Use>
inline void with_form(SingleForm form, const Use& use) {
  switch (form) {
    case SingleForm::kExp:
      return use(ThisForm<SingleForm::kExp>());
    case SingleForm::kDot:
      return use(ThisForm<SingleForm::kDot>());
    case SingleForm::kPower:
      return use(ThisForm<SingleForm::kPower>());
    case SingleForm::kTanh:
      return use(ThisForm<SingleForm::kTanh>());
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_LOOPS_SINGLE_TAILS_H_
