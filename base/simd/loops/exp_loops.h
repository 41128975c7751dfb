// exp rounded to float. Compiled once for each target (vector.h).
//
// The float nearest to exp(x) can be found without an exact exp: a lower and an upper bound of the
// C library's result, 2^-37 apart, almost always round to the same float. If they do not, the C
// library is called. docs/exactness.md proves the bounds.
#ifndef SVM_BASE_SIMD_LOOPS_EXP_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_EXP_LOOPS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// The approximation times kBelow is a lower bound of the C library's exp; that times kAboveToBelow
// is an upper bound.
constexpr double kMargin = 0x1p-38;
constexpr double kBelow = 1 - kMargin;
constexpr double kAboveToBelow = 1 + 2 * kMargin;

// Below kZeroBefore the float is +0, because exp(x) < 2^-150, half of the smallest float. From
// kInfiniteFrom on, exp(x) exceeds the range of float, but by far not that of double.
constexpr double kZeroBefore = -104;
constexpr double kInfiniteFrom = 90;

// Adding kRounder rounds to an integer, which is then in the low bits.
constexpr double kRounder = 0x1.8p52;

// The bound, or 0 if x < kZeroBefore.
inline Doubles zero_where_tiny(Doubles bound, Doubles x) {
  return choose(less(x, all(kZeroBefore)), Doubles{}, bound);
}

// Lower bounds of exp(x), meaningless if x < kZeroBefore. With x = k ln2 / n + r, the bound is
// 2^(k/n) times a polynomial in r. The polynomials have minimal relative error, and a factor of
// kBelow makes them bounds.

// n = 16, with a table of the roots.
inline Doubles exp_bound_by_table(Doubles x) {
  // The bits of 2^(i/16), minus what i adds to them when k is shifted into place.
  constexpr std::uint64_t kOne = std::uint64_t{1} << 48;
  static constexpr std::uint64_t kRoots[16] = {0x3ff0000000000000,
                                               0x3ff0b5586cf9890f - kOne,
                                               0x3ff172b83c7d517b - 2 * kOne,
                                               0x3ff2387a6e756238 - 3 * kOne,
                                               0x3ff306fe0a31b715 - 4 * kOne,
                                               0x3ff3dea64c123422 - 5 * kOne,
                                               0x3ff4bfdad5362a27 - 6 * kOne,
                                               0x3ff5ab07dd485429 - 7 * kOne,
                                               0x3ff6a09e667f3bcd - 8 * kOne,
                                               0x3ff7a11473eb0187 - 9 * kOne,
                                               0x3ff8ace5422aa0db - 10 * kOne,
                                               0x3ff9c49182a3f090 - 11 * kOne,
                                               0x3ffae89f995ad3ad - 12 * kOne,
                                               0x3ffc199bdd85529c - 13 * kOne,
                                               0x3ffd5818dcfba487 - 14 * kOne,
                                               0x3ffea4afa2a490da - 15 * kOne};
  const Doubles shifted = multiply_add(x, all(0x1.71547652b82fep+4), all(kRounder));
  const Doubles k = shifted - all(kRounder);
  const Doubles r = multiply_add(k, all(-0x1.62e42fefa39efp-5), x);
  const Words bits = same_bits<Words>(shifted);
  const Doubles scale = same_bits<Doubles>(pick(kRoots, bits) + (bits << 48));
  Doubles p = all(kBelow * 0x1.110fe4ed10d7cp-7);
  p = multiply_add(p, r, all(kBelow * 0x1.5557628c0e22cp-5));
  p = multiply_add(p, r, all(kBelow * 0x1.5555555a20102p-3));
  p = multiply_add(p, r, all(kBelow * 0x1.fffffffd0a610p-2));
  p = multiply_add(p, r, all(kBelow * 0x1.fffffffffff58p-1));
  p = multiply_add(p, r, all(kBelow * 0x1.0000000000014p+0));
  return p * scale;
}

