// The closed-form step of SMO on two variables.
#ifndef SVM_SOLVERS_SMO_PAIR_STEP_H_
#define SVM_SOLVERS_SMO_PAIR_STEP_H_

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace svm {

// Two variables of one equality constraint: y_i alpha_i rises and y_j alpha_j falls by the same.
struct Pair {
  std::size_t i, j;
};

// The decrease of the objective by a step of this length along a direction of slope -violation and
// this curvature.
inline double step_gain(double length, double violation, double curvature) {
  return length * (violation - 0.5 * length * curvature);
}

// Replaces a curvature that is not positive.
inline constexpr double kTau = 1e-12;

// The curvature along e_i - e_j as LIBSVM computes it: twice the kernel value is a float, which may
// overflow, and a NaN stays a NaN.
inline double pair_curvature(double diagonal_i, double diagonal_j, float value) {
  const double curvature = diagonal_i + diagonal_j - static_cast<double>(2.0F * value);
  return curvature <= 0 ? kTau : curvature;
}

inline double pair_curvature(double diagonal_i, double diagonal_j, double value) {
  const double curvature = diagonal_i + diagonal_j - 2.0 * value;
  return curvature <= 0 ? kTau : curvature;
}

inline double positive_curvature(double curvature) { return curvature > 0 ? curvature : kTau; }

// alpha + change in [0, upper], for a change that leaves the box by rounding at most.  A result
// that differs from a bound by rounding only is that bound.  Rounding is measured relative to alpha
// and the change, not to `upper`, which may be far larger than all variables.
inline double moved_within_box(double alpha, double change, double upper) {
  constexpr double kStepRounding = 0x1p-50;  // a few units in the last place
  const double moved = alpha + change;
  if (moved <= kStepRounding * std::max(alpha, std::fabs(change))) return 0;
  if (upper - moved <= kStepRounding * std::max(moved, std::fabs(change))) return upper;
  return moved;
}

struct PairValues {
  double i, j;
};

// Clips to the box along the line alpha_i - alpha_j = difference.
inline PairValues clip_on_difference(PairValues a, double difference, double upper_i,
                                     double upper_j) {
  if (difference > 0) {
    if (a.j < 0) a = {difference, 0};
  } else if (a.i < 0) {
    a = {0, -difference};
  }
  if (difference > upper_i - upper_j) {
    if (a.i > upper_i) a = {upper_i, upper_i - difference};
  } else if (a.j > upper_j) {
    a = {upper_j + difference, upper_j};
  }
  return a;
}

// Clips to the box along the line alpha_i + alpha_j = sum.
inline PairValues clip_on_sum(PairValues a, double sum, double upper_i, double upper_j) {
  if (sum > upper_i) {
    if (a.i > upper_i) a = {upper_i, sum - upper_i};
  } else if (a.j < 0) {
    a = {sum, 0};
  }
  if (sum > upper_j) {
    if (a.j > upper_j) a = {sum - upper_j, upper_j};
  } else if (a.i < 0) {
    a = {0, sum};
  }
  return a;
}

// Minimises the dual objective over alpha_i and alpha_j with y_i alpha_i + y_j alpha_j fixed and
// both in their boxes.  `step` is the optimum without the box, (y_j G_j - y_i G_i) / curvature:
// alpha_i moves by y_i step and alpha_j by -y_j step.  If a variable meets a bound, it is set to
// the bound exactly, and its partner follows from the fixed sum or difference.
inline PairValues pair_step(PairValues alpha, int y_i, int y_j, double step, double upper_i,
                            double upper_j) {
  const PairValues moved = {alpha.i + y_i * step, alpha.j - y_j * step};
  return y_i != y_j ? clip_on_difference(moved, alpha.i - alpha.j, upper_i, upper_j)
                    : clip_on_sum(moved, alpha.i + alpha.j, upper_i, upper_j);
}

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_PAIR_STEP_H_
