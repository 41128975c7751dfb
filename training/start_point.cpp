#include "training/start_point.h"

#include <algorithm>

namespace svm {
namespace {

double sum_of(const BoxedGroup& group) {
  double sum = 0;
  for (const double* value : group.values) sum += *value;
  return sum;
}

void lower(const BoxedGroup& group, double excess) {
  double between = 0, at_bound = 0;
  for (const double* value : group.values) {
    (*value < group.upper ? between : at_bound) += *value;
  }
  const double from_between = std::min(excess, between);
  const double keep_between = between > 0 ? (between - from_between) / between : 0;
  const double left = excess - from_between;
  const double keep_bound = at_bound > 0 ? std::max(0.0, (at_bound - left) / at_bound) : 0;
  for (double* value : group.values) *value *= *value < group.upper ? keep_between : keep_bound;
}

void raise(const BoxedGroup& group, double deficit) {
  double room = 0;
  for (const double* value : group.values) {
    if (*value > 0) room += group.upper - *value;
  }
  const double share = room > 0 ? std::min(1.0, deficit / room) : 0;
  double left = deficit - share * room;
  for (double* value : group.values) {
    if (*value > 0) {
      *value = std::min(group.upper, *value + share * (group.upper - *value));
    } else if (left > 0) {
      *value = std::min(group.upper, left);
      left -= *value;
    }
  }
}

}  // namespace

void fit_sum(const BoxedGroup& group, double target) {
  const double sum = sum_of(group);
  if (sum > target) lower(group, sum - target);
  if (sum < target) raise(group, target - sum);
}

void balance(const BoxedGroup& a, const BoxedGroup& b) {
  const double difference = sum_of(a) - sum_of(b);
  if (difference > 0) lower(a, difference);
  if (difference < 0) lower(b, -difference);
}

double carry_over(double value, double old_upper, double upper) {
  const double moved = old_upper > 0 ? value * (upper / old_upper) : value;
  // A value that was at its bound, but for rounding, is at the new one.
  if (old_upper > 0 && value >= old_upper) return upper;
  return std::min(std::max(moved, 0.0), upper);
}

}  // namespace svm
