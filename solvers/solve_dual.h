// A dual problem through its solver, and what comes after it.
#ifndef SVM_SOLVERS_SOLVE_DUAL_H_
#define SVM_SOLVERS_SOLVE_DUAL_H_

#include <cstddef>
#include <memory>

#include "kernels/engines/row_engine.h"
#include "solvers/registry.h"
#include "solvers/run/dual_problem.h"
#include "solvers/run/run.h"

namespace svm {

// The engine that a run's solver takes its kernel values from: see make_row_engine() and
// make_single_engine(), which throw what this throws.
std::shared_ptr<const RowEngine> make_engine(const Options& options, const KernelFunction& kernel,
                                             const svm_node* const* rows, std::size_t count,
                                             const GoOn& go_on);

// Solves by `solver`, which works on dual problems; refines the solution where the solver's entry
// says so; prints what LIBSVM prints of it, and adds to the run's report.  Throws
// std::invalid_argument where kernel values are no finite numbers, unless the solver is LIBSVM's.
Solution solve_dual(const SolverEntry& solver, DualProblem problem, double epsilon, bool shrinking,
                    Run& run);

}  // namespace svm

#endif  // SVM_SOLVERS_SOLVE_DUAL_H_
