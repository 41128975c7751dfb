// How examples stand in floats and bits, for engines of single precision, and what that loses.
#ifndef SVM_KERNELS_ENGINES_FLOAT_LAYOUT_H_
#define SVM_KERNELS_ENGINES_FLOAT_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/examples.h"
#include "kernels/kernel_function.h"
#include "simd/loops.h"
#include "threads/go_on.h"

namespace svm {

// A value's error relative to the root of the diagonal values of row and column, where single
// precision has its ordinary one, and the largest estimate with which it is used at all.
constexpr double kOrdinaryRounding = 0x1p-23;
constexpr double kMostRounding = 16 * kOrdinaryRounding;

// The steepest slope of exp(-x^2), rounded up: what an error of x makes.
constexpr double kMostSlope = 0.86;

// Inside the normal floats, with room for sums of many.
inline bool is_ordinary(double value) { return value > 0x1p-100 && value < 0x1p100; }

// The tail of a kernel for sums of which 1 stands for `unit`.
SingleTail single_tail(const KernelFunction& kernel, double unit);

// The estimate for kernels of dots, whose parts are rounded to float (a part of the diagonal's root
// each), infinite where values would leave the normal floats, or where the kernel is degenerate.
// Not for RBF.
double dot_rounding(const KernelFunction& kernel, const Examples& examples);

// Features that have two values only, zero being one where a row lacks them, are bits: for RBF
// where these are equally far apart, for the others where one is zero and the other has the same
// magnitude.  What all rows have in common, RBF leaves out.  The rest are floats, less the middle
// of their range for RBF, so that an offset costs no accuracy.  All are multiplied by a power of
// two that makes gamma, or the largest value, one of ordinary size.
struct FloatLayout {
  // Takes regular examples.  Throws Interrupted where `go_on` says so.
  FloatLayout(const KernelFunction& kernel, const Examples& examples, const GoOn& go_on);

  static constexpr std::uint32_t kNoPlace = static_cast<std::uint32_t>(-1);

  std::vector<std::uint32_t> places;  // of each feature, kMarkPlace + the bit, or kNoPlace
  std::vector<double> set_value;      // of each feature that is a bit: what it stands for, not 0
  std::vector<double> centres;        // of each place of floats
  std::size_t floats = 0, words = 0;  // of an example
  double mark = 0;                    // what a bit adds, multiplied
  int exponent = 0;
  double scale = 1;     // 2^exponent
  double rounding = 0;  // the estimate; infinite where floats do not suit the data

  float stored(double value, std::size_t place) const;
  bool is_bit(std::uint32_t place) const { return place != kNoPlace && (place & kMarkPlace) != 0; }
  double bytes() const { return 4.0 * static_cast<double>(floats + words); }
  // Roughly, of one value, in nanoseconds.
  double cost() const { return 0.15 + 0.03 * static_cast<double>(floats + words); }

 private:
  struct Kinds;
  void place_features(const Kinds& kinds, bool by_differences);
  double difference_rounding(const KernelFunction& kernel, const Examples& examples,
                             const Kinds& kinds) const;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_FLOAT_LAYOUT_H_
