// exp rounded to float or to double. Compiled once for each target (vector.h).
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

#include "base/platform/bits.h"
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

// Lower bounds of exp(x), meaningless if x < kZeroBefore. With x = k ln2 + r, the bound is 2^k
// times a polynomial in r. The polynomial has minimal relative error, and a factor of kBelow makes
// it a bound.
inline Doubles exp_bound_below(Doubles x) {
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

// exp in double with the bits of the C library -------------------------------------------------
//
// The C library's exp is not rounded correctly. But if its error is known to be less than
// kLibraryError units in the last place, it rounds as the exact value does unless that is close to
// the middle of two doubles. In those cases, 3 lanes of 100, the C library is called.

// The powers 2^(i/16).
constexpr double kRoots[16] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};

// Stores exp(x) in `out`. The result has a bit set for each lane that the C library must compute.
//
// x = k ln2 / 16 + r with |r| <= 2^-5.5, and exp(x) = 2^(k/16) (1 + r + r^2 q(r)). The leading
// terms carry their rounding errors along, so that the value before the last rounding has a
// relative error of at most 2^-60 (1/256 of a unit in the last place): the terms that are rounded
// without a remainder are below 2^-11.
inline unsigned exp_with_doubts(Doubles x, double* out) {
  static constexpr double kRests[16] = {0x0p+0,
                                        0x1.8a62e4adc610bp-54,
                                        -0x1.19041b9d78a76p-55,
                                        0x1.9b07eb6c70573p-54,
                                        0x1.6f46ad23182e4p-55,
                                        0x1.ada0911f09ebcp-55,
                                        0x1.d4397afec42e2p-56,
                                        0x1.6324c054647adp-54,
                                        -0x1.bdd3413b26456p-54,
                                        -0x1.41577ee04992fp-55,
                                        0x1.6e9f156864b27p-54,
                                        0x1.c7c46b071f2bep-56,
                                        0x1.7a1cd345dcc81p-54,
                                        0x1.11065895048ddp-55,
                                        0x1.2ed02d75b3707p-55,
                                        -0x1.e9c23179c2893p-54};
  // ln2 / 16 in two parts; the product of k and the first part is exact.
  constexpr double kReduction = 0x1.62e42fee00000p-5;
  constexpr double kLanesRest = 0x1.a39ef35793c76p-37;

  const Doubles shifted = multiply_add(x, all(0x1.71547652b82fep+4), all(kRounder));
  const Doubles k = shifted - all(kRounder);
  const Words bits = same_bits<Words>(shifted);
  const Doubles partly = multiply_add(k, all(-kReduction), x);
  const Doubles r = multiply_add(k, all(-kLanesRest), partly);
  const Doubles r_rest = multiply_add(k, all(-kLanesRest), partly - r);

  const Doubles r2 = r * r;
  const Doubles q01 = multiply_add(all(0x1.5555555555555p-3), r, all(0.5));
  const Doubles q23 = multiply_add(all(0x1.1111111111111p-7), r, all(0x1.5555555555555p-5));
  const Doubles q45 = multiply_add(all(0x1.a01a01a01a01ap-13), r, all(0x1.6c16c16c16c17p-10));
  const Doubles q456 = multiply_add(all(0x1.a01a01a01a01ap-16), r2, q45);
  const Doubles q = multiply_add(multiply_add(q456, r2, q23), r2, q01);

  const Doubles root = pick(kRoots, bits);
  const Doubles rest = pick(kRests, bits);
  const Doubles first = root * r;
  const Doubles first_rest = multiply_add(root, r, -first);
  const Doubles tail =
      multiply_add(root, multiply_add(q, r2, r_rest), multiply_add(rest, r, rest) + first_rest);
  const Doubles sum = root + first;
  const Doubles small = (first - (sum - root)) + tail;
  const Doubles rounded = sum + small;
  const Doubles remainder = small - (rounded - sum);

  // A unit in the last place is 2^-52 of the value's power of two. A power of two itself has a
  // different unit below it and is left to the C library, like NaN and results near the ends of the
  // range.
  constexpr double kLibraryError = 0.512;
  constexpr double kOwnError = 0x1p-8;
  constexpr double kSureBelow = (1 - kLibraryError - kOwnError) * 0x1p-52;
  constexpr std::int64_t kMantissa = (std::int64_t{1} << 52) - 1;
  const Longs value = same_bits<Longs>(rounded);
  const Doubles power = same_bits<Doubles>(value & all_longs(~kMantissa));
  const Mask sure =
      with_any_bit(less(less(absolute(remainder), power * all(kSureBelow)), absolute(x), all(700)),
                   value, all_longs(kMantissa));
  store(out, same_bits<Doubles>(same_bits<Words>(value) + (bits >> 4 << 52)));
  return ~bits_of(sure) & ((1U << kLanes) - 1);
}

// Does two passes over a few vectors at a time: doubts are rare, and a branch for each costs more.
[[maybe_unused]] inline void exp_by_vectors(double factor, const double* x, std::size_t count,
                                            double* out) {
  constexpr std::size_t kValues = 64;
  double arguments[kValues];
  std::size_t k = 0;
  while (count - k >= kLanes) {
    const std::size_t end = count - k < kValues ? (count - k) / kLanes * kLanes : kValues;
    std::uint64_t doubts = 0;
    for (std::size_t v = 0; v < end; v += kLanes) {
      const Doubles argument = all(factor) * load(x + k + v);
      store(arguments + v, argument);
      doubts |= std::uint64_t{exp_with_doubts(argument, out + k + v)} << v;
    }
    for (; doubts != 0; doubts &= doubts - 1) {
      const std::size_t v = static_cast<std::size_t>(platform::trailing_zeros(doubts));
      out[k + v] = std::exp(arguments[v]);
    }
    k += end;
  }
  for (; k < count; ++k) out[k] = std::exp(factor * x[k]);
}

[[maybe_unused]] void library_exp(double factor, const double* x, std::size_t count, double* out) {
  if constexpr (kSixteenInRegisters) {
    exp_by_vectors(factor, x, count, out);
  } else {  // vectors would gain nothing
    for (std::size_t k = 0; k < count; ++k) out[k] = std::exp(factor * x[k]);
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_EXP_LOOPS_H_
