// Start points that are scaled to other bounds.
#include "training/start_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "kernels/kernel_function.h"
#include "solvers/registry.h"
#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"
#include "training/binary.h"

namespace svm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The dual objective of C-SVC along a ray, from kernel values.
struct Ray {
  double quadratic = 0, linear = 0;
  double at(double scale) const { return scale * scale * quadratic / 2 + scale * linear; }
};

std::unique_ptr<RowEngine> engine(double diagonal) {
  return std::make_unique<test::FakeEngine>([](std::size_t, std::size_t) { return 0.0; },
                                            [diagonal](std::size_t) { return diagonal; });
}

// A start whose coefficients are `sizes` with alternating signs, for rows of one feature.
struct Some {
  Some(const std::vector<double>& sizes, double bound) {
    const KernelFunction kernel(test::parameters(C_SVC, RBF));
    std::vector<test::Row> rows;
    for (std::size_t t = 0; t < sizes.size(); ++t) {
      rows.push_back(test::dense_row({0.3 * static_cast<double>(t * t)}));
      start.coefficients.push_back(t % 2 == 0 ? sizes[t] : -sizes[t]);
    }
    start.bound_positive = start.bound_negative = bound;
    for (std::size_t t = 0; t < rows.size(); ++t) {
      double sum = 0;
      for (std::size_t s = 0; s < rows.size(); ++s) {
        sum += start.coefficients[s] * kernel.of_rows(rows[s].data(), rows[t].data());
      }
      start.kernel_sums.push_back(sum);
      ray.quadratic += start.coefficients[t] * sum;
      ray.linear -= sizes[t];
    }
  }
  double scale(double ratio) const {
    DualState dual;
    for (const double coefficient : start.coefficients) {
      dual.linear.push_back(coefficient > 0 ? -1 : 1);
      dual.alpha.push_back(0);
    }
    return best_scale(start, ratio, dual, *engine(diagonal));
  }
  StartPoint start;
  Ray ray;
  double diagonal = 0.1;  // that of the kernel is 1; the kernel is then nearly diagonal
};

TEST(BestScale, IsTheRatioWhereMuchIsBounded) {
  const std::vector<double> sizes = {0.2, 0.1, 0.05, 0.1, 0.25, 0.3};
  EXPECT_LT(Some(sizes, 1).scale(100), 50);
  EXPECT_EQ(Some(sizes, 0.3).scale(100), 100);  // one of six is bounded
  EXPECT_EQ(Some(sizes, 0.3).scale(0.5), 0.5);
}

TEST(BestScale, IsWhereTheObjectiveIsLeastIfTheKernelIsNearlyDiagonal) {
  Some some({0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, 0.3);
  EXPECT_EQ(some.scale(100), 100);
  some.diagonal = 1;
  const double scale = some.scale(100);
  EXPECT_LT(scale, 50);
  EXPECT_LT(some.ray.at(scale), some.ray.at(0.9 * scale));
  EXPECT_LT(some.ray.at(scale), some.ray.at(1.1 * scale));
}

TEST(BestScale, IsWhereTheObjectiveIsLeast) {
  for (const double size : {0.3, 0.02}) {
    const Some some({size, size / 2, size, size / 3, size, size}, 1);
    const double ratio = 100, scale = some.scale(ratio);
    EXPECT_GT(scale, 1.01);
    EXPECT_LT(scale, ratio);
    for (int k = 0; k <= 1000; ++k) {
      const double other = 1 + (ratio - 1) * k / 1000;
      EXPECT_LE(some.ray.at(scale), some.ray.at(other) + 1e-12 * std::fabs(some.ray.at(other)));
    }
    EXPECT_EQ(some.scale((1 + scale) / 2), (1 + scale) / 2);  // the ray ends before the best scale
  }
  EXPECT_EQ(Some({3, 2, 3, 2}, 10).scale(8), 1);  // already beyond the best scale
}

TEST(BestScale, IsTheRatioWhereThereIsNoLeast) {
  Some some({0.1, 0.2, 0.1}, 1);
  for (double& sum : some.start.kernel_sums) sum = -sum;
  EXPECT_EQ(some.scale(8), 8);
  for (double& sum : some.start.kernel_sums) sum = 0;
  EXPECT_EQ(some.scale(8), 8);
  EXPECT_EQ(Some({0, 0, 0}, 1).scale(8), 8);
}

// A separable problem with a wide gap, and a regression.
TEST(BestScale, IsOneAtASolutionWithoutBoundedCoefficients) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    test::Data data = test::random_data(30, 2, true, 3);
    svm_parameter param = test::parameters(type, RBF);
    param.gamma = 20;
    param.C = 1e4;
    param.eps = 1e-9;
    const test::Printed printed;
    const svm_problem problem = data.problem();
    std::vector<double> sums;
    const Machine solution = train_binary(problem, param, {param.C, param.C}, printed.run(),
                                          {nullptr, nullptr, nullptr, false, &sums});
    ASSERT_FALSE(solution.has_bounded);
    const StartPoint start = {solution.coefficients, param.C, param.C, sums};
    DualState dual;
    for (const double tube : {param.p, -param.p}) {
      for (std::size_t t = 0; t < data.size(); ++t) {
        dual.linear.push_back((type == C_SVC ? 0 : tube) - problem.y[t]);
      }
      if (type == C_SVC) break;
    }
    dual.alpha.resize(dual.linear.size());
    EXPECT_NEAR(best_scale(start, 16, dual, *engine(1)), 1, 1e-7) << type;
    EXPECT_NEAR(best_scale(start, 0.25, dual, *engine(1)), 1, 1e-7) << type;
  }
}

