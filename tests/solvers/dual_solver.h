// Shared by the tests of the dual solvers platt, pcg, mdm and amdm.
#ifndef SVM_TESTS_SOLVERS_DUAL_SOLVER_H_
#define SVM_TESTS_SOLVERS_DUAL_SOLVER_H_

#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/row_training.h"
#include "tests/training_data.h"

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
  // `positive` and `negative` are the costs of the two classes.
  RowFunction train(const char* solver, Data& data, const svm_parameter& param, double positive,
                    double negative) {
    training_.options.solver = solver;
    RowFunction found = training_.train(data, param, positive, negative);
    report_ = training_.result;
    return found;
  }

  // Checks bounds, signs, and the sum of the coefficients.
  static void expect_feasible(const RowFunction& found, const Data& data, double positive,
                              double negative) {
    double sum = 0;
    for (std::size_t t = 0; t < data.size(); ++t) {
      sum += found.coefficients[t];
      EXPECT_LE(std::fabs(found.coefficients[t]), data.label(t) > 0 ? positive : negative);
      EXPECT_GE(found.coefficients[t] * data.label(t), 0);
    }
    EXPECT_NEAR(sum, 0, 1e-8 * positive);
  }

  RowTraining training_;
  svm_result report_ = new_result();  // of the last training
};

}  // namespace svm::test

#endif  // SVM_TESTS_SOLVERS_DUAL_SOLVER_H_
