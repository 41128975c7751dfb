#include "solvers/two_level/two_level.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "solvers/smo/part_problem.h"
#include "solvers/smo/resolution.h"
#include "solvers/smo/threshold.h"

namespace svm {
namespace {

// Variables of a working set: this part of all of them, between these bounds.
constexpr std::size_t kSetPart = 64, kLeastSet = 1024, kMostSet = 8192;
constexpr std::size_t kLeastVariables = 4096;
// Where a value costs more nanoseconds, rows had better be kept, if there is room for this part of
// all.
constexpr double kDearValue = 2.5, kKeptPart = 0.25;
// An inner problem is solved to this part of the violation, the last ones to this part of the
// tolerance.
constexpr double kInnerPart = 0.1, kLastPart = 0.9;
constexpr int kOuterShrinkInterval = 4;      // outer steps
constexpr double kOuterUnshrinkFactor = 10;  // all are taken up again at so many tolerances
constexpr int kMostLastStages = 12;
// More free variables than this many of the largest sets depend on each other too much for parts of
// them to be solved in turn.
constexpr double kMostFreeSets = 3;
// The violation must fall to this part of its least value so far, within so many passes over the
// variables by working sets and some outer steps more.  On real data it may stay where it is for
// 35 of 43 outer steps (docs/notes/csmo.md).
constexpr double kNoticeable = 0.7;
constexpr int kPatientPasses = 3, kExtraPatience = 16;
// If a window of outer steps has fewer inner steps than this on average, one level is cheaper.
constexpr long long kLeastInnerSteps = 8;
constexpr int kWindow = 8;

}  // namespace

bool OuterProgress::goes_on(double violation, long long iterations) {
  const long long taken = iterations - last_iterations_;  // one of them is the outer step
  const bool is_first = last_iterations_ < 0;
  last_iterations_ = iterations;
  if (is_first) window_start_ = iterations;
  if (!is_first && taken < 2) return false;
  if (!is_first && ++window_steps_ == kWindow) {
    if (iterations - window_start_ < kWindow * (1 + kLeastInnerSteps)) return false;
    window_steps_ = 0;
    window_start_ = iterations;
  }
  if (violation <= kNoticeable * least_violation_) {
    least_violation_ = violation;
    idle_steps_ = 0;
  }
  return ++idle_steps_ <= patience_;
}

std::size_t TwoLevelSolver::set_size(const DualProblem& problem) {
  const KernelMatrix& kernel = problem.kernel;
  const std::size_t variables = problem.alpha.size();
  if (variables < kLeastVariables || !kernel.is_symmetric()) return 0;
  const auto kept = static_cast<double>(kernel.most_kept()), all = static_cast<double>(variables);
  if (kernel.value_cost() > kDearValue && kept * kept > kKeptPart * all * all) return 0;
  const std::size_t most = std::min(kMostSet, kernel.most_kept());
  return std::max(std::min(variables / kSetPart, most), kLeastSet);
}

TwoLevelSolver::TwoLevelSolver(DualProblem problem, double epsilon, bool shrinking,
                               Monitor& monitor, ConjugateUse use, std::size_t set_size)
    : kernel_(problem.kernel),
      labels_(std::move(problem.labels)),
      linear_(std::move(problem.linear)),
      alpha_(std::move(problem.alpha)),
      start_sums_(std::move(problem.kernel_sums)),
      upper_(std::move(problem.upper)),
      two_groups_(problem.one_constraint_per_label),
      epsilon_(epsilon),
      shrinking_(shrinking),
      monitor_(monitor),
      use_(use),
      active_(alpha_.size()),
      sums_(kernel_),
      most_in_set_(std::max(set_size, std::min(kMostSet, kernel_.most_kept()))),
      working_sets_(set_size, most_in_set_),
      tolerance_(epsilon),
      progress_(kExtraPatience + kPatientPasses * static_cast<int>(alpha_.size() / set_size)) {
  for (std::size_t t = 0; t < alpha_.size(); ++t) linear_[t] *= labels_[t];
  std::iota(active_.begin(), active_.end(), 0U);
}

Solution TwoLevelSolver::solve() {
  monitor_.observe(kernel_);
  if (start()) {
    objective_ = objective();
    iterate();
  }
  if (!monitor_.interrupted() && (is_all_active() || take_up_all())) find_violation();
  if (needs_one_level_ && !monitor_.stopped()) return finish_on_one_level();
  return result();
}

// The sums at the start point.  False where the run was interrupted.
bool TwoLevelSolver::start() {
  const Box b = box();
  for (std::size_t t = 0; t < alpha_.size(); ++t) {
    met_upper_ = met_upper_ || alpha_[t] >= b.upper(t);
  }
  if (!start_sums_.empty()) {
    sums_.set(start_sums_);
    start_sums_ = {};
    return true;
  }
  std::vector<Term> terms;
  for (std::size_t t = 0; t < alpha_.size(); ++t) {
    if (alpha_[t] > 0) terms.push_back({t, labels_[t] * alpha_[t]});
  }
  return sums_.add(terms);
}

void TwoLevelSolver::iterate() {
  int last_stages = 0;
  for (int until_shrinking = kOuterShrinkInterval;;) {
    if (!find_violation()) {
      if (is_all_active() || !take_up_all()) return;
      continue;
    }
    if (!monitor_.go_on(objective_, violation_, active_.size())) return;
    if (shrinking_ && --until_shrinking == 0) {
      until_shrinking = kOuterShrinkInterval;
      shrink();
      if (!find_violation()) continue;
    }
    const WorkingSet set = working_sets_.choose(point_, bands_, tolerance_);
    if (set.is_last_stage) ++last_stages;
    needs_one_level_ = last_stages > kMostLastStages ||
                       !progress_.goes_on(violation_, monitor_.iterations()) ||
                       static_cast<double>(bands_.free_count()) >
                           kMostFreeSets * static_cast<double>(most_in_set_);
    if (needs_one_level_) return;
    monitor_.messages().print(".");
    monitor_.count_iteration();
    if (!solve_part(set)) return;
  }
}

// Of the active variables.  False where it is below what is wanted, or what the values resolve.
bool TwoLevelSolver::find_violation() {
  const Box b = box();
  const std::size_t count = active_.size();
  point_.f.resize(count);
  point_.sets.resize(count);
  point_.group.resize(two_groups_ ? count : 0);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t t = active_[k];
    point_.f[k] = f(t);
    point_.sets[k] = static_cast<std::uint8_t>((b.room_up(t) > 0 ? kInUp : 0) |
                                               (b.room_down(t) > 0 ? kInLow : 0));
    if (two_groups_) point_.group[k] = static_cast<std::uint8_t>(group(t));
  }
  bands_ = find_bands(point_);
  violation_ = bands_.violation();
  tolerance_ = attainable_violation(epsilon_, resolution(kernel_, alpha_));
  return violation_ >= tolerance_;
}

