// The 1998 algorithm: hand-solved problems, agreement with smo, the fixed threshold.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/platt.h"
#include "solvers/registry.h"
#include "tests/extension.h"
#include "tests/train_solver_cli.h"
#include "tests/training_data.h"
#include "training/binary.h"

namespace svm {
namespace {

using test::Data;
using test::parameters;

svm_parameter exact(int kernel = LINEAR) {
  svm_parameter param = parameters(C_SVC, kernel);
  param.eps = 1e-9;
  param.C = 10;
  return param;
}

class Platt : public testing::Test {
 protected:
  DecisionFunction train(Data& data, const svm_parameter& param, double negative_cost,
                         const char* solver = "platt", bool fixed_threshold = false) {
    svm::Run& run = printed_.run();
    run.solver = find_solver(solver);
    EXPECT_NE(run.solver, nullptr);
    run.fixed_threshold = fixed_threshold;
    DecisionFunction found = train_binary(data.problem(), param, param.C, negative_cost, run);
    report_ = run.report;
    return found;
  }
  DecisionFunction train(Data& data, const svm_parameter& param) {
    return train(data, param, param.C);
  }

  test::Printed printed_;
  Report report_;
};

double decision_value(const DecisionFunction& function, const svm_parameter& param,
                      const Data& data, const svm_node* x) {
  double sum = -function.rho;
  for (std::size_t t = 0; t < data.size(); ++t) {
    sum += function.coefficients[t] * KernelFunction(param).of_rows(x, data.row(t));
  }
  return sum;
}

// Points 3 and 1: alpha = 2/d^2 = 1/2, w = 1, f(3) = 1 gives rho = 2.
TEST_F(Platt, TwoPoints) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  const DecisionFunction found = train(data, exact());
  EXPECT_NEAR(found.coefficients[0], 0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[1], -0.5, 1e-9);
  EXPECT_NEAR(found.rho, 2, 1e-9);
  EXPECT_EQ(report_.status, Status::kConverged);
  EXPECT_EQ(report_.iterations, 1);
  EXPECT_NEAR(report_.objective, -0.5, 1e-9);
}

// The same with a box that ends the step: alpha = 1/4, and the threshold in the middle of what the
// two points allow: w = 1/2, 3/2 - rho <= 1 and 1/2 - rho >= -1 allow [1/2, 3/2].
TEST_F(Platt, BothAtTheBound) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  svm_parameter param = exact();
  param.C = 0.25;
  const DecisionFunction found = train(data, param);
  EXPECT_EQ(found.coefficients, (std::vector<double>{0.25, -0.25}));
  EXPECT_NEAR(found.rho, 1, 1e-9);
}

// Two positive points on the same place, the sum of whose alphas is all that counts.
TEST_F(Platt, ThreePointsTwoOfThemEqual) {
  Data data;
  data.add(+1, {3});
  data.add(+1, {3});
  data.add(-1, {1});
  const DecisionFunction found = train(data, exact());
  EXPECT_NEAR(found.coefficients[0] + found.coefficients[1], 0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[2], -0.5, 1e-9);
  EXPECT_NEAR(found.rho, 2, 1e-9);
}

TEST_F(Platt, FourPoints) {
  Data data;
  data.add(+1, {5});
  data.add(+1, {1});
  data.add(-1, {-1});
  data.add(-1, {-7});
  const DecisionFunction found = train(data, exact());
  EXPECT_NEAR(found.coefficients[0], 0, 1e-9);
  EXPECT_NEAR(found.coefficients[1], 0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[2], -0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[3], 0, 1e-9);
  EXPECT_NEAR(found.rho, 0, 1e-9);
}

TEST_F(Platt, AgreesWithSmo) {
  Data data = test::random_data(250, 3, true, 21);
  for (const int kernel : {LINEAR, POLY, RBF}) {
    for (const double cost : {0.1, 1.0, 50.0}) {
      svm_parameter param = exact(kernel);
      param.eps = 1e-5;
      param.C = cost;
      const DecisionFunction platt = train(data, param, 2 * cost);
      const Report report = report_;
      EXPECT_EQ(report.status, Status::kConverged) << kernel << " " << cost;
      EXPECT_LE(report.violation, param.eps);
      const DecisionFunction smo = train(data, param, 2 * cost, "smo");
      EXPECT_NEAR(report.objective, report_.objective, 1e-5 * std::fabs(report_.objective));
      double sum = 0;
      for (std::size_t t = 0; t < data.size(); ++t) {
        sum += platt.coefficients[t];
        EXPECT_LE(std::fabs(platt.coefficients[t]), data.label(t) > 0 ? cost : 2 * cost);
        EXPECT_GE(platt.coefficients[t] * data.label(t), 0);
        const double value = decision_value(smo, param, data, data.row(t));
        EXPECT_NEAR(decision_value(platt, param, data, data.row(t)), value,
                    1e-3 * (1 + std::fabs(value)))
            << kernel << " " << cost << " " << t;
      }
      EXPECT_NEAR(sum, 0, 1e-8 * cost);
    }
  }
}

