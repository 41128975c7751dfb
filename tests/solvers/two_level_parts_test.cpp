// The parts of conjugate SMO on two levels: the gradient of outer steps, and working sets.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/two_level/outer_gradient.h"
#include "solvers/two_level/working_sets.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Draws;

constexpr std::size_t kPlenty = std::size_t{1} << 26;

// --- the gradient ---

double kernel_value(std::size_t i, std::size_t j) {
  return 1 / (1 + std::fabs(static_cast<double>(i) - static_cast<double>(j)));
}

std::unique_ptr<RowEngine> fake_engine() {
  return std::make_unique<test::FakeEngine>(kernel_value,
                                            [](std::size_t i) { return kernel_value(i, i); });
}

// The gradient without a linear part, and plain sums over all variables to compare it with.
class Sums {
 public:
  Sums(std::size_t examples, std::size_t copies, unsigned threads)
      : examples_(examples),
        pool_(threads),
        kernel_(fake_engine(), examples, copies, kPlenty, 0, pool_),
        gradient_(kernel_, pool_),
        f_(copies * examples, 0.0),
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
    ASSERT_TRUE(gradient_.add(change, f_));
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
    gradient_.keep(active_);
  }
  void take_up_all() {
    ASSERT_TRUE(gradient_.activate_all(f_));
    active_.resize(kernel_.size());
    for (std::size_t t = 0; t < active_.size(); ++t) active_[t] = static_cast<std::uint32_t>(t);
  }
  void expect_right() const {
    for (const std::uint32_t t : active_) ASSERT_NEAR(f_[t], plain_[t % examples_], 1e-10);
  }

 private:
  const std::size_t examples_;
  ThreadPool pool_;
  KernelMatrix kernel_;
  OuterGradient gradient_;
  std::vector<double> f_;
  std::vector<double> plain_;
  std::vector<std::uint32_t> active_;
};