bool TwoLevelSolver::take_up_all() {
  if (!sums_.take_up_all()) return false;
  active_.resize(alpha_.size());
  std::iota(active_.begin(), active_.end(), 0U);
  monitor_.messages().print("*");
  return true;
}

// Leaves out variables at a bound which even the most violating partner would push back.
void TwoLevelSolver::shrink() {
  if (!unshrunk_ && violation_ <= kOuterUnshrinkFactor * epsilon_ && !is_all_active()) {
    unshrunk_ = true;
    take_up_all();
    return;
  }
  Variables kept;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const Band& band = bands_.of[point_.group_of(k)];
    const std::uint8_t sets = point_.sets[k];
    const bool is_settled = (sets == kInUp && point_.f[k] > band.highest) ||
                            (sets == kInLow && point_.f[k] < band.lowest);
    if (!is_settled) kept.push_back(active_[k]);
  }
  sums_.keep(kept);
  active_ = std::move(kept);
}

// Conjugate SMO on the set, all else fixed; then one update of the outer sums.  False where the run
// is over.
bool TwoLevelSolver::solve_part(const WorkingSet& set) {
  const std::size_t size = set.members.size();
  std::vector<std::size_t> variables;
  variables.reserve(size);
  for (const std::uint32_t k : set.members) variables.push_back(active_[k]);
  const std::unique_ptr<KernelMatrix> matrix = kernel_.part(variables);
  DualProblem part = part_problem(*matrix, box(), two_groups_, variables);
  std::vector<std::size_t> columns(size);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  std::vector<double> weights(size), part_f(size);
  for (std::size_t k = 0; k < size; ++k) {
    weights[k] = part.labels[k] * part.alpha[k];
    part_f[k] = f(variables[k]);
  }
  part.kernel_sums.assign(size, 0.0);
  double* const sums = part.kernel_sums.data();
  if (!matrix->add_sums(weights, columns, matrix->precision(), sums)) return false;
  const double tolerance = set.is_last_stage
                               ? kLastPart * tolerance_
                               : std::max(kLastPart * tolerance_, kInnerPart * violation_);
  const Solution solution =
      svm::solve_part(std::move(part), part_f, {objective_, violation_, active_.size()},
                      {tolerance, shrinking_, use_}, monitor_);
  monitor_.observe(kernel_);  // again, after the part
  if (monitor_.interrupted()) return false;
  const bool at_cap = monitor_.at_cap();
  if (!at_cap) monitor_.resume();
  std::vector<Term> change;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t t = variables[k];
    if (solution.alpha[k] == alpha_[t]) continue;
    change.push_back({t, labels_[t] * (solution.alpha[k] - alpha_[t])});
    alpha_[t] = solution.alpha[k];
  }
  objective_ += solution.objective;
  met_upper_ = met_upper_ || solution.met_upper;
  return sums_.add(change) && !at_cap;
}

