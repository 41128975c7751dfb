// The solvers by name.
#ifndef SVM_SOLVERS_REGISTRY_H_
#define SVM_SOLVERS_REGISTRY_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/dual_problem.h"
#include "solvers/example_solver.h"
#include "solvers/monitor.h"

namespace svm {

struct SolverEntry {
  const char* name;     // as given to svm-train -a
  const char* number;   // the published conjugate SMO's flag value, or empty
  const char* summary;  // one line
  const char* source;   // paper
  std::vector<int> svm_types;
  std::vector<int> kernel_types;
  // One of the two is null: a solver works on a dual problem, or on the rows themselves.
  std::unique_ptr<DualSolver> (*make)(DualProblem problem, double epsilon, bool shrinking,
                                      Monitor& monitor) = nullptr;
  ExampleSolution (*solve_examples)(const ExampleProblem& problem, Run& run) = nullptr;
  // Its solutions are brought to the tolerance in doubles where rounded kernel values hide it.
  bool refined = false;
  bool start_point = false;  // can start from other coefficients than LIBSVM's
  bool free_set = false;     // has phases over the free variables
  // C-SVC with squared slacks: 1/C_t is added to the diagonal of K, and variables have no upper
  // bound.  The answer is of that problem.
  bool squared_slacks = false;
  bool fixed_threshold = false;  // can leave the threshold at 0, and the equality constraint out
  bool bias = false;             // may add a constant feature
  bool landmarks = false;        // has landmarks
};

// All solvers, the default first.
const std::vector<SolverEntry>& solvers();

// By name or number; null where there is none.
const SolverEntry* find_solver(std::string_view name);

// "smo, csmo, ...", for messages; of those that have something, if asked for.
std::string solver_names(bool SolverEntry::*having = nullptr);

// The run's solver works on the rows themselves.
bool works_on_examples(const Run& run);

// What the solver does support, where it does not support this combination; empty where it does.
std::string unsupported(const SolverEntry& solver, int svm_type, int kernel_type);

// The table of svm-train --list-solvers.
std::string solver_table();

}  // namespace svm

#endif  // SVM_SOLVERS_REGISTRY_H_