TEST(OuterGradientTest, AreThoseOfAllChangesWhoeverWasLeftOut) {
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

TEST(OuterGradientTest, EndWhereThePollSaysSo) {
  ThreadPool pool(1);
  KernelMatrix kernel(fake_engine(), 50, 1, kPlenty, 0, pool);
  bool wanted = true;
  kernel.set_poll([&wanted] { return wanted; });
  OuterGradient gradient(kernel, pool);
  std::vector<double> f(50, 0.0);
  EXPECT_TRUE(gradient.add({{3, 1.0}}, f));
  wanted = false;
  EXPECT_FALSE(gradient.add({{4, 1.0}}, f));
}

// --- working sets ---

// A state with these f, and variables in [0, 2] with these index sets.
DualState state_of(const std::vector<double>& f, const std::vector<std::uint8_t>& sets,
                   const std::vector<signed char>& labels, bool two_groups) {
  DualState state = {{}, labels, {}, {2, 2}, two_groups, f};
  for (std::size_t t = 0; t < f.size(); ++t) {
    const double b = sets[t] == kInUp ? -1 : sets[t] == kInLow ? 1 : 0;  // from the middle
    state.alpha.push_back(1 + labels[t] * b);
  }
  return state;
}

struct RandomPoint {
  RandomPoint(std::size_t size, bool with_two_groups, std::uint64_t seed)
      : two_groups(with_two_groups) {
    Draws draws(seed);
    for (std::size_t k = 0; k < size; ++k) {
      f.push_back(draws.between(-1, 1));
      sets.push_back(static_cast<std::uint8_t>(1 + draws.below(3)));
      labels.push_back(two_groups && draws.below(2) == 0 ? -1 : 1);
    }
  }
  DualState state() const { return state_of(f, sets, labels, two_groups); }

  std::vector<double> f;
  std::vector<std::uint8_t> sets;
  std::vector<signed char> labels;
  bool two_groups;
};

VariableList all_of(const DualState& state) {
  VariableList all(state.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

Bands bands_of(const DualState& state) {
  ThreadPool pool(2);
  return find_bands(state, all_of(state), pool);
}

WorkingSet choose(WorkingSets& sets, const DualState& state, double epsilon) {
  ThreadPool pool(2);
  const VariableList all = all_of(state);
  return sets.choose(state, all, find_bands(state, all, pool), epsilon, pool);
}

// The violation at a variable, relative to the middle of its group.
double violation_of(const DualState& state, const Bands& bands, std::size_t t) {
  const double from_middle = state.f[t] - bands.middle[state.group(t)];
  double most = 0;
  if ((state.index_sets(t) & kInUp) != 0) most = std::max(most, -from_middle);
  if ((state.index_sets(t) & kInLow) != 0) most = std::max(most, from_middle);
  return most;
}

TEST(WorkingSetsTest, BandsAreTheEndsOfEachGroup) {
  const RandomPoint point(500, true, 1);
  const DualState state = point.state();
  const Bands bands = bands_of(state);
  for (const int g : {0, 1}) {
    double lowest = 2, highest = -2;
    std::size_t free_count = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      if ((point.labels[k] < 0 ? 1 : 0) != g) continue;
      if ((point.sets[k] & kInUp) != 0) lowest = std::min(lowest, point.f[k]);
      if ((point.sets[k] & kInLow) != 0) highest = std::max(highest, point.f[k]);
      if (point.sets[k] == (kInUp | kInLow)) ++free_count;
    }
    EXPECT_EQ(bands.of[g].lowest, lowest);
    EXPECT_EQ(bands.of[g].highest, highest);
    EXPECT_EQ(bands.of[g].free_count, free_count);
    EXPECT_GT(bands.middle[g], lowest);
    EXPECT_LT(bands.middle[g], highest);
  }
}

// No set has variables of a group that is optimal, wherever its threshold is.
TEST(WorkingSetsTest, LeaveOptimalGroupsOut) {
  RandomPoint point(2000, true, 6);
  for (std::size_t k = 0; k < point.f.size(); ++k) {
    if (point.labels[k] > 0) continue;
    point.sets[k] = k % 2 == 0 ? kInUp : kInLow;
    point.f[k] = 7 + (k % 2 == 0 ? 1 : -1) * std::fabs(point.f[k]);
  }
  const DualState state = point.state();
  EXPECT_NEAR(bands_of(state).middle[1], 7, 0.1);
  WorkingSets sets(100, 100);
  for (const std::uint32_t k : choose(sets, state, 0.01).members) EXPECT_GT(point.labels[k], 0);
}

TEST(WorkingSetsTest, DrawsViolatorsOfBothSides) {
  const DualState state = RandomPoint(2000, false, 2).state();
  const Bands bands = bands_of(state);
  WorkingSets sets(100, 100);
  std::set<std::uint32_t> all;
  for (int round = 0; round < 20; ++round) {
    const WorkingSet set = choose(sets, state, 0.01);
    EXPECT_FALSE(set.is_last_stage);
    ASSERT_EQ(set.members.size(), 100U);
    ASSERT_TRUE(std::is_sorted(set.members.begin(), set.members.end()));
    std::size_t below = 0;
    for (const std::uint32_t k : set.members) {
      EXPECT_GT(violation_of(state, bands, k), 0.005);
      if (state.f[k] < bands.middle[0]) ++below;
    }
    EXPECT_EQ(below, 50U);
    all.insert(set.members.begin(), set.members.end());
  }
  EXPECT_GT(all.size(), 700U);  // 20 random sets of 100 from about 1000 have some 870
}

TEST(WorkingSetsTest, TakesMoreFromOneSideWhereTheOtherHasFew) {
  RandomPoint point(1000, false, 3);
  std::fill(point.sets.begin(), point.sets.end(), kInUp);
  for (std::size_t k = 0; k < 5; ++k) {
    point.sets[k] = kInLow;
    point.f[k] = 0.9;
  }
  WorkingSets sets(100, 100);
  const WorkingSet set = choose(sets, point.state(), 0.01);
  ASSERT_EQ(set.members.size(), 100U);
  EXPECT_EQ(set.members[4], 4U);  // all five
}

// A set has much of the violation even if an end of a group is near to the middle.
TEST(WorkingSetsTest, HaveHalfOfTheViolation) {
  for (const double epsilon : {0.01, 0.5, 0.8}) {
    for (const std::size_t size : {std::size_t{8}, std::size_t{100}}) {
      RandomPoint point(3000, true, 5);
      for (std::size_t k = 0; k < point.f.size(); ++k) {  // few near the lower end
        if (point.f[k] < -0.5 && k % 50 != 0) point.f[k] = 0.7;
      }
      const DualState state = point.state();
      WorkingSets sets(size, size);
      const WorkingSet set = choose(sets, state, epsilon);
      EXPECT_GE(state.ends(set.members.data(), set.members.size()).violation(),
                0.5 * state.ends().violation())
          << epsilon << ' ' << size;
      EXPECT_TRUE(std::is_sorted(set.members.begin(), set.members.end()));
      EXPECT_EQ(std::set<std::uint32_t>(set.members.begin(), set.members.end()).size(),
                set.members.size());
    }
  }
}

// The violation is below twice the tolerance, and the middle, the mean f of the free variables, is
// at the lower end: no variable there is far enough from it to be drawn.
TEST(WorkingSetsTest, HaveBothSidesIfOneIsNearTheMiddle) {
  std::vector<double> f;
  std::vector<std::uint8_t> of_variables;
  for (std::size_t k = 0; k < 1000; ++k) {
    f.push_back(k < 500 ? 0.0 : 1.5);
    of_variables.push_back(k < 500 ? (k < 50 ? kInUp | kInLow : kInUp) : kInLow);
  }
  WorkingSets sets(100, 100);
  const WorkingSet set =
      choose(sets, state_of(f, of_variables, std::vector<signed char>(1000, 1), false), 1.0);
  EXPECT_FALSE(set.is_last_stage);
  EXPECT_TRUE(std::any_of(set.members.begin(), set.members.end(),
                          [&](std::uint32_t k) { return (of_variables[k] & kInUp) != 0; }));
}

TEST(WorkingSetsTest, AtLastTakesAllThatMatters) {
  RandomPoint point(3000, false, 4);
  for (std::size_t k = 0; k < point.f.size(); ++k) {  // settled, except for a few
    if (k % 100 == 0) {
      point.f[k] *= 0.02;
    } else {
      point.f[k] += point.f[k] > 0 ? 0.02 : -0.02;
      point.sets[k] = point.f[k] > 0 ? kInUp : kInLow;
    }
  }
  const DualState state = point.state();
  const Bands bands = bands_of(state);
  WorkingSets sets(100, 100);
  const WorkingSet set = choose(sets, state, 0.01);
  EXPECT_TRUE(set.is_last_stage);
  EXPECT_LT(set.members.size(), 1000U);
  const std::set<std::uint32_t> members(set.members.begin(), set.members.end());
  for (std::uint32_t k = 0; k < state.size(); ++k) {
    const bool matters = violation_of(state, bands, k) > 0.01 || point.sets[k] == (kInUp | kInLow);
    if (matters) {
      EXPECT_EQ(members.count(k), 1U) << k;
    }
  }
  EXPECT_GT(choose(sets, state, 0.01).members.size(), set.members.size());
}

}  // namespace
}  // namespace svm
