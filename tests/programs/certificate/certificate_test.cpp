// Compares certify() for models of each type with sums over all pairs of variables.
#include "programs/certificate/certificate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/trained_machine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::data_for;
using test::param_for;
using test::parameters;
using test::solved_problems;
using test::SolvedProblem;
using test::TrainedMachine;
using test::TypeAndKernel;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A coefficient that may change: the change of the objective per unit on the way up and down, and
// the group whose sum stays.
struct Move {
  bool up, down;
  double slope_up, slope_down;
  int group;
};

double worst_exchange(const std::vector<Move>& moves) {
  double worst = 0;
  for (const Move& grows : moves) {
    for (const Move& falls : moves) {
      if (grows.up && falls.down && grows.group == falls.group) {
        worst = std::max(worst, falls.slope_down - grows.slope_up);
      }
    }
  }
  return worst;
}

Certificate by_hand(const SolvedProblem& s, const svm_parameter& param) {
  const double n = static_cast<double>(s.size()), norm = s.squared_norm();
  double of_labels = 0;
  for (std::size_t t = 0; t < s.size(); ++t) of_labels += s.y[t] * s.beta[t];
  const double r = param.nu * n / of_labels;  // for nu-SVC; LIBSVM's may be below 0
  std::vector<Move> moves;
  Certificate all;
  all.problems = 1;
  double linear = 0, loss = 0, least = kInfinity;
  double above = 0;  // largest excess of a coefficient over C
  for (std::size_t t = 0; t < s.size(); ++t) {
    const double y = s.y[t], b = s.beta[t], f = s.f(t), g = s.decisions[t];
    const double error = std::fabs(g - y), upper = param.svm_type == ONE_CLASS ? 1 : param.C;
    const bool is_positive = b > 0, is_negative = b < 0;
    const bool is_below = b < upper;  // the bounds of the coefficient
    const bool is_above = b > -upper;
    switch (param.svm_type) {
      case C_SVC:
        moves.push_back(
            {y > 0 ? is_below : is_negative, y > 0 ? is_positive : is_above, f - y, f - y, 0});
        above = std::max({above, y * b - param.C, -y * b});
        linear -= y * b;
        loss += param.C * std::max(0.0, 1 - y * g);
        break;
      case NU_SVC: {
        const double alpha = y * b * r;
        const bool grows = alpha < 1 - 1e-12;
        const bool falls = alpha > 0;
        moves.push_back(
            {y > 0 ? grows : falls, y > 0 ? falls : grows, r * f, r * f, y > 0 ? 1 : 0});
        above = std::max({above, alpha - 1, -alpha});
        double here = 0;  // primal objective with this row's margin
        for (std::size_t u = 0; u < s.size(); ++u) {
          here += std::max(0.0, y * g - s.y[u] * s.decisions[u]);
        }
        least = std::min(least, (here - param.nu * n * y * g) / std::fabs(r));
        break;
      }
      case ONE_CLASS:
        moves.push_back({is_below, is_positive, f, f, 0});
        above = std::max({above, b - 1, -b});
        loss += std::max(0.0, -g);
        break;
      case EPSILON_SVR:
        moves.push_back({is_below, is_above, f - y + (is_negative ? -param.p : param.p),
                         f - y + (is_positive ? param.p : -param.p), 0});
        above = std::max(above, std::fabs(b) - param.C);
        linear += param.p * std::fabs(b) - y * b;
        loss += param.C * std::max(0.0, error - param.p);
        break;
      default: {
        // The positive and the negative part.
        moves.push_back({is_below, is_positive, f - y, f - y, 1});
        moves.push_back({is_negative, is_above, f - y, f - y, 0});
        above = std::max(above, std::fabs(b) - param.C);
        linear -= y * b;
        double here = param.C * param.nu * n * error;
        for (std::size_t u = 0; u < s.size(); ++u) {
          here += param.C * std::max(0.0, std::fabs(s.decisions[u] - s.y[u]) - error);
        }
        least = std::min(least, here);
      }
    }
  }
  const bool is_nu = param.svm_type == NU_SVC || param.svm_type == NU_SVR;
  all.violation = worst_exchange(moves);
  all.dual_objective = norm / 2 + linear;
  all.primal_objective = norm / 2 + (is_nu ? least : loss);
  double off = std::fabs(s.sum());
  if (param.svm_type == ONE_CLASS) {
    off = std::fabs(s.sum() - param.nu * n);
    all.primal_objective -= s.rho * param.nu * n;
  }
  if (param.svm_type == NU_SVC) off *= std::fabs(r) / 2;
  if (param.svm_type == NU_SVR) off = std::max(off, s.sum_of_sizes() - param.C * param.nu * n);
  all.infeasibility = std::max(above, off);
  return all;
}

