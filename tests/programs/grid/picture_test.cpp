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
  std::string commands() const {
    return picture_commands(plan_, results_, *results_.best(plan_.points), "data").value();
  }
};

TEST_F(GridPicture, WithoutGapsThereAreNoMarks) {
  for (const Point& point : plan_.points) add(point);
  const std::string text = commands();
  for (const char* word : {"NaN", "pt 2 ps 1 "}) EXPECT_FALSE(contains(text, word)) << word;
  EXPECT_TRUE(contains(text, "cubicspline"));
  EXPECT_EQ(count_of(text, "set label"), 2U);  // the best point
}

TEST_F(GridPicture, PointsWithoutValuesAreCrossedOut) {
  // Some points are skipped, some fail, and one is not reached.
  for (const Point& point : plan_.points) {
    if (point.log2c < 4) {
      add(point);
    } else if (point.log2g == 2) {
      results_.add(point, std::numeric_limits<double>::infinity());
    } else if (point.log2c == 4) {
      results_.skip(plan_, point, "reason");
    }
  }
  results_.add({6, 0, 0}, 90);
  const std::string text = commands();
  EXPECT_FALSE(contains(text, "inf"));
  EXPECT_EQ(count_of(text, " front point pt 2 ps 1 "), 5U);
  EXPECT_TRUE(contains(text, "at 6,2 front point pt 2 ps 1 "));  // failed
  EXPECT_TRUE(contains(text, "at 4,0 front point pt 2 ps 1 "));  // skipped
  EXPECT_TRUE(contains(text, "at 6,4 front point pt 2 ps 1 "));  // not reached
  EXPECT_EQ(count_of(text, " NaN\n"), 5U);
  EXPECT_TRUE(contains(text, "with points"));
}

TEST_F(GridPicture, WithoutAValueThereIsNone) {
  add({100, 0, 0});
  for (const Point& point : plan_.points) results_.skip(plan_, point, "reason");
  EXPECT_FALSE(picture_commands(plan_, results_, {{100, 0, 0}, 180}, "data"));
}

}  // namespace
}  // namespace svm::grid
