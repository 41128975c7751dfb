// The resolution of rounded kernel values, and the threshold.
#include "solvers/smo/resolution.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Draws;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kPlenty = std::size_t{1} << 22;

KernelMatrix matrix(const std::vector<double>& diagonal, ThreadPool& pool) {
  return KernelMatrix(
      std::make_unique<test::FakeEngine>([](std::size_t, std::size_t) { return 0.1; },
                                         [diagonal](std::size_t i) { return diagonal[i]; }),
      diagonal.size(), 1, kPlenty, 0, pool);
}

TEST(ResolutionTest, GrowsWithWeightsAndValues) {
  ThreadPool pool(1);
  KernelMatrix kernel = matrix({4, 9}, pool);
  // sqrt(largest) sqrt(sum of w^2 K_tt) units in the last place
  EXPECT_DOUBLE_EQ(resolution(kernel, {2, 0}), 0x1p-23 * 3 * 4);
  EXPECT_DOUBLE_EQ(resolution(kernel, {2, 1}), 0x1p-23 * 3 * 5);
  EXPECT_EQ(resolution(kernel, {0, 0}), 0);
  kernel.use_doubles();
  EXPECT_DOUBLE_EQ(resolution(kernel, {2, 1}), 0x1p-51 * 3 * 5);
}

TEST(ResolutionTest, FollowsChangesOfWeights) {
  ThreadPool pool(1);
  const KernelMatrix kernel = matrix({4, 9, 1}, pool);
  TermSizes sizes(kernel, {1, 0, -2});
  sizes.change(1, 0, 3);
  sizes.change(2, -2, 0);
  EXPECT_DOUBLE_EQ(sizes.resolution(Precision::kSingle), resolution(kernel, {1, 3, 0}));
  EXPECT_DOUBLE_EQ(sizes.largest_rounding(), TermSizes(kernel, {1, 3, 0}).largest_rounding());
  EXPECT_DOUBLE_EQ(sizes.largest_rounding(), 8 * 0x1p-23 * 3 * (1 * 2 + 3 * 3));
}

// Few of the values of a nearly diagonal matrix count in a sum, so that it has small errors.
TEST(ResolutionTest, CountsTheValuesOfTheMatrix) {
  constexpr std::size_t kSize = 4096;
  ThreadPool pool(1);
  // Row `empty` has no values, not even with itself.
  const auto resolution_with = [&](double value, std::size_t empty) {
    const KernelMatrix kernel(
        std::make_unique<test::FakeEngine>(
            [=](std::size_t i, std::size_t j) { return i == empty || j == empty ? 0 : value; },
            [=](std::size_t i) { return i == empty ? 0.0 : 1.0; }),
        kSize, 1, kPlenty, 0, pool);
    return resolution(kernel, std::vector<double>(kSize, 1.0));
  };
  EXPECT_DOUBLE_EQ(resolution_with(0.9, kSize), 0x1p-23 * 64);
  EXPECT_NEAR(resolution_with(0.1, kSize), 0x1p-23 * 64 * 0.2, 0x1p-23);
  for (const std::size_t empty : {kSize / 2, kSize - 1}) {  // the former is one of the sample
    EXPECT_NEAR(resolution_with(0.1, empty), 0x1p-23 * 64 * 0.2, 0x1p-23);
  }
  EXPECT_DOUBLE_EQ(resolution_with(0, kSize), 0x1p-23);
}

TEST(AttainableViolation, IsCertainIfRoundingIsNegligible) {
  ThreadPool pool(1);
  const KernelMatrix kernel = matrix({1, 1}, pool);
  const TermSizes small(kernel, {1, 1}), large(kernel, {1000, 1000});
  EXPECT_TRUE(is_negligible(1e-3, small.largest_rounding()));
  EXPECT_EQ(small.attainable_violation(1e-3), 1e-3 - small.largest_rounding());
  EXPECT_FALSE(is_negligible(1e-3, large.largest_rounding()));
  EXPECT_EQ(large.attainable_violation(1e-3), 1e-3 - large.resolution(Precision::kSingle));
}

// Kernel values that are floats are not rounded; their products with weights are, as doubles.
TEST(ResolutionTest, IsThatOfDoublesWhereValuesAreExact) {
  ThreadPool pool(1);
  test::Data data;
  for (const double x : {1.0, 1000.0, -4096.0}) data.add(1, {x, 2 * x / 2});
  const auto rows = data.rows();
  const KernelFunction linear(test::parameters(C_SVC, LINEAR));
  KernelMatrix whole(make_row_engine(linear, rows.data(), 2), 2, 1, kPlenty, 0, pool);
  EXPECT_LT(resolution(whole, {1e10, 1e10}), 1e10 * 0x1p-51 * 2e7);
  KernelMatrix large(make_row_engine(linear, rows.data(), 3), 3, 1, kPlenty, 0, pool);
  EXPECT_GT(resolution(large, {1, 1, 1}), 0x1p-24 * 2e7);  // 4096^2 + 4096^2 is beyond 2^24
}