void expect_near(const Certificate& found, const Certificate& wanted) {
  const double size = 1e-11 * (1 + std::fabs(wanted.primal_objective));
  EXPECT_EQ(found.problems, wanted.problems);
  EXPECT_EQ(found.has_dual, wanted.has_dual);
  EXPECT_NEAR(found.violation, wanted.violation, 1e-10);
  EXPECT_NEAR(found.infeasibility, wanted.infeasibility, 1e-10);
  EXPECT_NEAR(found.dual_objective, wanted.dual_objective, size);
  EXPECT_NEAR(found.primal_objective, wanted.primal_objective, size);
}

Certificate by_hand(const Data& data, const svm_parameter& param, const svm_model& model) {
  Certificate all;
  for (const SolvedProblem& one : solved_problems(data, model)) all.add(by_hand(one, param));
  return all;
}

template <typename Condition>
std::vector<TypeAndKernel> cases_where(Condition holds) {
  std::vector<TypeAndKernel> cases;
  for (int type = C_SVC; type <= NU_SVR; ++type) {
    for (int kernel = LINEAR; kernel <= PRECOMPUTED; ++kernel) {
      if (holds(type, kernel)) cases.push_back({type, kernel});
    }
  }
  return cases;
}

class Certificates : public testing::TestWithParam<TypeAndKernel> {};
INSTANTIATE_TEST_SUITE_P(All, Certificates,
                         testing::ValuesIn(cases_where([](int, int) { return true; })));

// The matrix of the sigmoid kernel has negative eigenvalues.
class ConvexCertificates : public Certificates {};
INSTANTIATE_TEST_SUITE_P(All, ConvexCertificates,
                         testing::ValuesIn(cases_where([](int, int kernel) {
                           return kernel != SIGMOID;
                         })));

// The coefficients of nu-SVC are bounded up to their scale.
class BoundedCertificates : public Certificates {};
INSTANTIATE_TEST_SUITE_P(All, BoundedCertificates, testing::ValuesIn(cases_where([](int type, int) {
                           return type != NU_SVC;
                         })));

TEST_P(Certificates, AreThoseOfSumsByHand) {
  TrainedMachine trained(data_for(GetParam(), 60), param_for(GetParam()));
  trained.train();
  const Certificate found = trained.certificate();
  expect_near(found, by_hand(trained.data, trained.param, *trained.model));
  EXPECT_LT(found.violation, 1.01 * trained.param.eps);
  EXPECT_LT(found.infeasibility, 1e-10);
}

TEST_P(Certificates, OfAnEarlyEndAreLarge) {
  TrainedMachine trained(data_for(GetParam(), 60), param_for(GetParam()));
  trained.run().options.max_iter = 3;
  trained.train();
  const Certificate found = trained.certificate();
  EXPECT_GT(found.violation, trained.param.eps);
  EXPECT_GT(found.gap(), 0);
  if (GetParam().svm_type != NU_SVR) {  // both variables of a row may be above 0
    expect_near(found, by_hand(trained.data, trained.param, *trained.model));
  }
}

TEST_P(ConvexCertificates, HaveAGapThatCloses) {
  svm_parameter param = param_for(GetParam());
  param.eps = 1e-8;
  TrainedMachine trained(data_for(GetParam(), 60), param, "csmo");
  trained.train();
  const Certificate found = trained.certificate();
  EXPECT_LE(found.violation, param.eps);
  const double size = 1 + std::fabs(found.dual_objective);
  EXPECT_NEAR(found.gap(), 0, 1e-6 * size);
  EXPECT_GE(found.gap(), -1e-12 * size);
}

TEST_P(Certificates, OfPerturbedCoefficients) {
  TrainedMachine trained(data_for(GetParam(), 60), param_for(GetParam()));
  trained.train();
  double& first = trained.model->sv_coef[0][0];
  first += first > 0 ? -0.01 : 0.01;
  const Certificate found = trained.certificate();
  if (GetParam().svm_type != NU_SVR) {  // here the sum is too small, see above
    expect_near(found, by_hand(trained.data, trained.param, *trained.model));
  }
  if (GetParam().svm_type != NU_SVC) {
    EXPECT_NEAR(found.infeasibility, 0.01, 1e-9);
  }
  EXPECT_GT(found.infeasibility, 1e-4);
}

