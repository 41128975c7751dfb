// Runs a single solver, as the training of a binary problem does.
#ifndef SVM_TESTS_SOLVERS_SOLVE_H_
#define SVM_TESTS_SOLVERS_SOLVE_H_

#include <cstddef>
#include <utility>

#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "solvers/run/run.h"

namespace svm::test {

// Calls solve(monitor), and adds the result to the run's record.
template <typename Solve>
Solution solve_monitored(Run& run, std::size_t variables, const Solve& solve) {
  Monitor monitor(run, variables, {iteration_cap(variables)});
  Solution solution = solve(monitor);
  monitor.finish(solution.objective, solution.violation);
  return solution;
}

// Solves by a solver of class Kind.
template <typename Kind, typename... Arguments>
Solution solve(DualProblem&& problem, double epsilon, bool shrinking, Run& run,
               Arguments... arguments) {
  return solve_monitored(run, problem.size(), [&](Monitor& monitor) {
    return Kind(std::move(problem), epsilon, shrinking, monitor, arguments...).solve();
  });
}

}  // namespace svm::test

#endif  // SVM_TESTS_SOLVERS_SOLVE_H_
