// Conjugate SMO on two levels: its solutions compared with those of one level.
#include "solvers/two_level/two_level.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/kernel_function.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/smo/csmo.h"
#include "tests/extension.h"
#include "tests/fake_engine.h"
#include "tests/optimality.h"
#include "tests/solvers/solve.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::parameters;
using test::Printed;

constexpr std::size_t kPlenty = std::size_t{1} << 26;

struct Setting {
  std::string name;
  int svm_type;
  double cost_negative;
};

// The start of a run if it is not the problem's point.
struct Start {
  std::vector<double> alpha, f;
  bool is_cancelled = false;
};

class TwoLevelTest : public testing::TestWithParam<Setting> {
 protected:
  static constexpr std::size_t kRows = 600;

  static double cost() {
    return GetParam().svm_type == C_SVC || GetParam().svm_type == EPSILON_SVR ? 10 : 1;
  }

  static DualProblem problem(KernelMatrix& kernel, const Data& data) {
    const Setting& setting = GetParam();
    const bool regression = setting.svm_type == EPSILON_SVR || setting.svm_type == NU_SVR;
    const bool nu = setting.svm_type == NU_SVC || setting.svm_type == NU_SVR;
    const std::size_t size = regression ? 2 * kRows : kRows;
    DualProblem dual(kernel, {std::vector<double>(size, 0.0),
                              std::vector<signed char>(size, 1),
                              std::vector<double>(size, 0.0),
                              {cost(), cost() * setting.cost_negative},
                              nu});
    for (std::size_t t = 0; t < size; ++t) {
      const double y = data.label(t % kRows);
      if (regression) {
        dual.labels[t] = t < kRows ? 1 : -1;
        dual.linear[t] = dual.labels[t] * (nu ? 0 : 0.05) - y;
      } else if (setting.svm_type != ONE_CLASS) {
        dual.labels[t] = y > 0 ? 1 : -1;
        if (!nu) dual.linear[t] = -dual.labels[t];
      }
    }
    if (!nu && setting.svm_type != ONE_CLASS) return dual;
    double left[] = {60, 60};
    for (std::size_t t = 0; t < size; ++t) {
      double& rest = left[dual.labels[t] < 0 ? 1 : 0];
      dual.alpha[t] = std::min(rest, 1.0);
      rest -= dual.alpha[t];
    }
    return dual;
  }

  static bool has_classes() {
    return GetParam().svm_type != EPSILON_SVR && GetParam().svm_type != NU_SVR;
  }
  static Data rows() { return test::random_data(kRows, 3, has_classes(), 7); }
  static KernelMatrix matrix(const Data& data, ThreadPool& pool) {
    const std::vector<const svm_node*> rows = data.rows();
    return {make_row_engine(KernelFunction(parameters(C_SVC, RBF)), rows.data(), kRows),
            kRows,
            has_classes() ? 1U : 2U,
            kPlenty,
            kPlenty / 2,
            pool};
  }

  static Solution solve(unsigned threads, std::size_t set_size, svm::Run& run,
                        const Start& start = {}) {
    const Data data = rows();
    run.services.pool = std::make_shared<ThreadPool>(threads);
    KernelMatrix kernel = matrix(data, *run.services.pool);
    DualProblem dual = problem(kernel, data);
    if (!start.alpha.empty()) dual.alpha = start.alpha;
    dual.f = start.f;
    if (set_size == 0) {
      return test::solve<ConjugateSolver>(std::move(dual), 1e-3, true, run);
    }
    return test::solve_monitored(run, dual.alpha.size(), [&](Monitor& monitor) {
      if (start.is_cancelled) monitor.stop(SVM_CANCELLED);
      return TwoLevelSolver(std::move(dual), 1e-3, true, monitor, set_size).solve();
    });
  }
};