// n = 1 and a longer polynomial.
inline Doubles exp_bound_by_polynomial(Doubles x) {
  // Includes the bias of the exponent, so that a shift turns k into the power of two.
  constexpr double kBiased = kRounder + 1023;
  const Doubles shifted = multiply_add(x, all(0x1.71547652b82fep+0), all(kBiased));
  const Doubles k = shifted - all(kBiased);
  const Doubles r = multiply_add(k, all(-0x1.62e42fefa39efp-1), x);
  const Doubles scale = same_bits<Doubles>(same_bits<Words>(shifted) << 52);
  // This order has shorter dependency chains than Horner's.
  const Doubles r2 = r * r;
  const Doubles p01 =
      multiply_add(all(kBelow * 0x1.ffffffffd5624p-1), r, all(kBelow * 0x1.ffffffffff7a3p-1));
  const Doubles p23 =
      multiply_add(all(kBelow * 0x1.555555a0837ddp-3), r, all(kBelow * 0x1.0000000087f7cp-1));
  const Doubles p45 =
      multiply_add(all(kBelow * 0x1.111082acf0ca7p-7), r, all(kBelow * 0x1.555554050a301p-5));
  const Doubles p67 =
      multiply_add(all(kBelow * 0x1.a1a81f31e19d9p-13), r, all(kBelow * 0x1.6c18b33ff5bebp-10));
  const Doubles p678 = multiply_add(all(kBelow * 0x1.9eda93dcd0f51p-16), r2, p67);
  const Doubles p0123 = multiply_add(p23, r2, p01);
  const Doubles p45678 = multiply_add(p678, r2, p45);
  const Doubles p = multiply_add(p45678, r2 * r2, p0123);
  return p * scale;
}

inline Doubles exp_bound_below(Doubles x) {
  return kSixteenInRegisters ? exp_bound_by_table(x) : exp_bound_by_polynomial(x);
}

[[gnu::noinline, gnu::cold]] void library_exp_lanes(Doubles x, float* out) {
  double lanes[kLanes];
  store(lanes, x);
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    out[lane] = static_cast<float>(std::exp(lanes[lane]));
}

inline void exp_between_bounds(Doubles x, float* out) {
  const Doubles below = zero_where_tiny(exp_bound_below(at_most(x, all(kInfiniteFrom))), x);
  if (!store_where_equal(below, below * all(kAboveToBelow), out)) library_exp_lanes(x, out);
}

[[gnu::noinline, gnu::cold]] void exp_with_care(Doubles x, float* out) {
  exp_between_bounds(x, out);
}

// If masks are bits, the bits of the lower bound settle nearly all values faster, for x from
// kNormalFrom to 0, for which floats are normal. Rounding to float cuts 29 bits off, so the result
// changes in the middle between two floats. The upper bound is at most kApart units in the last
// place away; twice that is checked, which leaves room for ties.
constexpr double kNormalFrom = -87;
constexpr std::int64_t kHalf = std::int64_t{1} << 28, kApart = std::int64_t{1} << 16;
static_assert(4 * kMargin * 0x1p52 <= kApart, "the bounds are a relative 2 kMargin apart");
// Adding kToChange clears these bits for values from 2 kApart - 1 below a change up to the change.
constexpr std::int64_t kToChange = kHalf + 2 * kApart - 1;
constexpr std::int64_t kAway = 2 * kHalf - 2 * kApart;

inline void exp_lanes(Doubles x, float* out) {
  if (!std::is_integral<Mask>::value) return exp_between_bounds(x, out);
  const Doubles below = exp_bound_below(x);
  store(out, below);
  const Mask in_range = less_equal(less(all(kNormalFrom), x), x, Doubles{});
  const Longs moved = same_bits<Longs>(below) + kToChange;
  if (!every(with_any_bit(in_range, moved, all_longs(kAway)))) exp_with_care(x, out);
}

// Uses the order of operations of KernelFunction::of_dot, with no operation fused.
inline Doubles rbf_argument(Doubles dot, Doubles norms, double norm, double gamma) {
  return all(-gamma) * (all(norm) + norms - all(2.0) * dot);
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_EXP_LOOPS_H_
