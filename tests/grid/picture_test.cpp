// The picture of a search.
#include "grid/picture.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "io/number_text.h"
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

// The largest and smallest x of the paths in an SVG picture that are filled.
std::pair<double, double> range_of_bands(const std::string& svg) {
  std::pair<double, double> range = {1e9, -1e9};
  for (std::size_t at = svg.find("<path d=\"M"); at != std::string::npos;
       at = svg.find("<path d=\"M", at + 1)) {
    const std::size_t begin = at + 9, end = svg.find('"', begin);
    if (svg.compare(end, 12, "\" fill=\"rgb(") != 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (svg[i] != 'M' && svg[i] != 'L' && svg[i] != 'H') continue;
      const double x = parse_real(std::string_view(svg).substr(i + 1)).value;
      range = {std::min(range.first, x), std::max(range.second, x)};
    }
  }
  return range;
}

TEST_F(GridPicture, WithoutGapsThereAreNoMarks) {
  for (const Point& point : plan_.points) add(point);
  const std::string svg = svg_picture(surface()), gnuplot = gnuplot_commands(surface());
  for (const char* word : {"skipped", "failed"}) {
    EXPECT_FALSE(contains(svg, word));
    EXPECT_FALSE(contains(gnuplot, word));
  }
  EXPECT_EQ(count_of(svg, "<circle"), 1U);  // the best point
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
  const std::string svg = svg_picture(surface()), gnuplot = gnuplot_commands(surface());
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_FALSE(contains(svg, "inf"));
  EXPECT_EQ(count_of(svg, "fill=\"none\" stroke=\"#000\" stroke-width=\"0.6\""), 3U + 1U);  // a key
  EXPECT_EQ(count_of(svg, "#c00"), 2U + 1U);
  EXPECT_EQ(count_of(svg, "<circle"), 6U + 1U + 3U + 1U + 1U);  // values, skipped, key, the best
  EXPECT_TRUE(contains(svg, ">skipped</text>") && contains(svg, ">failed</text>"));
  EXPECT_EQ(count_of(gnuplot, "pt 6 ps 1 "), 3U + 1U);
  EXPECT_EQ(count_of(gnuplot, "pt 2 ps 1 "), 2U + 1U);
  EXPECT_EQ(count_of(gnuplot, " NaN\n"), 5U + 6U + 5U);  // the lone value has no contour
  // A third of the width, which is 450 from x = 74 on, has values.
  const auto [left, right] = range_of_bands(svg);
  EXPECT_NEAR(left, 74, 0.001);
  EXPECT_NEAR(right, 74 + 150, 0.001);
}

TEST_F(GridPicture, TheRestIsDrawnAsIfItWereAlone) {
  for (const Point& point : plan_.points) {
    if (point.log2c > 0) add(point);
  }
  EXPECT_NEAR(range_of_bands(svg_picture(surface())).first, 74 + 150, 0.001);
  EXPECT_EQ(contour_levels(surface()).front(), 91);
  EXPECT_TRUE(contains(svg_picture(surface()), "failed"));
}

// After an interruption: these points have not failed.
TEST_F(GridPicture, PointsThatWereNotReachedHaveNoMark) {
  add({0, 0, 0});
  add({2, 2, 0});
  results_.skip(plan_, {4, 4, 0}, "reason");
  const Surface partial =
      make_surface(plan_, results_, *results_.best(plan_.points), "data", false).value();
  const std::string svg = svg_picture(partial), gnuplot = gnuplot_commands(partial);
  EXPECT_FALSE(contains(svg, "failed") || contains(gnuplot, "failed"));
  EXPECT_TRUE(contains(svg, ">skipped</text>") && contains(gnuplot, "'skipped'"));
}

TEST_F(GridPicture, WithoutAValueThereIsNone) {
  add({100, 0, 0});
  for (const Point& point : plan_.points) results_.skip(plan_, point, "reason");
  const Results::Best best{{100, 0, 0}, 180};
  EXPECT_FALSE(make_surface(plan_, results_, best, "data"));
}

}  // namespace
}  // namespace svm::grid
