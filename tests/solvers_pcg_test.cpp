// Chunking with projected conjugate gradients: hand-solved problems, agreement with smo.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/pcg.h"
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

class Pcg : public testing::Test {
 protected:
  DecisionFunction train(Data& data, const svm_parameter& param, double negative_cost,
                         const char* solver = "pcg") {
    svm::Run& run = printed_.run();
    run.solver = find_solver(solver);
    EXPECT_NE(run.solver, nullptr);
    DecisionFunction found = train_binary(data.problem(), param, param.C, negative_cost, run);
    report_ = run.report;
    return found;
  }

  test::Printed printed_;
  Report report_;
};

TEST_F(Pcg, TwoPoints) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  const DecisionFunction found = train(data, exact(), 10);
  EXPECT_NEAR(found.coefficients[0], 0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[1], -0.5, 1e-9);
  EXPECT_NEAR(found.rho, 2, 1e-9);
  EXPECT_EQ(report_.status, Status::kConverged);
  EXPECT_EQ(report_.iterations, 1);
  EXPECT_NEAR(report_.objective, -0.5, 1e-9);
}

TEST_F(Pcg, BothAtTheBound) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  svm_parameter param = exact();
  param.C = 0.25;
  const DecisionFunction found = train(data, param, 0.25);
  EXPECT_EQ(found.coefficients, (std::vector<double>{0.25, -0.25}));
  EXPECT_NEAR(found.rho, 1, 1e-9);
}

TEST_F(Pcg, FourPoints) {
  Data data;
  data.add(+1, {5});
  data.add(+1, {1});
  data.add(-1, {-1});
  data.add(-1, {-7});
  const DecisionFunction found = train(data, exact(), 10);
  EXPECT_NEAR(found.coefficients[0], 0, 1e-9);
  EXPECT_NEAR(found.coefficients[1], 0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[2], -0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[3], 0, 1e-9);
  EXPECT_NEAR(found.rho, 0, 1e-9);
}

// 1,400 rows make several chunks.
TEST_F(Pcg, AgreesWithSmo) {
  for (const std::size_t rows : {200U, 1400U}) {
    Data data = test::random_data(rows, 3, true, 31);
    for (const int kernel : {LINEAR, RBF}) {
      for (const double cost : {0.1, 20.0}) {
        svm_parameter param = exact(kernel);
        param.eps = 1e-4;
        param.C = cost;
        const DecisionFunction pcg = train(data, param, 2 * cost);
        const Report report = report_;
        EXPECT_EQ(report.status, Status::kConverged) << kernel << " " << cost;
        EXPECT_LT(report.violation, param.eps);
        const DecisionFunction smo = train(data, param, 2 * cost, "smo");
        EXPECT_NEAR(report.objective, report_.objective, 1e-5 * std::fabs(report_.objective));
        EXPECT_NEAR(pcg.rho, smo.rho, 1e-3);
        double sum = 0;
        for (std::size_t t = 0; t < rows; ++t) {
          sum += pcg.coefficients[t];
          EXPECT_LE(std::fabs(pcg.coefficients[t]), data.label(t) > 0 ? cost : 2 * cost);
          EXPECT_GE(pcg.coefficients[t] * data.label(t), 0);
        }
        EXPECT_NEAR(sum, 0, 1e-8 * cost);
      }
    }
  }
}

// Where the matrix of a chunk takes more than half of the memory, its rows are computed each time.
TEST_F(Pcg, LittleMemory) {
  Data data = test::random_data(300, 3, true, 33);
  svm_parameter param = exact(RBF);
  param.eps = 1e-5;
  const DecisionFunction large = train(data, param, 10);
  const double objective = report_.objective;
  const long long rows = report_.kernel_rows;
  param.cache_size = 1e-3;
  const DecisionFunction small = train(data, param, 10);
  EXPECT_GT(report_.kernel_rows, rows);
  EXPECT_NEAR(report_.objective, objective, 1e-7 * std::fabs(objective));
  EXPECT_NEAR(large.rho, small.rho, 1e-5);
}

TEST_F(Pcg, LimitsAndCancelling) {
  Data data = test::random_data(200, 3, true, 4);
  const svm_parameter param = exact(RBF);
  testing::internal::CaptureStderr();
  for (const Status status : {Status::kIterationLimit, Status::kTimeLimit, Status::kCancelled}) {
    svm::Run& run = printed_.run();
    run.solver = find_solver("pcg");
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

class PcgCli : public test::TrainSolverCli {};

TEST_F(PcgCli, OtherTypesAreRefused) {
  const test::ProcessResult result = train({"-a", "pcg", "-s", "2", "data", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(test::contains(result.err, "solver pcg supports SVM types: C-SVC; kernels: all"))
      << result.err;
  EXPECT_FALSE(folder_.exists("model"));
}

TEST_F(PcgCli, ModelsPredict) {
  EXPECT_EQ(model_of({"-a", "pcg"}), model_of({"-a", "pcg"}));
  const test::ProcessResult result =
      test::run({SVM_BIN_DIR "/svm-predict", "data", "any.model", "out"}, {}, folder_.path());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(test::contains(result.out, "Accuracy = ")) << result.out;
}

}  // namespace
}  // namespace svm
