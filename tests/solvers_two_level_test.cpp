// Conjugate SMO on two levels: its parts, and its solutions beside those of one level.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "kernels/kernel_function.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/smo/csmo.h"
#include "solvers/two_level/outer_sums.h"
#include "solvers/two_level/two_level.h"
#include "solvers/two_level/working_sets.h"
#include "tests/extension.h"
#include "tests/fake_engine.h"
#include "tests/optimality.h"
#include "tests/solve.h"
#include "tests/training_data.h"
#include "threads/pool.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;
using test::parameters;
using test::Printed;

constexpr std::size_t kPlenty = std::size_t{1} << 26;

// Outer sums ---------------------------------------------------------------------------------

double kernel_value(std::size_t i, std::size_t j) {
  return 1 / (1 + std::fabs(static_cast<double>(i) - static_cast<double>(j)));
}

std::unique_ptr<RowEngine> fake_engine() {
  return std::make_unique<test::FakeEngine>(kernel_value,
                                            [](std::size_t i) { return kernel_value(i, i); });
}

// Sums beside plain ones, which are of all variables at all times.
class Sums {
 public:
  Sums(std::size_t examples, std::size_t copies, unsigned threads)
      : examples_(examples),
        pool_(threads),
        kernel_(fake_engine(), examples, copies, kPlenty, 0, pool_),
        sums_(kernel_),
        plain_(examples, 0.0) {
    for (std::size_t t = 0; t < copies * examples; ++t) {
      active_.push_back(static_cast<std::uint32_t>(t));
    }
  }

  void change_some(Draws& draws) {
    std::vector<Term> change;
    for (const std::uint32_t t : active_) {
      if (draws.below(4) == 0) change.push_back({t, draws.between(-1, 1)});
    }
    ASSERT_TRUE(sums_.add(change));
    for (const Term& term : change) {
      for (std::size_t e = 0; e < examples_; ++e) {
        plain_[e] += term.change * static_cast<float>(kernel_value(term.variable % examples_, e));
      }
    }
  }
  void leave_some_out(Draws& draws) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t t : active_) {
      if (draws.below(4) != 0) kept.push_back(t);
    }
    active_ = kept;
    sums_.keep(active_);
  }
  void take_up_all() {
    ASSERT_TRUE(sums_.take_up_all());
    active_.resize(kernel_.size());
    for (std::size_t t = 0; t < active_.size(); ++t) active_[t] = static_cast<std::uint32_t>(t);
  }
  void expect_right() const {
    for (const std::uint32_t t : active_) ASSERT_NEAR(sums_.of(t), plain_[t % examples_], 1e-10);
  }

 private:
  const std::size_t examples_;
  ThreadPool pool_;
  KernelMatrix kernel_;
  OuterSums sums_;
  std::vector<double> plain_;
  std::vector<std::uint32_t> active_;
};

TEST(OuterSumsTest, AreThoseOfAllChangesWhoeverWasLeftOut) {
  for (const std::size_t copies : {1U, 2U}) {
    Draws draws(copies);
    Sums sums(150, copies, 3);
    for (int round = 0; round < 5; ++round) {
      for (int step = 0; step < 4; ++step) {
        sums.change_some(draws);
        sums.expect_right();
        sums.leave_some_out(draws);
      }
      sums.change_some(draws);
      sums.expect_right();
      sums.take_up_all();
      sums.expect_right();
    }
  }
}

TEST(OuterSumsTest, EndWhereThePollSaysSo) {
  ThreadPool pool(1);
  KernelMatrix kernel(fake_engine(), 50, 1, kPlenty, 0, pool);
  bool wanted = true;
  kernel.set_poll([&wanted] { return wanted; });
  OuterSums sums(kernel);
  EXPECT_TRUE(sums.add({{3, 1.0}}));
  wanted = false;
  EXPECT_FALSE(sums.add({{4, 1.0}}));
}

// Working sets -------------------------------------------------------------------------------

OuterPoint random_point(std::size_t size, bool two_groups, std::uint64_t seed) {
  Draws draws(seed);
  OuterPoint point;
  for (std::size_t k = 0; k < size; ++k) {
    point.f.push_back(draws.between(-1, 1));
    point.sets.push_back(static_cast<std::uint8_t>(1 + draws.below(3)));
    if (two_groups) point.group.push_back(static_cast<std::uint8_t>(draws.below(2)));
  }
  return point;
}