TEST_P(BoundedCertificates, OfCoefficientsBeyondTheirBound) {
  TrainedMachine trained(data_for(GetParam(), 60), param_for(GetParam()));
  trained.train();
  const double bound = GetParam().svm_type == ONE_CLASS ? 1 : trained.param.C;
  double& first = trained.model->sv_coef[0][0];
  first = std::copysign(bound + 0.25, first);
  const Certificate found = trained.certificate();
  EXPECT_GE(found.infeasibility, 0.25 - 1e-12);
  if (GetParam().svm_type != NU_SVR) {
    expect_near(found, by_hand(trained.data, trained.param, *trained.model));
  }
}

TEST_P(Certificates, OfAnotherThresholdHaveAnotherGap) {
  TrainedMachine trained(data_for(GetParam(), 60), param_for(GetParam()));
  trained.train();
  const Certificate before = trained.certificate();
  trained.model->rho[0] += 0.1;
  const Certificate found = trained.certificate();
  EXPECT_EQ(found.violation, before.violation);
  EXPECT_EQ(found.dual_objective, before.dual_objective);
  EXPECT_GT(found.primal_objective, before.primal_objective + 1e-3);
  expect_near(found, by_hand(trained.data, trained.param, *trained.model));
}

TEST_P(Certificates, DoNotDependOnThreads) {
  TrainedMachine trained(data_for(GetParam(), 1100), param_for(GetParam()));
  trained.run().options.max_iter = 2000;
  trained.train();
  const Certificate one = trained.certificate();
  trained.run().services.pool = std::make_shared<ThreadPool>(3U);
  const Certificate three = trained.certificate();
  EXPECT_EQ(one.violation, three.violation);
  EXPECT_EQ(one.infeasibility, three.infeasibility);
  EXPECT_EQ(one.dual_objective, three.dual_objective);
  EXPECT_EQ(one.primal_objective, three.primal_objective);
}

// --- classes ---

TEST(Certificate, OfSeveralClassesIsOfAllPairs) {
  for (const int type : {C_SVC, NU_SVC}) {
    for (const int kernel : {LINEAR, RBF, PRECOMPUTED}) {
      const Data rows = test::four_classes(120, 5);
      svm_parameter param = param_for({type, kernel});
      param.nu = 0.1;
      TrainedMachine trained(
          kernel == PRECOMPUTED ? test::precomputed(rows, parameters(C_SVC, RBF)) : rows, param);
      trained.train();
      const Certificate found = trained.certificate();
      EXPECT_EQ(found.problems, 6U);
      expect_near(found, by_hand(trained.data, param, *trained.model));
      // Only one pair is wrong.
      trained.model->sv_coef[2][0] += 0.5;
      expect_near(trained.certificate(), by_hand(trained.data, param, *trained.model));
      EXPECT_GT(trained.certificate().infeasibility, found.infeasibility + 1e-6);
    }
  }
}

TEST(Certificate, OfOneClassOfRowsIsEmpty) {
  Data data;
  data.add(3, {1, 2});
  data.add(3, {0, 1});
  TrainedMachine trained(std::move(data), parameters(C_SVC, RBF));
  trained.train();
  EXPECT_EQ(trained.certificate().problems, 0U);
}

TEST(Certificate, CostsAreThoseOfTheClasses) {
  int labels[] = {-1, 4};
  double weights[] = {0.25, 9};
  svm_parameter param = param_for({C_SVC, RBF});
  param.eps = 1e-8;
  param.nr_weight = 2;
  param.weight_label = labels;
  param.weight = weights;
  TrainedMachine trained(data_for({C_SVC, RBF}, 60), param, "csmo");
  trained.train();
  const Certificate found = trained.certificate();
  EXPECT_LE(found.violation, param.eps);
  EXPECT_LT(found.infeasibility, 1e-12);
  EXPECT_NEAR(found.gap(), 0, 1e-6);
  weights[0] = 0.125;  // half of the weight in training
  EXPECT_NEAR(trained.certificate().infeasibility, 0.25, 1e-12);
}

