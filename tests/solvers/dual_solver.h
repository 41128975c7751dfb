// Shared by the tests of the dual solvers platt, pcg, mdm and amdm.
#ifndef SVM_TESTS_SOLVERS_DUAL_SOLVER_H_
#define SVM_TESTS_SOLVERS_DUAL_SOLVER_H_

#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "solvers/registry.h"
#include "tests/training_data.h"
#include "training/binary.h"

namespace svm::test {

// Parameters of a C-SVC that is compared with solutions by hand.
inline svm_parameter exact(double eps, double cost, int kernel = LINEAR) {
  svm_parameter param = parameters(C_SVC, kernel);
  param.eps = eps;
  param.C = cost;
  return param;
}

class DualSolver : public testing::Test {
 protected:
  // A new run of this solver.
  svm::Run& run_of(const char* solver) {
    svm::Run& run = printed_.run();
    run.options.entry = find_solver(solver);
    EXPECT_NE(run.options.entry, nullptr) << solver;
    return run;
  }
  // `positive` and `negative` are the costs of the two classes.
  Machine train(svm::Run& run, Data& data, const svm_parameter& param, double positive,
                double negative) {
    Machine found = train_binary(data.problem(), param, {positive, negative}, run);
    report_ = run.record;
    return found;
  }
  Machine train(const char* solver, Data& data, const svm_parameter& param, double positive,
                double negative) {
    return train(run_of(solver), data, param, positive, negative);
  }

  // Checks bounds, signs, and the sum of the coefficients.
  static void expect_feasible(const Machine& found, const Data& data, double positive,
                              double negative) {
    double sum = 0;
    for (std::size_t t = 0; t < data.size(); ++t) {
      sum += found.coefficients[t];
      EXPECT_LE(std::fabs(found.coefficients[t]), data.label(t) > 0 ? positive : negative);
      EXPECT_GE(found.coefficients[t] * data.label(t), 0);
    }
    EXPECT_NEAR(sum, 0, 1e-8 * positive);
  }

  Printed printed_;
  Record report_;  // record of the last run
};

}  // namespace svm::test

#endif  // SVM_TESTS_SOLVERS_DUAL_SOLVER_H_