TEST(StartPoints, BoundsMayBeInfinite) {
  EXPECT_EQ(carried_value(3, kInfinity, kInfinity), 3);
  EXPECT_EQ(carried_value(0, kInfinity, kInfinity), 0);
  EXPECT_EQ(carried_value(3, 4, 8), 6);
  EXPECT_EQ(carried_value(4, 4, 8), 8);
  EXPECT_EQ(carried_value(3, 4, kInfinity), 3);
  EXPECT_EQ(carried_value(0, 1e-300, 1e300), 0);
  EXPECT_EQ(carried_value(1e-301, 1e-300, 1e300), 1e-301);
  double a = 1, b = 3, c = 0;
  fit_sum({{&a, kInfinity}, {&b, kInfinity}, {&c, kInfinity}}, 6);
  EXPECT_EQ(a + b + c, 6);
  EXPECT_EQ(a / b, 1.0 / 3);
  a = b = 0;
  fit_sum({{&a, kInfinity}, {&b, kInfinity}, {&c, kInfinity}}, 6);
  EXPECT_EQ(a + b + c, 6);
  fit_sum({{&a, kInfinity}, {&b, kInfinity}, {&c, kInfinity}}, 2);
  EXPECT_EQ(a + b + c, 2);
}

// Scaling a start point scales the errors of its sums.
TEST(StartPoints, SumsAreOfUseUntilTheBoundHasGrownALot) {
  const StartPoint fresh = {{1}, 4, 4, {2}};
  EXPECT_TRUE(fresh.has_sums_for(4 * 0x1p20));
  EXPECT_FALSE(fresh.has_sums_for(5 * 0x1p20));
  const StartPoint scaled = {{1}, 4, 4, {2}, 0.5};
  EXPECT_TRUE(scaled.has_sums_for(0x1p19));
  EXPECT_FALSE(scaled.has_sums_for(0x1p20));
  EXPECT_FALSE(StartPoint({{1}, 4, 4}).has_sums_for(4));
}

TEST(StartPoints, RoundingBalancesNothing) {
  double a[] = {0.1, 0.1, 0.1}, b = 0.3;  // 0.1 + 0.1 + 0.1 > 0.3
  const BoxedGroup three = {{&a[0], 0.1}, {&a[1], 0.1}, {&a[2], 0.1}};
  balance(three, {{&b, 0.3}});
  balance({{&b, 0.3}}, three);
  for (const double each : a) EXPECT_EQ(each, 0.1);
  EXPECT_EQ(b, 0.3);
  b = 0.3 - 1e-9;
  balance(three, {{&b, 0.3}});
  EXPECT_NEAR(a[0] + a[1] + a[2], b, 1e-15);
  b = 0;
  balance(three, {{&b, 0.3}});
  EXPECT_EQ(a[0] + a[1] + a[2], 0);
}

