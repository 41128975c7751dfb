#include "solvers/smo/csmo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace svm {
namespace {

// The kernel is nearly diagonal if the delta of kTrial conjugate steps is on average less than v'Qv
// by less than the part kLittleGain of it.  If that is less than kLeastGain, kRest plain steps
// follow.  Doubles are for ends that are hard.
constexpr double kLittleGain = 0.03, kLeastGain = 0.005;
constexpr int kTrial = 32, kRest = 1000;
// A member of the direction costs as much as some ten variables of the passes.  A direction with
// more members than this begins anew, which takes hardly more steps.
constexpr std::size_t kFewMembers = 12, kVariablesForMember = 32;
// A step of less than the part kHalfUnit of its variables moves f but not them.  It may let another
// pair come next, but a phase may also take f back, and the same step follows for ever.
constexpr double kHalfUnit = 0x1p-53;
constexpr int kMostLostSteps = 2;

}  // namespace

ConjugateSolver::ConjugateSolver(DualProblem&& problem, double epsilon, bool shrinking,
                                 Monitor& monitor)
    : FusedSolver(std::move(problem), epsilon, shrinking, monitor),
      is_published_(monitor.is_published()),
      d_(size_),
      q_(size_) {
  if (monitor_.options().free_set != 0 && !is_published_) phases_.emplace(kernel_, monitor_);
}

// Runs a phase over the free variables if one pays: not if the kernel is nearly diagonal, as plain
// steps then settle one variable after the other.
void ConjugateSolver::accelerate() {
  if (!phases_ || rest_ > 0 || !phases_->is_due()) return;
  const std::optional<std::vector<Term>> change = phases_->run({state_, active_, diagonal_});
  if (!change || !go_along(*change)) return;
  ++monitor_.record().phases;
  d_.reset();
}

// Without the box, the gain of the conjugate step for (i, j) is violation^2 / (2 delta), where the
// delta of the new direction follows from q (eq. (23)).  The paper selects j as SMO does.
bool ConjugateSolver::select(Pair& pair) {
  if (lost_steps_ == kMostLostSteps) return false;
  if (is_published_ && monitor_.options().first_order != 0) return select_first_order(pair);
  if (is_published_ || d_.empty()) return select_second_order(pair);
  return select_second_order(pair, q_.data(), delta_);
}

// One iteration of the paper's Algorithm 2, after the selection of the pair: b <- b + lambda d and
// f <- f + lambda q, with q <- Q(e_i - e_j) + gamma q, which is not stored if the direction ends.
// A plain step that begins no direction is exactly SMO's.
void ConjugateSolver::step(const Pair& pair) {
  if (rest_ > 0) {
    Solver::step(pair);
    if (phases_) phases_->count_iteration(active_);
    --rest_;
    return;
  }
  const auto [i, j] = pair;
  const KernelRow row_i = kernel_.row(i);
  const KernelRow row_j = kernel_.row(j);
  const PairSlope slope = {state_.f[j] - state_.f[i],
                           positive_curvature(diagonal_[i] + diagonal_[j] - 2.0 * row_i[j])};
  ConjugateStep next = next_step(pair, slope);
  d_ = std::move(next.d);
  const bool is_long = d_.members().size() > kFewMembers + active_ / kVariablesForMember;
  const bool ends = next.clipped || (is_long && !is_published_);
  if (ends && !next.is_conjugate) {
    Solver::step(pair);
  } else {
    for (const auto& [t, weight] : d_.members()) move(t, next.lambda * weight);
    if (next.clipped) put_on_bound(next.limiting);
    add_conjugate(row_i, row_j, next.gamma, next.lambda, q_.data(), !ends);
    state_.objective -= next.gain;
    delta_ = next.delta;
  }
  if (ends) d_.reset();  // after a clipped step, a plain one follows (section 3.1)
  after_step(next, pair, slope);
}

// The conjugate step, or SMO's if there is no direction yet or the conjugate step gains no more.
ConjugateStep ConjugateSolver::next_step(const Pair& pair, const PairSlope& slope) {
  if (d_.empty()) return plain_step(std::move(d_), pair, slope, state_);
  const ConjugateCurvature old = {delta_, q_[pair.i], q_[pair.j]};
  ConjugateStep step = conjugate_step(std::move(d_), pair, slope, old, state_);
  const bool plain_is_better =
      step.clipped && !is_published_ && step.gain <= plain_gain(pair, slope, state_);
  if (step.is_usable && !plain_is_better) return step;
  return plain_step(std::move(step.d), pair, slope, state_);
}

