// The picture of a search.
#include "programs/grid/picture.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/text.h"

namespace svm::grid {
namespace {

using test::contains;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Four by three points.  Errors fall with C and gamma.
class GridPicture : public testing::Test {
 protected:
  const Plan plan_ = make_plan(Range{0, 6, 2}, Range{0, 4, 2}, std::nullopt, 0, 100);
  Results results_{{}, {true}};

  void add(const Point& point) { results_.add(point, 100 - point.log2c - point.log2g); }
  Surface surface() const {
    return make_surface(plan_, results_, *results_.best(plan_.points), "data").value();
  }
};

TEST_F(GridPicture, WithoutGapsThereAreNoMarks) {
  for (const Point& point : plan_.points) add(point);
  const std::string commands = gnuplot_commands(surface());
  for (const char* word : {"skipped", "failed", "NaN"}) EXPECT_FALSE(contains(commands, word));
  EXPECT_EQ(count_of(commands, "pt 7 ps 2 "), 1U);  // the best point
}

TEST_F(GridPicture, PointsWithoutValuesAreMarked) {
  // Only the cells between the first two C have four values.
  for (const Point& point : plan_.points) {
    if (point.log2c < 4) {
      add(point);
    } else if (point.log2g == 2) {
      results_.add(point, std::numeric_limits<double>::infinity());
    } else {
      results_.skip(plan_, point, "reason");
    }
  }
  results_.add({6, 0, 0}, 90);  // alone; it was skipped at first
  const std::string commands = gnuplot_commands(surface());
  EXPECT_FALSE(contains(commands, "inf"));
  EXPECT_EQ(count_of(commands, "pt 6 ps 1 "), 3U + 1U);  // a key
  EXPECT_EQ(count_of(commands, "pt 2 ps 1 "), 2U + 1U);
  EXPECT_EQ(count_of(commands, " NaN\n"), 5U + 6U + 5U);  // the lone value has no contour
}

TEST_F(GridPicture, PointsWithoutAValueHaveFailed) {
  for (const Point& point : plan_.points) {
    if (point.log2c > 0) add(point);
  }
  EXPECT_TRUE(contains(gnuplot_commands(surface()), "'failed'"));
}

// After an interruption: these points have not failed.
TEST_F(GridPicture, PointsThatWereNotReachedHaveNoMark) {
  add({0, 0, 0});
  add({2, 2, 0});
  results_.skip(plan_, {4, 4, 0}, "reason");
  const std::string commands = gnuplot_commands(
      make_surface(plan_, results_, *results_.best(plan_.points), "data", false).value());
  EXPECT_FALSE(contains(commands, "failed"));
  EXPECT_TRUE(contains(commands, "'skipped'"));
}

TEST_F(GridPicture, WithoutAValueThereIsNone) {
  add({100, 0, 0});
  for (const Point& point : plan_.points) results_.skip(plan_, point, "reason");
  const Results::Best best{{100, 0, 0}, 180};
  EXPECT_FALSE(make_surface(plan_, results_, best, "data"));
}

}  // namespace
}  // namespace svm::grid
