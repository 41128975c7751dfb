#include "examples/page/native/traced_solvers.h"

#include <utility>

#include "examples/page/native/trace.h"
#include "examples/page/native/traced_solver.h"
#include "solvers/smo/csmo.h"
#include "solvers/smo/solver.h"

namespace svm::toy {
namespace {

// Traces small problems.  Larger ones, which csmo may solve on two levels, get the original solver.
template <typename Base>
struct Traced {
  explicit Traced(std::string_view name) : original(find_solver(name)), entry(*original) {
    solve_original = original->solve;
    entry.solve = [](DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor) {
      if (problem.alpha.size() > kMostVariables) {
        return solve_original(std::move(problem), epsilon, shrinking, monitor);
      }
      return TracedSolver<Base>(std::move(problem), epsilon, shrinking, monitor).solve();
    };
  }
  const SolverEntry* original;
  SolverEntry entry;
  static inline decltype(SolverEntry::solve) solve_original = nullptr;
};

}  // namespace

std::vector<Trace>& traces() {
  static std::vector<Trace> all;
  return all;
}

const SolverEntry* find_traced_solver(std::string_view name) {
  static const Traced<Solver> smo("smo");
  static const Traced<ConjugateSolver> csmo("csmo");
  const SolverEntry* const found = find_solver(name);
  if (found == smo.original) return &smo.entry;
  if (found == csmo.original) return &csmo.entry;
  return found;
}

}  // namespace svm::toy
