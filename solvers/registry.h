// The solvers by name.
#ifndef SVM_SOLVERS_REGISTRY_H_
#define SVM_SOLVERS_REGISTRY_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/example_solver.h"
#include "solvers/solver.h"

namespace svm {

struct SolverEntry {
  const char* name;     // as given to svm-train -a
  const char* number;   // the published conjugate SMO's flag value, or empty
  const char* summary;  // one line
  const char* source;   // paper
  std::vector<int> svm_types;
  std::vector<int> kernel_types;
  bool free_set;  // has phases over the free variables
  // Null for a solver that works on the rows themselves, which has the other function.
  std::unique_ptr<Solver> (*make)(DualProblem problem, double epsilon, bool shrinking, Run& run);
  ExampleSolution (*solve_examples)(const ExampleProblem& problem, Run& run) = nullptr;
  bool bias = false;       // may add a constant feature
  bool landmarks = false;  // has landmarks
};

// All solvers, the default first.
const std::vector<SolverEntry>& solvers();

// By name or number; null where there is none.
const SolverEntry* find_solver(std::string_view name);

// "smo, csmo, ...", for messages; of those that have something, if asked for.
std::string solver_names(bool SolverEntry::*having = nullptr);

// What the solver does support, where it does not support this combination; empty where it does.
std::string unsupported(const SolverEntry& solver, int svm_type, int kernel_type);

// The table of svm-train --list-solvers.
std::string solver_table();

}  // namespace svm

#endif  // SVM_SOLVERS_REGISTRY_H_