// If both classes have the same sum of bounds and C is small, all coefficients are at their bounds.
// Rounding leaves one of them off, which must not choose among the thresholds.
TEST(StartPoints, TheMiddleOfTheOptimalThresholdsIsTaken) {
  std::vector<int> labels = {1, -1};
  svm_parameter param = test::parameters(C_SVC, RBF);
  param.nr_weight = 2;
  param.weight_label = labels.data();
  svm_options options;
  svm_init_options(&options, sizeof(options));
  options.solver = "csmo";
  for (int rows = 20; rows < 60; ++rows) {
    const int positive = 1 + rows / 3;
    test::Data data;
    for (int i = 0; i < rows; ++i) {
      data.add(i < positive ? 1 : -1, {std::sin(i), std::cos(1.3 * i * i)});
    }
    const svm_problem problem = data.problem();
    param.C = 0.01;
    std::vector<double> factors = {rows / (2.0 * positive), rows / (2.0 * (rows - positive))};
    param.weight = factors.data();
    const test::OwnedModel model(test::train(&problem, &param, &options, nullptr));
    ASSERT_EQ(model->l, rows);
    double lowest = kInfinity, highest = -kInfinity;  // of f
    for (int t = 0; t < rows; ++t) {
      double value = 0;
      svm_predict_values(model.get(), problem.x[t], &value);
      const double f = value + model->rho[0] - problem.y[t];
      if (problem.y[t] < 0) lowest = std::min(lowest, f);
      if (problem.y[t] > 0) highest = std::max(highest, f);
    }
    EXPECT_GT(lowest - highest, 1);
    EXPECT_NEAR(model->rho[0], (lowest + highest) / 2, 1e-5) << rows;
  }
}

