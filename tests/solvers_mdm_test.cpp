// mdm and amdm: hand-solved problems, and the same problem given to smo in another form.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/registry.h"
#include "tests/extension.h"
#include "tests/train_solver_cli.h"
#include "tests/training_data.h"
#include "training/binary.h"

namespace svm {
namespace {

using test::Data;
using test::parameters;

class Mdm : public testing::TestWithParam<const char*> {
 protected:
  DecisionFunction train(Data& data, const svm_parameter& param, double positive, double negative) {
    svm::Run& run = printed_.run();
    run.solver = find_solver(GetParam());
    EXPECT_NE(run.solver, nullptr);
    DecisionFunction found = train_binary(data.problem(), param, positive, negative, run);
    report_ = run.report;
    return found;
  }

  test::Printed printed_;
  Report report_;
};

INSTANTIATE_TEST_SUITE_P(Solvers, Mdm, testing::Values("mdm", "amdm"));

svm_parameter exact(int kernel = LINEAR) {
  svm_parameter param = parameters(C_SVC, kernel);
  param.eps = 1e-10;
  param.C = 4;
  return param;
}

// x = +1 and -1, so K + 1 with label signs is 2I, and the shift 1/C makes it 2.25 I.  The nearest
// point has a = (1/2, 1/2) and |W|^2 = 1.125, so both alphas are 1/2.25 = 4/9.
TEST_P(Mdm, TwoPoints) {
  Data data;
  data.add(+1, {1});
  data.add(-1, {-1});
  const DecisionFunction found = train(data, exact(), 4, 4);
  EXPECT_NEAR(found.coefficients[0], 4 / 9.0, 1e-9);
  EXPECT_NEAR(found.coefficients[1], -4 / 9.0, 1e-9);
  EXPECT_NEAR(found.rho, 0, 1e-9);
  EXPECT_EQ(report_.status, Status::kConverged);
  EXPECT_NEAR(report_.objective, -4 / 9.0, 1e-9);  // -1 / (2 |W|^2)
  EXPECT_LE(report_.violation, 1e-10);
}

// As above with C = 4 for one label and 1 for the other: the matrix is diag(2.25, 3), alpha =
// 1/2.25 and 1/3, and the threshold is that of the weight of the constant: f(x) = (7/9) x + 1/9.
TEST_P(Mdm, ClassesOfDifferentCost) {
  Data data;
  data.add(+1, {1});
  data.add(-1, {-1});
  const DecisionFunction found = train(data, exact(), 4, 1);
  EXPECT_NEAR(found.coefficients[0], 4 / 9.0, 1e-9);
  EXPECT_NEAR(found.coefficients[1], -1 / 3.0, 1e-9);
  EXPECT_NEAR(found.rho, -1 / 9.0, 1e-9);
}

// The outer points need no weight: with x = 3 and -3 beside the two above, their margins are 3
// times larger.
TEST_P(Mdm, PointsWithoutWeight) {
  Data data;
  data.add(+1, {3});
  data.add(+1, {1});
  data.add(-1, {-3});
  data.add(-1, {-1});
  const DecisionFunction found = train(data, exact(), 4, 4);
  EXPECT_EQ(found.coefficients[0], 0);
  EXPECT_NEAR(found.coefficients[1], 4 / 9.0, 1e-8);
  EXPECT_EQ(found.coefficients[2], 0);
  EXPECT_NEAR(found.coefficients[3], -4 / 9.0, 1e-8);
}

// One point has nowhere to go: |W|^2 = K + 1 + 1/C.
TEST_P(Mdm, OnePoint) {
  Data data;
  data.add(+1, {2});
  const DecisionFunction found = train(data, exact(), 4, 4);
  EXPECT_NEAR(found.coefficients[0], 1 / 5.25, 1e-12);
  EXPECT_NEAR(found.rho, -1 / 5.25, 1e-12);
  EXPECT_EQ(report_.iterations, 0);
}

// The optimality conditions of the squared-slack C-SVC, computed from the rows themselves:
// y_t f(x_t) + alpha_t / C_t = 1 for support vectors, and >= 1 for the others.
TEST_P(Mdm, Optimality) {
  Data data = test::random_data(150, 3, true, 5);
  const double costs[2] = {20, 5};
  for (const int kernel : {LINEAR, POLY, RBF}) {
    svm_parameter param = exact(kernel);
    param.eps = 1e-5;
    const DecisionFunction found = train(data, param, costs[0], costs[1]);
    EXPECT_EQ(report_.status, Status::kConverged);
    const KernelFunction function(param);
    double sum = 0, objective = 0;
    for (std::size_t t = 0; t < data.size(); ++t) {
      double f = -found.rho;
      for (std::size_t s = 0; s < data.size(); ++s) {
        f += found.coefficients[s] * function.of_rows(data.row(s), data.row(t));
      }
      const bool positive = data.label(t) > 0;
      const double y = positive ? 1 : -1;
      const double alpha = y * found.coefficients[t];
      const double margin = y * f + alpha / costs[positive ? 0 : 1];
      ASSERT_GE(alpha, 0);
      EXPECT_GT(margin, 1 - 3e-5);
      if (alpha > 0) {
        EXPECT_LT(margin, 1 + 3e-5);
      }
      sum += found.coefficients[t];
      objective += alpha * (margin / 2 - 1);
    }
    EXPECT_NEAR(found.rho, -sum, 1e-9 * std::fabs(sum) + 1e-12);
    EXPECT_NEAR(report_.objective, objective, 1e-4 * std::fabs(objective));
  }
}

// smo has an equality constraint that mdm has not.  With every example a second time, mirrored and
// of the other label, the constraint holds at the optimum by itself, so that both have the same
// answer on the matrix of the mirrored problem: K_st + 1 becomes y-symmetric under mirroring.
TEST_P(Mdm, AgreesWithSmoOnTheShiftedKernel) {
  const Data half = test::random_data(40, 2, true, 11);
  const std::size_t l = 2 * half.size();
  const double cost = 3;
  // Linear kernel of (x, 1) and -(x, 1), so that the constant is mirrored as well.
  Data mirrored, shifted;
  for (std::size_t t = 0; t < l; ++t) {
    const std::size_t k = t % half.size();
    const double sign = t < half.size() ? 1 : -1;
    const double x = sign * half.row(k)[0].value, z = sign * half.row(k)[1].value;
    mirrored.add(sign * half.label(k), {x, z});
  }
  for (std::size_t t = 0; t < l; ++t) {
    test::Row row = {{0, static_cast<double>(t + 1)}};
    for (std::size_t s = 0; s < l; ++s) {
      double value = dot(mirrored.row(t), mirrored.row(s)) + (s == t ? 1 / cost : 0);
      // "+ 1" would not change smo's answer, where sum y alpha = 0.
      row.push_back({static_cast<int>(s) + 1, value});
    }
    row.push_back({-1, 0});
    shifted.add_row(mirrored.label(t), row);
  }
  svm_parameter param = exact();
  param.eps = 1e-7;
  const DecisionFunction mdm = train(mirrored, param, cost, cost);
  const double objective = report_.objective;
  svm::Run& run = printed_.run();
  svm_parameter hard = exact(PRECOMPUTED);
  hard.eps = 1e-7;
  hard.C = 1e6;  // no bound is met
  const DecisionFunction smo = train_binary(shifted.problem(), hard, hard.C, hard.C, run);
  EXPECT_NEAR(objective, run.report.objective, 1e-5 * std::fabs(objective));
  EXPECT_NEAR(mdm.rho, smo.rho, 1e-4);
  for (std::size_t t = 0; t < l; ++t) {
    EXPECT_NEAR(mdm.coefficients[t], smo.coefficients[t], 1e-3) << t;
  }
}

TEST(MdmCycles, SaveStepsAndKeepTheAnswer) {
  Data data = test::random_data(300, 4, true, 2);
  svm_parameter param = exact(RBF);
  param.eps = 1e-3;
  param.gamma = 0.05;
  const test::Printed printed;
  Report reports[2];
  for (int k = 0; k < 2; ++k) {
    svm::Run& run = printed.run();
    run.solver = find_solver(k == 0 ? "mdm" : "amdm");
    train_binary(data.problem(), param, 100, 100, run);
    reports[k] = run.report;
  }
  EXPECT_LT(reports[1].iterations, reports[0].iterations / 2);
  EXPECT_NEAR(reports[1].objective, reports[0].objective, 1e-3 * std::fabs(reports[0].objective));
  const std::string& text = test::Printed::text();
  const std::string count = "steps along cycles = ";
  EXPECT_EQ(std::stoi(text.substr(text.find(count) + count.size())), 0);
  EXPECT_GT(std::stoi(text.substr(text.rfind(count) + count.size())), 0);
}

TEST_P(Mdm, ASmallCacheChangesNothing) {
  Data data = test::random_data(120, 3, true, 9);
  svm_parameter param = exact(RBF);
  param.eps = 1e-4;
  const DecisionFunction large = train(data, param, 10, 10);
  param.cache_size = 1e-3;
  const DecisionFunction small = train(data, param, 10, 10);
  EXPECT_EQ(large.coefficients, small.coefficients);
  EXPECT_EQ(large.rho, small.rho);
}

// A kernel that is not positive has no nearest point: the run ends, with finite numbers.
TEST_P(Mdm, AnIndefiniteKernelEnds) {
  Data data;
  const double values[3][3] = {{1, -9, 2}, {-9, 1, 5}, {2, 5, -7}};
  for (int t = 0; t < 3; ++t) {
    test::Row row = {{0, t + 1.0}};
    for (int s = 0; s < 3; ++s) row.push_back({s + 1, values[t][s]});
    row.push_back({-1, 0});
    data.add_row(t == 1 ? -1 : 1, row);
  }
  testing::internal::CaptureStderr();
  const DecisionFunction found = train(data, exact(PRECOMPUTED), 4, 4);
  EXPECT_NE(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(report_.status, Status::kStalled);
  for (const double coefficient : found.coefficients) EXPECT_TRUE(std::isfinite(coefficient));
}

TEST_P(Mdm, LimitsAndCancelling) {
  Data data = test::random_data(200, 3, true, 4);
  svm_parameter param = exact(RBF);
  testing::internal::CaptureStderr();
  for (const Status status : {Status::kIterationLimit, Status::kTimeLimit, Status::kCancelled}) {
    svm::Run& run = printed_.run();
    run.solver = find_solver(GetParam());
    if (status == Status::kIterationLimit) run.max_iterations = 7;
    if (status == Status::kTimeLimit) run.time_limit = 1e-9;
    int looks = 0;
    bool finished = false;
    run.progress = [&](const Progress& progress) {
      ++looks;
      finished = progress.finished;
      return status != Status::kCancelled;
    };
    DecisionFunction found = train_binary(data.problem(), param, 100, 100, run);
    EXPECT_EQ(run.report.status, status);
    EXPECT_EQ(run.cancelled, status == Status::kCancelled);
    EXPECT_EQ(looks, 2);
    EXPECT_TRUE(finished);
    if (status == Status::kIterationLimit) {
      EXPECT_EQ(run.report.iterations, 7);
    }
    EXPECT_EQ(run.report.problems, 1);
    EXPECT_EQ(found.coefficients.size(), 200U);
  }
  testing::internal::GetCapturedStderr();
}

class MdmCli : public test::TrainSolverCli {};

TEST_F(MdmCli, OtherTypesAreRefused) {
  for (const char* type : {"1", "2", "3", "4"}) {
    const test::ProcessResult result = train({"-a", "amdm", "-s", type, "data", "model"});
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(test::contains(result.err, "solver amdm supports SVM types: C-SVC; kernels: all"))
        << result.err;
    EXPECT_FALSE(folder_.exists("model"));
  }
  EXPECT_EQ(train({"-a", "mdm", "--free-set", "on", "data", "model"}).status, 1);
}

TEST_F(MdmCli, ModelsPredict) {
  for (const char* name : {"mdm", "amdm"}) {
    EXPECT_EQ(model_of({"-a", name}), model_of({"-a", name}));
    const test::ProcessResult result =
        test::run({SVM_BIN_DIR "/svm-predict", "data", "any.model", "out"}, {}, folder_.path());
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t at = result.out.find("Accuracy = ");
    ASSERT_NE(at, std::string::npos) << result.out;
    EXPECT_GT(std::stod(result.out.substr(at + 11)), 80) << result.out;
  }
}

}  // namespace
}  // namespace svm