// The folded weight vector and kernel rows are two ways to the same answer.
TEST_F(Platt, FoldedWeightsAgreeWithRows) {
  Data data = test::random_data(150, 3, true, 22);
  Data rows;
  for (std::size_t t = 0; t < data.size(); ++t) {
    test::Row row = {{0, static_cast<double>(t + 1)}};
    for (std::size_t s = 0; s < data.size(); ++s) {
      row.push_back({static_cast<int>(s) + 1, dot(data.row(t), data.row(s))});
    }
    row.push_back({-1, 0});
    rows.add_row(data.label(t), row);
  }
  svm_parameter param = exact();
  param.eps = 1e-5;
  const DecisionFunction folded = train(data, param);
  EXPECT_EQ(report_.kernel_rows, 0);
  const double objective = report_.objective;
  param.kernel_type = PRECOMPUTED;
  const DecisionFunction by_rows = train(rows, param);
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
  const DecisionFunction found = train(data, exact(), 10, "platt", true);
  EXPECT_NEAR(found.coefficients[0], 0, 1e-8);
  EXPECT_NEAR(found.coefficients[1], -1, 1e-8);
  EXPECT_EQ(found.rho, 0);
  EXPECT_NEAR(report_.objective, -0.5, 1e-8);
  EXPECT_EQ(report_.status, Status::kConverged);
}

// Optimality without threshold, from the rows themselves.
TEST_F(Platt, FixedThresholdIsOptimal) {
  Data data = test::random_data(200, 3, true, 23);
  for (const int kernel : {LINEAR, RBF}) {
    svm_parameter param = exact(kernel);
    param.eps = 1e-4;
    param.C = 5;
    const DecisionFunction found = train(data, param, 5, "platt", true);
    EXPECT_EQ(found.rho, 0);
    for (std::size_t t = 0; t < data.size(); ++t) {
      const double y = data.label(t), alpha = y * found.coefficients[t];
      const double margin = y * decision_value(found, param, data, data.row(t));
      if (alpha < 5) {
        EXPECT_GT(margin, 1 - 2e-4);
      }
      if (alpha > 0) {
        EXPECT_LT(margin, 1 + 2e-4);
      }
    }
  }
}

TEST_F(Platt, ASmallCacheChangesNothing) {
  Data data = test::random_data(120, 3, true, 9);
  svm_parameter param = exact(RBF);
  param.eps = 1e-4;
  const DecisionFunction large = train(data, param);
  param.cache_size = 1e-3;
  const DecisionFunction small = train(data, param);
  EXPECT_EQ(large.coefficients, small.coefficients);
  EXPECT_EQ(large.rho, small.rho);
}

TEST_F(Platt, LimitsAndCancelling) {
  Data data = test::random_data(200, 3, true, 4);
  const svm_parameter param = exact(RBF);
  testing::internal::CaptureStderr();
  for (const Status status : {Status::kIterationLimit, Status::kTimeLimit, Status::kCancelled}) {
    svm::Run& run = printed_.run();
    run.solver = find_solver("platt");
    if (status == Status::kIterationLimit) run.max_iterations = 7;
    if (status == Status::kTimeLimit) run.time_limit = 1e-9;
    run.progress = [&](const Progress&) { return status != Status::kCancelled; };
    train_binary(data.problem(), param, 100, 100, run);
    EXPECT_EQ(run.report.status, status);
    if (status == Status::kIterationLimit) {
      EXPECT_EQ(run.report.iterations, 7);
    }
  }
  testing::internal::GetCapturedStderr();
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

TEST_F(PlattCli, ModelsPredict) {
  EXPECT_EQ(model_of({"-a", "platt"}), model_of({"-a", "platt"}));
  EXPECT_FALSE(test::contains(model_of({"-a", "platt"}), "rho 0\n"));
  EXPECT_TRUE(test::contains(model_of({"-a", "platt", "--fixed-threshold"}), "rho 0\n"));
  const test::ProcessResult result =
      test::run({SVM_BIN_DIR "/svm-predict", "data", "any.model", "out"}, {}, folder_.path());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(test::contains(result.out, "Accuracy = ")) << result.out;
}

}  // namespace
}  // namespace svm