// By how much a variable violates optimality beside the middle of its group.
double violation_of(const OuterPoint& point, const Bands& bands, std::size_t k) {
  const double from_middle = point.f[k] - bands.of[point.group_of(k)].middle;
  double most = 0;
  if ((point.sets[k] & kInUp) != 0) most = std::max(most, -from_middle);
  if ((point.sets[k] & kInLow) != 0) most = std::max(most, from_middle);
  return most;
}

TEST(WorkingSetsTest, BandsAreTheEndsOfEachGroup) {
  const OuterPoint point = random_point(500, true, 1);
  const Bands bands = find_bands(point);
  for (const int g : {0, 1}) {
    double lowest = 2, highest = -2;
    std::size_t free_count = 0;
    for (std::size_t k = 0; k < point.size(); ++k) {
      if (point.group[k] != g) continue;
      if ((point.sets[k] & kInUp) != 0) lowest = std::min(lowest, point.f[k]);
      if ((point.sets[k] & kInLow) != 0) highest = std::max(highest, point.f[k]);
      if (point.sets[k] == (kInUp | kInLow)) ++free_count;
    }
    EXPECT_EQ(bands.of[g].lowest, lowest);
    EXPECT_EQ(bands.of[g].highest, highest);
    EXPECT_EQ(bands.of[g].free_count, free_count);
    EXPECT_GT(bands.of[g].middle, lowest);
    EXPECT_LT(bands.of[g].middle, highest);
  }
}

TEST(WorkingSetsTest, DrawsViolatorsOfBothSides) {
  const OuterPoint point = random_point(2000, false, 2);
  const Bands bands = find_bands(point);
  WorkingSets sets(100, 100);
  std::set<std::uint32_t> all;
  for (int round = 0; round < 20; ++round) {
    const WorkingSet set = sets.choose(point, bands, 0.01);
    EXPECT_FALSE(set.is_last_stage);
    ASSERT_EQ(set.members.size(), 100U);
    ASSERT_TRUE(std::is_sorted(set.members.begin(), set.members.end()));
    std::size_t below = 0;
    for (const std::uint32_t k : set.members) {
      EXPECT_GT(violation_of(point, bands, k), 0.005);
      if (point.f[k] < bands.of[0].middle) ++below;
    }
    EXPECT_EQ(below, 50U);
    all.insert(set.members.begin(), set.members.end());
  }
  EXPECT_GT(all.size(), 700U);  // at random, 20 sets of 100 from about 1000 have some 870
}

TEST(WorkingSetsTest, TakesMoreFromOneSideWhereTheOtherHasFew) {
  OuterPoint point = random_point(1000, false, 3);
  std::fill(point.sets.begin(), point.sets.end(), kInUp);
  for (std::size_t k = 0; k < 5; ++k) {
    point.sets[k] = kInLow;
    point.f[k] = 0.9;
  }
  const Bands bands = find_bands(point);
  const WorkingSet set = WorkingSets(100, 100).choose(point, bands, 0.01);
  ASSERT_EQ(set.members.size(), 100U);
  EXPECT_EQ(set.members[4], 4U);  // all five
}

TEST(WorkingSetsTest, AtLastTakesAllThatMatters) {
  OuterPoint point = random_point(3000, false, 4);
  for (std::size_t k = 0; k < point.size(); ++k) {  // settled, but for a few
    if (k % 100 == 0) {
      point.f[k] *= 0.02;
    } else {
      point.f[k] += point.f[k] > 0 ? 0.02 : -0.02;
      point.sets[k] = point.f[k] > 0 ? kInUp : kInLow;
    }
  }
  const Bands bands = find_bands(point);
  WorkingSets sets(100, 100);
  const WorkingSet set = sets.choose(point, bands, 0.01);
  EXPECT_TRUE(set.is_last_stage);
  EXPECT_LT(set.members.size(), 1000U);
  const std::set<std::uint32_t> members(set.members.begin(), set.members.end());
  for (std::uint32_t k = 0; k < point.size(); ++k) {
    const bool matters = violation_of(point, bands, k) > 0.01 || point.sets[k] == (kInUp | kInLow);
    if (matters) {
      EXPECT_EQ(members.count(k), 1U) << k;
    }
  }
  EXPECT_GT(sets.choose(point, bands, 0.01).members.size(), set.members.size());
}

// The solver ---------------------------------------------------------------------------------

struct Setting {
  std::string name;
  int svm_type;
  double cost_negative;
};

