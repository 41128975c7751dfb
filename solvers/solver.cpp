#include "solvers/solver.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "solvers/pair_step.h"

namespace svm {
namespace {

constexpr long long kLeastIterationCap = 10000000;
constexpr std::size_t kShrinkInterval = 1000;  // iterations between shrinkings, at most
constexpr double kUnshrinkFactor = 10;         // unshrink at a violation of this many epsilon

long long iteration_cap(std::size_t size) {
  const long long scaled = size > INT_MAX / 100 ? INT_MAX : 100 * static_cast<long long>(size);
  return std::max(kLeastIterationCap, scaled);
}

}  // namespace

Solver::Solver(DualProblem problem, StopRule stop, bool shrinking, const Messages& messages)
    : kernel_(problem.kernel),
      size_(problem.alpha.size()),
      active_(size_),
      labels_(std::move(problem.labels)),
      linear_(std::move(problem.linear)),
      alpha_(std::move(problem.alpha)),
      gradient_(size_),
      bounded_(size_),
      diagonal_(size_),
      moves_(size_),
      original_(size_),
      upper_positive_(problem.upper_positive),
      upper_negative_(problem.upper_negative),
      two_groups_(problem.one_constraint_per_label),
      stop_(stop),
      shrinking_(shrinking),
      messages_(messages) {
  for (std::size_t t = 0; t < size_; ++t) {
    linear_[t] *= labels_[t];
    diagonal_[t] = kernel_.diagonal(t);
    original_[t] = t;
    update_moves(t);
  }
}

Solution Solver::solve() {
  compute_gradient();
  const long long cap = iteration_cap(size_);
  const std::size_t interval = std::min(size_, kShrinkInterval);
  std::size_t until_shrinking = interval + 1;
  long long iterations = 0;
  while (iterations < cap) {
    if (--until_shrinking == 0) {
      until_shrinking = interval;
      if (shrinking_) shrink();
      messages_.print(".");
    }
    Pair pair;
    if (!select_working_set(pair)) {
      reconstruct_gradient();
      messages_.print("*");
      if (!select_working_set(pair)) break;
      until_shrinking = 1;  // shrink again in the next iteration
    }
    ++iterations;
    step(pair);
  }
  if (iterations >= cap) {
    if (active_ < size_) {
      reconstruct_gradient();
      messages_.print("*");
    }
    warn("\nWARNING: reaching max number of iterations\n");
  }
  return result(iterations);
}

void Solver::compute_gradient() {
  std::copy(linear_.begin(), linear_.end(), gradient_.begin());
  for (std::size_t i = 0; i < size_; ++i) {
    if (alpha_[i] <= 0) continue;
    const float* row = kernel_.row(i, size_);
    const double factor = labels_[i] * alpha_[i];
    for (std::size_t t = 0; t < size_; ++t) gradient_[t] += factor * row[t];
    if (at_upper(i)) add_to_bounded(i, labels_[i] * upper(i));
  }
}

void Solver::find_extremes(Extremes (&extremes)[kGroups]) const {
  Extremes found[kGroups];
  for (std::size_t t = 0; t < active_; ++t) {
    Extremes& e = found[group(t)];
    const double f = gradient_[t];
    if (in_up(t) && f <= e.lowest_up) {
      e.lowest_up = f;
      e.lowest_up_at = t;
    }
    if (in_low(t) && f >= e.highest_low) e.highest_low = f;
  }
  std::copy(std::begin(found), std::end(found), std::begin(extremes));
}

// i is the lowest of I_up in its group; j is the member of I_low of the same group with which the
// step, the box aside, lowers the objective most.  Ties go to the last index.
bool Solver::select_working_set(Pair& pair) {
  Extremes extremes[kGroups];
  find_extremes(extremes);
  if (std::max(extremes[0].violation(), extremes[1].violation()) < stop_.epsilon) return false;
  const float* rows[kGroups] = {};
  double row_diagonal[kGroups] = {};
  for (int g = 0; g < kGroups; ++g) {
    const std::size_t i = extremes[g].lowest_up_at;
    if (i == kNone) continue;
    rows[g] = kernel_.row(i, active_);
    row_diagonal[g] = diagonal_[i];
  }
  double best_gain = -std::numeric_limits<double>::infinity();
  std::size_t best = kNone;
  for (std::size_t t = 0; t < active_; ++t) {
    if (!in_low(t)) continue;
    const int g = group(t);
    const double difference = gradient_[t] - extremes[g].lowest_up;
    if (!(difference > 0)) continue;
    const double curvature = row_diagonal[g] + diagonal_[t] - 2.0 * rows[g][t];
    const double gain = difference * difference / positive_curvature(curvature);
    if (gain >= best_gain) {
      best_gain = gain;
      best = t;
    }
  }
  if (best == kNone) return false;
  pair = {extremes[group(best)].lowest_up_at, best};
  return true;
}

void Solver::step(const Pair& pair) {
  const auto [i, j] = pair;
  const float* row_i = kernel_.row(i, active_);
  const float* row_j = kernel_.row(j, active_);
  const double curvature = positive_curvature(diagonal_[i] + diagonal_[j] - 2.0 * row_i[j]);
  const double length = (gradient_[j] - gradient_[i]) / curvature;
  const PairValues alpha =
      pair_step({alpha_[i], alpha_[j]}, labels_[i], labels_[j], length, upper(i), upper(j));
  const double change_i = labels_[i] * (alpha.i - alpha_[i]);
  const double change_j = labels_[j] * (alpha.j - alpha_[j]);
  double* f = gradient_.data();
  for (std::size_t t = 0; t < active_; ++t) f[t] += row_i[t] * change_i + row_j[t] * change_j;
  set_alpha(i, alpha.i);
  set_alpha(j, alpha.j);
}

void Solver::set_alpha(std::size_t t, double alpha) {
  const bool was_at_upper = at_upper(t);
  alpha_[t] = alpha;
  update_moves(t);
  if (at_upper(t) != was_at_upper) {
    add_to_bounded(t, was_at_upper ? -labels_[t] * upper(t) : labels_[t] * upper(t));
  }
}

void Solver::update_moves(std::size_t t) {
  const bool positive = labels_[t] > 0;
  if (alpha_[t] >= upper(t)) {
    moves_[t] = positive ? kLow : kUp;
  } else if (alpha_[t] <= 0) {
    moves_[t] = positive ? kUp : kLow;
  } else {
    moves_[t] = kUp | kLow;
  }
}

void Solver::add_to_bounded(std::size_t t, double factor) {
  if (!shrinking_) return;  // only reconstruct_gradient() reads it
  const float* row = kernel_.row(t, size_);
  for (std::size_t s = 0; s < size_; ++s) bounded_[s] += factor * row[s];
}

// A variable at a bound is left out while even the most violating partner would push it back.
bool Solver::is_shrinkable(std::size_t t, const Extremes (&extremes)[kGroups]) const {
  if (is_free(t)) return false;
  const Extremes& e = extremes[group(t)];
  return in_up(t) ? gradient_[t] > e.highest_low : gradient_[t] < e.lowest_up;
}

void Solver::shrink() {
  Extremes extremes[kGroups];
  find_extremes(extremes);
  const double violation = std::max(extremes[0].violation(), extremes[1].violation());
  if (!unshrunk_ && violation <= stop_.epsilon * kUnshrinkFactor) {
    unshrunk_ = true;
    reconstruct_gradient();
    if (!two_groups_) messages_.print("*");
  }
  for (std::size_t t = 0; t < active_; ++t) {
    if (!is_shrinkable(t, extremes)) continue;
    for (--active_; active_ > t; --active_) {
      if (is_shrinkable(active_, extremes)) continue;
      swap_variables(t, active_);
      break;
    }
  }
}

void Solver::swap_variables(std::size_t i, std::size_t j) {
  kernel_.swap(i, j);
  std::swap(labels_[i], labels_[j]);
  std::swap(linear_[i], linear_[j]);
  std::swap(alpha_[i], alpha_[j]);
  std::swap(gradient_[i], gradient_[j]);
  std::swap(bounded_[i], bounded_[j]);
  std::swap(diagonal_[i], diagonal_[j]);
  std::swap(moves_[i], moves_[j]);
  std::swap(original_[i], original_[j]);
}

// Takes all variables up again: f of the shrunk ones is what the bounded variables give, which is
// kept, and what the free ones give.
void Solver::reconstruct_gradient() {
  if (active_ == size_) return;
  const std::size_t active = std::exchange(active_, size_);
  std::vector<std::size_t> free_variables;
  for (std::size_t t = active; t < size_; ++t) gradient_[t] = bounded_[t] + linear_[t];
  for (std::size_t t = 0; t < active; ++t) {
    if (is_free(t)) free_variables.push_back(t);
  }
  if (2 * free_variables.size() < active) {
    messages_.print("\nWARNING: using -h 0 may be faster\n");
  }
  // Rows of the shrunk variables over the active set, or rows of the free ones over all, whichever
  // are fewer values.  The order of the additions is the same.
  if (free_variables.size() * size_ > 2 * active * (size_ - active)) {
    for (std::size_t t = active; t < size_; ++t) {
      const float* row = kernel_.row(t, active);
      for (const std::size_t s : free_variables) gradient_[t] += labels_[s] * alpha_[s] * row[s];
    }
  } else {
    for (const std::size_t s : free_variables) {
      const float* row = kernel_.row(s, size_);
      const double factor = labels_[s] * alpha_[s];
      for (std::size_t t = active; t < size_; ++t) gradient_[t] += factor * row[t];
    }
  }
}

double Solver::signed_gradient(std::size_t t) const {
  return gradient_[t] == 0 ? std::copysign(0.0, labels_[t]) : gradient_[t];
}

// Mean of f over the free variables of the group, else the middle of what the bounds allow.
double Solver::group_threshold(int group_number) const {
  double above = std::numeric_limits<double>::infinity();
  double below = -above;
  double sum = 0;
  std::size_t free_count = 0;
  for (std::size_t t = 0; t < active_; ++t) {
    if (group(t) != group_number) continue;
    const double f = signed_gradient(t);
    if (is_free(t)) {
      ++free_count;
      sum += f;
    } else if (in_up(t)) {
      above = above < f ? above : f;
    } else {
      below = below > f ? below : f;
    }
  }
  return free_count > 0 ? sum / static_cast<double>(free_count) : (above + below) / 2;
}

Solution Solver::result(long long iterations) {
  Solution solution;
  const double first = group_threshold(0);
  if (two_groups_) {
    const double second = -group_threshold(1);
    solution.margin = (first + second) / 2;
    solution.rho = (first - second) / 2;
  } else {
    solution.margin = 0;
    solution.rho = first;
  }
  double twice_objective = 0;
  for (std::size_t t = 0; t < size_; ++t) {
    twice_objective += alpha_[t] * (labels_[t] * gradient_[t] + labels_[t] * linear_[t]);
  }
  solution.objective = twice_objective / 2;
  solution.alpha.resize(size_);
  for (std::size_t t = 0; t < size_; ++t) solution.alpha[original_[t]] = alpha_[t];
  solution.iterations = iterations;
  messages_.print(format("\noptimization finished, #iter = %lld\n", iterations));
  return solution;
}

}  // namespace svm