// If all targets fit into the tube, the threshold is the middle of the optimal ones, as with a
// start at 0, although rounding may leave a coefficient of 1e-16 when all others vanish.
TEST(StartPoints, ResiduesDoNotDecideTheThreshold) {
  test::Data data;
  for (int i = 0; i < 60; ++i) {
    data.add(0.7 * std::sin(i) + 0.01 * i, {0.37 * i, std::cos(1.3 * i)});
  }
  const svm_problem problem = data.problem();
  svm_parameter param = test::parameters(EPSILON_SVR, RBF);
  param.gamma = 0.5;
  param.eps = 1e-6;
  svm_options options;
  svm_init_options(&options, sizeof(options));
  for (const char* solver : {"smo", "csmo"}) {
    options.solver = solver;
    for (const double cost : {0.1, 1.0, 3.0, 10.0}) {
      param.C = cost;
      param.p = 0.05;
      options.init = nullptr;
      svm_model* narrow = test::train(&problem, &param, &options, nullptr);
      param.p = 10;
      svm_model* cold = test::train(&problem, &param, &options, nullptr);
      options.init = narrow;
      svm_model* warm = test::train(&problem, &param, &options, nullptr);
      ASSERT_NE(warm, nullptr);
      EXPECT_GT(narrow->l, 0);
      EXPECT_EQ(warm->l, 0) << solver << ' ' << cost;
      EXPECT_NEAR(warm->rho[0], cold->rho[0], 1e-9) << solver << ' ' << cost;
      for (svm_model* model : {narrow, cold, warm}) svm_free_and_destroy_model(&model);
    }
  }
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

BoxedGroup group_of(std::vector<double>& values, double upper) {
  BoxedGroup group;
  for (double& value : values) group.push_back({&value, upper});
  return group;
}

// Even if the start is larger by many orders of magnitude, its rounding must not decide anything.
TEST(StartPoints, SumsAreAsPreciseAsWhatTheyBecome) {
  for (const double upper : {1e9, 7e8, 1e12}) {
    std::vector<double> large = {7e8, 3.3e8, 1e8 / 3, 7e8}, small = {1e-7 / 3, 0, 2e-7 / 3};
    std::vector<double> fitted = large;
    EXPECT_NEAR(balance(group_of(large, upper), group_of(small, upper)) / sum_of(fitted), 1, 1e-12);
    EXPECT_NEAR(sum_of(large) / sum_of(small), 1, 1e-13) << upper;
    fit_sum(group_of(fitted, upper), 0.1);
    EXPECT_NEAR(sum_of(fitted) / 0.1, 1, 1e-13) << upper;
  }
}

struct Trainer {
  Trainer(test::Data some, const char* solver) : data(std::move(some)) {
    svm_init_options(&options, sizeof(options));
    options.solver = solver;
  }
  test::OwnedModel train(const svm_parameter& param, const svm_model* init) {
    const svm_problem problem = data.problem();
    options.init = init;
    result = test::new_result();
    return test::OwnedModel(test::train(&problem, &param, &options, &result));
  }
  // The sum of all coefficients relative to the sum of their sizes.
  static double imbalance(const svm_model& model) {
    double sum = 0, sizes = 0;
    for (int s = 0; s < model.l; ++s) {
      sum += model.sv_coef[0][s];
      sizes += std::fabs(model.sv_coef[0][s]);
    }
    return std::fabs(sum) / sizes;
  }
  test::Data data;
  svm_options options;
  svm_result result;
};

// The solution for another kernel and C may be larger than the new one by 13 orders of magnitude;
// its rounding is then far larger than the new solution.
TEST(StartPoints, OfAnotherKernelDecideNothing) {
  const test::Printed printed;
  const char* const solver = "csmo";
  for (const int type : {C_SVC, EPSILON_SVR, NU_SVR}) {
    SCOPED_TRACE(testing::Message() << solver << ' ' << type);
    Trainer trainer(test::random_data(60, 3, is_classification(type), 5), solver);
    svm_parameter param = test::parameters(type, POLY);
    param.degree = type == C_SVC ? 5 : 3;
    param.coef0 = 1;
    param.C = type == C_SVC ? 1e6 : 1e3;
    param.nu = 0.1;
    param.p = 0.01;
    param.gamma = 1e-3;
    const test::OwnedModel old = trainer.train(param, nullptr);
    param.gamma = type == C_SVC ? 300 : 10;
    const test::OwnedModel cold = trainer.train(param, nullptr);
    const double expected = trainer.result.objective;
    const test::OwnedModel warm = trainer.train(param, old.get());
    ASSERT_NE(warm, nullptr);
    EXPECT_EQ(trainer.result.status, SVM_CONVERGED);
    EXPECT_GT(warm->l, 0);
    EXPECT_NEAR(trainer.result.objective / expected, 1, 1e-2);
    EXPECT_LT(Trainer::imbalance(*warm), 1e-9);
  }
}

// With kernel values of 1e12, even coefficients that are small beside others at their bound matter.
TEST(StartPoints, SmallCoefficientsAreNoResiduesIfTheyMatter) {
  const test::Printed printed;
  for (const int type : {EPSILON_SVR, NU_SVR}) {
    test::Data data;
    for (int i = 0; i < 40; ++i) {
      data.add(std::sin(7.0 * i) + i % 2, {i % 4 < 2 ? 0.0 : 1.0, static_cast<double>(i % 2)});
    }
    Trainer trainer(std::move(data), "csmo");
    svm_parameter param = test::parameters(type, POLY);
    param.degree = 5;
    param.gamma = 250;
    param.C = 1500;
    param.nu = 0.3;
    const test::OwnedModel cold = trainer.train(param, nullptr);
    const double violation = std::max(trainer.result.violation, param.eps);
    const double objective = trainer.result.objective;
    const test::OwnedModel warm = trainer.train(param, cold.get());
    ASSERT_NE(warm, nullptr);
    EXPECT_LE(trainer.result.violation, 2 * violation);  // both are more than rounding lets be told
    // Rounding hides the optimum of nu-SVR, so that a start from a model may find a better point.
    EXPECT_LT(trainer.result.objective, objective + 1e-6 * std::fabs(objective));
    if (type == EPSILON_SVR) {
      EXPECT_NEAR(trainer.result.objective / objective, 1, 1e-6);
    }
  }
}

TEST(StartPoints, HaveFiniteCoefficients) {
  const test::Printed printed;
  Trainer trainer(test::random_data(30, 2, true, 5), "csmo");
  const svm_parameter param = test::parameters(NU_SVC, RBF);
  const test::OwnedModel old = trainer.train(param, nullptr);
  for (const double value : {kInfinity, -kInfinity, std::nan("")}) {
    old->sv_coef[0][1] = value;
    EXPECT_EQ(trainer.train(param, old.get()), nullptr);
    EXPECT_STREQ(svm_last_error(),
                 "svm_train_rows: the model to start from does not fit: its "
                 "coefficients are infinite or NaN");
  }
}

// Two overlapping classes of these sizes.
test::Data overlapping(int positive, int negative) {
  test::Data data;
  test::Draws draws(11);
  for (int t = 0; t < positive + negative; ++t) {
    const double side = t < positive ? 1 : -1;
    data.add(side, {side + draws.between(-2, 2), draws.between(-2, 2)});
  }
  return data;
}

// A start at the bounds of C-SVC, by csmo's kernel values.
StartPoint bounded_start(const Problem& problem, const UpperBounds& costs) {
  const test::Printed printed;
  const svm_parameter param = test::parameters(C_SVC, RBF);
  const auto engine = make_row_engine(KernelFunction(param), problem.x, problem.size());
  return start_at_bounds(*engine, problem, costs, printed.run());
}

TEST(StartAtBounds, IsFeasibleAndKnowsItsSums) {
  const KernelFunction kernel(test::parameters(C_SVC, RBF));
  struct Case {
    int positive, negative;
    UpperBounds costs;
    int free;  // variables between the bounds, at most
  };
  for (const Case& each : {Case{40, 40, {1e-3, 1e-3}, 0}, Case{50, 31, {1e-3, 1e-3}, 0},
                           Case{31, 50, {1e-3, 1e-3}, 0}, Case{40, 40, {1e-3, 1.5e-3}, 1}}) {
    test::Data data = overlapping(each.positive, each.negative);
    const svm_problem problem = data.problem();
    const StartPoint start = bounded_start(problem, each.costs);
    ASSERT_EQ(start.coefficients.size(), data.size());
    double sum = 0;
    int between = 0;
    for (std::size_t t = 0; t < data.size(); ++t) {
      const double b = start.coefficients[t];
      const double upper = problem.y[t] > 0 ? each.costs.positive : each.costs.negative;
      EXPECT_GE(b * problem.y[t], 0);
      EXPECT_LE(b * problem.y[t], upper);
      if (b != 0 && b * problem.y[t] != upper) ++between;
      sum += b;
      double expected = 0;
      for (std::size_t s = 0; s < data.size(); ++s) {
        expected += start.coefficients[s] * kernel.of_rows(data.row(s), data.row(t));
      }
      EXPECT_NEAR(start.kernel_sums[t], expected, 1e-8);
    }
    EXPECT_NEAR(sum, 0, 1e-15);
    EXPECT_LE(between, each.free);
  }
}

TEST(StartAtBounds, IsNoneIfFewVariablesWillBeThere) {
  test::Data data = overlapping(40, 40), uneven = overlapping(60, 20);
  const svm_problem problem = data.problem(), of_uneven = uneven.problem();
  EXPECT_FALSE(bounded_start(problem, {1e-2, 1e-2}).coefficients.empty());
  EXPECT_TRUE(bounded_start(problem, {10, 10}).coefficients.empty());
  EXPECT_TRUE(bounded_start(problem, {kInfinity, kInfinity}).coefficients.empty());
  EXPECT_TRUE(bounded_start(of_uneven, {1e-2, 1e-2}).coefficients.empty());
}

// From bounded solution to bounded solution no solver runs, whatever the ratio of C.
TEST(StartAtBounds, AStartThatIsOptimalTakesNoIterations) {
  test::Data data = overlapping(60, 60);
  const svm_problem problem = data.problem();
  svm_parameter param = test::parameters(C_SVC, RBF);
  const test::Printed printed;
  svm::Run& run = printed.run();
  run.options.entry = find_solver("csmo");
  StartPoint start = bounded_start(problem, {1e-5, 1e-5});
  for (const double ratio : {1.0, 1.1, 1.3254, 1.7, 3.0, 7.0}) {
    const double cost = 1e-5 * ratio;
    param.C = cost;
    std::vector<double> sums;
    const Machine machine =
        train_binary(problem, param, {cost, cost}, run, {nullptr, &start, nullptr, false, &sums});
    EXPECT_EQ(run.record.iterations, 0) << ratio;
    EXPECT_FALSE(sums.empty());
    EXPECT_TRUE(machine.has_bounded);
    start = {machine.coefficients, cost, cost, sums, 1e-5};
    const Machine cold = train_binary(problem, param, {cost, cost}, test::Printed().run());
    EXPECT_NEAR(machine.rho, cold.rho, 1e-3);
    for (std::size_t t = 0; t < data.size(); ++t) {
      EXPECT_NEAR(machine.coefficients[t], cold.coefficients[t], 1e-3 * cost);
    }
  }
}

}  // namespace
}  // namespace svm
