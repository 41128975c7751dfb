// Problems small enough to solve by hand, with and without shrinking.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/row_training.h"
#include "tests/text.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::parameters;
using test::RowFunction;

constexpr double kTolerance = 1e-6;

// The parameter says whether shrinking is on.
class HandSolved : public testing::TestWithParam<int> {
 protected:
  svm_parameter param(int svm_type, int kernel_type = LINEAR) const {
    svm_parameter param = parameters(svm_type, kernel_type);
    param.eps = 1e-8;
    param.C = 10;
    param.shrinking = GetParam();
    return param;
  }

  // `solution` has the coefficients y_t alpha_t (regression: alpha - alpha*) of f(x) = sum s_t
  // K(x_t, x) - rho.
  void expect_solution(Data& data, const svm_parameter& param, const std::vector<double>& solution,
                       double rho, double cost_positive, double cost_negative) {
    const RowFunction found = training_.train(data, param, cost_positive, cost_negative);
    ASSERT_EQ(found.coefficients.size(), solution.size());
    for (std::size_t t = 0; t < solution.size(); ++t) {
      EXPECT_NEAR(found.coefficients[t], solution[t], kTolerance) << "row " << t;
    }
    EXPECT_NEAR(found.rho, rho, kTolerance);
  }
  void expect_solution(Data& data, const svm_parameter& param, const std::vector<double>& solution,
                       double rho) {
    expect_solution(data, param, solution, rho, param.C, param.C);
  }

  void expect_printed(const std::string& line) const {
    EXPECT_TRUE(test::contains(training_.printed, line + "\n")) << training_.printed;
  }

  test::RowTraining training_;
};

INSTANTIATE_TEST_SUITE_P(Shrinking, HandSolved, testing::Values(0, 1));

// Two points at distance d: both alphas are a, and a = 2/d^2 minimises 1/2 a^2 d^2 - 2a.  Here d =
// 2, so a = 1/2, w = a (3 - 1) = 1; f(3) = 1 gives rho = 2.
TEST_P(HandSolved, CSvcTwoPoints) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  expect_solution(data, param(C_SVC), {0.5, -0.5}, 2);
  expect_printed("obj = -0.500000, rho = 2.000000");
  expect_printed("nSV = 2, nBSV = 0");
  expect_printed("nu = 0.050000");  // sum of alpha / (C l)
}

// As above, but C = 1/4 stops both at the bound: w = 1/2.  y f <= 1 at both restricts rho to [0.5,
// 1.5]; the middle is taken.
TEST_P(HandSolved, CSvcTwoPointsBounded) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  svm_parameter bounded = param(C_SVC);
  bounded.C = 0.25;
  expect_solution(data, bounded, {0.25, -0.25}, 1);
  expect_printed("nSV = 2, nBSV = 2");
  expect_printed("nu = 1.000000");
}

// With costs 1/2 and 1/4 the second point stops both at 1/4; the first stays free, so f(3) = 1 with
// w = 1/2: rho = 1/2.
TEST_P(HandSolved, CSvcTwoPointsUnequalCosts) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  expect_solution(data, param(C_SVC), {0.25, -0.25}, 0.5, 0.5, 0.25);
  expect_printed("nSV = 2, nBSV = 1");
  EXPECT_FALSE(test::contains(training_.printed, "nu ="));
}

// K(u, u) = 1 and K(u, v) = k = exp(-1): 2a (1 - k) = 2, so a = 1/(1 - k); rho = 0 by symmetry.
TEST_P(HandSolved, CSvcTwoPointsRbf) {
  Data data;
  data.add(-1, {1, 1});
  data.add(+1, {1, 2});
  const double a = 1 / (1 - std::exp(-1));
  expect_solution(data, param(C_SVC, RBF), {-a, a}, 0);
  svm_parameter bounded = param(C_SVC, RBF);
  bounded.C = 0.5;
  expect_solution(data, bounded, {-0.5, 0.5}, 0);
}

// Only the two points next to the gap support the plane: 2/d^2 = 1/2, rho = 0.
TEST_P(HandSolved, CSvcLineWithSpectators) {
  Data data;
  data.add(-1, {-2});
  data.add(-1, {-1});
  data.add(+1, {1});
  data.add(+1, {3});
  data.add(+1, {7});
  expect_solution(data, param(C_SVC), {0, -0.5, 0.5, 0, 0}, 0);
}

// Two positives at (1, 1) and (1, -1), a negative at (-1, 0): w = (1, 0).  The second component
// makes the positives equal, the first makes all alphas sum to 1.
TEST_P(HandSolved, CSvcPlane) {
  Data data;
  data.add(+1, {1, 1});
  data.add(+1, {1, -1});
  data.add(-1, {-1, 0});
  expect_solution(data, param(C_SVC), {0.25, 0.25, -0.5}, 0);
}

