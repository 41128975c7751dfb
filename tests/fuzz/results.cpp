// The results file of svm-grid: points that were read are found, and written lines can be read
// again.
#include "programs/grid/results.h"

#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/input_file.h"
#include "base/io/number_text.h"
#include "programs/grid/plan.h"
#include "tests/fuzz/fuzz.h"

namespace svm::fuzz {
namespace {

using grid::Axes;
using grid::Measure;
using grid::Point;
using grid::Results;

// Exponents for a results file, not too many.  Those searched are finite.
std::vector<double> numbers_of(std::string_view text) {
  constexpr std::size_t kMost = 4;
  std::vector<double> numbers = {0};
  for (std::size_t at = text.find('='); at != std::string_view::npos && numbers.size() < kMost;
       at = text.find('=', at + 1)) {
    const RealText number = parse_real(text.substr(at + 1));
    if (std::isfinite(number.value)) numbers.push_back(number.value);
  }
  return numbers;
}

std::vector<Point> points_of(std::string_view text, Axes axes) {
  const std::vector<double> numbers = numbers_of(text), none = {0};
  std::vector<Point> points;
  for (const double c : axes.c ? numbers : none) {
    for (const double g : axes.g ? numbers : none) {
      for (const double p : axes.p ? numbers : none) points.push_back({c, g, p});
    }
  }
  return points;
}

// Checks the skipped points.
void check_skipped(const Results& results, const std::vector<Point>& points, Axes axes,
                   Measure measure) {
  grid::Plan plan;
  plan.axes = axes;
  for (const Point& point : points) {
    plan.c.push_back(point.log2c);
    plan.g.push_back(point.log2g);
    plan.p.push_back(point.log2p);
  }
  for (const Point& point : points) {
    Results copy(axes, measure);
    copy.read(results.plan_line(plan) + results.skipped_line(point, "why"));
    require(copy.why_skipped(plan, point) == "why", "a point written as skipped is read again");
  }
}

void check(const std::string& text, Axes axes, Measure measure) {
  Results results(axes, measure);
  results.read(text);
  const std::vector<Point> points = points_of(text, axes);
  std::string lines;
  for (const Point& point : points) {
    if (const auto value = results.find(point)) lines += results.file_line(point, *value);
  }
  Results copy(axes, measure);
  copy.read(lines);
  for (const Point& point : points) {
    const auto value = results.find(point), copied = copy.find(point);
    require(value.has_value() == copied.has_value(), "points written are read again");
    require(!value || is_same(*value, *copied), "a rate written is read again as it was");
  }
  const auto best = results.best(points);
  require(best.has_value() == !lines.empty(), "there is a best point among the known");
  if (!best) return;
  require(results.find(best->point) == best->value, "the best point has the rate that is known");
  check_skipped(results, points, axes, measure);
  results.progress_line("resumed", best->point, best->value, *best);
  results.final_line(*best);
}

// A resumed search continues after the last whole line and loses nothing before it.
void check_file(const std::string& text) {
  constexpr const char* kLine = "log2c=1.0 log2g=1.0 rate=50.0\n";
  static const Scratch file;
  file.write(text);
  grid::LineFile(file.path(), true).append(kLine);
  const std::string whole = text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
  require(read_whole_file(file.path()) == whole + kLine, "whole lines stay, half ones go");
}

}  // namespace
}  // namespace svm::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace svm::fuzz;
  const std::string text(text_of(data, size));
  // The input selects what is checked, for speed.
  constexpr Axes kAxes[] = {
      {true, true, false}, {true, false, false}, {false, true, true}, {true, true, true}};
  const std::size_t choice = size % (std::size(kAxes) + 1);
  if (choice == std::size(kAxes)) {
    check_file(text);
  } else {
    check(text, kAxes[choice], {kAxes[choice].p});
  }
  return 0;
}
