// The layout of examples as floats and bits, for engines of single precision, and its error.
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

// The error of a kernel value relative to the root of the diagonal values of its row and column:
// the usual one in single precision, and the largest estimate with which single precision is used.
constexpr double kOrdinaryRounding = 0x1p-23;
constexpr double kMostRounding = 16 * kOrdinaryRounding;

// The steepest slope of exp(-x^2), rounded up: the factor from an error of x to that of the value.
constexpr double kMostSlope = 0.86;

// True if the value is within the normal floats, with room for sums of many.
inline bool is_ordinary(double value) { return value > 0x1p-100 && value < 0x1p100; }

// The distance between a row and its stored form.
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

// Gives the error of values that are multiplied by `scale`, a power of two, and stored as floats.
StoredError float_error(const Examples& examples, double scale);

// Estimates the error of a kernel of dot products whose results are rounded to float.  `part` is
// StoredError::part.  Infinite if values would leave the normal floats, or if the kernel is
// degenerate.
double dot_rounding(const KernelFunction& kernel, const Examples& examples, double part);

// Bounds the change of the RBF value of two rows that move by up to `distance` each.
double moved_bound(double gamma, double distance);

// Estimates the error of RBF values that change by up to `bound` because rows are stored inexactly.
// The usual estimate covers errors that now and then are twice as large.
inline double rounding_of_bound(double bound) {
  return bound <= 2 * kOrdinaryRounding ? kOrdinaryRounding : bound;
}

// A feature that has two values only, one of which may be the zero of rows without it, is a bit:
// for RBF if the values are as far apart as those of the other bits, for other kernels if one is
// zero and the other has the same magnitude.  RBF leaves out features of one value.  All other
// features are floats, for RBF less the middle of their range, so that an offset costs no accuracy.
// Values are multiplied by a power of two that gives gamma, or the largest value, an ordinary size.
struct FloatLayout {
  // Takes regular examples.  `rounding` is infinite, and nothing else is set, if an example would
  // take more than `most_bytes`.  Throws Interrupted if `go_on` returns false.
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
  double rounding = 0;  // estimated error of a value; infinite if floats do not suit the data

  float stored(double value, std::size_t place) const;
  bool is_bit(std::uint32_t place) const { return place != kNoPlace && (place & kMarkPlace) != 0; }
  double bytes() const { return 4.0 * static_cast<double>(floats + words); }
  // A rough estimate of the time for one value, in nanoseconds.
  double cost() const { return 0.15 + 0.03 * static_cast<double>(floats + words); }

 private:
  using Features = std::vector<Examples::FeatureValues>;
  void place_features(const Features& features, bool by_differences);
  double difference_rounding(const KernelFunction& kernel, const Examples& examples,
                             const Features& features) const;
  double stored_distance(const Examples& examples, const Features& features) const;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_FLOAT_LAYOUT_H_