// A positive on the wrong side, C = 1.  With w = 2a - c and a + c = b <= 1, w = 0 and b = 1
// minimise w^2 / 2 - 2 (a + c): a = 1/3, c = 2/3, and f = 1 everywhere.
TEST_P(HandSolved, CSvcNotSeparable) {
  Data data;
  data.add(+1, {2});
  data.add(-1, {0});
  data.add(+1, {-1});
  svm_parameter soft = param(C_SVC);
  soft.C = 1;
  expect_solution(data, soft, {1.0 / 3, -1, 2.0 / 3}, -1);
  expect_printed("obj = -2.000000, rho = -1.000000");
}

// Exclusive or, with K = (u'v + 1)^2: 9 on the diagonal and 1 elsewhere.  By symmetry
// 9a + a - a - a = 1, and f = x1 x2 without a threshold.
TEST_P(HandSolved, CSvcPolynomialExclusiveOr) {
  Data data;
  data.add(+1, {1, 1});
  data.add(-1, {1, -1});
  data.add(-1, {-1, 1});
  data.add(+1, {-1, -1});
  svm_parameter square = param(C_SVC, POLY);
  square.degree = 2;
  square.coef0 = 1;
  expect_solution(data, square, {0.125, -0.125, -0.125, 0.125}, 0);
}

// Any two points: a = 2 / (K11 + K22 - 2 K12), and f(x1) = 1 gives rho = a (K11 - K12) - 1.
TEST_P(HandSolved, CSvcSigmoidAndPrecomputed) {
  const auto expect = [this](Data& data, const svm_parameter& kernel, double k11, double k22,
                             double k12) {
    const double a = 2 / (k11 + k22 - 2 * k12);
    expect_solution(data, kernel, {a, -a}, a * (k11 - k12) - 1);
  };
  Data points;
  points.add(+1, {2});
  points.add(-1, {-0.5});
  svm_parameter sigmoid = param(C_SVC, SIGMOID);
  sigmoid.gamma = 0.5;
  sigmoid.coef0 = 0.25;
  expect(points, sigmoid, std::tanh(2.25), std::tanh(0.375), std::tanh(-0.25));

  Data matrix;
  matrix.add_row(+1, {{0, 1}, {1, 4}, {2, 0.5}, {-1, 0}});
  matrix.add_row(-1, {{0, 2}, {1, 0.5}, {2, 3}, {-1, 0}});
  expect(matrix, param(C_SVC, PRECOMPUTED), 4, 3, 0.5);
}

// Each class sums to nu l / 2 = nu, whatever nu < 1 is; scaled to margin 1 this is the hard margin.
TEST_P(HandSolved, NuSvcTwoPoints) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  for (const double nu : {0.25, 0.5, 0.875}) {
    svm_parameter fraction = param(NU_SVC);
    fraction.nu = nu;
    expect_solution(data, fraction, {0.5, -0.5}, 2);
  }
}

// l = 4, nu = 3/4: each class sums to 3/2 with alpha <= 1.  The inner points take 1, the outer
// ones 1/2: w = 2 (1 + 3/2) = 5.  The outer ones are free, so the margin is 3w = 15.
TEST_P(HandSolved, NuSvcBounded) {
  Data data;
  data.add(+1, {1});
  data.add(+1, {3});
  data.add(-1, {-1});
  data.add(-1, {-3});
  svm_parameter wide = param(NU_SVC);
  wide.nu = 0.75;
  expect_solution(data, wide, {1 / 15.0, 0.5 / 15, -1 / 15.0, -0.5 / 15}, 0);
  expect_printed("C = 0.066667");
  expect_printed("nSV = 4, nBSV = 2");
  // nu = 1/4: the inner points alone, 1/2 each, w = 1, margin 1.
  wide.nu = 0.25;
  expect_solution(data, wide, {0.5, 0, -0.5, 0}, 0);
  expect_printed("C = 1.000000");
}

// alpha sums to nu l.  All of it on the inner point minimises the objective (x'alpha)^2 / 2; rho is
// w x there if it is free, and the middle of the two points if it is at 1.
TEST_P(HandSolved, OneClassLine) {
  Data data;
  data.add(0, {2});
  data.add(0, {1});
  svm_parameter line = param(ONE_CLASS);
  line.nu = 0.4;
  expect_solution(data, line, {0, 0.8}, 0.8);
  line.nu = 0.5;
  expect_solution(data, line, {0, 1}, 1.5);
  line.nu = 0.75;  // 1 and 1/2: w = 1 + 2/2 = 2, and the outer point is free
  expect_solution(data, line, {0.5, 1}, 4);
}