// What a run starts with, instead of the problem's own point.
struct Start {
  std::vector<double> alpha, kernel_sums;
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
    DualProblem dual = {kernel,
                        std::vector<double>(size, 0.0),
                        std::vector<signed char>(size, 1),
                        std::vector<double>(size, 0.0),
                        cost(),
                        cost() * setting.cost_negative,
                        nu};
    for (std::size_t t = 0; t < size; ++t) {
      const double y = data.label(t % kRows);
      if (regression) {
        dual.labels[t] = t < kRows ? 1 : -1;
        dual.linear[t] = (nu ? 0 : 0.05) - dual.labels[t] * y;
      } else if (setting.svm_type != ONE_CLASS) {
        dual.labels[t] = y > 0 ? 1 : -1;
        if (!nu) dual.linear[t] = -1;
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

  static Solution solve(unsigned threads, std::size_t set_size, svm::Run& run,
                        const Start& start = {}) {
    const bool classes = GetParam().svm_type != EPSILON_SVR && GetParam().svm_type != NU_SVR;
    const Data data = test::random_data(kRows, 3, classes, 7);
    const std::vector<const svm_node*> rows = data.rows();
    run.services.pool = std::make_shared<ThreadPool>(threads);
    KernelMatrix kernel(make_row_engine(KernelFunction(parameters(C_SVC, RBF)), rows.data(), kRows),
                        kRows, classes ? 1 : 2, kPlenty, kPlenty / 2, *run.services.pool);
    DualProblem dual = problem(kernel, data);
    if (!start.alpha.empty()) dual.alpha = start.alpha;
    dual.kernel_sums = start.kernel_sums;
    if (set_size == 0) {
      return test::solve<ConjugateSolver>(std::move(dual), 1e-3, true, run, ConjugateUse::kAlways);
    }
    return test::solve_monitored(run, dual.alpha.size(), [&](Monitor& monitor) {
      if (start.is_cancelled) monitor.stop(Status::kCancelled);
      return TwoLevelSolver(std::move(dual), 1e-3, true, monitor, ConjugateUse::kAlways, set_size)
          .solve();
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
  EXPECT_EQ(run.record.status, Status::kConverged);
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

TEST_P(TwoLevelTest, MeetsTheUpperBoundsWhereItStartsWithTheirSums) {
  const Printed before, after, at_once;
  const Solution optimum = solve(1, 32, before.run());
  const auto bounded = std::count(optimum.alpha.begin(), optimum.alpha.end(), cost());
  ASSERT_GT(bounded, 0);
  svm::Run& run = after.run();
  const Solution same = solve(1, 32, run, {optimum.alpha, optimum.kernel_sums});
  EXPECT_EQ(run.record.iterations, 0);
  EXPECT_TRUE(same.met_upper);
  const std::vector<double> zeros(optimum.alpha.size(), 0.0);
  svm::Run& short_run = at_once.run();
  short_run.services.progress = [](const Progress&) { return false; };
  EXPECT_FALSE(solve(1, 32, short_run, {zeros, zeros}).met_upper);
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
  run.options.max_iterations = 20;
  const Solution found = solve(1, 32, run);
  EXPECT_EQ(run.record.status, Status::kIterationLimit);
  EXPECT_EQ(run.record.iterations, 20);
  ASSERT_FALSE(found.alpha.empty());
  EXPECT_TRUE(std::isfinite(found.rho));
}

TEST_P(TwoLevelTest, ShowsTheObjectiveOfAllVariables) {
  const Printed printed;
  svm::Run& run = printed.run();
  std::vector<double> shown;
  run.services.progress = [&shown](const Progress& progress) {
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
  run.services.progress = [](const Progress& progress) {
    EXPECT_LE(progress.active, progress.variables);
    return progress.iterations < 30;
  };
  const Solution found = solve(1, 32, run);
  EXPECT_EQ(run.record.status, Status::kCancelled);
  EXPECT_TRUE(found.kernel_sums.empty());
  EXPECT_TRUE(std::isfinite(found.rho));
}

TEST_P(TwoLevelTest, TellsOfNoViolationWhenItEndsBeforeTheFirst) {
  const Printed before, after;
  const Solution optimum = solve(1, 32, before.run());
  svm::Run& run = after.run();
  const Solution found = solve(1, 32, run, {optimum.alpha, {}, true});
  EXPECT_EQ(run.record.status, Status::kCancelled);
  EXPECT_EQ(found.violation, 0);
  EXPECT_TRUE(std::isfinite(found.rho));
}

}  // namespace
}  // namespace svm
