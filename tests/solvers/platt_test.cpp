// The 1998 algorithm: hand-solved problems, agreement with smo, the fixed threshold.
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "tests/row_training.h"
#include "tests/solvers/dual_solver.h"
#include "tests/train_solver_cli.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::exact;
using test::RowFunction;

class Platt : public test::DualSolver {
 protected:
  RowFunction train(Data& data, const svm_parameter& param, double negative_cost,
                    const char* solver = "platt") {
    return DualSolver::train(solver, data, param, param.C, negative_cost);
  }
  RowFunction train(Data& data, const svm_parameter& param) { return train(data, param, param.C); }
  RowFunction train_with_fixed_threshold(Data& data, const svm_parameter& param) {
    training_.options.fixed_threshold = 1;
    return train(data, param);
  }
};

// Two equal positive points: only the sum of their alphas matters.
TEST_F(Platt, ThreePointsTwoOfThemEqual) {
  Data data;
  data.add(+1, {3});
  data.add(+1, {3});
  data.add(-1, {1});
  const RowFunction found = train(data, exact(1e-9, 10));
  EXPECT_NEAR(found.coefficients[0] + found.coefficients[1], 0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[2], -0.5, 1e-9);
  EXPECT_NEAR(found.rho, 2, 1e-9);
}

TEST_F(Platt, AgreesWithSmo) {
  Data data = test::random_data(250, 3, true, 21);
  for (const int kernel : {LINEAR, POLY, RBF}) {
    for (const double cost : {0.1, 1.0, 50.0}) {
      const svm_parameter param = exact(1e-5, cost, kernel);
      const RowFunction platt = train(data, param, 2 * cost);
      const svm_result report = report_;
      EXPECT_EQ(report.status, SVM_CONVERGED) << kernel << " " << cost;
      EXPECT_LE(report.violation, param.eps);
      const RowFunction smo = train(data, param, 2 * cost, "smo");
      EXPECT_NEAR(report.objective, report_.objective, 1e-5 * std::fabs(report_.objective));
      expect_feasible(platt, data, cost, 2 * cost);
      for (std::size_t t = 0; t < data.size(); ++t) {
        const double value = smo.at(data.row(t));
        EXPECT_NEAR(platt.at(data.row(t)), value, 1e-3 * (1 + std::fabs(value)))
            << kernel << " " << cost << " " << t;
      }
    }
  }
}

// The weight vector and kernel rows give the same solution.
TEST_F(Platt, FoldedWeightsAgreeWithRows) {
  Data data = test::random_data(150, 3, true, 22);
  Data rows = test::precomputed(
      data, [&](std::size_t s, std::size_t t) { return dot(data.row(s), data.row(t)); });
  svm_parameter param = exact(1e-5, 10);
  const RowFunction folded = train(data, param);
  EXPECT_EQ(report_.kernel_rows, 0);
  const double objective = report_.objective;
  param.kernel_type = PRECOMPUTED;
  const RowFunction by_rows = train(rows, param);
  EXPECT_GT(report_.kernel_rows, 0);
  EXPECT_NEAR(report_.objective, objective, 1e-5 * std::fabs(objective));
  EXPECT_NEAR(folded.rho, by_rows.rho, 1e-3);
}

// One point at 2 of label +1: w = 2 alpha and f(2) = 4 alpha = 1.  The negative point at -1 is then
// at f = -1/2 and needs (1 - 1/2) / 1; both free: 2 a + b = w, 2 w = 1 and w = 1 do not go
// together, so the positive one leaves: w = 1, alpha of the negative one 1.
TEST_F(Platt, FixedThreshold) {
  Data data;
  data.add(+1, {2});
  data.add(-1, {-1});
  const RowFunction found = train_with_fixed_threshold(data, exact(1e-9, 10));
  EXPECT_NEAR(found.coefficients[0], 0, 1e-8);
  EXPECT_NEAR(found.coefficients[1], -1, 1e-8);
  EXPECT_EQ(found.rho, 0);
  EXPECT_NEAR(report_.objective, -0.5, 1e-8);
  EXPECT_EQ(report_.status, SVM_CONVERGED);
}

// Checks optimality without a threshold, computed from the rows.
TEST_F(Platt, FixedThresholdIsOptimal) {
  Data data = test::random_data(200, 3, true, 23);
  for (const int kernel : {LINEAR, RBF}) {
    const svm_parameter param = exact(1e-4, 5, kernel);
    const RowFunction found = train_with_fixed_threshold(data, param);
    EXPECT_EQ(found.rho, 0);
    for (std::size_t t = 0; t < data.size(); ++t) {
      const double y = data.label(t), alpha = y * found.coefficients[t];
      const double margin = y * found.at(data.row(t));
      if (alpha < 5) {
        EXPECT_GT(margin, 1 - 2e-4);
      }
      if (alpha > 0) {
        EXPECT_LT(margin, 1 + 2e-4);
      }
    }
  }
}

class PlattCli : public test::TrainSolverCli {};

TEST_F(PlattCli, OtherTypesAndSolversAreRefused) {
  const test::ProcessResult type = train({"-a", "platt", "-s", "3", "data", "model"});
  EXPECT_EQ(type.status, 1);
  EXPECT_TRUE(test::contains(type.err, "solver platt supports SVM types: C-SVC; kernels: all"))
      << type.err;
  for (const char* name : {"smo", "csmo", "mdm", "pcg"}) {
    const test::ProcessResult result = train({"-a", name, "--fixed-threshold", "data", "model"});
    EXPECT_EQ(result.status, 1) << name;
    EXPECT_TRUE(test::contains(result.err, "fixed_threshold is an option of the solver platt"))
        << result.err;
  }
  EXPECT_FALSE(folder_.exists("model"));
}

TEST_F(PlattCli, TheFixedThresholdIsInTheModel) {
  EXPECT_FALSE(test::contains(model_of({"-a", "platt"}), "rho 0\n"));
  EXPECT_TRUE(test::contains(model_of({"-a", "platt", "--fixed-threshold"}), "rho 0\n"));
  EXPECT_GT(accuracy("any.model"), 80);
}

}  // namespace
}  // namespace svm