INSTANTIATE_TEST_SUITE_P(Types, TwoLevelTest,
                         testing::Values(Setting{"CSvc", C_SVC, 1}, Setting{"Weights", C_SVC, 0.1},
                                         Setting{"NuSvc", NU_SVC, 1},
                                         Setting{"OneClass", ONE_CLASS, 1},
                                         Setting{"EpsilonSvr", EPSILON_SVR, 1},
                                         Setting{"NuSvr", NU_SVR, 1}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(TwoLevelTest, HasTheOptimumOfOneLevel) {
  const Printed one_printed, two_printed;
  const Solution one = solve(1, 0, one_printed.run());
  svm::Run& run = two_printed.run();
  const Solution two = solve(1, 32, run);
  EXPECT_EQ(run.record.status, SVM_CONVERGED);
  EXPECT_LT(two.violation, 1e-3);
  EXPECT_NEAR(two.objective, one.objective, 1e-3 * std::fabs(one.objective));
  EXPECT_NEAR(two.rho, one.rho, 2e-3);
  EXPECT_NEAR(two.margin, one.margin, 2e-3);
  double sums[2] = {0, 0};
  for (const double alpha : two.alpha) {
    EXPECT_GE(alpha, 0);
    EXPECT_LE(alpha, cost());
    sums[0] += alpha;
  }
  for (const double alpha : one.alpha) sums[1] += alpha;
  EXPECT_NEAR(sums[0], sums[1], 1e-2 * sums[1]);
}

TEST_P(TwoLevelTest, MeetsTheUpperBoundsWhereItStartsWithTheirGradient) {
  const Printed before, after, at_once;
  const Solution optimum = solve(1, 32, before.run());
  const auto bounded = std::count(optimum.alpha.begin(), optimum.alpha.end(), cost());
  ASSERT_GT(bounded, 0);
  svm::Run& run = after.run();
  const Solution same = solve(1, 32, run, {optimum.alpha, optimum.f});
  EXPECT_EQ(run.record.iterations, 0);
  EXPECT_TRUE(same.reached_upper);
  const std::vector<double> zeros(optimum.alpha.size(), 0.0);
  svm::Run& short_run = at_once.run();
  short_run.services.progress = [](const svm_progress&) { return false; };
  EXPECT_FALSE(solve(1, 32, short_run, {zeros, zeros}).reached_upper);
}

TEST_P(TwoLevelTest, HasTheSameBitsOnEveryNumberOfThreads) {
  const Printed one_printed;
  svm::Run& one_run = one_printed.run();
  const Solution one = solve(1, 32, one_run);
  for (const unsigned threads : {2U, 5U}) {
    const Printed printed;
    svm::Run& run = printed.run();
    const Solution many = solve(threads, 32, run);
    EXPECT_EQ(many.alpha, one.alpha) << threads;
    EXPECT_EQ(many.rho, one.rho);
    EXPECT_EQ(many.objective, one.objective);
    EXPECT_EQ(run.record.iterations, one_run.record.iterations);
  }
}

TEST_P(TwoLevelTest, EndsAtAnIterationLimitWithAUsablePoint) {
  const Printed printed;
  svm::Run& run = printed.run();
  run.options.max_iter = 20;
  const Solution found = solve(1, 32, run);
  EXPECT_EQ(run.record.status, SVM_ITERATION_LIMIT);
  EXPECT_EQ(run.record.iterations, 20);
  ASSERT_FALSE(found.alpha.empty());
  EXPECT_TRUE(std::isfinite(found.rho));
}

TEST_P(TwoLevelTest, TellsTheViolationOfThePointAtTheLimit) {
  const Printed printed;
  svm::Run& run = printed.run();
  run.options.max_iter = 40;
  const Solution found = solve(1, 32, run);
  ASSERT_EQ(run.record.status, SVM_ITERATION_LIMIT);
  ASSERT_FALSE(found.f.empty());
  test::Violation group[kGroups];
  for (std::size_t t = 0; t < found.size(); ++t) {
    group[found.group(t)].add(found.labels[t], found.alpha[t], found.upper_bound(t), found.f[t]);
  }
  EXPECT_NEAR(found.violation, std::max(group[0].value(), group[1].value()), 1e-6);
}

// The refinement estimates the error of f from the rounding history.
TEST_P(TwoLevelTest, TellsTheRoundingHistoryOfItsGradient) {
  const Printed printed;
  const Solution found = solve(1, 32, printed.run());
  const double most = *std::max_element(found.alpha.begin(), found.alpha.end());
  EXPECT_GT(found.history.steps, 1);
  EXPECT_GE(found.history.most_difference, found.violation);
  EXPECT_GE(found.history.largest_square, most * most);  // an RBF kernel's diagonal is 1
}

TEST_P(TwoLevelTest, ShowsTheObjectiveOfAllVariables) {
  const Printed printed;
  svm::Run& run = printed.run();
  std::vector<double> shown;
  run.services.progress = [&shown](const svm_progress& progress) {
    if (progress.iterations > 0) shown.push_back(progress.objective);
    return true;
  };
  const Solution found = solve(1, 32, run);
  const double rounding = 1e-6 * std::fabs(found.objective);
  ASSERT_GE(shown.size(), 3U);
  EXPECT_LT(shown.back(), shown.front());
  for (std::size_t k = 1; k < shown.size(); ++k) EXPECT_LE(shown[k], shown[k - 1] + rounding);
  EXPECT_GE(shown.back(), found.objective - rounding);
}

TEST_P(TwoLevelTest, EndsWhenItIsCancelled) {
  const Printed printed;
  svm::Run& run = printed.run();
  run.services.progress = [](const svm_progress& progress) {
    EXPECT_LE(progress.active, progress.variables);
    return progress.iterations < 30;
  };
  const Solution found = solve(1, 32, run);
  EXPECT_EQ(run.record.status, SVM_CANCELLED);
  EXPECT_TRUE(found.f.empty());
  EXPECT_TRUE(std::isfinite(found.rho));
}

TEST_P(TwoLevelTest, TellsOfNoViolationWhenItEndsBeforeTheFirst) {
  const Printed before, after;
  const Solution optimum = solve(1, 32, before.run());
  svm::Run& run = after.run();
  const Solution found = solve(1, 32, run, {optimum.alpha, {}, true});
  EXPECT_EQ(run.record.status, SVM_CANCELLED);
  EXPECT_EQ(found.violation, 0);
  EXPECT_TRUE(std::isfinite(found.rho));
}

// C-SVC with C = 1, at 0, in which fifty variables in a row have the same label.
DualProblem striped(KernelMatrix& kernel) {
  const std::size_t size = kernel.size();
  DualProblem dual(kernel, {std::vector<double>(size),
                            std::vector<signed char>(size),
                            std::vector<double>(size, 0.0),
                            {1, 1}});
  for (std::size_t t = 0; t < size; ++t) {
    dual.labels[t] = t / 50 % 2 == 0 ? 1 : -1;
    dual.linear[t] = -dual.labels[t];
  }
  return dual;
}

// A faster engine must not change a model.
TEST(TwoLevelWorkTest, TheTimeOfAValueDecidesNothing) {
  constexpr std::size_t kSize = 4200;
  Solution first;
  for (const double nanoseconds : {0.01, 100.0}) {
    const Printed printed;
    svm::Run& run = printed.run();
    KernelMatrix kernel(std::make_unique<test::FakeEngine>(
                            [](std::size_t s, std::size_t t) {
                              const double way = (static_cast<double>(s) - static_cast<double>(t));
                              return std::exp(-1e-4 * way * way);
                            },
                            [](std::size_t) { return 1.0; }, nanoseconds),
                        kSize, 1, kPlenty, kPlenty / 2, *run.services.pool);
    DualProblem dual = striped(kernel);
    const std::size_t set_size = TwoLevelSolver::set_size(dual);
    EXPECT_EQ(set_size, 1024U);
    const Solution found = test::solve_monitored(run, kSize, [&](Monitor& monitor) {
      return TwoLevelSolver(std::move(dual), 1e-3, true, monitor, 64).solve();
    });
    if (first.alpha.empty()) first = found;
    EXPECT_EQ(found.alpha, first.alpha);
  }
}

// With a nearly diagonal kernel one level is cheaper, unless a set holds all variables that become
// free, as the others go to their bounds.
TEST(TwoLevelWorkTest, ASetThatHoldsAllFreeVariablesKeepsTwoLevels) {
  constexpr std::size_t kSize = 8300;
  for (const std::size_t every : {std::size_t{1}, std::size_t{8}}) {  // variable may be free
    const Printed printed;
    svm::Run& run = printed.run();
    run.options.max_iter = 3000;
    KernelMatrix kernel(std::make_unique<test::FakeEngine>(
                            [](std::size_t s, std::size_t t) {
                              return s == t ? 1 : 1e-5 * static_cast<double>(s * t % 1009);
                            },
                            [](std::size_t) { return 1.0; }),
                        kSize, 1, kPlenty, kPlenty / 2, *run.services.pool);
    DualProblem dual = striped(kernel);
    for (std::size_t t = 0; t < kSize; ++t) {
      dual.upper.each.push_back(t % every == 0 ? 100 : 0.3);
    }
    test::solve_monitored(run, kSize, [&](Monitor& monitor) {
      return TwoLevelSolver(std::move(dual), 1e-3, true, monitor, 1024).solve();
    });
    EXPECT_GT(run.record.idle_trials, 0);
    if (every == 1) {
      EXPECT_EQ(run.record.outer_steps, 1);
    } else {
      EXPECT_GT(run.record.outer_steps, 3);
    }
  }
}

TEST(OuterProgressTest, EndsWhenAPartTookNoStep) {
  OuterProgress progress(100);
  EXPECT_TRUE(progress.still_pays(1, 0));
  EXPECT_TRUE(progress.still_pays(1, 200));  // the outer step and 199 of its part
  EXPECT_FALSE(progress.still_pays(1, 201));
}

TEST(OuterProgressTest, EndsWhenPartsTakeHardlyAnyStep) {
  OuterProgress progress(100);
  long long steps = 0;
  while (progress.still_pays(1 / (1 + static_cast<double>(steps)), 2 * steps))
    ASSERT_LT(++steps, 20);
  EXPECT_GT(steps, 4);
}

TEST(OuterProgressTest, EndsWhenTheViolationStays) {
  OuterProgress progress(30);
  long long steps = 0;
  const auto violation = [&steps] { return steps < 20 ? 5.0 : 3.0; };
  while (progress.still_pays(violation(), 100 * steps)) ASSERT_LT(++steps, 100);
  EXPECT_EQ(steps, 50);  // 30 after it last fell
}

}  // namespace
}  // namespace svm
