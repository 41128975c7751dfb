// Estimates of the error of kernel values in single precision.
#ifndef SVM_KERNELS_ENGINES_SINGLE_ERROR_H_
#define SVM_KERNELS_ENGINES_SINGLE_ERROR_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

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

// The squares that a value adds to the sums over its row.
struct StoredSquares {
  double error = 0;               // of what is stored
  double wholes = 0, floats = 0;  // what is stored, as a whole number or as a float

  void add(const StoredSquares& other, double sign) {
    error += sign * other.error;
    wholes += sign * other.wholes;
    floats += sign * other.floats;
  }
};

// What is known of all rows as they are stored.
struct StoredRows {
  StoredError error;
  double wholes = 0, floats = 0;  // the largest sums of squares

  void add(const StoredRows& later) {
    error.distance = std::max(error.distance, later.error.distance);
    error.part = std::max(error.part, later.error.part);
    wholes = std::max(wholes, later.wholes);
    floats = std::max(floats, later.floats);
  }
};

// of(f, value) gives the squares of a value of feature f; those of 0 are 0, except for `shifted`
// features.
template <class Of>
StoredRows stored_rows(const Examples& examples, const std::vector<std::uint32_t>& shifted,
                       const RowPasses& passes, const Of& of) {
  StoredSquares absent;  // of a row without values
  std::vector<StoredSquares> zeros(examples.dimension());
  for (const std::uint32_t f : shifted) {
    zeros[f] = of(f, 0.0);
    absent.add(zeros[f], 1);
  }
  const auto meet_rows = [&](std::size_t begin, std::size_t end, StoredRows& all) {
    for (std::size_t i = begin; i < end; ++i) {
      StoredSquares row = absent;
      for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
        const std::uint32_t f = examples.features()[p];
        row.add(of(f, examples.values()[p]), 1);
        row.add(zeros[f], -1);
      }
      const double error = std::sqrt(std::max(row.error, 0.0));
      const double norm = std::sqrt(examples.squared_norm(i));
      all.add({{error, norm > 0 ? error / norm : 0}, row.wholes, row.floats});
    }
  };
  return passes.collect(examples.size(), StoredRows(), meet_rows);
}

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