// Counts the step, notes whether rounding loses a step of this pair, and decides on a rest by how
// much less than v'Qv the deltas were.
void ConjugateSolver::after_step(const ConjugateStep& step, const Pair& pair,
                                 const PairSlope& slope) {
  if (phases_) phases_->count_iteration(active_);
  const double size = kHalfUnit * std::min(state_.alpha[pair.i], state_.alpha[pair.j]);
  lost_steps_ = slope.violation > size * slope.curvature ? 0 : lost_steps_ + 1;
  if (!step.is_conjugate) return;
  ++monitor_.record().conjugate_steps;
  if (step.clipped) ++monitor_.record().clipped_steps;
  if (kernel_.in_doubles() || is_published_) return;
  trial_gain_ += 1 - step.delta / slope.curvature;
  if (++trial_ < kTrial) return;
  if (trial_gain_ < kLittleGain * kTrial) ++monitor_.record().idle_trials;
  if (trial_gain_ < kLeastGain * kTrial) {
    rest_ = kRest;
    d_.reset();
  }
  trial_ = 0;
  trial_gain_ = 0;
}

// Takes the best step along the change of a phase, within the box.  The change itself is not
// optimal: its factor is rounded, and the ridge shortens steps along which there is little
// curvature.  False, without a step, if the objective does not fall.
bool ConjugateSolver::go_along(const std::vector<Term>& change) {
  const auto along = [&](const std::vector<double>& values) {
    double sum = 0;
    for (const Term& term : change) sum += term.change * values[term.variable];
    return sum;
  };
  const double slope = along(state_.f);
  if (!(slope < 0)) return false;
  // Not added to f term by term, where small changes would be lost.
  std::vector<double> image;
  if (!find_image(change, image)) return false;
  const double curvature = along(image);
  double lambda = curvature > 0 ? -slope / curvature : std::numeric_limits<double>::infinity();
  for (const Term& term : change) {
    const double room = state_.room(term.variable, term.change);
    lambda = std::min(lambda, room / std::fabs(term.change));
  }
  if (!std::isfinite(lambda)) return false;
  add_image(image, lambda);
  for (const Term& term : change) move(term.variable, lambda * term.change);
  state_.objective += lambda * (slope + 0.5 * lambda * curvature);
  return true;
}

// Adds `change` to y_t a_t.
void ConjugateSolver::move(std::size_t t, double change) {
  const double upper = state_.upper_bound(t);
  const double alpha = moved_within_box(state_.alpha[t], state_.labels[t] * change, upper);
  if (state_.is_free(t) && 0 < alpha && alpha < upper) {
    set_free_alpha(t, alpha);
  } else {
    set_alpha(t, alpha);
  }
}

// Puts the variable of this member on the bound that it has reached up to rounding.
void ConjugateSolver::put_on_bound(const ConjugateDirection::Member& member) {
  const bool rises = state_.labels[member.variable] * member.weight > 0;
  set_alpha(member.variable, rises ? state_.upper_bound(member.variable) : 0);
}

void ConjugateSolver::swap_variables(std::size_t i, std::size_t j) {
  Solver::swap_variables(i, j);
  std::swap(q_[i], q_[j]);
  d_.swap_variables(i, j);
}

// q and delta stay valid if all members of the direction are still in play.
void ConjugateSolver::active_set_shrank() {
  FusedSolver::active_set_shrank();
  const auto out_of_play = [this](const ConjugateDirection::Member& member) {
    return member.variable >= active_;
  };
  if (std::any_of(d_.members().begin(), d_.members().end(), out_of_play)) d_.reset();
}

// q is not known for the variables that return.
void ConjugateSolver::active_set_grew() {
  FusedSolver::active_set_grew();
  d_.reset();
  lost_steps_ = 0;
}

PartStep improve_part(DualState& state, const std::vector<std::size_t>& variables,
                      const KernelMatrix& kernel, const std::vector<std::size_t>& rows,
                      const PartSettings& settings, Monitor& whole) {
  const std::unique_ptr<KernelMatrix> matrix = kernel.part(rows);
  if (settings.in_doubles) matrix->use_doubles();
  DualState part = state.part(variables);
  part.f_is_exact = settings.f_is_exact;
  PartStep step;
  const long long before = whole.iterations();
  {
    Monitor monitor(Monitor::PartOf{whole, settings.most_iterations});
    ConjugateSolver solver({*matrix, std::move(part)}, settings.tolerance, settings.shrinking,
                           monitor);
    if (settings.f_is_exact && !settings.in_doubles) solver.begin_near_solution();
    step.solution = solver.solve();
  }
  step.iterations = whole.iterations() - before;
  if (whole.interrupted()) return step;
  step.change = state.take_over(variables, step.solution);
  state.objective = step.solution.objective;
  return step;
}

}  // namespace svm
