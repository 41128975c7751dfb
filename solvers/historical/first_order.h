// SMO on maximal violating pairs: first order working set selection.
//
//   Keerthi, Shevade, Bhattacharyya, Murthy: Improvements to Platt's SMO algorithm for SVM
//   classifier design, Neural Computation 13 (2001), modification 2.
#ifndef SVM_SOLVERS_HISTORICAL_FIRST_ORDER_H_
#define SVM_SOLVERS_HISTORICAL_FIRST_ORDER_H_

#include "solvers/smo/fused_solver.h"

namespace svm {

class FirstOrderSolver final : public FusedSolver {
 public:
  using FusedSolver::FusedSolver;

 protected:
  bool select_working_set(Pair& pair) override { return select_first_order(pair); }
};

}  // namespace svm

#endif  // SVM_SOLVERS_HISTORICAL_FIRST_ORDER_H_
