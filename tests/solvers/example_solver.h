// Shared by the tests of the solvers on rows (dcd, avsf, pegasos, snacks).
#ifndef SVM_TESTS_SOLVERS_EXAMPLE_SOLVER_H_
#define SVM_TESTS_SOLVERS_EXAMPLE_SOLVER_H_

#include <cmath>

#include <gtest/gtest.h>

#include "solvers/registry.h"
#include "solvers/run/example_solver.h"
#include "tests/text.h"
#include "tests/training_data.h"

namespace svm::test {

// A C-SVC with no memory for kept rows.  Valid until rows are added to the data.
inline ExampleProblem example_problem(Data& data, const svm_parameter& param) {
  const svm_problem problem = data.problem();
  const KernelFunction kernel(param);
  return {problem.x, problem.y, data.size(), false, {param.C, param.C},
          0,         kernel,    param.eps,   true,  0};
}

// The same with the linear kernel.
inline ExampleProblem linear_problem(Data& data, double cost, double eps) {
  svm_parameter param = parameters(C_SVC, LINEAR);
  param.C = cost;
  param.eps = eps;
  return example_problem(data, param);
}

// Tests the limit of iterations, then a run that is cancelled at the third call of progress.
inline void expect_limits_end_a_run(const char* solver, const ExampleProblem& problem) {
  SCOPED_TRACE(solver);
  const Printed printed;
  Run& run = printed.run();
  run.options.max_iter = 1000;
  const ExampleSolution solution = find_solver(solver)->solve_examples(problem, run);
  EXPECT_TRUE(contains(Printed::warnings(), "max number of iterations"));
  EXPECT_EQ(run.record.status, SVM_ITERATION_LIMIT);
  EXPECT_EQ(run.record.iterations, 1000);
  EXPECT_TRUE(std::isfinite(solution.objective));

  Run& second = printed.run();
  long long last = -1, looks = 0;
  bool finished = false;
  second.services.progress = [&](const svm_progress& look) {
    if (look.problem == 0) return true;  // work outside of the solver, on slow machines
    EXPECT_GE(look.iterations, last);
    last = look.iterations;
    finished = look.finished;
    return ++looks < 3;
  };
  find_solver(solver)->solve_examples(problem, second);
  EXPECT_EQ(second.record.status, SVM_CANCELLED);
  EXPECT_TRUE(finished);
}

}  // namespace svm::test

#endif  // SVM_TESTS_SOLVERS_EXAMPLE_SOLVER_H_
