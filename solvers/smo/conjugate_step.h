// One step of conjugate SMO along a conjugate direction, as a function of all it depends on.
//
//   Torres-Barran, Alaiz, Dorronsoro: Faster SVM training via conjugate SMO, Pattern Recognition
//   111 (2021), section 3 and Algorithm 2.
//
// The paper writes the step for alpha with labels; the code moves the signed variables
// b_t = y_t alpha_t, for which the labels drop out of every formula: Q stands for the kernel
// matrix.
//
//   paper         here                 what it is
//   d             d                    direction of this step, and of the last one before it
//   v             e_i - e_j            SMO's own direction, for the pair (i, j)
//   q = Qd        q                    auxiliary vector, eq. (25)
//   delta         delta                curvature d'Qd of a direction, among eqs. (24) to (27)
//   gamma         gamma                d = v + gamma d_old, eqs. (17) and (22)
//   Delta         violation            f_j - f_i > 0, with f the gradient: minus the slope along v
//   lambda*       lambda_star          length of the step without the box, eq. (20)
//   lambda_max    lambda_max           the way to the box along d
//   lambda        lambda               length of the step, clipped: min(lambda*, lambda_max)
#ifndef SVM_SOLVERS_SMO_CONJUGATE_STEP_H_
#define SVM_SOLVERS_SMO_CONJUGATE_STEP_H_

#include "solvers/run/dual_state.h"
#include "solvers/smo/conjugate_direction.h"
#include "solvers/smo/pair_step.h"

namespace svm {

// The pair's own numbers.
struct PairSlope {
  double violation;  // f_j - f_i > 0
  double curvature;  // v'Qv > 0
};

// The last direction's, at the pair.
struct ConjugateCurvature {
  double delta;     // d'Qd > 0
  double q_i, q_j;  // of q = Qd
};

struct ConjugateStep {
  ConjugateDirection d;  // v + gamma d_old
  double gamma = 0;
  double delta = 0;  // of the new d, or what rounding may make of a curvature of 0
  // False if the step must not be taken: the direction has no curvature beyond rounding, so that
  // the objective has no minimum along it, and the box does not clip the step for certain.
  bool is_usable = false;
  double lambda_star = 0;
  double lambda_max = 0;
  double lambda = 0;
  bool clipped = false;                          // lambda < lambda*
  ConjugateDirection::Member limiting = {0, 0};  // the member of d that lambda_max comes from
  double gain = 0;                               // decrease of the objective
};

// The step along the direction that v = e_i - e_j is turned to such that d'Q d_old = 0.  `d` is the
// last direction, which the step takes over; it is not empty, and the gradient is orthogonal to it
// (the last step was not clipped).
ConjugateStep conjugate_step(ConjugateDirection d, const Pair& pair, const PairSlope& slope,
                             const ConjugateCurvature& old, const DualState& state);

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_CONJUGATE_STEP_H_
