// Solves a dual problem by the solver of a run, refines the solution and reports it.
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

// Do the solvers of a run take kernel values of single precision?
inline bool takes_single_precision(const Options& options) {
  return options.solver != nullptr && options.solver->single;
}

// The engine that a run's solver takes its kernel values from: see make_row_engine() and
// make_single_engine(), which throw what this throws.
std::shared_ptr<const RowEngine> make_engine(const Options& options, const KernelFunction& kernel,
                                             DataRows rows, std::size_t count, const GoOn& go_on);

// Switches the kernel to doubles if values may be beyond a float's range.  LIBSVM's solver takes
// them as floats, even if they overflow.  Throws std::invalid_argument as solve_dual() does.
void suit_values(const SolverEntry& solver, KernelMatrix& kernel);

// Solves by `solver`, which works on dual problems; refines the solution if the solver's entry
// says so; prints what LIBSVM prints of it, and adds to the run's report.  Throws
// std::invalid_argument if kernel values are no finite numbers, unless the solver is LIBSVM's.
Solution solve_dual(const SolverEntry& solver, DualProblem problem, double epsilon, bool shrinking,
                    Run& run);

}  // namespace svm

#endif  // SVM_SOLVERS_SOLVE_DUAL_H_
