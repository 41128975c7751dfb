// mdm and amdm: hand-solved problems, and problems that smo solves in another form.
#include <cmath>
#include <cstddef>
#include <string>

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

class Mdm : public test::DualSolver, public testing::WithParamInterface<const char*> {
 protected:
  RowFunction train(Data& data, const svm_parameter& param, double positive, double negative) {
    return DualSolver::train(GetParam(), data, param, positive, negative);
  }
};

INSTANTIATE_TEST_SUITE_P(Solvers, Mdm, testing::Values("mdm", "amdm"));

constexpr double kEps = 1e-10;

// x = +1 and -1, so K + 1 with label signs is 2I, and the shift 1/C makes it 2.25 I.  The nearest
// point has a = (1/2, 1/2) and |W|^2 = 1.125, so both alphas are 1/2.25 = 4/9.
TEST_P(Mdm, TwoPoints) {
  Data data;
  data.add(+1, {1});
  data.add(-1, {-1});
  const RowFunction found = train(data, exact(kEps, 4), 4, 4);
  EXPECT_NEAR(found.coefficients[0], 4 / 9.0, 1e-9);
  EXPECT_NEAR(found.coefficients[1], -4 / 9.0, 1e-9);
  EXPECT_NEAR(found.rho, 0, 1e-9);
  EXPECT_EQ(report_.status, SVM_CONVERGED);
  EXPECT_NEAR(report_.objective, -4 / 9.0, 1e-9);  // -1 / (2 |W|^2)
  EXPECT_LE(report_.violation, 1e-10);
}

// As above with C = 4 for one label and 1 for the other: the matrix is diag(2.25, 3), alpha =
// 1/2.25 and 1/3, and the threshold is minus the weight of the constant: f(x) = (7/9) x + 1/9.
TEST_P(Mdm, ClassesOfDifferentCost) {
  Data data;
  data.add(+1, {1});
  data.add(-1, {-1});
  const RowFunction found = train(data, exact(kEps, 4), 4, 1);
  EXPECT_NEAR(found.coefficients[0], 4 / 9.0, 1e-9);
  EXPECT_NEAR(found.coefficients[1], -1 / 3.0, 1e-9);
  EXPECT_NEAR(found.rho, -1 / 9.0, 1e-9);
}

// The outer points need no weight: their margins, with x = 3 and -3, are three times as large.
TEST_P(Mdm, PointsWithoutWeight) {
  Data data;
  data.add(+1, {3});
  data.add(+1, {1});
  data.add(-1, {-3});
  data.add(-1, {-1});
  const RowFunction found = train(data, exact(kEps, 4), 4, 4);
  EXPECT_EQ(found.coefficients[0], 0);
  EXPECT_NEAR(found.coefficients[1], 4 / 9.0, 1e-8);
  EXPECT_EQ(found.coefficients[2], 0);
  EXPECT_NEAR(found.coefficients[3], -4 / 9.0, 1e-8);
}

// The optimality conditions of the squared-slack C-SVC, computed from the rows themselves:
// y_t f(x_t) + alpha_t / C_t = 1 for support vectors, and >= 1 for the others.
TEST_P(Mdm, Optimality) {
  Data data = test::random_data(150, 3, true, 5);
  const double costs[2] = {20, 5};
  for (const int kernel : {LINEAR, POLY, RBF}) {
    const svm_parameter param = exact(1e-5, 4, kernel);
    const RowFunction found = train(data, param, costs[0], costs[1]);
    EXPECT_EQ(report_.status, SVM_CONVERGED);
    double sum = 0, objective = 0;
    for (std::size_t t = 0; t < data.size(); ++t) {
      const bool positive = data.label(t) > 0;
      const double y = positive ? 1 : -1;
      const double alpha = y * found.coefficients[t];
      const double margin = y * found.at(data.row(t)) + alpha / costs[positive ? 0 : 1];
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

// smo has an equality constraint that mdm lacks.  If every example is repeated, mirrored and with
// the other label, the constraint holds at the optimum by itself, so that both have the same
// solution on the matrix of the mirrored problem: K_st + 1 becomes y-symmetric under mirroring.
TEST_P(Mdm, AgreesWithSmoOnTheShiftedKernel) {
  const Data half = test::random_data(40, 2, true, 11);
  const std::size_t l = 2 * half.size();
  const double cost = 3;
  // Linear kernel of (x, 1) and -(x, 1), so that the constant is mirrored as well.
  Data mirrored;
  for (std::size_t t = 0; t < l; ++t) {
    const std::size_t k = t % half.size();
    const double sign = t < half.size() ? 1 : -1;
    const double x = sign * half.row(k)[0].value, z = sign * half.row(k)[1].value;
    mirrored.add(sign * half.label(k), {x, z});
  }
  // "+ 1" would not change smo's solution, as sum y alpha = 0.
  Data shifted = test::precomputed(mirrored, [&](std::size_t s, std::size_t t) {
    return dot(mirrored.row(s), mirrored.row(t)) + (s == t ? 1 / cost : 0);
  });
  const svm_parameter param = exact(1e-7, cost);
  const RowFunction mdm = train(mirrored, param, cost, cost);
  const double objective = report_.objective;
  const svm_parameter hard = exact(1e-7, 1e6, PRECOMPUTED);  // no bound is met
  const RowFunction smo = DualSolver::train("smo", shifted, hard, hard.C, hard.C);
  EXPECT_NEAR(objective, report_.objective, 1e-5 * std::fabs(objective));
  EXPECT_NEAR(mdm.rho, smo.rho, 1e-4);
  for (std::size_t t = 0; t < l; ++t) {
    EXPECT_NEAR(mdm.coefficients[t], smo.coefficients[t], 1e-3) << t;
  }
}

class MdmCycles : public test::DualSolver {};

TEST_F(MdmCycles, SaveStepsAndKeepTheAnswer) {
  Data data = test::random_data(300, 4, true, 2);
  svm_parameter param = exact(1e-3, 4, RBF);
  param.gamma = 0.05;
  svm_result reports[2];
  int steps[2];
  const std::string count = "steps along cycles = ";
  for (int k = 0; k < 2; ++k) {
    train(k == 0 ? "mdm" : "amdm", data, param, 100, 100);
    reports[k] = report_;
    const std::size_t at = training_.printed.find(count);
    ASSERT_NE(at, std::string::npos);
    steps[k] = std::stoi(training_.printed.substr(at + count.size()));
  }
  EXPECT_LT(reports[1].iterations, reports[0].iterations / 2);
  EXPECT_NEAR(reports[1].objective, reports[0].objective, 1e-3 * std::fabs(reports[0].objective));
  EXPECT_EQ(steps[0], 0);
  EXPECT_GT(steps[1], 0);
}

// With an indefinite kernel there is no nearest point: the run ends, with finite numbers.
TEST_P(Mdm, AnIndefiniteKernelEnds) {
  Data labels;
  for (const double label : {1, -1, 1}) labels.add(label, {});
  const double values[3][3] = {{1, -9, 2}, {-9, 1, 5}, {2, 5, -7}};
  Data data = test::precomputed(labels, [&](std::size_t s, std::size_t t) { return values[s][t]; });
  const RowFunction found = train(data, exact(kEps, 4, PRECOMPUTED), 4, 4);
  EXPECT_TRUE(test::contains(training_.warned, "WARNING")) << training_.warned;
  EXPECT_EQ(report_.status, SVM_STALLED);
  for (const double coefficient : found.coefficients) EXPECT_TRUE(std::isfinite(coefficient));
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

}  // namespace
}  // namespace svm