TEST(Certificate, IsRefusedForOtherRows) {
  TrainedMachine trained(data_for({C_SVC, RBF}, 60), param_for({C_SVC, RBF}));
  trained.train();
  Data fewer = data_for({C_SVC, RBF}, 10);
  EXPECT_THROW(certify(fewer.problem(), trained.param, *trained.model, trained.run()),
               std::invalid_argument);
  Data other = test::four_classes(60, 5);
  EXPECT_THROW(certify(other.problem(), trained.param, *trained.model, trained.run()),
               std::invalid_argument);
}

TEST(Certificate, IsNoNumberWhereTheModelHasNone) {
  Data data;
  data.add(1, {2});
  data.add(-1, {1});
  TrainedMachine trained(std::move(data), parameters(C_SVC, LINEAR));
  trained.train();
  ASSERT_EQ(trained.model->l, 2);
  const double coefficient = std::exchange(trained.model->sv_coef[0][0], 1e308);
  for (const bool is_threshold : {false, true}) {
    const Certificate found = trained.certificate();
    EXPECT_TRUE(std::isnan(found.violation)) << is_threshold;
    EXPECT_TRUE(std::isnan(found.gap())) << is_threshold;
    trained.model->sv_coef[0][0] = coefficient;
    trained.model->rho[0] = std::nan("");
  }
}

// --- nu-SVC ---

// The model is the solution, with gradients r and -r, divided by r.
TEST(Certificate, OfNuSvcRoundsInTheScaleOfTheTolerance) {
  double labels[] = {1, -1};
  svm_parameter param = parameters(NU_SVC, LINEAR);
  param.nu = 1;
  const svm::Run run(Messages([](const char*) {}));
  for (const double r : {0x1p40, 0x1p-40}) {
    for (const double error : {0.0, 0x1p-50}) {
      const BinarySolution exact = {
          {2, labels, nullptr}, {0, 0}, 0, {1 / r, -1 / r}, {1, -1}, error, 2 / r};
      const Certificate found = certify_binary(exact, param, run);
      EXPECT_EQ(found.violation, 0);
      EXPECT_EQ(found.rounding, 2 * r * (error + std::numeric_limits<double>::epsilon()));
    }
  }
}

// --- nu-SVR ---

// Targets 0, 1, 2 and no coefficients: both variables of the middle row are 0.75, and an exchange
// with a row at an end gains 1.
TEST(Certificate, OfNuSvrSharesOutWhatIsMissing) {
  double targets[] = {0, 1, 2};
  svm_parameter param = parameters(NU_SVR, LINEAR);
  param.nu = 0.5;
  const svm::Run run(Messages([](const char*) {}));
  const BinarySolution nothing = {{3, targets, nullptr}, {0, 0}, -1, {0, 0, 0}, {0, 0, 0}, 0};
  const Certificate found = certify_binary(nothing, param, run);
  EXPECT_EQ(found.violation, 1);
  EXPECT_EQ(found.infeasibility, 0);
  EXPECT_EQ(found.dual_objective, 0);
  EXPECT_EQ(found.primal_objective, 1.5);  // errors 1, 0, 1: a tube of half width 1, times 1.5
}

TEST(Certificate, OfNuSvrBoundsTheSumOfSizes) {
  double targets[] = {0, 1, 2};
  svm_parameter param = parameters(NU_SVR, LINEAR);
  param.nu = 0.5;  // so the sum may be 1.5
  const svm::Run run(Messages([](const char*) {}));
  const BinarySolution too_large = {{3, targets, nullptr}, {0, 0}, 0, {-1, 0, 1}, {0, 0, 0}, 0};
  EXPECT_EQ(certify_binary(too_large, param, run).infeasibility, 0.5);
}

TEST(Certificate, OfNuSvrWithoutTube) {
  for (const double nu : {0.9, 1.0}) {
    svm_parameter param = param_for({NU_SVR, RBF});
    param.nu = nu;
    param.C = 0.1;
    TrainedMachine trained(data_for({NU_SVR, RBF}, 100), param);
    trained.train();
    const Certificate found = trained.certificate();
    EXPECT_LT(found.violation, 1.01 * param.eps);
    EXPECT_LT(found.infeasibility, 1e-10);
    EXPECT_NEAR(found.gap(), 0, 100 * param.eps * param.C * 2);
  }
}

}  // namespace
}  // namespace svm
