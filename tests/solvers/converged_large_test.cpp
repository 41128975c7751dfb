// Problems of some thousand variables, most of which csmo solves on two levels: every run ends
// within few iterations, and a model is optimal if its status is "converged".
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "svm.h"
#include "tests/trained_machine.h"
#include "tests/training_data.h"

namespace svm::test {
namespace {

constexpr double kSafetySeconds = 60;  // ends a run that would never end
constexpr long long kMostIterations = 50000;

class ConvergedLarge : public testing::TestWithParam<const char*> {
 protected:
  // Trains, and expects that the run converges and the model is optimal.
  static void expect_converged(Data data, const svm_parameter& param) {
    TrainedMachine trained(std::move(data), param, GetParam());
    trained.run().options.time_limit = kSafetySeconds;
    trained.train();
    EXPECT_EQ(trained.run().record.status, SVM_CONVERGED);
    EXPECT_LE(trained.run().record.iterations, kMostIterations);
    const Certificate found = trained.certificate();
    EXPECT_LE(found.violation, param.eps);
    double coefficients = 0;
    for (int s = 0; s < trained.model->l; ++s) {
      coefficients += std::fabs(trained.model->sv_coef[0][s]);
    }
    EXPECT_LE(found.infeasibility, 1e-12 * coefficients);
  }
};

INSTANTIATE_TEST_SUITE_P(Solvers, ConvergedLarge, testing::Values("csmo"));

// The violation is below twice the tolerance, and its middle is nearer to one end than half of the
// tolerance.
TEST_P(ConvergedLarge, WhenOneSideIsWithinHalfTheTolerance) {
  Data data;
  for (int i = 0; i < 5000; ++i) {
    if (i < 2600) {
      data.add_row(1, {{1, 0.0008}, {-1, 0}});
    } else {
      data.add_row(1, {{2, 0.0001}, {-1, 0}});
    }
  }
  svm_parameter param = parameters(ONE_CLASS, LINEAR);
  param.nu = 0.50013;
  expect_converged(std::move(data), param);
}

// A loose tolerance and two equality constraints: each of the two groups needs both sides.
TEST_P(ConvergedLarge, WithTwoGroupsAtALooseTolerance) {
  Draws draws(1931);
  Data data;
  for (int i = 0; i < 6000; ++i) {
    data.add(draws.between(-2, 2), {draws.between(-1, 1), draws.between(-1, 1)});
  }
  svm_parameter param = parameters(NU_SVR, RBF);
  param.gamma = 10;
  param.C = 0.1;
  param.nu = 0.01;
  param.eps = 2;
  expect_converged(std::move(data), param);
}

// There are 16 kinds of rows and a linear kernel: each step makes other rows the most violating
// ones.
TEST_P(ConvergedLarge, WithFewDifferentRows) {
  Draws draws(1659);
  Data data;
  for (int i = 0; i < 6000; ++i) {
    std::vector<double> bits(3);
    for (double& bit : bits) bit = static_cast<double>(draws.below(2));
    data.add(draws.below(2) == 0 ? 1 : -1, bits);
  }
  svm_parameter param = parameters(C_SVC, LINEAR);
  param.C = 10000;
  param.eps = 0.5;
  expect_converged(std::move(data), param);
}

// Nearly all rows of each class are equal, and other rows share their gradient: zigzagging over one
// of these takes 50 times as many iterations.
TEST_P(ConvergedLarge, WithTwoRowsForNearlyAll) {
  Draws draws(472);
  Data data;
  for (int i = 0; i < 5600; ++i) {
    std::vector<double> x = {0.06, -0.16, -0.42, -0.33, 0.25, -0.34, 0.9};
    if (i % 800 == 0) {
      for (double& value : x) value = draws.between(-1, 1);
    }
    data.add(i % 2 == 0 ? 1 : -1, x);
  }
  svm_parameter param = parameters(C_SVC, LINEAR);
  param.C = 76188;
  param.eps = 2 - 1e-9;
  expect_converged(std::move(data), param);
}

// Kernel values are beyond the range of floats: the parts of the problem need doubles, too.
TEST_P(ConvergedLarge, WithKernelValuesBeyondFloats) {
  Draws draws(20);
  Data data;
  for (int i = 0; i < 4200; ++i) {
    const bool positive = i % 3 != 0;
    data.add(positive ? 1 : -1,
             {1e20 * (draws.between(0, 1) + (positive ? 1 : 0)), 1e20 * draws.between(0, 1)});
  }
  svm_parameter param = parameters(C_SVC, LINEAR);
  param.C = 1e-40;
  expect_converged(std::move(data), param);
}

// The sums of the objective show larger errors of floats than a sample of the variables did.
TEST_P(ConvergedLarge, WhereASampleShowsTooSmallErrors) {
  for (const auto& [seed, cost, epsilon] :
       {std::tuple(1, 20.0, 1e-3), std::tuple(1, 20.0, 7e-4), std::tuple(7, 30.0, 1e-3)}) {
    Draws draws(static_cast<std::uint64_t>(seed));
    Data data;
    for (int i = 0; i < 2000; ++i) {
      std::vector<double> x(10);
      for (double& value : x) value = draws.between(-2, 2);
      const double target = std::tanh(x[0]) + 0.5 * std::sin(3 * x[1]) * x[2];
      data.add(target + draws.between(-0.5, 0.5), x);
    }
    svm_parameter param = parameters(EPSILON_SVR, RBF);
    param.C = cost;
    param.gamma = 0.02;
    param.p = 0.05;
    param.eps = epsilon;
    expect_converged(std::move(data), param);
  }
}

}  // namespace
}  // namespace svm::test
