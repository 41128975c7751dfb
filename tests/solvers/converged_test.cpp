// Models with the status "converged" are optimal.  These are inputs on which solvers were silently
// wrong, wrote outside of their memory, or never ended.  tests/sweep.cpp runs many more.
#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/certificate_checker.h"
#include "tests/extension.h"
#include "tests/text.h"
#include "tests/training_data.h"

namespace svm::test {
namespace {

// Features of about `size`, not centred at 0, as of users who do not scale their data.
Data unscaled_rows(std::size_t rows, std::size_t features, double size, bool noisy) {
  Draws draws(11);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x;
    double target = 0;
    for (std::size_t k = 0; k < features; ++k) {
      const double value = draws.between(-1, 1);
      x.push_back(size * (1 + 9 * (value + 1) / 2));
      target += value * (k % 2 == 0 ? 1 : -1);
    }
    const bool flip = noisy && draws.below(10) == 0;
    data.add((target > 0) != flip ? 1 : -1, x);
  }
  return data;
}

class Converged : public testing::Test {
 protected:
  // Trains, and returns what is wrong with the model if its status is "converged".
  std::string train(const char* solver, Data& data, const svm_parameter& param,
                    Objective objective = Objective::kLibsvm) {
    problem_ = data.problem();
    svm_options options = default_options();
    options.solver = solver;
    options.print = drop_text;
    result_ = new_result();
    model_.reset(test::train(&problem_, &param, &options, &result_));
    warnings_ = told_.take();
    if (model_ == nullptr) return std::string("no model: ") + svm_last_error();
    if (result_.status != SVM_CONVERGED) {
      return warnings_.empty() ? "no warning" : "";
    }
    const Trained trained = {
        &problem_,          &param, objective, 0, model_.get(), result_.objective,
        result_.iterations, false};
    return complaint(trained, check_model(trained));
  }
  bool has_converged() const { return result_.status == SVM_CONVERGED; }
  double accuracy() const {
    int right = 0;
    for (int i = 0; i < problem_.l; ++i) {
      if (svm_predict(model_.get(), problem_.x[i]) == problem_.y[i]) ++right;
    }
    return static_cast<double>(right) / problem_.l;
  }
  std::size_t count_warnings() const {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = warnings_.find("WARNING", at)) != std::string::npos; ++at) {
      ++count;
    }
    return count;
  }

  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
  svm_problem problem_{};
  OwnedModel model_;
  svm_result result_{};
  std::string warnings_;
  const test::Warnings told_;
};

svm_parameter linear(double cost) {
  svm_parameter param = parameters(C_SVC, LINEAR);
  param.C = cost;
  return param;
}

const char* const kExact[] = {"csmo", "smo1", "platt", "pcg"};

// Alphas are many orders of magnitude smaller than C, and still matter.
TEST_F(Converged, WhereTheCostIsLargeBesideTheVariables) {
  for (const char* const solver : kExact) {
    for (const auto& [size, cost] : {std::pair(1e4, 32768.0), {1e5, 100.0}, {1e5, 1000.0}}) {
      Data data = unscaled_rows(60, 4, size, false);
      EXPECT_EQ(train(solver, data, linear(cost)), "") << solver << ' ' << size;
      EXPECT_TRUE(has_converged()) << solver << ' ' << size << warnings_;
      EXPECT_EQ(accuracy(), 1) << solver << ' ' << size;
      EXPECT_GE(model_->l, 2) << solver << ' ' << size;
    }
  }
}

TEST_F(Converged, WithAHugeCostAsWithNone) {
  Data data = random_data(80, 2, true, 3);
  for (const char* const solver : kExact) {
    svm_parameter param = parameters(C_SVC, RBF);
    param.gamma = 50;
    for (const double cost : {1e12, std::numeric_limits<double>::infinity()}) {
      param.C = cost;
      EXPECT_EQ(train(solver, data, param), "") << solver << ' ' << cost;
      EXPECT_TRUE(has_converged()) << solver << ' ' << cost << warnings_;
      EXPECT_EQ(accuracy(), 1) << solver << ' ' << cost;
    }
  }
}

