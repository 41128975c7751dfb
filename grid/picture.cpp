#include "grid/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace svm::grid {
namespace {

constexpr std::size_t kMostBands = 9;
constexpr int kShortDigits = 4;

}  // namespace

std::optional<Surface> make_surface(const Plan& plan, const Results& results,
                                    const Results::Best& best, const std::string& title,
                                    bool is_complete) {
  if (!plan.axes.c || !plan.axes.g || plan.c.size() < 2 || plan.g.size() < 2) return std::nullopt;
  Surface s{plan.c, plan.g, {}, {}, is_complete, results.measure().is_error, title, best};
  std::sort(s.x.begin(), s.x.end());
  std::sort(s.y.begin(), s.y.end());
  for (const double c : s.x) {
    for (const double g : s.y) {
      const Point point{c, g, best.point.log2p};
      const double value = results.find(point).value_or(Surface::kNone);
      s.values.push_back(std::isfinite(value) ? value : Surface::kNone);
      s.skipped.push_back(results.is_skipped(point));
    }
  }
  const bool has_values = std::any_of(s.values.begin(), s.values.end(),
                                      [](double value) { return !std::isnan(value); });
  return has_values ? std::optional<Surface>(s) : std::nullopt;
}

std::vector<double> contour_levels(const Surface& surface) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : surface.values) {
    if (std::isnan(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  std::vector<double> levels;
  if (!(high > low)) return levels;
  const double least = (high - low) / kMostBands;
  double step = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (step * factor >= least) {
      step *= factor;
      break;
    }
  }
  for (double k = std::floor(low / step) + 1; k * step < high; ++k) levels.push_back(k * step);
  return levels;
}

std::vector<double> axis_marks(const std::vector<double>& values) {
  constexpr std::size_t kMostMarks = 10;
  const std::size_t step = (values.size() + kMostMarks - 1) / kMostMarks;
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); i += step) result.push_back(values[i]);
  return result;
}

std::string best_text(const Surface& s) {
  return "C = " + number_text(std::exp2(s.best.point.log2c), kShortDigits) +
         ", \xCE\xB3 = " + number_text(std::exp2(s.best.point.log2g), kShortDigits) + ": " +
         number_text(s.best.value) + (s.is_error ? "" : " %");
}

}  // namespace svm::grid
