// Conjugate SMO on two levels, its parts: sums of outer steps, and working sets.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/two_level/outer_sums.h"
#include "solvers/two_level/working_sets.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"
#include "threads/pool.h"

namespace svm {
namespace {

using test::Draws;

constexpr std::size_t kPlenty = std::size_t{1} << 26;

// --- outer sums ---

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

// --- working sets ---

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

// However near to the middle the ends of a group are, a set has much of the violation.
TEST(WorkingSetsTest, HaveHalfOfTheViolation) {
  for (const double epsilon : {0.01, 0.5, 0.8}) {
    for (const std::size_t size : {std::size_t{8}, std::size_t{100}}) {
      OuterPoint point = random_point(3000, true, 5);
      for (std::size_t k = 0; k < point.size(); ++k) {  // few near the lower end
        if (point.f[k] < -0.5 && k % 50 != 0) point.f[k] = 0.7;
      }
      const Bands bands = find_bands(point);
      const WorkingSet set = WorkingSets(size, size).choose(point, bands, epsilon);
      OuterPoint part;
      for (const std::uint32_t k : set.members) {
        part.f.push_back(point.f[k]);
        part.sets.push_back(point.sets[k]);
        part.group.push_back(point.group[k]);
      }
      EXPECT_GE(find_bands(part).violation(), 0.5 * bands.violation()) << epsilon << ' ' << size;
      EXPECT_TRUE(std::is_sorted(set.members.begin(), set.members.end()));
      EXPECT_EQ(std::set<std::uint32_t>(set.members.begin(), set.members.end()).size(),
                set.members.size());
    }
  }
}

// The violation is below twice the tolerance, and its middle, the mean f of the free variables, is
// at its lower end: nothing there is far enough from it to be drawn.
TEST(WorkingSetsTest, HaveBothSidesIfOneIsNearTheMiddle) {
  OuterPoint point;
  for (std::size_t k = 0; k < 1000; ++k) {
    point.f.push_back(k < 500 ? 0.0 : 1.5);
    point.sets.push_back(k < 500 ? (k < 50 ? kInUp | kInLow : kInUp) : kInLow);
  }
  const Bands bands = find_bands(point);
  const WorkingSet set = WorkingSets(100, 100).choose(point, bands, 1.0);
  EXPECT_FALSE(set.is_last_stage);
  EXPECT_TRUE(std::any_of(set.members.begin(), set.members.end(),
                          [&](std::uint32_t k) { return (point.sets[k] & kInUp) != 0; }));
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

}  // namespace
}  // namespace svm
