// Compares the sparse direction of conjugate SMO with a dense vector.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/smo/conjugate_step.h"
#include "tests/training_data.h"

namespace svm {
namespace {

// Expects that members are distinct variables, and that the rest of the dense vector is zero.
void expect_equal(const ConjugateDirection& direction, const std::vector<double>& dense) {
  std::vector<double> found(dense.size(), 0.0);
  std::set<std::size_t> seen;
  for (const ConjugateDirection::Member& member : direction.members()) {
    ASSERT_LT(member.variable, dense.size());
    ASSERT_TRUE(seen.insert(member.variable).second) << "twice: " << member.variable;
    found[member.variable] = member.weight;
  }
  ASSERT_EQ(found, dense);
  ASSERT_EQ(direction.empty(), direction.members().empty());
}

TEST(ConjugateDirectionTest, StartsEmpty) {
  const ConjugateDirection direction(3);
  EXPECT_TRUE(direction.empty());
  EXPECT_TRUE(direction.members().empty());
}

TEST(ConjugateDirectionTest, AdvancesScalesAndAdds) {
  ConjugateDirection direction(4);
  direction.turn(7, 2, 0);
  expect_equal(direction, {-1, 0, 1, 0});
  direction.turn(-0.5, 2, 3);
  expect_equal(direction, {0.5, 0, 0.5, -1});
  direction.reset();
  expect_equal(direction, {0, 0, 0, 0});
  direction.turn(3, 3, 1);
  expect_equal(direction, {0, -1, 0, 1});
}

TEST(ConjugateDirectionTest, FollowsVariablesThatChangePlaces) {
  ConjugateDirection direction(4);
  direction.turn(1, 0, 1);
  direction.swap_variables(0, 1);  // both members
  expect_equal(direction, {-1, 1, 0, 0});
  direction.swap_variables(1, 3);  // one of them
  expect_equal(direction, {-1, 0, 0, 1});
  direction.swap_variables(1, 2);  // none
  expect_equal(direction, {-1, 0, 0, 1});
  direction.swap_variables(3, 3);
  expect_equal(direction, {-1, 0, 0, 1});
  direction.turn(2, 1, 3);
  expect_equal(direction, {-2, 1, 0, 1});
}

TEST(ConjugateDirectionTest, RandomOperationsMatchADenseVector) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::Draws draws(seed);
    const std::size_t size = 2 + draws.below(12);
    ConjugateDirection direction(size);
    std::vector<double> dense(size, 0.0);
    for (int operation = 0; operation < 400; ++operation) {
      const std::size_t i = draws.below(size), j = (i + 1 + draws.below(size - 1)) % size;
      switch (draws.below(12)) {
        case 0:
          direction.reset();
          dense.assign(size, 0.0);
          break;
        case 1:
        case 2:
        case 3:
          direction.swap_variables(i, j);
          std::swap(dense[i], dense[j]);
          break;
        default:
          const double factor = draws.between(-1.5, 1.5);
          direction.turn(factor, i, j);
          for (double& weight : dense) weight *= factor;
          dense[i] += 1;
          dense[j] -= 1;
      }
      expect_equal(direction, dense);
      if (HasFatalFailure()) return;
    }
  }
}

// Members must not accumulate if the old direction hardly counts.
TEST(ConjugateDirection, ForgetsMembersOfNoWeight) {
  constexpr std::size_t kSize = 400;
  ConjugateDirection direction(kSize);
  double total = 0;
  for (std::size_t t = 0; t < kSize; t += 2) {
    direction.turn(0.1, t, t + 1);
    ASSERT_LE(direction.members().size(), 40U);
  }
  EXPECT_GE(direction.members().size(), 30U);  // those of the last 15 steps weigh 1e-14 and more
  for (const ConjugateDirection::Member& member : direction.members()) {
    total += member.weight;
    const std::size_t age = (kSize - 1 - member.variable) / 2;
    EXPECT_NEAR(std::fabs(member.weight), std::pow(0.1, age), 1e-15);
  }
  EXPECT_NEAR(total, 0, 1e-15);
  direction.swap_variables(kSize - 1, 0);  // slots must be up to date
  direction.turn(1, 0, 1);
  for (const ConjugateDirection::Member& member : direction.members()) {
    EXPECT_NE(member.variable, kSize - 1);
    if (member.variable == 0) {
      EXPECT_NEAR(member.weight, 0, 1e-15);
    }
  }
}

}  // namespace
}  // namespace svm
