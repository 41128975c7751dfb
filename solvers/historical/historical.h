// Solvers that the literature compares SMO with: see docs/platt.md and docs/mdm.md.
#ifndef SVM_SOLVERS_HISTORICAL_HISTORICAL_H_
#define SVM_SOLVERS_HISTORICAL_HISTORICAL_H_

#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"

namespace svm {

// C-SVC with squared slacks as a minimum norm problem, by the algorithm of Mitchell, Demyanov and
// Malozemov, plain or accelerated by steps along cycles.  They ignore the linear part and the start
// point of the problem.
Solution solve_mdm(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);
Solution solve_amdm(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);

// Sequential minimal optimisation as first published.  The start point of the problem must be 0.
Solution solve_platt(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);

// Chunking, with the problem of each chunk solved by projected conjugate gradients.  SMO was first
// compared with this method.  The start point of the problem must be 0.
Solution solve_pcg(DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor);

}  // namespace svm

#endif  // SVM_SOLVERS_HISTORICAL_HISTORICAL_H_
