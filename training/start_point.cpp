#include "training/start_point.h"

#include <algorithm>
#include <cmath>

#include "model/compensated_sum.h"

namespace svm {
namespace {

constexpr double kRounding = 1e-14;  // of sums, relative

double sum_of(const BoxedGroup& group) {
  CompensatedSum sum;
  for (const BoxedValue& each : group) sum.add(*each.value);
  return sum.value();
}

// Those between the bounds in proportion, then those at the bound one after the other, as each that
// leaves it is one more for the solver to move.  The sum before is not subtracted from: it may be
// larger than `target` by many orders of magnitude.
void lower_values(const BoxedGroup& group, double target) {
  CompensatedSum between, bounded;
  for (const auto& [value, upper] : group) (*value < upper ? between : bounded).add(*value);
  if (bounded.value() <= target) {
    const double keep = (target - bounded.value()) / between.value();
    for (const auto& [value, upper] : group) {
      if (*value < upper) *value *= keep;
    }
    return;
  }
  double left = target;
  for (const auto& [value, upper] : group) {
    *value = *value < upper ? 0 : std::min(*value, left);
    left -= *value;
  }
}

void raise_values(const BoxedGroup& group, double deficit) {
  double room = 0, sum = 0;
  for (const auto& [value, upper] : group) {
    if (*value > 0) room += upper - *value;
    sum += *value;
  }
  if (!std::isfinite(room)) {
    for (const BoxedValue& each : group) *each.value *= (sum + deficit) / sum;
    return;
  }
  const double share = room > 0 ? std::min(1.0, deficit / room) : 0;
  double left = deficit - share * room;
  for (const auto& [value, upper] : group) {
    if (*value > 0) {
      *value = std::min(upper, *value + share * (upper - *value));
    } else if (left > 0) {
      *value = std::min(upper, left);
      left -= *value;
    }
  }
}

}  // namespace

void fit_sum(const BoxedGroup& group, double target) {
  const double sum = sum_of(group);
  if (std::fabs(sum - target) <= kRounding * target) return;
  if (sum > target) lower_values(group, target);
  if (sum < target) raise_values(group, target - sum);
}

double balance(const BoxedGroup& a, const BoxedGroup& b) {
  const double sum_a = sum_of(a), sum_b = sum_of(b), difference = sum_a - sum_b;
  if (std::fabs(difference) <= kRounding * sum_a) return 0;
  if (difference > 0) lower_values(a, sum_b);
  if (difference < 0) lower_values(b, sum_a);
  return std::fabs(difference);
}

double best_scale(const StartPoint& start, double ratio,
                  const std::function<double(std::size_t, double)>& linear_part) {
  constexpr std::size_t kFewBounded = 8;  // support vectors for each that is at its bound
  double quadratic = 0, linear = 0;
  std::size_t support_vectors = 0, bounded = 0;
  for (std::size_t t = 0; t < start.coefficients.size(); ++t) {
    const double coefficient = start.coefficients[t];
    if (coefficient == 0) continue;
    ++support_vectors;
    if (std::fabs(coefficient) >= (coefficient > 0 ? start.bound_positive : start.bound_negative)) {
      ++bounded;
    }
    quadratic += coefficient * start.kernel_sums[t];
    linear += linear_part(t, coefficient);
  }
  const double best = -linear / quadratic;
  // A kernel that is not positive may bend the ray downwards: then it has no minimum.
  const bool has_minimum = quadratic > 0 && std::isfinite(best);
  if (kFewBounded * bounded > support_vectors || !has_minimum) return ratio;
  return std::min(std::max(best, std::min(ratio, 1.0)), std::max(ratio, 1.0));
}

double carry_over(double value, double old_upper, double upper) {
  const double ratio = upper / old_upper;
  const bool is_scaled = old_upper > 0 && std::isfinite(ratio);  // bounds may be infinite
  const double moved = is_scaled ? value * ratio : value;
  // A value that was at its bound, but for rounding, is at the new one.
  if (old_upper > 0 && value >= old_upper) return upper;
  return std::min(std::max(moved, 0.0), upper);
}

}  // namespace svm