// Sums of kernel values in doubles, which are off by more than the tolerance, would call these
// models optimal.
TEST_F(Converged, NotWhereDoublesDoNotResolveTheTolerance) {
  Data dates, beside;
  Draws draws(5);
  for (int i = 0; i < 60; ++i) {
    const double label = draws.below(2) == 0 ? 1 : -1;
    dates.add(label, {20200101 + draws.between(-5e4, 5e4), draws.between(-2, 2)});
  }
  beside.add(1, {1e8, 1});
  beside.add(-1, {1e8, 2});
  for (const char* const solver : kExact) {
    svm_parameter param = parameters(C_SVC, POLY);
    param.degree = 2;
    param.gamma = 1;
    for (Data* const data : {&dates, &beside}) {
      EXPECT_EQ(train(solver, *data, param), "") << solver;
      EXPECT_FALSE(has_converged()) << solver;
      EXPECT_EQ(count_warnings(), 1U) << solver;
    }
  }
}

// Targets of 1e13 are rounded by as much as the tolerance, even if no variable moves.
TEST_F(Converged, NotWhereTargetsHaveTooFewDigits) {
  for (const double target : {1e5, 1e13}) {
    Data data;
    for (int i = 0; i < 8; ++i) data.add(target, {1});
    for (const char* const solver : {"csmo", "smo1"}) {
      EXPECT_EQ(train(solver, data, parameters(EPSILON_SVR, LINEAR)), "") << solver;
      EXPECT_EQ(has_converged(), target < 1e6) << solver << ' ' << target;
      EXPECT_EQ(count_warnings(), target < 1e6 ? 0U : 1U) << solver << ' ' << target;
    }
  }
}

// The last digits of variables near C move the gradient by more than all that is left to gain.
TEST_F(Converged, EndsSoonWhereVariablesHaveTooFewDigits) {
  Data data = unscaled_rows(300, 8, 1e6, true);
  svm_parameter param = parameters(NU_SVR, POLY);
  param.degree = 4;
  param.gamma = 0.1;
  param.C = 2e9;
  param.nu = 0.65;
  param.eps = 1e-8;
  EXPECT_EQ(train("csmo", data, param), "");
  EXPECT_EQ(result_.status, SVM_IMPRECISE);
  EXPECT_LT(result_.iterations, 20000);
}

// Some steps are so short that rounding loses them in the variables, though not in the gradient:
// without a guard, a round selects one pair for a thousand steps, until it counts as stalled.
TEST_F(Converged, EndsSoonWhereStepsAreLostInTheVariables) {
  Data data;
  data.add(-1, {17040, 41813, 27932, 33059});
  data.add(1, {17589, 31168, 45468, 33698});
  data.add(1, {31045, 5419, 22558, 7371});
  data.add(-1, {13, 8097, 14, 39612});
  data.add(-1, {33105, 40708, 3, 26644});
  data.add(1, {8, 42870, 5, 14677});
  data.add(-1, {11337, 4589, 20, 2654});
  data.add(1, {33541, 28606, 42, 11510});
  data.add(1, {14, 35, 26, 10372});
  data.add(1, {41958, 17114, 38593, 21427});
  data.add(1, {41, 40018, 3, 34});
  data.add(1, {28857, 36, 5117, 29604});
  svm_parameter param = parameters(NU_SVC, POLY);
  param.gamma = 2.1140104155776864e-06;
  param.coef0 = 1;
  param.nu = 0.45276763043926616;
  param.eps = 8.232775687610773e-09;
  EXPECT_EQ(train("csmo", data, param), "");
  EXPECT_LT(result_.iterations, 1000);
}

// The classes overlap, so that w = 0 is optimal, and sums in doubles have errors as large as the
// tolerance.  Steps along which the kernel has no curvature then have no end.
TEST_F(Converged, EndsSoonWhereStepsHaveNoCurvature) {
  Data data;
  Draws draws(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<double> x;
    x.reserve(6);
    for (int k = 0; k < 6; ++k) x.push_back(std::floor(draws.between(0, k % 3 == 0 ? 185 : 5)));
    data.add(draws.below(2) == 0 ? 1 : -1, x);
  }
  svm_parameter param = parameters(NU_SVC, LINEAR);
  param.nu = 0.3;
  param.eps = 1e-9;
  EXPECT_EQ(train("csmo", data, param), "");
  EXPECT_EQ(count_warnings(), 1U) << warnings_;  // that there is no margin
  EXPECT_LE(result_.violation, param.eps);
  EXPECT_LT(result_.iterations, 1000000);
}

TEST_F(Converged, NuSvrNeedsAFiniteCost) {
  Data data = random_data(20, 2, false, 3);
  svm_parameter param = parameters(NU_SVR, RBF);
  param.C = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(train("csmo", data, param), "C is infinite"));
  // svm_train leaves the check to its callers.
  const Setting variable("LIBSVM_SOLVER", "csmo");
  EXPECT_EQ(svm_train(&problem_, &param), nullptr);
  EXPECT_TRUE(contains(svm_last_error(), "nu-SVR needs a finite C"));
}