// Equal by symmetry: nu each, and rho = nu (1 + k) with k = exp(-4).
TEST_P(HandSolved, OneClassTwoPointsRbf) {
  Data data;
  data.add(0, {1});
  data.add(0, {3});
  svm_parameter rbf = param(ONE_CLASS, RBF);
  for (const double nu : {0.25, 0.5, 0.75}) {
    rbf.nu = nu;
    expect_solution(data, rbf, {nu, nu}, nu * (1 + std::exp(-4)));
  }
}

// Points -1, 0, 1 with k = exp(-1), q = exp(-4): alphas a, b, a with 2a + b = 3/2.  Equal
// gradients a (1 + q) + k b = b + 2 k a give a = b (1 - k) / (1 + q - 2k).
TEST_P(HandSolved, OneClassThreePointsRbf) {
  Data data;
  data.add(0, {-1});
  data.add(0, {0});
  data.add(0, {1});
  const double k = std::exp(-1), q = std::exp(-4);
  const double ratio = (1 - k) / (1 + q - 2 * k);
  const double b = 1.5 / (2 * ratio + 1), a = b * ratio;
  expect_solution(data, param(ONE_CLASS, RBF), {a, b, a}, b + 2 * k * a);
}

// Through (0, 0) and (1, 1) with a tube of 0.1: the flattest line is 0.1 + 0.8 x.
TEST_P(HandSolved, EpsilonSvrLine) {
  Data data;
  data.add(0, {0});
  data.add(1, {1});
  expect_solution(data, param(EPSILON_SVR), {-0.8, 0.8}, -0.1);
  expect_printed("nu = 0.080000");  // sum of alpha / (C l)
}

// A point half way on the line stays within the tube and has no coefficient.
TEST_P(HandSolved, EpsilonSvrSpectator) {
  Data data;
  data.add(0, {0});
  data.add(0.5, {0.5});
  data.add(1, {1});
  expect_solution(data, param(EPSILON_SVR), {-0.8, 0, 0.8}, -0.1);
}

// C = 1/2 stops the slope at 1/2.  Both ends are outside of the tube if b >= 0.1 and 0.5 + b <=
// 0.9; the middle is b = 0.25.
TEST_P(HandSolved, EpsilonSvrBounded) {
  Data data;
  data.add(0, {0});
  data.add(1, {1});
  svm_parameter bounded = param(EPSILON_SVR);
  bounded.C = 0.5;
  expect_solution(data, bounded, {-0.5, 0.5}, -0.25);
  expect_printed("nSV = 2, nBSV = 2");
}

// A tube that holds both points: slope 0, b anywhere from 0 to 1.
TEST_P(HandSolved, EpsilonSvrWideTube) {
  Data data;
  data.add(0, {0});
  data.add(1, {1});
  svm_parameter wide = param(EPSILON_SVR);
  wide.p = 1;
  expect_solution(data, wide, {0, 0}, -0.5);
  expect_printed("nSV = 0, nBSV = 0");
}

// Each side sums to C nu l / 2 = nu C.  With C = 1, nu = 1/2 the slope is 1/2 at most: the line
// 0.25 + 0.5 x, off by 0.25 at both points, which is the width of the tube.
TEST_P(HandSolved, NuSvrLine) {
  Data data;
  data.add(0, {0});
  data.add(1, {1});
  svm_parameter tube = param(NU_SVR);
  tube.C = 1;
  expect_solution(data, tube, {-0.5, 0.5}, -0.25);
  expect_printed("epsilon = 0.250000");
}

// With C = 10 the sides may sum to 5 and the line goes through both points: the tube is closed.
TEST_P(HandSolved, NuSvrClosedTube) {
  Data data;
  data.add(0, {0});
  data.add(1, {1});
  expect_solution(data, param(NU_SVR), {-1, 1}, 0);
}

// Without features, f is a constant.  With one row of the first class and two of the second, f = -1
// costs least.
TEST_P(HandSolved, RowsWithoutFeatures) {
  Data data;
  data.add(+1, {});
  data.add(-1, {});
  data.add(-1, {});
  svm_parameter soft = param(C_SVC);
  soft.C = 1;
  const RowFunction found = training_.train(data, soft);
  EXPECT_NEAR(found.rho, 1, kTolerance);
  EXPECT_NEAR(found.coefficients[0], 1, kTolerance);
  EXPECT_NEAR(found.coefficients[1] + found.coefficients[2], -1, kTolerance);
}

}  // namespace
}  // namespace svm
