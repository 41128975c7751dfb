// The table of solvers, and the way to solve a dual problem by one of them.
#ifndef SVM_SOLVERS_REGISTRY_H_
#define SVM_SOLVERS_REGISTRY_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "kernels/data_row.h"
#include "kernels/engines/row_engine.h"
#include "solvers/rows/row_solvers.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/run/run.h"

namespace svm {

struct SolverEntry {
  const char* name;     // as given to svm-train -a
  const char* number;   // its number in the published conjugate SMO program, or empty
  const char* summary;  // one line
  const char* source;   // paper
  unsigned svm_types;   // bit 1 << T is set if it trains SVM type T
  // One of the two is null: a solver works on a dual problem, or on the training rows.  The
  // monitor tells why the first ended before convergence.
  Solution (*solve)(DualProblem&& problem, double epsilon, bool shrinking,
                    Monitor& monitor) = nullptr;
  ExampleSolution (*solve_examples)(const ExampleProblem& problem, Run& run) = nullptr;
  bool follows_libsvm = false;  // has LIBSVM's iterates, bit for bit
  // Its solutions are refined in doubles if rounded kernel values hide the tolerance.
  bool refined = false;
  bool single = false;       // takes kernel values computed in single precision
  bool start_point = false;  // can start from any feasible point
  bool free_set = false;     // has phases over the free variables
  // Solves C-SVC with squared slacks: 1/C_t is added to the diagonal of K, and variables have no
  // upper bound.
  bool squared_slacks = false;
  bool fixed_threshold = false;  // can keep the threshold at 0, without the equality constraint
  bool bias = false;             // can add a constant feature
  bool landmarks = false;        // works on landmarks
  bool linear_only = false;      // requires the linear kernel
};

// All solvers, the default first.
std::initializer_list<SolverEntry> solvers();

// The solver of this name or number; null if there is none.  hybrid and 2 are names of csmo.
const SolverEntry* find_solver(std::string_view name);

// The solver of these options: the one that they name, or the default.
const SolverEntry& solver_of(const Options& options);

// True if the run's solver works on the training rows.
bool works_on_examples(const Run& run);

// True if the solver trains this SVM type with this kernel.
bool supports(const SolverEntry& solver, int svm_type, int kernel_type);

// The names of the solvers, or of those with this property: "smo, csmo, ...".
std::string solver_names(bool SolverEntry::*having = nullptr);

// "solver NAME supports SVM types: ...; kernels: ...".
std::string supported_text(const SolverEntry& solver);

// The table of svm-train --list-solvers.
std::string solver_table();

// The precision in which kernel values of a run's solver may be computed, see make_row_engine().
inline Precision kernel_precision(const Options& options) {
  const bool may_be_single = solver_of(options).single && options.as_published == 0;
  return may_be_single ? Precision::kSingle : Precision::kDouble;
}

// True if the run's solver can start from any feasible point.
inline bool has_warm_starts(const Options& options) {
  return solver_of(options).start_point && options.as_published == 0;
}

// Switches the kernel to doubles if values may exceed a float's range, unless the solver follows
// LIBSVM, which takes floats even if they overflow.  Throws std::invalid_argument as solve_dual().
void suit_values(const SolverEntry& solver, KernelMatrix& kernel);

// Solves by `solver`, whose `solve` must not be null; refines the solution if the entry is
// `refined`, unless the run asks for the algorithm as published; prints what LIBSVM prints, and
// adds to the run's record.  Throws std::invalid_argument if a diagonal kernel value is not finite,
// unless the solver follows LIBSVM.
Solution solve_dual(const SolverEntry& solver, DualProblem&& problem, double epsilon,
                    bool shrinking, Run& run);

}  // namespace svm

#endif  // SVM_SOLVERS_REGISTRY_H_
