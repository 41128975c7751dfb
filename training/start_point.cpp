#include "training/start_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/platform/index_range.h"
#include "kernels/double_double.h"
#include "kernels/matrix/column_sums.h"
#include "solvers/registry.h"
#include "training/check.h"

namespace svm {
namespace {

constexpr double kRounding = 1e-14;  // relative error of a sum

double sum_of(const BoxedGroup& group) {
  DoubleDouble sum;
  for (const BoxedValue& each : group) sum.add(*each.value);
  return sum.to_double();
}

// Lowers the values between the bounds in proportion, then the bounded ones one by one, because the
// solver has to move each value that leaves its bound.  Does not subtract from the old sum, which
// may be larger than `target` by many orders of magnitude.
void lower_values(const BoxedGroup& group, double target) {
  DoubleDouble between, bounded;
  for (const auto& [value, upper] : group) (*value < upper ? between : bounded).add(*value);
  if (bounded.to_double() <= target) {
    const double keep = (target - bounded.to_double()) / between.to_double();
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

// Sets the variables with this label to those of the start, and returns them.  `old_upper` is the
// start's bound for rows of weight 1; 0 if unknown.
BoxedGroup carry_group(const StartPoint& start, const Problem& problem, int label, double old_upper,
                       DualState& dual) {
  BoxedGroup group;
  for (std::size_t t = 0; t < dual.alpha.size(); ++t) {
    if (dual.labels[t] != label) continue;
    const std::size_t row = t % start.coefficients.size();
    const double upper = dual.upper.of(t, label);
    dual.alpha[t] = carried_value(label * start.coefficients[row],
                                  weighted_bound(problem, old_upper, row), upper);
    group.push_back({&dual.alpha[t], upper});
  }
  return group;
}

// sums[k] += the sum over r of factors[r] K(rows[r], columns[k]), in the engine's arithmetic.
// Returns false if the run was stopped.
bool add_kernel_sums(const RowEngine& engine, const std::vector<std::uint32_t>& rows,
                     const std::vector<double>& factors, const std::vector<std::uint32_t>& columns,
                     Run& run, std::vector<double>& sums) {
  const GoOn go_on = [&run] { return run.poll(); };
  return ColumnSums(engine, columns, Precision::kSingle)
      .add(rows, factors, *run.services.pool, go_on, sums.data());
}

// True if the dual objective of C-SVC falls along the ray from 0 to b, and well beyond: then b'Kb
// is small beside the sum of alpha.  Both are taken over a sample of rows.
bool falls_to_bounds(const RowEngine& engine, const std::vector<std::uint32_t>& all,
                     const std::vector<double>& b, Run& run) {
  constexpr double kSmall = 0.5;
  constexpr std::size_t kSample = 64;
  std::vector<std::uint32_t> sample;
  for (std::size_t t = 0; t < all.size(); t += std::max<std::size_t>(all.size() / kSample, 1)) {
    sample.push_back(all[t]);
  }
  std::vector<double> sums(sample.size(), 0.0);
  if (!add_kernel_sums(engine, all, b, sample, run, sums)) return false;
  double quadratic = 0, size = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    quadratic += b[sample[k]] * sums[k];
    size += std::fabs(b[sample[k]]);
  }
  return quadratic < kSmall * size;
}

// The rows whose b has this sign, those that are furthest on their side of the decision function
// first.
std::vector<std::uint32_t> furthest_first(const std::vector<double>& b,
                                          const std::vector<double>& sums, bool is_positive) {
  std::vector<std::uint32_t> rows;
  for (std::size_t t = 0; t < b.size(); ++t) {
    if ((b[t] > 0) == is_positive) rows.push_back(static_cast<std::uint32_t>(t));
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t s, std::uint32_t t) {
    return is_positive ? sums[s] > sums[t] : sums[s] < sums[t];
  });
  return rows;
}

// Returns the bound that the variable is within `rounding` of, or else the variable.
double bound_near(double alpha, double upper, double rounding) {
  if (alpha <= rounding) return 0;
  return upper - alpha <= rounding ? upper : alpha;
}

}  // namespace

StartPoint start_at_bounds(const RowEngine& engine, const Problem& problem,
                           const UpperBounds& costs, Run& run) {
  const std::size_t rows = problem.size();
  std::vector<double> b(rows), sums(rows, 0.0);
  double positive = 0, negative = 0;  // sums of alpha
  for (std::size_t t = 0; t < rows; ++t) {
    b[t] = problem.y[t] > 0 ? costs.positive : -costs.negative;
    (b[t] > 0 ? positive : negative) += std::fabs(b[t]);
  }
  const double least = std::min(positive, negative), most = std::max(positive, negative);
  if (!(2 * least >= most) || !std::isfinite(most)) return {};
  const std::vector<std::uint32_t> all = index_range<std::uint32_t>(0, rows);
  if (!falls_to_bounds(engine, all, b, run) || !add_kernel_sums(engine, all, b, all, run, sums)) {
    return {};
  }
  std::vector<std::uint32_t> lowered;
  std::vector<double> changes;
  double left = most - least;
  for (const std::uint32_t t : furthest_first(b, sums, positive > negative)) {
    if (left <= kRounding * most) break;
    const double size = std::min(std::fabs(b[t]), left);
    lowered.push_back(t);
    changes.push_back(std::copysign(size, -b[t]));
    b[t] += changes.back();
    left -= size;
  }
  if (!lowered.empty() && !add_kernel_sums(engine, lowered, changes, all, run, sums)) return {};
  return {std::move(b), costs.positive, costs.negative, std::move(sums), costs.positive};
}

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

double best_scale(const StartPoint& start, double ratio, const DualState& dual,
                  const RowEngine& engine) {
  constexpr std::size_t kFewBounded = 8;  // bounded are few up to one support vector in eight
  // The kernel is nearly diagonal if this part of the quadratic term comes from its diagonal.
  constexpr double kNearlyDiagonal = 0.5;
  constexpr double kWellBelow = 0.75;  // times the ratio: fewer variables stay at their bounds
  double quadratic = 0, linear = 0, of_diagonal = 0;
  std::size_t support_vectors = 0, bounded = 0;
  const std::size_t rows = start.coefficients.size();
  for (std::size_t t = 0; t < rows; ++t) {
    const double coefficient = start.coefficients[t];
    if (coefficient == 0) continue;
    ++support_vectors;
    if (std::fabs(coefficient) >= (coefficient > 0 ? start.bound_positive : start.bound_negative)) {
      ++bounded;
    }
    quadratic += coefficient * start.kernel_sums[t];
    of_diagonal += coefficient * coefficient * engine.diagonal(t);
    linear += coefficient * dual.linear[coefficient < 0 && dual.size() > rows ? t + rows : t];
  }
  const double best = -linear / quadratic;
  // With an indefinite kernel the objective may have no minimum along the ray.
  const bool has_minimum = quadratic > 0 && std::isfinite(best);
  const bool is_nearly_diagonal = of_diagonal >= kNearlyDiagonal * quadratic;
  const bool leave_bounds = is_nearly_diagonal && best < kWellBelow * ratio;
  if (!has_minimum || (kFewBounded * bounded > support_vectors && !leave_bounds)) return ratio;
  return std::min(std::max(best, std::min(ratio, 1.0)), std::max(ratio, 1.0));
}

double carried_value(double value, double old_upper, double upper) {
  const double ratio = upper / old_upper;
  const bool is_scaled = old_upper > 0 && std::isfinite(ratio);  // bounds may be infinite
  const double moved = is_scaled ? value * ratio : value;
  // The product above may be rounded to just below the bound.
  if (old_upper > 0 && value >= old_upper) return upper;
  return std::min(std::max(moved, 0.0), upper);
}

void carry_to_sum(const StartPoint& start, const Problem& problem, double sum, DualState& dual) {
  fit_sum(carry_group(start, problem, +1, start.bound_positive, dual), sum);
  fit_sum(carry_group(start, problem, -1, start.bound_negative, dual), sum);
}

bool carry_to_bounds(const StartPoint& start, const Problem& problem, const RowEngine& engine,
                     DualState& dual) {
  const std::size_t rows = start.coefficients.size();
  const bool known = start.bound_positive > 0 && start.bound_negative > 0;
  const double ratio = known ? dual.upper.positive / start.bound_positive : 0;
  // Exact if the bounds of both labels are equal, unlike the product of a bound and the ratio.
  const bool scaled_alike =
      dual.upper.positive * start.bound_negative == dual.upper.negative * start.bound_positive;
  if (!known || !start.has_sums_for(dual.upper.positive) || !scaled_alike) {
    balance(carry_group(start, problem, +1, start.bound_positive, dual),
            carry_group(start, problem, -1, start.bound_negative, dual));
    return false;
  }
  const double scale = best_scale(start, ratio, dual, engine);
  // A start that is scaled by less than the bounds counts as if its bounds had been larger.
  const double larger = ratio / scale;  // exactly 1 if both are scaled alike
  const double moved =
      balance(carry_group(start, problem, +1, larger * start.bound_positive, dual),
              carry_group(start, problem, -1, larger * start.bound_negative, dual));
  if (moved > 0) return true;
  dual.f = dual.linear;
  for (std::size_t t = 0; t < dual.size(); ++t) dual.f[t] += scale * start.kernel_sums[t % rows];
  return true;
}

void shorten_start(const SolverEntry& solver, KernelMatrix& matrix, Run& run, DualState& dual) {
  suit_values(solver, matrix);
  const std::size_t rows = dual.size() / matrix.copies();
  std::vector<double> coefficients(rows, 0.0), sums(rows, 0.0);
  double linear = 0;
  for (std::size_t v = 0; v < dual.size(); ++v) {
    coefficients[v % rows] += dual.b(v);
    linear += dual.linear[v] * dual.b(v);
  }
  matrix.set_poll([&run] { return run.poll(); });
  const bool done =
      matrix.add_sums(coefficients, index_range(0, rows), matrix.precision(), sums.data());
  matrix.set_poll(nullptr);
  if (!done) return;
  double quadratic = 0;
  for (std::size_t t = 0; t < rows; ++t) quadratic += coefficients[t] * sums[t];
  if (!std::isfinite(quadratic)) {
    std::fill(dual.alpha.begin(), dual.alpha.end(), 0.0);
    return;
  }
  const double best = quadratic > 0 ? std::max(-linear / quadratic, 0.0) : 0;
  const double scale = quadratic / 2 + linear > 0 ? best : 1;
  dual.f = dual.linear;
  for (std::size_t v = 0; v < dual.size(); ++v) {
    dual.alpha[v] *= scale;
    dual.f[v] += scale * sums[v % rows];
  }
}

double largest_variable(const DualState& state) {
  const std::vector<double>& alpha = state.alpha;
  return alpha.empty() ? 0 : *std::max_element(alpha.begin(), alpha.end());
}

bool start_may_decide(double largest_of_start, const DualState& solution) {
  constexpr double kFarSmaller = 1e-3, kImbalance = 1e-10;
  if (largest_of_start == 0) return false;
  DoubleDouble sum, sizes;
  for (std::size_t t = 0; t < solution.size(); ++t) {
    sum.add(solution.b(t));
    sizes.add(solution.alpha[t]);
  }
  return largest_variable(solution) < kFarSmaller * largest_of_start ||
         std::fabs(sum.to_double()) > kImbalance * sizes.to_double();
}

bool settle_at_bounds(const RowEngine& engine, std::size_t rows, double epsilon,
                      Solution& solution) {
  constexpr double kRelative = 1e-10, kPartOfEpsilon = 0.01;
  if (solution.f.empty()) return false;
  const double rounding = kRelative * largest_variable(solution);
  const auto settled = [&](std::size_t t) {
    return bound_near(solution.alpha[t], solution.upper_bound(t), rounding);
  };
  bool is_free[kGroups] = {false, !solution.two_groups};
  bool moves = false;
  for (std::size_t t = 0; t < solution.size(); ++t) {
    const double value = settled(t);
    moves = moves || value != solution.alpha[t];
    if (value > 0 && value < solution.upper_bound(t)) is_free[solution.group(t)] = true;
  }
  if (is_free[0] && is_free[1]) return false;
  double change = 0, largest_root = 0;  // their product bounds the change of every kernel sum
  for (std::size_t t = 0; moves && t < solution.size(); ++t) {
    const double root = std::sqrt(std::fabs(engine.diagonal(t % rows)));
    if (!is_free[solution.group(t)]) change += std::fabs(settled(t) - solution.alpha[t]) * root;
    largest_root = std::max(largest_root, root);
  }
  const double moved = change * largest_root;
  if (!(moved <= kPartOfEpsilon * epsilon)) return false;
  if (solution.has_converged && !(solution.violation + 2 * moved <= epsilon)) return false;
  for (std::size_t t = 0; moves && t < solution.size(); ++t) {
    if (!is_free[solution.group(t)]) solution.alpha[t] = settled(t);
  }
  solution.set_thresholds(solution.ends());
  return true;
}

}  // namespace svm
