// Where a solver starts, taken from the solution of another problem on the same rows.
#ifndef SVM_TRAINING_START_POINT_H_
#define SVM_TRAINING_START_POINT_H_

#include <cstddef>
#include <functional>
#include <vector>

namespace svm {

// Signed coefficients of a decision function, one for each row.
struct StartPoint {
  std::vector<double> coefficients;
  // C of its rows with positive and negative labels, or of all rows of a regression; 0 where it is
  // not known.
  double bound_positive = 0;
  double bound_negative = 0;
  // Kernel values of each row times the coefficients, summed up; empty where they are not known.
  std::vector<double> kernel_sums = {};
  double sums_bound = 0;  // bound_positive when they were summed up; 0: it is that now

  // Whether the sums are of use for this bound: what is scaled has scaled sums, and scaled errors.
  bool has_sums_for(double bound) const {
    constexpr double kMostGrowth = 0x1p20;
    return !kernel_sums.empty() && bound <= kMostGrowth * first_bound();
  }
  double first_bound() const { return sums_bound > 0 ? sums_bound : bound_positive; }
};

// A variable, which is to be in [0, upper].
struct BoxedValue {
  double* value;
  double upper;
};
using BoxedGroup = std::vector<BoxedValue>;  // that belong together: those of one label

// Changes the values as little as needed, so that they sum to `target` within its rounding, however
// large they are.  It must lie between 0 and the sum of upper.  Lowers those between the bounds
// first, and raises those above 0 first.
void fit_sum(const BoxedGroup& group, double target);

// Makes the sums of two groups equal, within the rounding of the smaller one, by lowering the
// other; returns by how much.  What may be rounding stays: if all values are at their bound,
// lowering would leave one beside it.
double balance(const BoxedGroup& a, const BoxedGroup& b);

// What to multiply the coefficients by where the bounds become `ratio` times as large: `ratio`, so
// that what was at its bound stays there; or, where little is, what makes the dual objective of the
// multiple least, between 1 and that.  `linear_part(t, coefficient)` is the part of the objective
// that is linear.  The sums must be known.
double best_scale(const StartPoint& start, double ratio,
                  const std::function<double(std::size_t, double)>& linear_part);

// A start for bounds `upper`, from values that had the bound `old_upper` (0: not known): scaled
// with it, so that what was at the bound stays there, and sums that were equal stay so; clipped
// where the old bound is not known, or the ratio of both not finite.
double carry_over(double value, double old_upper, double upper);

}  // namespace svm

#endif  // SVM_TRAINING_START_POINT_H_
