// Solves a dual problem, refines the solution and adds it to the record of the run.
#ifndef SVM_SOLVERS_SOLVE_DUAL_H_
#define SVM_SOLVERS_SOLVE_DUAL_H_

#include <cstddef>
#include <memory>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "solvers/registry.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/run.h"

namespace svm {

// The precision in which kernel values of a run's solver may be computed, see make_row_engine().
inline Precision kernel_precision(const Options& options) {
  return solver_of(options).single ? Precision::kSingle : Precision::kDouble;
}

// Switches the kernel to doubles if values may exceed a float's range, unless the solver follows
// LIBSVM, which takes floats even if they overflow.  Throws std::invalid_argument as solve_dual().
void suit_values(const SolverEntry& solver, KernelMatrix& kernel);

// Solves by `solver`, whose `solve` must not be null; refines the solution if the entry is
// `refined`; prints what LIBSVM prints, and adds to the run's record.  Throws std::invalid_argument
// if a diagonal kernel value is not finite, unless the solver follows LIBSVM.
Solution solve_dual(const SolverEntry& solver, DualProblem problem, double epsilon, bool shrinking,
                    Run& run);

}  // namespace svm

#endif  // SVM_SOLVERS_SOLVE_DUAL_H_
