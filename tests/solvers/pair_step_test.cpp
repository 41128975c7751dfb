// The closed-form two-variable step.
#include "solvers/smo/pair_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/training_data.h"

namespace svm {
namespace {

void expect_pair(PairValues pair, double i, double j) {
  EXPECT_EQ(pair.i, i);
  EXPECT_EQ(pair.j, j);
}

TEST(PositiveCurvature, ReplacesWhatIsNotPositive) {
  EXPECT_EQ(positive_curvature(2.5), 2.5);
  EXPECT_EQ(positive_curvature(1e-300), 1e-300);
  EXPECT_EQ(positive_curvature(0), kTau);
  EXPECT_EQ(positive_curvature(-3), kTau);
}

// Different labels: both move by y_i step, and alpha_i - alpha_j stays.
TEST(PairStep, DifferentLabelsMoveTogether) {
  expect_pair(pair_step({0.25, 0.5}, +1, -1, 0.25, 1, 1), 0.5, 0.75);
  expect_pair(pair_step({0.25, 0.5}, +1, -1, -0.125, 1, 1), 0.125, 0.375);
  expect_pair(pair_step({0.25, 0.5}, -1, +1, 0.125, 1, 1), 0.125, 0.375);
  expect_pair(pair_step({0.25, 0.5}, -1, +1, -0.25, 1, 1), 0.5, 0.75);
}

TEST(PairStep, DifferentLabelsClipAtEachBound) {
  expect_pair(pair_step({0.25, 0.5}, +1, -1, 9, 1, 1), 0.75, 1);   // j at its upper bound
  expect_pair(pair_step({0.5, 0.25}, +1, -1, 9, 1, 1), 1, 0.75);   // i at its upper bound
  expect_pair(pair_step({0.25, 0.5}, +1, -1, -9, 1, 1), 0, 0.25);  // i at 0
  expect_pair(pair_step({0.5, 0.25}, +1, -1, -9, 1, 1), 0.25, 0);  // j at 0
  expect_pair(pair_step({0.25, 0.25}, +1, -1, 9, 1, 1), 1, 1);     // both
  expect_pair(pair_step({0.25, 0.25}, +1, -1, -9, 1, 1), 0, 0);
}

TEST(PairStep, DifferentLabelsUnequalBounds) {
  expect_pair(pair_step({0, 0}, +1, -1, 9, 4, 1), 1, 1);  // j's bound is met first
  expect_pair(pair_step({0, 0}, +1, -1, 9, 1, 4), 1, 1);  // i's bound is met first
  expect_pair(pair_step({3.5, 0}, +1, -1, 9, 4, 1), 4, 0.5);
  expect_pair(pair_step({2, 0.5}, +1, -1, 9, 4, 1), 2.5, 1);
  expect_pair(pair_step({0.5, 0}, -1, +1, -9, 1, 0.25), 0.75, 0.25);
}

// Equal labels: they move in opposite directions, and alpha_i + alpha_j stays.
TEST(PairStep, EqualLabelsMoveApart) {
  expect_pair(pair_step({0.25, 0.5}, +1, +1, 0.125, 1, 1), 0.375, 0.375);
  expect_pair(pair_step({0.25, 0.5}, -1, -1, 0.125, 1, 1), 0.125, 0.625);
}

TEST(PairStep, EqualLabelsClipAtEachBound) {
  expect_pair(pair_step({0.25, 0.5}, +1, +1, 9, 1, 1), 0.75, 0);   // j at 0
  expect_pair(pair_step({0.25, 0.5}, +1, +1, -9, 1, 1), 0, 0.75);  // i at 0
  expect_pair(pair_step({0.75, 0.5}, +1, +1, 9, 1, 1), 1, 0.25);   // i at its upper bound
  expect_pair(pair_step({0.75, 0.5}, +1, +1, -9, 1, 1), 0.25, 1);  // j at its upper bound
  expect_pair(pair_step({0.75, 0.5}, -1, -1, 9, 1, 1), 0.25, 1);
  expect_pair(pair_step({0.75, 0.5}, -1, -1, -9, 1, 1), 1, 0.25);
  expect_pair(pair_step({0.5, 0.5}, +1, +1, 9, 1, 1), 1, 0);  // both
}

TEST(PairStep, EqualLabelsUnequalBounds) {
  expect_pair(pair_step({0.5, 0.25}, +1, +1, 9, 4, 1), 0.75, 0);
  expect_pair(pair_step({1.5, 0.25}, +1, +1, -9, 4, 1), 0.75, 1);
  expect_pair(pair_step({0.5, 2}, +1, +1, 9, 1, 4), 1, 1.5);
  expect_pair(pair_step({0.5, 2}, +1, +1, -9, 1, 4), 0, 2.5);
}

TEST(PairStep, NothingMovesWithoutRoom) {
  expect_pair(pair_step({1, 1}, +1, -1, 0.5, 1, 1), 1, 1);
  expect_pair(pair_step({0, 0}, +1, +1, 0.5, 1, 1), 0, 0);
}

// A distance to a bound is rounding if it is negligible beside the variable and the step.
TEST(MovedWithinBox, MeetsBoundsButForRounding) {
  EXPECT_EQ(moved_within_box(0.5, 0.25, 1), 0.75);
  EXPECT_EQ(moved_within_box(0.3, -0.3 + 1e-17, 1), 0);
  EXPECT_EQ(moved_within_box(0.1, -0.1 - 1e-18, 1), 0);
  EXPECT_EQ(moved_within_box(0.7, 0.3 - 1e-16, 1), 1);
  EXPECT_EQ(moved_within_box(0.7, 0.3 + 1e-16, 1), 1);
  EXPECT_EQ(moved_within_box(0, 0, 1), 0);
  EXPECT_EQ(moved_within_box(1, 0, 1), 1);
}

// A distance that is small beside C alone is not rounding.
TEST(MovedWithinBox, LeavesSmallVariablesAlone) {
  for (const double upper : {1.0, 1e10, 1e30, std::numeric_limits<double>::infinity()}) {
    for (const double alpha : {1e-3, 1e-12, 1e-300}) {
      EXPECT_EQ(moved_within_box(alpha, alpha, upper), 2 * alpha) << upper;
      EXPECT_EQ(moved_within_box(0, alpha, upper), alpha) << upper;
      EXPECT_EQ(moved_within_box(alpha, -alpha / 2, upper), alpha / 2) << upper;
    }
  }
  EXPECT_EQ(moved_within_box(1 - 1e-10, 0, 1), 1 - 1e-10);
}

// Random steps: the result is in the box, on the line, and the best point there.
TEST(PairStep, FindsTheBestPointOfTheBox) {
  test::Draws draws(11);
  for (int trial = 0; trial < 20000; ++trial) {
    const int y_i = draws.below(2) == 0 ? 1 : -1;
    const int y_j = draws.below(2) == 0 ? 1 : -1;
    const double upper_i = draws.between(0.1, 4), upper_j = draws.between(0.1, 4);
    const PairValues start = {draws.below(4) == 0 ? 0 : draws.between(0, upper_i),
                              draws.below(4) == 0 ? upper_j : draws.between(0, upper_j)};
    const double step = draws.between(-6, 6);
    const PairValues end = pair_step(start, y_i, y_j, step, upper_i, upper_j);
    // Bounds are met exactly by the variable that is clipped; its partner may be off by rounding.
    ASSERT_GE(end.i, -1e-14);
    ASSERT_GE(end.j, -1e-14);
    ASSERT_LE(end.i, upper_i + 1e-14);
    ASSERT_LE(end.j, upper_j + 1e-14);
    ASSERT_NEAR(y_i * end.i + y_j * end.j, y_i * start.i + y_j * start.j, 1e-14);
    // The moves that the boxes allow form an interval around 0, and `step` is clipped to it.
    const auto room = [](double alpha, double upper, int sign, double& low, double& high) {
      low = std::max(low, sign > 0 ? -alpha : alpha - upper);
      high = std::min(high, sign > 0 ? upper - alpha : alpha);
    };
    double low = -1e9, high = 1e9;
    room(start.i, upper_i, y_i, low, high);
    room(start.j, upper_j, -y_j, low, high);
    const double moved = std::clamp(step, low, high);
    ASSERT_NEAR(end.i, start.i + y_i * moved, 1e-14);
    ASSERT_NEAR(end.j, start.j - y_j * moved, 1e-14);
    // A clipped step ends exactly at a bound.
    if (step < low || step > high) {
      ASSERT_TRUE(end.i == 0 || end.i == upper_i || end.j == 0 || end.j == upper_j);
    }
  }
}

}  // namespace
}  // namespace svm
