// The plan of a search and its lines.
#include "programs/grid/plan.h"

#include <set>

#include <gtest/gtest.h>

#include "programs/grid/results.h"
#include "training/start_point.h"

namespace svm::grid {
namespace {

TEST(GridPlan, MidpointOrder) {
  EXPECT_EQ(midpoint_order({0, 1, 2, 3, 4, 5, 6}), (std::vector<double>{3, 1, 5, 0, 4, 2, 6}));
  EXPECT_EQ(midpoint_order({0, 1}), (std::vector<double>{1, 0}));
}

TEST(GridPlan, CAndGammaAreRefinedInTurn) {
  const Plan plan = make_plan(Range{0, 2, 2}, Range{0, 1, 1}, std::nullopt, 0, 100);
  const std::vector<Point> expected = {{2, 1, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  EXPECT_EQ(plan.points, expected);
}

TEST(GridPlan, Ranges) {
  EXPECT_TRUE(parse_range("-5,15,2"));
  for (const char* text : {"", "1", "1,2", "1,2,3x", "1,2,nan", "1,2,0", "2,1,1", "0,1e9,1"}) {
    EXPECT_FALSE(parse_range(text)) << text;
  }
  for (const char* text : {"5,5,1e-300", "999.9999999999,1000,1e-14", "0,1,1e-9", "0,1000,0.1"}) {
    EXPECT_TRUE(parse_range(text)->has_too_many_values()) << text;
  }
  EXPECT_FALSE(parse_range("0,999.9,0.1")->has_too_many_values());
}

TEST(GridPlan, AnEndIsNotLostByRounding) {
  const auto last = [](const Range& range) { return range.values().back(); };
  EXPECT_EQ(last({0, 0.3, 0.1}), 0.3);
  EXPECT_EQ((Range{0, 0.3, 0.1}).values().size(), 4U);
  EXPECT_EQ(last({0, -0.3, -0.1}), -0.3);
  // These are grid.py's: an end that is reached, or missed by less than a step.
  EXPECT_EQ((Range{-5, 15, 2}).values().size(), 11U);
  EXPECT_EQ(last({-5, 16, 2}), 15);
  EXPECT_EQ((Range{0, 1, 0.1}).values().size(), 11U);
  EXPECT_EQ(last({0, 1, 0.1}), 0.99999999999999989);
  EXPECT_EQ((Range{5, 5, 1}).values(), std::vector<double>{5});
}

TEST(GridResults, RealsAreWrittenAsPythonDoes) {
  EXPECT_EQ(python_real(0), "0.0");
  EXPECT_EQ(python_real(-15), "-15.0");
  EXPECT_EQ(python_real(100000), "100000.0");
  EXPECT_EQ(python_real(3.0517578125e-05), "3.0517578125e-05");
  EXPECT_EQ(python_real(0.0001220703125), "0.0001220703125");
  EXPECT_EQ(python_real(1e16), "1e+16");
  EXPECT_EQ(python_real(77.037), "77.037");
}

TEST(GridResults, ABrokenLastLineIsPassedOver) {
  Results results({}, {});
  results.read("log2c=1.0 log2g=2.0 rate=50\nnonsense\nlog2c=3.0 log2g=2.0 rate=7");
  EXPECT_EQ(results.find({1, 2, 0}), std::optional<double>(50));
  EXPECT_FALSE(results.find({3, 2, 0}));
}

// The steps are smaller than the precision of the numbers.
TEST(GridPlan, ARefinedPlanHasNoPointTwice) {
  const Plan plan = make_plan(Range{1, 1.0000000000000003, 2.3e-16}, Range{-1, -1, 1}, {}, 0, 9);
  const Plan finer = refined_plan(plan, {1, -1, 0});
  std::set<double> values(finer.c.begin(), finer.c.end());
  EXPECT_EQ(values.size(), finer.c.size());
  EXPECT_EQ(finer.points.size(), finer.c.size() * finer.g.size());
}

TEST(GridResults, TheBestDoesNotDependOnTheOrderOfFinishing) {
  Results results({}, {});
  results.add({3, 1, 0}, 80);
  results.add({1, 1, 0}, 80);
  results.add({0, 2, 0}, 80);
  const auto best = results.best({{3, 1, 0}, {0, 2, 0}, {1, 1, 0}});
  ASSERT_TRUE(best);
  EXPECT_EQ(best->point, (Point{1, 1, 0}));
}

TEST(StartPoint, SumsAreMet) {
  std::vector<double> values = {0, 1, 2, 4, 4};
  BoxedGroup group;
  for (double& value : values) group.push_back({&value, 4});
  for (const double target : {5.0, 18.0, 9.0, 2.0, 0.0, 20.0}) {
    fit_sum(group, target);
    double sum = 0;
    for (const double value : values) {
      EXPECT_TRUE(value >= 0 && value <= 4);
      sum += value;
    }
    EXPECT_NEAR(sum, target, 1e-12);
  }
}

}  // namespace
}  // namespace svm::grid
