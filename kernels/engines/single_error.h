// Estimates of the error of kernel values in single precision.
#ifndef SVM_KERNELS_ENGINES_SINGLE_ERROR_H_
#define SVM_KERNELS_ENGINES_SINGLE_ERROR_H_

#include "kernels/examples.h"
#include "kernels/kernel_function.h"

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

// Gives the error of values that are stored as floats.
StoredError float_error(const Examples& examples);

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

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_SINGLE_ERROR_H_
