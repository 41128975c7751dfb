#include "solvers/two_level/two_level.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/platform/index_range.h"
#include "solvers/smo/resolution.h"

namespace svm {
namespace {

// A working set has one in kSetPart variables, within these bounds.
constexpr std::size_t kSetPart = 64, kLeastSet = 1024, kMostSet = 8192;
constexpr std::size_t kLeastVariables = 4096;
// Works are in the unit of RowEngine::value_work().  One level with cached rows is faster if a
// kernel value is more work than kMuchWork and the cache has room for a quarter of all rows.
constexpr double kMuchWork = 150;
// It is faster, too, for up to kFewVariables variables of a nearly diagonal kernel whose values
// are no more work than kLittleWork.
constexpr std::size_t kFewVariables = 40000;
constexpr double kLittleWork = 35;
// If there are more than kMostSet, one in kFreeShare members of the sets so far must be free.
constexpr std::size_t kFreeShare = 4;
// An inner problem is solved to this part of the violation, and in the last stage to this part of
// the tolerance.
constexpr double kInnerPart = 0.1, kLastPart = 0.9;
constexpr int kOuterShrinkInterval = 4;  // outer steps
// Shrinking leaves out bounded variables that are further than this part of the way from the middle
// to the worst violation.  That is aggressive, so all return at every kUnshrinkInterval-th time.
constexpr double kKeptDistance = 0.6;
constexpr int kUnshrinkInterval = 4;
// The violation must fall to this part of its least value so far, within kPatientPasses passes over
// the variables and kExtraPatience outer steps more.  On real data it may stay for 35 of 43 outer
// steps (docs/notes/csmo.md).
constexpr double kNoticeable = 0.7;
constexpr int kPatientPasses = 3, kExtraPatience = 16;
// One level is cheaper if a window of kWindow outer steps has fewer inner steps than this on
// average.
constexpr long long kLeastInnerSteps = 8;
constexpr int kWindow = 8;

}  // namespace

bool OuterProgress::still_pays(double violation, long long iterations) {
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
  if (kernel.value_work() > kMuchWork && 2 * kernel.most_kept() > variables) return 0;
  const std::size_t most = std::min(kMostSet, kernel.most_kept());
  return std::max(std::min(variables / kSetPart, most), kLeastSet);
}

TwoLevelSolver::TwoLevelSolver(DualProblem&& problem, double epsilon, bool shrinking,
                               Monitor& monitor, std::size_t set_size)
    : kernel_(problem.kernel),
      state_(std::move(problem)),
      epsilon_(epsilon),
      shrinking_(shrinking),
      monitor_(monitor),
      active_(index_range<std::uint32_t>(0, state_.size())),
      gradient_(kernel_, monitor_.pool()),
      working_sets_(set_size, std::max(set_size, std::min(kMostSet, kernel_.most_kept()))),
      term_sizes_(kernel_, state_.alpha),
      progress_(kExtraPatience + kPatientPasses * static_cast<int>(state_.size() / set_size)) {}

Solution TwoLevelSolver::solve() {
  monitor_.observe(kernel_);
  if (start()) {
    state_.objective = state_.compute_objective();
    iterate();
  }
  if (!monitor_.interrupted() && (is_all_active() || unshrink())) find_violation();
  // Continues with all variables in one set.
  if (needs_one_level_ && !monitor_.stopped()) {
    kernel_.free_part_memory();
    if (starts_at_zero_ && monitor_.record().outer_steps == 1) go_back_to_zero();
    Solution solution =
        ConjugateSolver({kernel_, std::move(state_)}, epsilon_, shrinking_, monitor_).solve();
    solution.history.add(rounding_history_);
    return solution;
  }
  return result();
}

// Computes f at the start point unless it is given.  False if the run was interrupted.
bool TwoLevelSolver::start() {
  state_.reached_upper = state_.reached_upper || state_.has_upper();
  const std::vector<Term> terms = state_.terms();
  starts_at_zero_ = terms.empty();
  if (!state_.f.empty()) return true;
  state_.f = state_.linear;
  return add_to_f(terms);
}

// Updates f after a change of b.  False if the run was interrupted.
bool TwoLevelSolver::add_to_f(const std::vector<Term>& change) {
  for (const Term& term : change) {
    rounding_history_.note(state_.alpha[term.variable], kernel_.diagonal(term.variable));
  }
  ++rounding_history_.steps;
  return gradient_.add(change, state_.f);
}

void TwoLevelSolver::iterate() {
  for (int until_shrinking = kOuterShrinkInterval;;) {
    if (!find_violation()) {
      if (is_all_active() || !unshrink()) return;
      continue;
    }
    if (!monitor_.go_on(state_.objective, violation_, active_.size())) return;
    if (shrinking_ && --until_shrinking == 0) {
      until_shrinking = kOuterShrinkInterval;
      shrink();
      if (!find_violation()) continue;
    }
    const WorkingSet set =
        working_sets_.choose(state_, active_, bands_, attainable_, monitor_.pool());
    needs_one_level_ =
        one_level_is_cheaper() || !progress_.still_pays(violation_, monitor_.iterations());
    if (needs_one_level_) return;
    monitor_.messages().print(".");
    monitor_.count_iteration();
    ++monitor_.record().outer_steps;
    if (!solve_working_set(set)) return;
  }
}

// Finds the violation over the active variables.  False if it is below that at which solvers stop,
// attainable_violation().
bool TwoLevelSolver::find_violation() {
  bands_ = find_bands(state_, active_, monitor_.pool());
  violation_ = bands_.violation();
  rounding_history_.most_difference = std::max(rounding_history_.most_difference, violation_);
  attainable_ = term_sizes_.attainable_violation(epsilon_);
  return violation_ >= attainable_;
}

// True if the kernel is nearly diagonal, so that most variables become support vectors, and cheap.
// One level then computes each row once.  If most variables go to their bounds instead, a set soon
// holds all that are free.
bool TwoLevelSolver::one_level_is_cheaper() const {
  const auto steps = static_cast<std::size_t>(monitor_.record().outer_steps);
  return monitor_.record().idle_trials > 0 && state_.size() <= kFewVariables &&
         kernel_.value_work() <= kLittleWork &&
         (state_.size() <= kMostSet || kFreeShare * bands_.free_count() > kLeastSet * steps);
}

// The first set of a nearly diagonal kernel makes variables large that share their part with all
// others later: from there, one level takes more steps than from 0 if the classes are unequal.
void TwoLevelSolver::go_back_to_zero() {
  std::fill(state_.alpha.begin(), state_.alpha.end(), 0.0);
  state_.f = state_.linear;
  rounding_history_ = {};
}

bool TwoLevelSolver::unshrink() {
  if (!gradient_.activate_all(state_.f)) return false;
  active_ = index_range<std::uint32_t>(0, state_.size());
  monitor_.messages().print("*");
  return true;
}

// Shrinks the active set to the variables that are hardly settled, or not.
void TwoLevelSolver::shrink() {
  if (!is_all_active() && ++shrinkings_ % kUnshrinkInterval == 0) {
    if (!unshrink() || !find_violation()) return;
  }
  Extremes limits[kGroups] = {bands_.of[0], bands_.of[1]};
  for (int g = 0; g < kGroups; ++g) {
    if (!(violation(limits[g]) > 0)) continue;
    const double middle = bands_.middle[g];
    limits[g].lowest = middle + kKeptDistance * (limits[g].lowest - middle);
    limits[g].highest = middle + kKeptDistance * (limits[g].highest - middle);
  }
  VariableList kept;
  for (const std::uint32_t t : active_) {
    if (!is_settled(state_.index_sets(t), state_.f[t], limits[state_.group(t)])) kept.push_back(t);
  }
  gradient_.keep(kept);
  active_ = std::move(kept);
}

// Runs conjugate SMO on the set with all other variables fixed, then updates the gradient.  The
// inner solver's iterations are added to those of monitor_, which they may stop.  False if the run
// is over.
bool TwoLevelSolver::solve_working_set(const WorkingSet& set) {
  const std::vector<std::size_t> variables(set.members.begin(), set.members.end());
  const double tolerance = set.is_last_stage
                               ? kLastPart * attainable_
                               : std::max(kLastPart * attainable_, kInnerPart * violation_);
  const std::vector<double> alpha = state_.alpha;
  const PartStep step =
      improve_part(state_, variables, kernel_, variables, {tolerance, shrinking_}, monitor_);
  if (monitor_.interrupted()) return false;
  for (const auto& [t, change] : step.change) term_sizes_.change(t, alpha[t], state_.alpha[t]);
  return add_to_f(step.change) && !monitor_.at_cap();
}

// If the run was interrupted, the solution has no f.
Solution TwoLevelSolver::result() {
  monitor_.release();
  const Ends ends = state_.ends(active_.data(), active_.size());
  if (monitor_.interrupted()) {
    state_.f.clear();
  } else {
    state_.objective = state_.compute_objective();
  }
  if (!std::isfinite(state_.objective) && !monitor_.stopped()) monitor_.stop(SVM_IMPRECISE);
  Solution solution(std::move(state_));
  solution.set_thresholds(ends);
  solution.violation = violation_;
  solution.history = rounding_history_;
  return solution;
}

}  // namespace svm
