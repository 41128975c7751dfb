// How examples stand in floats and bits, for engines of single precision, and what that loses.
#ifndef SVM_KERNELS_ENGINES_FLOAT_LAYOUT_H_
#define SVM_KERNELS_ENGINES_FLOAT_LAYOUT_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/examples.h"
#include "kernels/kernel_function.h"
#include "kernels/kernel_tail.h"
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

// The distance between a row and what an engine stores of it.
struct StoredError {
  double distance = 0;  // the largest of all rows
  double part = 0;      // of the row's norm; the largest of all rows that are not 0
};

// `error_of(p)` is the error of value p of the examples as an engine stores it.
template <class ErrorOf>
StoredError stored_error(const Examples& examples, const ErrorOf& error_of) {
  StoredError all;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    double squares = 0;
    for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
      const double error = error_of(p);
      squares += error * error;
    }
    const double distance = std::sqrt(squares), norm = std::sqrt(examples.squared_norm(i));
    all.distance = std::max(all.distance, distance);
    if (norm > 0) all.part = std::max(all.part, distance / norm);
  }
  return all;
}

// The error of values that are stored as floats after they were multiplied by `scale`, a power of
// two.
StoredError float_error(const Examples& examples, double scale);

// The estimate for kernels of dots.  `part` is StoredError::part; products and results are rounded
// to float.  Infinite if values would leave the normal floats, or if the kernel is degenerate.  Not
// for RBF.
double dot_rounding(const KernelFunction& kernel, const Examples& examples, double part);

// Bounds what moving two rows by up to `distance` each changes of their RBF value.
double moved_bound(double gamma, double distance);

// The estimate for RBF values of which storing the rows changes no more than `bound`.  The ordinary
// one stands for errors that reach twice as much now and then.
inline double rounding_of_bound(double bound) {
  return bound <= 2 * kOrdinaryRounding ? kOrdinaryRounding : bound;
}

// Features that have two values only, zero being one where a row lacks them, are bits: for RBF
// where these are equally far apart, for the others where one is zero and the other has the same
// magnitude.  What all rows have in common, RBF leaves out.  The rest are floats, less the middle
// of their range for RBF, so that an offset costs no accuracy.  All are multiplied by a power of
// two that makes gamma, or the largest value, one of ordinary size.
struct FloatLayout {
  // Takes regular examples.  `rounding` is infinite, and nothing else is set, if an example would
  // take more than `most_bytes`.  Throws Interrupted where `go_on` says so.
  FloatLayout(const KernelFunction& kernel, const Examples& examples, double most_bytes,
              const GoOn& go_on);

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
  double stored_distance(const Examples& examples, const Kinds& kinds) const;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_FLOAT_LAYOUT_H_
