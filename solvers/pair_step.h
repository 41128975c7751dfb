// The closed-form step of SMO over two variables.
#ifndef SVM_SOLVERS_PAIR_STEP_H_
#define SVM_SOLVERS_PAIR_STEP_H_

namespace svm {

// Stands in for a curvature that is not positive.
inline constexpr double kTau = 1e-12;

inline double positive_curvature(double curvature) { return curvature > 0 ? curvature : kTau; }

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

#endif  // SVM_SOLVERS_PAIR_STEP_H_
