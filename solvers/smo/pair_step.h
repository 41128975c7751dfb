// The closed-form step of SMO over two variables.
#ifndef SVM_SOLVERS_SMO_PAIR_STEP_H_
#define SVM_SOLVERS_SMO_PAIR_STEP_H_

#include <cstddef>

namespace svm {

// Two variables of one equality constraint: y_i alpha_i rises and y_j alpha_j falls by the same.
struct Pair {
  std::size_t i, j;
};

// What a step of this length lowers the objective by, along a direction of this curvature and
// slope -violation.
inline double step_gain(double length, double violation, double curvature) {
  return length * (violation - 0.5 * length * curvature);
}

// Stands in for a curvature that is not positive.
inline constexpr double kTau = 1e-12;

// Curvature of a step, as LIBSVM computes it there: twice the kernel value is a float, which can
// overflow, and what is not a number stays so.
inline double pair_curvature(double diagonal_i, double diagonal_j, float value) {
  const double curvature = diagonal_i + diagonal_j - static_cast<double>(2.0F * value);
  return curvature <= 0 ? kTau : curvature;
}

inline double pair_curvature(double diagonal_i, double diagonal_j, double value) {
  const double curvature = diagonal_i + diagonal_j - 2.0 * value;
  return curvature <= 0 ? kTau : curvature;
}

inline double positive_curvature(double curvature) { return curvature > 0 ? curvature : kTau; }

// A variable in [0, upper] after a change that does not leave the box but for rounding.  What is
// left between it and a bound is taken for rounding, too, where it is nothing beside the variable
// and the change; never by a part of `upper`, which may be larger than all variables by far.
double moved_within_box(double alpha, double change, double upper);

struct PairValues {
  double i, j;
};

// Minimises the dual objective over alpha_i and alpha_j with y_i alpha_i + y_j alpha_j fixed and
// both in their boxes.  `step` is the unbounded optimum (y_j G_j - y_i G_i) / curvature: alpha_i
// moves by y_i step, alpha_j by -y_j step.  Where a bound is met, the variable is set to the bound
// exactly and its partner follows from the conserved sum or difference.
PairValues pair_step(PairValues alpha, int y_i, int y_j, double step, double upper_i,
                     double upper_j);

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_PAIR_STEP_H_
