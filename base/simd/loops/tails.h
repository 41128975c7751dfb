// The tails of kernels: values from sums over features, in single and double arithmetic; the exact
// ones are in exp_loops.h and row_loops.h.  Compiled for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_TAILS_H_
#define SVM_BASE_SIMD_LOOPS_TAILS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"
#include "base/simd/loops/exp_loops.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// base^exponent by repeated squaring, as integer_power() computes it; 1 for exponents up to 0.
template <class Number>
inline Number power(Number base, int exponent, Number one) {
  Number result = one;
  for (Number square = base; exponent > 0; exponent /= 2, square = square * square) {
    if (exponent % 2 == 1) result = result * square;
  }
  return result;
}

// Single arithmetic ------------------------------------------------------------------------------

// exp2(x (high + low)) with both factors from the tail: the exponent is k + r with |r| <= 1/2, and
// a polynomial in r has a relative error of 2^-28. `low` holds what rounding `high` would lose for
// large exponents.
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

// (e - 1) / (e + 1) with e = exp(2x); x itself if that would cancel.
[[gnu::always_inline]] inline Doubles tanh_of(Doubles x) {
  constexpr double kMost = 20;  // in floats, tanh is 1 from 9.1 on
  const Doubles size = at_most(absolute(x), all(kMost));
  const Doubles e = exp_bound_below(size + size);
  const Doubles value = (e - 1.0) / (e + 1.0);
  const Doubles signed_value = choose(less(x, Doubles{}), -value, value);
  return choose(less(size, all(0x1p-12)), x, signed_value);
}

// Values of the forms that take dot products.
template <TailForm kForm>
inline Doubles value_of_dot(Doubles dot, const SingleTail& tail) {
  if constexpr (kForm == TailForm::kDot) {
    return all(tail.gamma) * dot;
  } else {
    const Doubles argument = multiply_add(all(tail.gamma), dot, all(tail.coef0));
    return kForm == TailForm::kPower ? power(argument, tail.degree, all(1.0)) : tanh_of(argument);
  }
}

// Vectors of columns per row, and per group of kSingleRows rows.
constexpr std::size_t kRowVectors = 4;
constexpr std::size_t kGroupVectors = kManyRegisters ? 4 : 2;

// sums += factors * values for kVectors vectors of columns.
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

// Stores values[r] at out[r] + k, for kVectors vectors of columns.
template <std::size_t kRows, std::size_t kVectors>
inline void store_tile(const WideFloats (&values)[kRows][kVectors], float* const* out,
                       std::size_t k) {
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      store_wide(out[r] + k + v * kWideLanes, values[r][v]);
    }
  }
}

// Calls use() with an object whose kForm is `form`.
template <TailForm kOne>
struct ThisForm {
  static constexpr TailForm kForm = kOne;
};
template <class Use>
inline void with_form(TailForm form, const Use& use) {
  switch (form) {
    case TailForm::kExp:
      return use(ThisForm<TailForm::kExp>());
    case TailForm::kDot:
      return use(ThisForm<TailForm::kDot>());
    case TailForm::kPower:
      return use(ThisForm<TailForm::kPower>());
    case TailForm::kTanh:
      return use(ThisForm<TailForm::kTanh>());
  }
}

// Double arithmetic, of sums whose values are not kept -------------------------------------------

// Number of vectors of columns that are computed together: with the rows of a panel, they fill half
// of the registers.
constexpr std::size_t kPreciseVectors = (kManyRegisters ? 16 : 8) / kPackRows;
constexpr std::size_t kPreciseTile = kPreciseVectors * kLanes;
static_assert(kPackColumns % kPreciseTile == 0, "blocks consist of whole tiles");

struct PreciseTile {
  Doubles values[kPackRows][kPreciseVectors];
};

// values = 2^(factor values), with a relative error of 3e-16 in addition to that of the exponents,
// which must be above -1022. The polynomial has the minimal relative error of all that are 1 at 0.
// All vectors advance together because each step waits for the previous one.
inline void powers_of_two(Doubles factor, Doubles (&values)[kPreciseVectors]) {
  constexpr double kCoefficients[] = {0x1.b671b2f14537ap-24, 0x1.62c147a4afdfcp-20,
                                      0x1.ffcb58ca31191p-17, 0x1.4309126c00bdfp-13,
                                      0x1.5d87fe9b8efd1p-10, 0x1.3b2ab6fbd6d05p-7,
                                      0x1.c6b08d703e17ap-5,  0x1.ebfbdff82c431p-3,
                                      0x1.62e42fefa3a12p-1,  1};
  Doubles shifted[kPreciseVectors], p[kPreciseVectors];
  for (std::size_t v = 0; v < kPreciseVectors; ++v) {
    shifted[v] = multiply_add(values[v], factor, all(kRounder));
  }
  for (std::size_t v = 0; v < kPreciseVectors; ++v) {
    values[v] = multiply_add(values[v], factor, all(kRounder) - shifted[v]);
  }
  for (Doubles& value : p) value = all(0x1.e3a9046bc2ff4p-28);
  for (const double coefficient : kCoefficients) {
    for (std::size_t v = 0; v < kPreciseVectors; ++v) {
      p[v] = multiply_add(p[v], values[v], all(coefficient));
    }
  }
  for (std::size_t v = 0; v < kPreciseVectors; ++v) {
    values[v] = same_bits<Doubles>(same_bits<Words>(p[v]) + (same_bits<Words>(shifted[v]) << 52));
  }
}

[[gnu::noinline]] void tanh_of_tile(const PreciseKernel& kernel, PreciseTile& tile) {
  for (auto& row : tile.values) {
    for (Doubles& value : row) {
      double lanes[kLanes];
      store(lanes, multiply_add(value, all(kernel.factor), all(kernel.summand)));
      for (double& lane : lanes) lane = std::tanh(lane);
      value = load(lanes);
    }
  }
}

template <class Function>
inline void transform(PreciseTile& tile, const Function& function) {
  for (auto& row : tile.values) {
    for (Doubles& value : row) value = function(value);
  }
}

inline void apply_tail(const PreciseKernel& kernel, PreciseTile& tile) {
  const Doubles factor = all(kernel.factor), summand = all(kernel.summand);
  switch (kernel.form) {
    case TailForm::kDot:
      return;
    case TailForm::kExp:
      if (kernel.most < kInfinity) {
        transform(tile, [&](Doubles x) { return at_most(x, all(kernel.most)); });
      }
      for (auto& row : tile.values) powers_of_two(factor, row);
      return;
    case TailForm::kPower:
      return transform(tile, [&](Doubles x) {
        return power(multiply_add(x, factor, summand), kernel.degree, all(1.0));
      });
    default:
      return tanh_of_tile(kernel, tile);
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_TAILS_H_
