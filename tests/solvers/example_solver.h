// Shared by the tests of the solvers on rows (dcd, avsf, pegasos, snacks).
#ifndef SVM_TESTS_SOLVERS_EXAMPLE_SOLVER_H_
#define SVM_TESTS_SOLVERS_EXAMPLE_SOLVER_H_

#include <cmath>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/row_training.h"
#include "tests/text.h"
#include "tests/training_data.h"

namespace svm::test {

// A linear C-SVC.
inline svm_parameter linear_problem(double cost, double eps) {
  svm_parameter param = parameters(C_SVC, LINEAR);
  param.C = cost;
  param.eps = eps;
  return param;
}

// Looks at a run, and cancels it at the third call of progress from the solver.
struct ThreeLooks {
  long long last = -1, looks = 0;
  bool finished = false;

  static int look(const svm_progress* progress, void* user) {
    ThreeLooks& self = *static_cast<ThreeLooks*>(user);
    if (progress->variables == 0) return 0;  // work outside of the solver, on slow machines
    EXPECT_GE(progress->iterations, self.last);
    self.last = progress->iterations;
    self.finished = progress->finished != 0;
    return ++self.looks < 3 ? 0 : 1;
  }
};

// Tests the limit of iterations, then a run that is cancelled.
inline void expect_limits_end_a_run(const char* solver, Data& data, const svm_parameter& param) {
  SCOPED_TRACE(solver);
  RowTraining training;
  training.options.solver = solver;
  training.options.max_iter = 1000;
  training.train(data, param);
  EXPECT_TRUE(contains(training.warned, "max number of iterations"));
  EXPECT_EQ(training.result.status, SVM_ITERATION_LIMIT);
  EXPECT_EQ(training.result.iterations, 1000);
  EXPECT_TRUE(std::isfinite(training.result.objective));

  ThreeLooks watch;
  training.options.max_iter = 0;
  training.options.progress = ThreeLooks::look;
  training.options.progress_user = &watch;
  training.train(data, param);
  EXPECT_EQ(training.result.status, SVM_CANCELLED);
  EXPECT_TRUE(watch.finished);
}

}  // namespace svm::test

#endif  // SVM_TESTS_SOLVERS_EXAMPLE_SOLVER_H_