TEST_F(Converged, CostsOfClassesAreNumbers) {
  Data data = random_data(20, 2, true, 3);
  svm_parameter param = parameters(C_SVC, RBF);
  int label = -1;
  double weight = -2;
  test::set_class_weight(param, label, weight);
  for (const char* const solver : {"smo", "csmo"}) {
    for (const double value : {-2.0, std::nan("")}) {
      weight = value;
      const std::string fault = std::isnan(value) ? "is NaN" : "< 0";
      EXPECT_TRUE(contains(train(solver, data, param), "weight of a class " + fault));
    }
  }
  weight = 0;  // removes the class
  EXPECT_EQ(train("csmo", data, param), "");
}

// (1e7 x)^6 and more is beyond a float.
TEST_F(Converged, OrSaysSoWhereKernelValuesAreBeyondFloats) {
  for (const double size : {1e7, 1e9, 1e60}) {
    Data data;
    for (const double value : {2.0, 3.0, -2.0, -3.0}) data.add(value > 0 ? 1 : -1, {size * value});
    for (const char* const solver : {"mdm", "amdm", "csmo", "smo1", "platt", "pcg"}) {
      const bool squared = std::string(solver).find("mdm") != std::string::npos;
      const std::string wrong = train(solver, data, parameters(C_SVC, POLY),
                                      squared ? Objective::kSquaredSlacks : Objective::kLibsvm);
      if (size < 1e50) {
        EXPECT_EQ(wrong, "") << solver << ' ' << size;
      } else {
        EXPECT_TRUE(contains(wrong, "scale the features")) << wrong;
      }
    }
  }
}

class Unscaled : public Converged, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Unscaled, testing::Values("csmo", "smo1", "pcg"));

// The tolerance is below the rounding of floats, but not of doubles.
TEST_P(Unscaled, IsSolvedWhereDoublesAllowIt) {
  Data data = unscaled_rows(100, 20, 1e4, true);
  EXPECT_EQ(train(GetParam(), data, linear(0.01)), "");
  EXPECT_TRUE(has_converged()) << warnings_;
  EXPECT_EQ(warnings_, "");
}

// With variables at C = 1e9 and kernel values of 1e13, the tolerance is far below the rounding of
// doubles.
TEST_P(Unscaled, OrSaysSoAndNamesTheRemedyOnce) {
  Data data = unscaled_rows(60, 5, 1e6, true);
  svm_parameter param = linear(1e9);
  param.eps = 1e-9;
  EXPECT_EQ(train(GetParam(), data, param), "");
  EXPECT_EQ(result_.status, SVM_IMPRECISE);
  EXPECT_EQ(count_warnings(), 1U) << warnings_;
  EXPECT_TRUE(contains(warnings_, "svm-scale")) << warnings_;
}

// One feature of about 1e8 among small ones makes rows nearly parallel, so that coordinate descent
// needs as many sweeps as the condition number of the matrix.
TEST_F(Converged, SolversWithoutThresholdEndWhereRowsAreNearlyParallel) {
  std::ifstream file(SVM_SOURCE_DIR "/data/demo3.train");
  Data data;
  for (std::string line; data.size() < 40 && std::getline(file, line);) {
    std::istringstream in(line);
    double label = 0;
    in >> label;
    Row row;
    char colon = 0;
    for (svm_node node{}; in >> node.index >> colon >> node.value;) row.push_back(node);
    row.push_back({-1, 0});
    data.add_row(label, row);
  }
  ASSERT_EQ(data.size(), 40U);
  for (const char* const solver : {"dcd", "avsf"}) {
    EXPECT_EQ(train(solver, data, linear(1), Objective::kNoThreshold), "") << solver;
    EXPECT_EQ(result_.status, SVM_ITERATION_LIMIT) << solver;
  }
}

// nu-SVC of indistinguishable rows has no margin, and so no scale.
TEST_F(Converged, NuSvcWithoutMarginSaysSo) {
  Data data;
  for (int i = 0; i < 10; ++i) data.add(i % 2 == 0 ? 1 : -1, {1.0, 2.0});
  for (const char* const solver : {"smo", "csmo", "smo1"}) {
    EXPECT_EQ(train(solver, data, parameters(NU_SVC, RBF)), "") << solver;
    EXPECT_EQ(result_.status, SVM_IMPRECISE) << solver;
    EXPECT_TRUE(contains(warnings_, "finds no margin")) << warnings_;
  }
}