// The error of differences of sums over rounded values is at most a few times the resolution.
TEST(ResolutionTest, IsOfTheSizeOfTheErrors) {
  Draws draws(3);
  ThreadPool pool(1);
  constexpr std::size_t kSize = 300;
  std::vector<double> norms, weights;
  for (std::size_t t = 0; t < kSize; ++t) {
    norms.push_back(std::pow(10, draws.between(0, 3)));
    weights.push_back(draws.between(-100, 100));
  }
  const auto value = [&](std::size_t s, std::size_t t) {
    return norms[s] * norms[t] * (s == t ? 1 : std::cos(static_cast<double>(s * t % 97)));
  };
  const KernelMatrix kernel(
      std::make_unique<test::FakeEngine>(value, [&](std::size_t i) { return value(i, i); }), kSize,
      1, kPlenty, 0, pool);
  double largest = 0;
  std::vector<double> errors(kSize);
  for (std::size_t s = 0; s < kSize; ++s) {
    for (std::size_t t = 0; t < kSize; ++t) {
      const double exact = value(s, t);
      errors[s] += weights[t] * (static_cast<double>(static_cast<float>(exact)) - exact);
    }
    largest = std::max(largest, std::fabs(errors[s] - errors[0]));
  }
  EXPECT_LT(largest, 4 * resolution(kernel, weights));
  EXPECT_GT(largest, resolution(kernel, weights) / 100);
}

TEST(AttainableViolation, LeavesRoomForTheResolution) {
  EXPECT_EQ(attainable_violation(1e-3, 0), 1e-3);
  EXPECT_DOUBLE_EQ(attainable_violation(1e-3, 2e-4), 8e-4);
  EXPECT_FALSE(is_too_coarse(1e-3, 0.25e-3));
  EXPECT_TRUE(is_too_coarse(1e-3, 0.26e-3));
  EXPECT_DOUBLE_EQ(attainable_violation(1e-3, 1), 4);
  EXPECT_EQ(attainable_violation(1e-3, 0.2501e-3), 4 * 0.2501e-3);
}

TEST(AttainableViolation, OfNoNumberIsNeverSmall) {
  EXPECT_TRUE(is_too_coarse(1e-3, kNan));
  EXPECT_TRUE(is_too_coarse(1e-3, kInfinity));
  EXPECT_EQ(attainable_violation(1e-3, kNan), 1e-3);
  EXPECT_EQ(attainable_violation(1e-3, kInfinity), kInfinity);
}

TEST(GroupEndsTest, ThresholdIsTheMeanOfTheFree) {
  GroupEnds ends;
  ends.add(0, kInUp | kInLow, 1);
  ends.add(1, kInUp, -50);  // bounded variables do not count
  ends.add(2, kInUp | kInLow, 4);
  ends.add(3, kInLow, 60);
  EXPECT_DOUBLE_EQ(ends.threshold(), 2.5);
  EXPECT_EQ(ends.lowest_at, 1U);
  EXPECT_EQ(ends.highest_at, 3U);
  EXPECT_EQ(violation(ends), 110);
}

TEST(GroupEndsTest, ThresholdIsBetweenWhatBoundsAllow) {
  GroupEnds ends;
  for (const double f : {3.0, 2.0, 5.0}) ends.add(0, kInUp, f);
  for (const double f : {-3.0, 1.0, 0.5}) ends.add(1, kInLow, f);
  EXPECT_DOUBLE_EQ(ends.threshold(), 1.5);
}

// LIBSVM's threshold is not finite if one side is empty.
TEST(GroupEndsTest, OneSideAloneSetsNoThreshold) {
  GroupEnds above, below, none;
  above.add(0, kInUp, 3);
  EXPECT_EQ(above.threshold(), -kInfinity);
  EXPECT_EQ(above.finite_threshold(), 3);
  below.add(0, kInLow, 4);
  EXPECT_EQ(below.threshold(), kInfinity);
  EXPECT_EQ(below.finite_threshold(), 4);
  EXPECT_TRUE(std::isnan(none.threshold()));
  EXPECT_EQ(none.finite_threshold(), 0);
}

}  // namespace
}  // namespace svm
