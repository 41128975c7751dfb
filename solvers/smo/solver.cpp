#include "solvers/smo/solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/smo/pair_step.h"
#include "solvers/smo/resolution.h"
#include "solvers/smo/threshold.h"

namespace svm {
namespace {

constexpr std::size_t kShrinkInterval = 1000;  // iterations between shrinkings, at most
constexpr std::size_t kSwapsPerPoll = 1024;
constexpr double kUnshrinkFactor = 10;  // unshrink at a violation of this many epsilon

}  // namespace

Solver::Solver(DualProblem problem, double epsilon, bool shrinking, Monitor& monitor)
    : kernel_(problem.kernel),
      size_(problem.alpha.size()),
      active_(size_),
      labels_(std::move(problem.labels)),
      linear_(std::move(problem.linear)),
      alpha_(std::move(problem.alpha)),
      gradient_(size_),
      diagonal_(size_),
      index_sets_(size_),
      original_(size_),
      upper_(std::move(problem.upper)),
      two_groups_(problem.one_constraint_per_label),
      monitor_(monitor),
      epsilon_(epsilon),
      start_sums_(std::move(problem.kernel_sums)),
      passes_(monitor.pool()),
      log_(size_),
      shrinking_(shrinking),
      tolerance_(epsilon) {
  if (problem.exact_start) exact_start_ = alpha_;
  for (int g = 0; two_groups_ && g < kGroups; ++g) group_index_sets_[g].resize(size_);
  for (std::size_t t = 0; t < size_; ++t) {
    linear_[t] *= labels_[t];
    diagonal_[t] = kernel_.diagonal(t);
    one_diagonal_ = one_diagonal_ && diagonal_[t] == diagonal_[0];
    original_[t] = t;
    update_index_sets(t);
  }
}

Solution Solver::solve() {
  monitor_.observe(kernel_);
  if (compute_gradient()) iterate();
  // A run that was interrupted is to end at once, with what is known of the active variables.
  if (monitor_.stopped() && !monitor_.interrupted() && active_ < size_) {
    reconstruct_gradient();
    monitor_.messages().print("*");
  }
  return result();
}

void Solver::iterate() {
  const Messages& messages = monitor_.messages();
  const std::size_t interval = std::min(size_, kShrinkInterval);
  std::size_t until_shrinking = interval + 1;
  Pair pair = {kNone, kNone};
  while (may_go_on(pair)) {
    if (--until_shrinking == 0) {
      until_shrinking = interval;
      if (shrinking_) shrink();
      messages.print(".");
      adapt_tolerance();
    }
    if (!find_pair(pair)) {
      if (!reconstruct_gradient()) break;
      messages.print("*");
      if (!find_pair(pair) && !(adapt_tolerance() && find_pair(pair))) break;
      until_shrinking = 1;  // shrink again in the next iteration
    }
    monitor_.count_iteration();
    step(pair);
  }
}

bool Solver::find_pair(Pair& pair) {
  before_selection();
  return select_working_set(pair);
}

// Everything but convergence that ends a run.
bool Solver::may_go_on(const Pair& pair) {
  if (pair.i == kNone && monitor_.services().progress) find_violation();  // to be shown
  if (!monitor_.go_on(objective_, violation_, active_)) return false;
  if (pair.i == kNone) return true;
  // A pair in either order: its step leaves it without violation, but for rounding.
  const bool same = (pair.i == last_pair_.i && pair.j == last_pair_.j) ||
                    (pair.i == last_pair_.j && pair.j == last_pair_.i);
  if (!same) {
    last_pair_ = pair;
    repetitions_ = 0;
    stall_alpha_ = alpha_[pair.i];
  } else if (++repetitions_ >= kStallRepetitions) {
    // Rounding can also make a pair creep to its bound in equal steps: that is progress.
    const double way = std::fabs(alpha_[last_pair_.i] - stall_alpha_);
    const double step = std::fabs(alpha_[last_pair_.i] - last_alpha_);
    if (way <= 2 * step) monitor_.stop(Status::kStalled);
    repetitions_ = 0;
    stall_alpha_ = alpha_[last_pair_.i];
  }
  last_alpha_ = alpha_[last_pair_.i];
  return !monitor_.stopped();
}

// To what the kernel values resolve at this point.  True where it is smaller now.
bool Solver::adapt_tolerance() {
  if (follows_libsvm()) return false;
  std::vector<double> weights = alpha_;
  for (std::size_t t = 0; t < exact_start_.size(); ++t) weights[t] -= exact_start_[original_[t]];
  const double before =
      std::exchange(tolerance_, attainable_violation(epsilon_, resolution(kernel_, weights)));
  return tolerance_ < before;
}

bool Solver::find_violation() {
  find_extremes();
  violation_ = std::max(violation(extremes_[0]), violation(extremes_[1]));
  rounding_history_.most_difference = std::max(rounding_history_.most_difference, violation_);
  return !(violation_ < tolerance_);
}

bool Solver::select_second_order(Pair& pair, const double* q, double delta) {
  if (!find_violation()) return false;
  Partner best;
  std::size_t first = kNone;
  for (int g = 0; g < groups(); ++g) {
    const std::size_t i = extremes_[g].lowest_at;
    if (i == kNone) continue;
    PartnerSearch search;
    search.f = gradient_.data();
    search.index_sets = group_index_sets(g);
    search.row = kernel_.row(i);
    search.diagonal = one_diagonal_ ? nullptr : diagonal_.data();
    search.row_diagonal = diagonal_[i];
    search.lowest = extremes_[g].lowest;
    search.least_curvature = kTau;
    if (q != nullptr) {
      search.q = q;
      search.q_i = q[i];
      search.inverse = 1 / delta;
    }
    search.likely = extremes_[g].highest_at;
    const Partner partner = passes_.find_partner(search, active_);
    if (partner.at == kNowhere || partner.gain < best.gain) continue;
    if (partner.gain == best.gain && best.at != kNowhere && partner.at < best.at) continue;
    best = partner;
    first = i;
  }
  if (best.at == kNowhere) return false;
  pair = {first, best.at};
  return true;
}

bool Solver::select_working_set(Pair& pair) { return select_second_order(pair); }

void Solver::step(const Pair& pair) {
  const auto [i, j] = pair;
  const KernelRow row_i = kernel_.row(i);
  const KernelRow row_j = kernel_.row(j);
  const double curvature = row_i.visit([&, i = i, j = j](const auto* row) {
    return pair_curvature(diagonal_[i], diagonal_[j], row[j]);
  });
  const double violation = gradient_[j] - gradient_[i];
  const double length = violation / curvature;
  const PairValues alpha =
      pair_step({alpha_[i], alpha_[j]}, labels_[i], labels_[j], length, upper(i), upper(j));
  const double change_i = labels_[i] * (alpha.i - alpha_[i]);
  const double change_j = labels_[j] * (alpha.j - alpha_[j]);
  objective_ -= step_gain(change_i, violation, curvature);
  set_alpha(i, alpha.i);
  set_alpha(j, alpha.j);
  add_pair(row_i, row_j, change_i, change_j);
}

void Solver::set_alpha(std::size_t t, double alpha) {
  const bool was_at_upper = at_upper(t);
  rounding_history_.note(alpha, diagonal_[t]);
  alpha_[t] = alpha;
  update_index_sets(t);
  if (at_upper(t) != was_at_upper) {
    log_bound(t, was_at_upper ? -1 : +1);
  }
}

void Solver::update_index_sets(std::size_t t) {
  const bool positive = labels_[t] > 0;
  if (alpha_[t] >= upper(t)) {
    met_upper_ = true;
    index_sets_[t] = positive ? kInLow : kInUp;
  } else if (alpha_[t] <= 0) {
    index_sets_[t] = positive ? kInUp : kInLow;
  } else {
    index_sets_[t] = kInUp | kInLow;
  }
  if (two_groups_) group_index_sets_[group(t)][t] = index_sets_[t];
}

// A variable at a bound is left out while even the most violating partner would push it back.
bool Solver::is_shrinkable(std::size_t t, const Extremes (&extremes)[kGroups]) const {
  if (is_free(t)) return false;
  const Extremes& e = extremes[group(t)];
  return in_up(t) ? gradient_[t] > e.highest : gradient_[t] < e.lowest;
}

void Solver::shrink() {
  find_extremes();
  const Extremes extremes[kGroups] = {extremes_[0], extremes_[1]};  // before variables come back
  if (!unshrunk_ &&
      std::max(violation(extremes[0]), violation(extremes[1])) <= epsilon_ * kUnshrinkFactor) {
    unshrunk_ = true;
    if (!reconstruct_gradient()) return;
    if (!two_groups_) monitor_.messages().print("*");
  }
  std::size_t swaps = 0;  // which may take long, by all the rows that are cached
  for (std::size_t t = 0; t < active_; ++t) {
    if (!is_shrinkable(t, extremes)) continue;
    if (++swaps % kSwapsPerPoll == 0 && !monitor_.poll()) break;
    for (--active_; active_ > t; --active_) {
      if (is_shrinkable(active_, extremes)) continue;
      swap_variables(t, active_);
      break;
    }
  }
  kernel_.set_in_play(active_);
  extremes_are_known_ = false;
  active_set_shrank();
}

void Solver::swap_variables(std::size_t i, std::size_t j) {
  kernel_.swap(i, j);
  std::swap(labels_[i], labels_[j]);
  std::swap(linear_[i], linear_[j]);
  std::swap(alpha_[i], alpha_[j]);
  upper_.swap(i, j);
  std::swap(gradient_[i], gradient_[j]);
  log_.swap(i, j);
  std::swap(diagonal_[i], diagonal_[j]);
  std::swap(index_sets_[i], index_sets_[j]);
  std::swap(original_[i], original_[j]);
  for (std::vector<std::uint8_t>& index_sets : group_index_sets_) {
    if (two_groups_) std::swap(index_sets[i], index_sets[j]);
  }
}

double Solver::signed_gradient(std::size_t t) const {
  return gradient_[t] == 0 ? std::copysign(0.0, labels_[t]) : gradient_[t];
}

double Solver::group_threshold(int group_number) const {
  Threshold threshold;
  for (std::size_t t = 0; t < active_; ++t) {
    if (group(t) != group_number) continue;
    threshold.add(signed_gradient(t), in_up(t), (index_sets_[t] & kInLow) != 0);
  }
  return follows_libsvm() ? threshold.value() : threshold.finite_value();
}

Solution Solver::result() {
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
  solution.violation = violation_;
  rounding_history_.steps = monitor_.iterations();
  if (!follows_libsvm()) solution.drift = drift(kernel_, alpha_, rounding_history_);
  // Values beyond a float's range are infinite; what comes of them may look optimal.
  if (!std::isfinite(twice_objective) && !monitor_.stopped()) monitor_.stop(Status::kImprecise);
  solution.objective = monitor_.interrupted() ? objective_ : twice_objective / 2;
  solution.met_upper = met_upper_;
  solution.alpha.resize(size_);
  for (std::size_t t = 0; t < size_; ++t) solution.alpha[original_[t]] = alpha_[t];
  if (!monitor_.interrupted()) {  // else not all are known
    solution.kernel_sums.resize(size_);
    for (std::size_t t = 0; t < size_; ++t) {
      solution.kernel_sums[original_[t]] = gradient_[t] - linear_[t];
    }
  }
  monitor_.release();
  return solution;
}

}  // namespace svm