double TwoLevelSolver::objective() const {
  double twice = 0;
  for (std::size_t t = 0; t < alpha_.size(); ++t) {
    twice += labels_[t] * alpha_[t] * (f(t) + linear_[t]);
  }
  return twice / 2;
}

// Where working sets do not get there: from here on, all variables are in one.
Solution TwoLevelSolver::finish_on_one_level() {
  DualProblem whole = {kernel_, {}, labels_, alpha_, upper_, two_groups_};
  for (std::size_t t = 0; t < alpha_.size(); ++t) {
    whole.linear.push_back(labels_[t] * linear_[t]);
    whole.kernel_sums.push_back(sums_.of(t));
  }
  Solution solution =
      ConjugateSolver(std::move(whole), epsilon_, shrinking_, monitor_, use_).solve();
  solution.met_upper = solution.met_upper || met_upper_;
  return solution;
}

Solution TwoLevelSolver::result() {
  monitor_.release();
  Solution solution;
  Threshold thresholds[kGroups];
  for (std::size_t k = 0; k < point_.size(); ++k) {
    const std::uint8_t sets = point_.sets[k];
    thresholds[point_.group_of(k)].add(point_.f[k], (sets & kInUp) != 0, (sets & kInLow) != 0);
  }
  const double first = thresholds[0].finite_value();
  const double second = two_groups_ ? -thresholds[1].finite_value() : -first;
  solution.margin = two_groups_ ? (first + second) / 2 : 0;
  solution.rho = (first - second) / 2;
  solution.violation = violation_;
  solution.objective = monitor_.interrupted() ? objective_ : objective();
  solution.met_upper = met_upper_;
  if (!std::isfinite(solution.objective) && !monitor_.stopped()) {
    monitor_.stop(Status::kImprecise);
  }
  if (!monitor_.interrupted()) {
    for (std::size_t t = 0; t < alpha_.size(); ++t) solution.kernel_sums.push_back(sums_.of(t));
  }
  solution.alpha = std::move(alpha_);
  return solution;
}

}  // namespace svm
