// Starts of a solver at the solution of another problem on the same rows.
#ifndef SVM_TRAINING_START_POINT_H_
#define SVM_TRAINING_START_POINT_H_

#include <cstddef>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/registry.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Signed coefficients of a decision function, one for each row.
struct StartPoint {
  std::vector<double> coefficients;
  // C of its rows with positive and negative labels, or of all rows of a regression; 0 if unknown.
  double bound_positive = 0;
  double bound_negative = 0;
  // For each variable of row s (two in regression), the sum over t of K_st coefficients_t; empty if
  // unknown.
  std::vector<double> kernel_sums = {};
  double sums_bound = 0;  // bound_positive when the sums were computed; 0 if it is still the same

  // True if the sums, scaled with the coefficients, are accurate enough for this bound: their
  // errors grow with the scale.
  bool has_sums_for(double bound) const {
    constexpr double kMostGrowth = 0x1p20;
    return !kernel_sums.empty() && bound <= kMostGrowth * first_bound();
  }
  double first_bound() const { return sums_bound > 0 ? sums_bound : bound_positive; }
};

// A start with nearly all variables at their bounds, for a C so small that the solution is likely
// to be there, with its kernel sums.  Of the class whose bounds have the larger sum, the rows that
// are furthest on their side stay at 0.  No coefficients if C is not that small, if one class is so
// much smaller that few variables reach their bounds, or if the run is stopped.  Rows must have no
// weights, and `engine` their kernel values.
StartPoint start_at_bounds(const RowEngine& engine, const Problem& problem,
                           const UpperBounds& costs, Run& run);

// A variable in [0, upper].
struct BoxedValue {
  double* value;
  double upper;
};
using BoxedGroup = std::vector<BoxedValue>;  // the variables with one label

// Changes the values as little as possible so that they sum to `target`, within the rounding of the
// sum and whatever their size.  `target` must be between 0 and the sum of the upper bounds.  Lowers
// values between the bounds first, and raises values above 0 first.
void fit_sum(const BoxedGroup& group, double target);

// Lowers the group with the larger sum until both sums are equal, within the rounding of the
// smaller one.  Returns by how much.  A difference that may be rounding stays, and 0 is returned:
// if all values are at their bounds, lowering would move one of them off its bound.
double balance(const BoxedGroup& a, const BoxedGroup& b);

// The factor for the coefficients if the bounds become `ratio` times as large.  It is `ratio` if
// many support vectors are at their bound, so that they stay there, unless the kernel is nearly
// diagonal and the bounds grow well beyond the optimum to which each variable then grows.
// Otherwise it is the factor between 1 and `ratio` that minimises the dual objective along the ray.
// Requires the kernel sums.
double best_scale(const StartPoint& start, double ratio, const DualState& dual,
                  const RowEngine& engine);

// A value for the bound `upper` from one for the bound `old_upper` (0 if unknown).  It is scaled
// with the bound, so that bounded values stay bounded and equal sums stay equal.  If the old bound
// is unknown or the ratio is not finite, it is clipped instead.
double carried_value(double value, double old_upper, double upper);

// The functions below set alpha, and f if it is known, of a dual problem on the rows of the start:
// variables t and t + rows stand for row t.

// For problems whose sums of alpha over each label are fixed: both are `sum` at the start.
void carry_to_sum(const StartPoint& start, const Problem& problem, double sum, DualState& dual);

// For problems whose bounds are fixed.  Returns false if the start's own bounds or kernel sums are
// of no use; then it may be too long, and shorten_start() should follow.
bool carry_to_bounds(const StartPoint& start, const Problem& problem, const RowEngine& engine,
                     DualState& dual);

// Computes f at the start.  If the dual objective is larger than at 0, moves to its minimum between
// 0 and the start: the start of another kernel may be too long by orders of magnitude.  Leaves f
// empty if the run is stopped.
void shorten_start(const SolverEntry& solver, KernelMatrix& matrix, Run& run, DualState& dual);

// The largest variable; 0 if there is none.
double largest_variable(const DualState& state);

// True if the start, with this largest variable, was so much larger than the solution that its
// rounding error, which stays in the gradient and in y'a = 0, may have decided the solution.  The
// problem must have the constraint y'a = 0.
bool start_may_decide(double largest_of_start, const DualState& solution);

// If every variable of a group is at a bound but for rounding, relative to the largest variable,
// moves them to their bounds, makes the middle of the optimal thresholds the threshold of the
// group, and returns true.  Rounding that leaves a variable off its bound would choose among them.
// Leaves the solution unchanged if its f is unknown or could change by more than a small part of
// `epsilon`.  Variables t and t + rows stand for example t of the engine.
bool settle_at_bounds(const RowEngine& engine, std::size_t rows, double epsilon,
                      Solution& solution);

// Returns the start points from a model that was trained on the same rows, one for each class pair
// in its order, which depends on `sorted_classes` as in group_classes(), or one for regression and
// one-class.  `problem` has all rows of its data set; start points have those of weight above 0.
// Support vectors are matched with rows of their class by the eight digits that a model file has of
// them.  Throws std::invalid_argument if type, kernel, classes or rows do not fit.
std::vector<StartPoint> start_points(const Problem& problem, const svm_parameter& param,
                                     const svm_model& model, bool sorted_classes = false);

}  // namespace svm

#endif  // SVM_TRAINING_START_POINT_H_
