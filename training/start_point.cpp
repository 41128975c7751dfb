#include "training/start_point.h"

#include <algorithm>
#include <cmath>

namespace svm {
namespace {

double sum_of(const BoxedGroup& group) {
  double sum = 0;
  for (const BoxedValue& each : group) sum += *each.value;
  return sum;
}

// Those between the bounds in proportion, then those at the bound one after the other, as each that
// leaves it is one more for the solver to move.
void lower_values(const BoxedGroup& group, double excess) {
  double between = 0;
  for (const auto& [value, upper] : group) {
    if (*value < upper) between += *value;
  }
  const double from_between = std::min(excess, between);
  const double keep = between > 0 ? (between - from_between) / between : 0;
  double left = excess - from_between;
  for (const auto& [value, upper] : group) {
    if (*value < upper) {
      *value *= keep;
    } else if (left > 0) {
      const double taken = std::min(left, *value);
      *value -= taken;
      left -= taken;
    }
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
  if (sum > target) lower_values(group, sum - target);
  if (sum < target) raise_values(group, target - sum);
}

double balance(const BoxedGroup& a, const BoxedGroup& b) {
  constexpr double kRounding = 1e-12;
  const double sum = sum_of(a), difference = sum - sum_of(b);
  if (std::fabs(difference) <= kRounding * sum) return 0;
  if (difference > 0) lower_values(a, difference);
  if (difference < 0) lower_values(b, -difference);
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
  const bool is_scaled = old_upper > 0 && std::isfinite(ratio);  // either may be infinite
  const double moved = is_scaled ? value * ratio : value;
  // A value that was at its bound, but for rounding, is at the new one.
  if (old_upper > 0 && value >= old_upper) return upper;
  return std::min(std::max(moved, 0.0), upper);
}

}  // namespace svm
