#include "programs/grid/plan.h"

#include <algorithm>
#include <cmath>

#include "base/io/number_text.h"

namespace svm::grid {
namespace {

constexpr double kLargestExponent = 1000;  // larger powers of 2 are not doubles
constexpr int kRefinement = 4;

}  // namespace

PointValues Point::values() const {
  return given ? *given : PointValues{std::exp2(log2c), std::exp2(log2g), std::exp2(log2p)};
}

bool Range::has_too_many_values() const {
  return begin + step == begin || end - step == end || (end - begin) / step >= kMostValues;
}

std::vector<double> Range::values() const {
  constexpr double kRounding = 1e-6;  // in steps
  std::vector<double> result;
  double value = begin;
  for (; step > 0 ? value <= end : value >= end; value += step) result.push_back(value);
  if (std::fabs(value - end) < kRounding * std::fabs(step)) result.push_back(end);
  return result;
}

std::optional<Range> parse_range(std::string_view text) {
  double parts[3];
  for (int i = 0; i < 3; ++i) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    const RealText number = parse_real(text);
    if (number.status != NumberStatus::kOk || !std::isfinite(number.value)) return std::nullopt;
    parts[i] = number.value;
    text.remove_prefix(number.length);
    if (i < 2 && (text.empty() || text.front() != ',')) return std::nullopt;
    if (i < 2) text.remove_prefix(1);
  }
  const Range range{parts[0], parts[1], parts[2]};
  if (!text.empty() || range.step == 0) return std::nullopt;
  if (std::fabs(range.begin) > kLargestExponent || std::fabs(range.end) > kLargestExponent) {
    return std::nullopt;
  }
  return (range.end - range.begin) / range.step < 0 ? std::nullopt : std::optional(range);
}

std::vector<double> midpoint_order(const std::vector<double>& values) {
  if (values.size() <= 1) return values;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  const std::vector<double> left = midpoint_order({values.begin(), middle});
  const std::vector<double> right = midpoint_order({middle + 1, values.end()});
  std::vector<double> result = {*middle};
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    if (i < left.size()) result.push_back(left[i]);
    if (i < right.size()) result.push_back(right[i]);
  }
  return result;
}

namespace {

// C and gamma are refined in turn, so that a search that is stopped leaves a coarse overview.
void order_points(Plan& plan) {
  const std::vector<double> c = midpoint_order(plan.c), g = midpoint_order(plan.g),
                            p = midpoint_order(plan.p);
  if (c.empty() || g.empty() || p.empty()) return;
  std::vector<Point> plane;
  const auto add = [&](double log2c, double log2g) { plane.push_back({log2c, log2g, 0}); };
  std::size_t i = 0, j = 0;
  while (i < c.size() || j < g.size()) {
    if (i * g.size() < j * c.size()) {
      for (std::size_t k = 0; k < j; ++k) add(c[i], g[k]);
      ++i;
    } else {
      for (std::size_t k = 0; k < i; ++k) add(c[k], g[j]);
      ++j;
    }
  }
  for (const double log2p : p) {
    for (Point point : plane) {
      point.log2p = log2p;
      plan.points.push_back(point);
    }
  }
}

void refine(bool is_searched, double best, double& step, std::vector<double>& values) {
  values = {best};
  if (!is_searched || step == 0) return;
  step /= kRefinement;
  values.clear();
  for (int k = -kRefinement; k <= kRefinement; ++k) values.push_back(best + k * step);
  // Very small steps can give equal numbers.
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

Plan make_plan(const std::optional<Range>& c, const std::optional<Range>& g,
               const std::optional<Range>& p, std::size_t first_gamma, std::size_t last_gamma) {
  Plan plan;
  plan.axes = {c.has_value(), g.has_value(), p.has_value()};
  const auto take = [](const std::optional<Range>& range, std::vector<double>& values,
                       double& step) {
    if (!range) return;
    values = range->values();
    step = std::fabs(range->step);
  };
  take(c, plan.c, plan.c_step);
  take(g, plan.g, plan.g_step);
  take(p, plan.p, plan.p_step);
  last_gamma = std::min(last_gamma, plan.g.size());
  first_gamma = std::min(first_gamma, last_gamma);
  plan.g = {plan.g.begin() + static_cast<std::ptrdiff_t>(first_gamma),
            plan.g.begin() + static_cast<std::ptrdiff_t>(last_gamma)};
  order_points(plan);
  return plan;
}

std::vector<std::vector<Point>> by_gamma(const std::vector<Point>& points) {
  std::vector<std::vector<Point>> groups;
  for (const Point& point : points) {
    const double gamma = point.values().gamma;
    const auto found = std::find_if(
        groups.begin(), groups.end(),
        [&](const std::vector<Point>& group) { return group.front().values().gamma == gamma; });
    if (found == groups.end()) {
      groups.push_back({point});
    } else {
      found->push_back(point);
    }
  }
  for (std::vector<Point>& group : groups) {
    std::sort(group.begin(), group.end(), [](const Point& a, const Point& b) {
      const PointValues left = a.values(), right = b.values();
      return left.tube != right.tube ? left.tube < right.tube : left.cost < right.cost;
    });
  }
  return groups;
}

Plan refined_plan(const Plan& plan, const Point& best) {
  Plan finer;
  finer.axes = plan.axes;
  finer.c_step = plan.c_step;
  finer.g_step = plan.g_step;
  refine(plan.axes.c, best.log2c, finer.c_step, finer.c);
  refine(plan.axes.g, best.log2g, finer.g_step, finer.g);
  finer.p = {best.log2p};
  order_points(finer);
  return finer;
}

}  // namespace svm::grid
