#include "programs/grid/early_end.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/platform/numbers.h"
#include "kernels/engines/part_engine.h"

namespace svm {
namespace {

constexpr double kSameSlope = 1e-9;  // relative to the sum of all bounds

// The loss C_t max(0, 1 - y_t (s_t + beta)) of row t as a function of beta = -rho, where s_t is its
// kernel sum: its slope grows by C_t at beta = y_t - s_t.
struct Bend {
  double beta, growth;
};

struct Interval {
  double begin, end;
};

// Returns the interval in which the sum of the losses is least.  `slope` is that of the sum before
// the first bend.  Slopes up to `rounding` are taken for 0.
Interval minimum(std::vector<Bend> bends, double slope, double rounding) {
  std::sort(bends.begin(), bends.end(),
            [](const Bend& a, const Bend& b) { return a.beta < b.beta; });
  Interval best = {-kInfinity, kInfinity};
  for (const Bend& bend : bends) {
    slope += bend.growth;
    if (std::isinf(best.begin) && slope >= -rounding) best.begin = bend.beta;
    if (slope <= rounding) continue;
    best.end = bend.beta;
    break;
  }
  return best;
}

}  // namespace

double distance_from_optimum(const StartPoint& point, double rho, const double* labels,
                             double rounding) {
  const std::vector<double>&b = point.coefficients, &sums = point.kernel_sums;
  const auto side = [&](std::size_t t) { return labels[t] > 0 ? 1.0 : -1.0; };
  const auto cost = [&](std::size_t t) {
    return labels[t] > 0 ? point.bound_positive : point.bound_negative;
  };
  double sizes = 0, square = 0, costs = 0, slope = 0, largest_value = 0;
  std::vector<Bend> bends;
  for (std::size_t t = 0; t < b.size(); ++t) {
    sizes += std::fabs(b[t]);
    square += b[t] * sums[t];
    costs += cost(t);
    if (side(t) > 0) slope -= cost(t);
    largest_value = std::max(largest_value, std::fabs(sums[t] - rho));
    bends.push_back({side(t) - sums[t], cost(t)});
  }
  const Interval best = minimum(std::move(bends), slope, kSameSlope * costs);
  const double error = rounding * sizes;  // of a sum
  double losses = 0, unsure = sizes;      // `unsure` times the error is that of the gap
  for (std::size_t t = 0; t < b.size(); ++t) {
    const double margin = side(t) * (sums[t] + best.begin);
    if (margin >= 1 + error) continue;
    losses += cost(t) * std::max(1 - margin, 0.0);
    unsure += cost(t);
  }
  // The primal objective is square / 2 + losses, the dual one sizes - square / 2.
  const double gap = std::max(square + losses - sizes, 0.0) + unsure * error;
  const double threshold = std::max(std::fabs(rho + best.begin), std::fabs(rho + best.end)) + error;
  const double distance = 2 * std::sqrt(gap) + threshold;
  if (!(distance < largest_value)) return kInfinity;
  return distance;
}

bool expects_certainty(const StartPoint& before, double rho, std::size_t held_out) {
  constexpr double kNear = 0.2;
  const std::vector<double>& sums = before.kernel_sums;
  const auto near = std::count_if(sums.begin(), sums.end(),
                                  [rho](double sum) { return std::fabs(sum - rho) < kNear; });
  return !sums.empty() && 2 * static_cast<std::size_t>(near) * held_out <= sums.size();
}

bool predictions_are_certain(const StartPoint& point, double rho, const Problem& training_set,
                             const std::vector<std::uint32_t>& held_out, RowStore<float>& rows,
                             Run& run) {
  if (point.kernel_sums.empty()) return false;
  const double rounding = RowEngine::kLargestError * rows.engine().rounding();
  const double distance = distance_from_optimum(point, rho, training_set.y, rounding);
  if (!std::isfinite(distance)) return false;
  std::vector<std::uint32_t> numbers = training_set.x.numbers(training_set.size());
  std::vector<std::uint32_t> terms, columns;
  std::vector<double> factors;
  double sizes = 0;
  for (std::uint32_t t = 0; t < training_set.size(); ++t) {
    if (point.coefficients[t] == 0) continue;
    terms.push_back(t);
    factors.push_back(point.coefficients[t]);
    sizes += std::fabs(factors.back());
  }
  for (const std::uint32_t row : held_out) {
    columns.push_back(static_cast<std::uint32_t>(numbers.size()));
    numbers.push_back(row);
  }
  std::vector<double> values(columns.size(), -rho);
  if (!add_kernel_sums(*make_part_engine(rows, std::move(numbers)), terms, factors, columns, run,
                       values)) {
    return false;
  }
  const double least = distance + rounding * sizes;
  return std::all_of(values.begin(), values.end(),
                     [least](double value) { return std::fabs(value) > least; });
}

}  // namespace svm