// The margin is 0, but not after rounding.
TEST_F(Converged, RoundingIsNoMarginOfNuSvc) {
  Draws draws(4);
  Data data;
  for (int i = 0; i < 6; ++i) {
    std::vector<double> x(3);
    for (double& value : x) value = draws.between(-1000, 1000);
    for (const int label : {1, -1}) data.add(label, x);
  }
  svm_parameter param = parameters(NU_SVC, RBF);
  param.eps = 0.1;
  for (const double gamma : {1e-7, 3e-7, 1e-6, 1.0 / 3}) {
    param.gamma = gamma;
    EXPECT_EQ(train("csmo", data, param), "") << gamma;
    EXPECT_EQ(result_.status, SVM_IMPRECISE) << gamma;
    EXPECT_TRUE(contains(warnings_, "finds no margin")) << warnings_;
  }
}

// Few different rows, many times each, have kernel values of 2e11: floats have no useful digits,
// and in doubles only Newton steps over the free variables make progress.
TEST_F(Converged, SoonWithAnIllConditionedKernel) {
  Draws draws(3);
  Data data;
  for (int i = 0; i < 1500; ++i) {
    std::vector<double> x(7);
    for (double& value : x) value = draws.below(2) == 0 ? 0 : 10;
    data.add(draws.below(2) == 0 ? 1 : -1, x);
  }
  svm_parameter param = parameters(C_SVC, POLY);
  param.gamma = 10;
  param.coef0 = 1;
  param.C = 0.01;
  int label = 1;
  double weight = 100;
  test::set_class_weight(param, label, weight);
  EXPECT_EQ(train("csmo", data, param), "");
  EXPECT_TRUE(has_converged()) << warnings_;
  EXPECT_LT(result_.iterations, 20000);
}

// The sums of other variables keep the rounding error of a kernel value of 1e24 that was in them
// for a while.
TEST_F(Converged, WhereAVariableWasLargeOnTheWay) {
  Data data;
  for (const std::vector<double>& x : std::vector<std::vector<double>>{
           {1e-7, 1e-7, 1e-7}, {1e-7, 300, 100}, {-200, -70, 0}, {0, 0, 0}}) {
    data.add(0, x);
  }
  svm_parameter param = parameters(ONE_CLASS, POLY);
  param.gamma = 1000;
  param.coef0 = 0.5;
  param.degree = 3;
  param.nu = 0.5;
  param.eps = 1;
  param.shrinking = 0;
  for (const char* const solver : {"csmo", "smo1"}) {
    EXPECT_EQ(train(solver, data, param), "") << solver;
    EXPECT_TRUE(has_converged()) << solver << warnings_;
  }
}

// If every variable is at its bound, only one end of the threshold's interval is known.
TEST_F(Converged, OneClassWithAllRowsOutsideHasAThreshold) {
  Data data = random_data(20, 2, false, 3);
  svm_parameter param = parameters(ONE_CLASS, RBF);
  param.nu = 1;
  for (const char* const solver : {"csmo", "smo1"}) {
    EXPECT_EQ(train(solver, data, param), "") << solver;
    EXPECT_TRUE(has_converged());
    EXPECT_TRUE(std::isfinite(model_->rho[0])) << solver;
  }
}

// In a phase at the optimum of its variables, the direction is only rounding and has no curvature.
TEST_F(Converged, APhaseWithoutCurvatureLeavesTheGradientRight) {
  Data data;
  for (int k = 0; k < 2; ++k) data.add(2, {-2.5, -2.5});
  data.add_row(7, {{-1, 0}});
  data.add(2, {0.01, 0.01});
  data.add(2, {0.01, 10});
  svm_parameter param = parameters(C_SVC, RBF);
  param.gamma = param.C = 1000;
  const char* const solver = "csmo";
  EXPECT_EQ(train(solver, data, param), "") << solver;
  EXPECT_TRUE(has_converged());
}

// Both variables of a row reach their bounds if there is no tube: the sum of their differences has
// the rounding error of the bounds.
TEST_F(Converged, WhereBothVariablesOfARowAreLarge) {
  Data data;
  data.add(294.18748384341598, {6764.2556503415108, -2732.6355874538422, 8992.2378584742546});
  data.add(-534.02575384825468, {3564.0283487737179, -8438.5434258729219, 7554.208729416132});
  svm_parameter param = parameters(EPSILON_SVR, LINEAR);
  param.C = 1000;
  param.p = 0;
  for (const char* const solver : {"smo1", "csmo"}) {
    EXPECT_EQ(train(solver, data, param), "") << solver;
    EXPECT_TRUE(has_converged()) << solver << warnings_;
  }
}

}  // namespace
}  // namespace svm::test
