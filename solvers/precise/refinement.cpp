#include "solvers/precise/refinement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/platform/index_range.h"
#include "solvers/precise/interior_point.h"
#include "solvers/smo/csmo.h"
#include "solvers/smo/resolution.h"

namespace svm {
namespace {

// A part is solved to this part of the tolerance, as sums that are computed anew differ a little.
constexpr double kPartOfTolerance = 0.5;
// The part of the tolerance that a round may add to the error of f of the other variables.
constexpr double kChangePart = 0.05;
// A round is idle unless it reduces the violation to kProgress times the least one so far, or the
// objective by the part kGain of it.  If it reduces the violation less, the next ones use doubles.
constexpr double kProgress = 0.7, kGain = 1e-9;
constexpr int kMostIdleRounds = 3, kMostRounds = 200;
// The first round takes so many iterations at most, and as long as rounds make progress the next
// may take twice as many.  If f has errors as large as the tolerance, steps along which there is no
// curvature have no end.
constexpr long long kLeastCap = 10000, kCapForEach = 100;
// Rounds end if a change of the last digits of the variables changes f by so many times the
// violation.
constexpr double kHopeless = 1000;
constexpr double kObjectiveError = 1e-6;  // relative
// Sums of more digits than doubles have are computed for so many products of features at once, some
// tenths of a second.
constexpr double kMostExactProducts = 2e7;

}  // namespace

Refinement::Refinement(const DualProblem& problem, double epsilon, bool shrinking, Monitor& monitor)
    : kernel_(problem.kernel),
      epsilon_(epsilon),
      shrinking_(shrinking),
      monitor_(monitor),
      source_(problem.source),
      groups_(problem.two_groups ? kGroups : 1) {
  for (std::size_t t = 0; t < problem.size(); ++t) sums_[problem.group(t)] += problem.b(t);
}

void Refinement::improve(Solution& solution, Finish finish) {
  if (monitor_.interrupted() || monitor_.at_cap() || solution.alpha.empty()) return;
  state_ = std::move(solution);
  find_representatives();
  const TermSizes sizes = term_sizes();
  const double error = sizes.resolution(kernel_.precision()) + drift(sizes, state_.history);
  const bool is_unresolved = monitor_.stopped() || is_too_coarse(epsilon_, error);
  const bool is_met = !is_unresolved && (finish == Finish::kIfUnresolved || is_certain(sizes));
  // Unless is_certain() was asked, nobody has bounded the values that f is made of.
  const bool is_bounded = finish == Finish::kBySample;
  if (is_met && (!source_ || is_certain_in_doubles(sizes.size_of_sums(), !is_bounded))) {
    solution = std::move(state_);
    return;
  }
  const double objective = state_.objective;
  std::vector<double> alpha = state_.alpha;
  bool is_refined = !is_met && refine(finish, error, is_unresolved);
  if (is_refined) state_.violation = violation();
  if (source_ && !monitor_.interrupted() && !monitor_.at_cap() &&
      (is_met || monitor_.stopped() ||
       !is_certain_in_doubles(term_sizes().size_of_sums(), !is_refined && !is_bounded))) {
    is_refined = refine_beyond_doubles() || is_refined;
  }
  if (is_refined) {
    state_.set_thresholds(state_.ends());
    state_.violation = violation();
  } else if (monitor_.interrupted()) {
    state_.alpha = std::move(alpha);
    state_.objective = objective;
    state_.f.clear();
  }
  solution = std::move(state_);
}

// `error` is the estimated one of f.  False if the run was interrupted.
bool Refinement::refine(Finish finish, double error, bool is_unresolved) {
  monitor_.resume();
  if (state_.f.empty()) {
    discard_f();
  } else {
    set_error(error);
  }
  // The sums of the objective may show larger errors than those of the sample.
  if (!is_unresolved && finish == Finish::kBySample && sample_is_accurate() &&
      compute_objective() && violation() < epsilon_) {
    return true;
  }
  const bool is_solved = !monitor_.stopped() && state_.violation <= epsilon_ + error &&
                         compute_candidates_exactly() && violation() < epsilon_;
  const bool jumped = is_unresolved && !is_solved && try_interior_point();
  // If doubles do not resolve the tolerance either, further steps would only make the point worse.
  const bool stays = jumped && is_too_coarse(epsilon_, term_sizes().resolution(Precision::kDouble));
  const double known_objective = state_.objective;
  const bool done = stays ? compute_candidates_exactly() && violation() < epsilon_ : run_rounds();
  if (!done && !monitor_.stopped()) monitor_.stop(SVM_IMPRECISE);
  if (monitor_.interrupted() || !compute_exactly(threshold_candidates())) return false;
  if (!stays) return compute_objective();
  state_.objective = known_objective;
  return true;
}

// Computes the objective up to kObjectiveError, for which the f of some support vectors may have to
// be exact.  False if the run was interrupted.
bool Refinement::compute_objective() {
  for (;;) {
    const Variables variables = most_inexact_terms();
    if (variables.empty()) break;
    if (!compute_exactly(variables)) return false;
  }
  state_.objective = state_.compute_objective();
  return true;
}

// The variables whose errors of f count most in the objective, without which its error is at most
// kObjectiveError.  Errors are taken for independent.
Refinement::Variables Refinement::most_inexact_terms() const {
  const double most = 2 * kObjectiveError * std::fabs(state_.compute_objective());
  const auto share = [this](std::size_t t) { return std::fabs(state_.b(t)) * error_[t]; };
  Variables inexact;
  for (std::size_t t = 0; t < state_.size(); ++t) {
    if (state_.alpha[t] != 0 && error_[t] != 0) inexact.push_back(t);
  }
  std::sort(inexact.begin(), inexact.end(), [&](std::size_t s, std::size_t t) {
    return share(s) < share(t) || (share(s) == share(t) && s < t);
  });
  double squares = 0;
  const auto first = std::find_if(inexact.begin(), inexact.end(), [&](std::size_t t) {
    squares += std::pow(share(t), 2);
    return !(std::sqrt(squares) <= most);
  });
  inexact.erase(inexact.begin(), first);
  std::sort(inexact.begin(), inexact.end());
  return inexact;
}

// True if no error of kernel values can hide that the tolerance is not met.
bool Refinement::is_certain(const TermSizes& sizes) {
  const auto is_below = [this](double most) {
    return !is_too_coarse(epsilon_, most) && state_.violation + most <= epsilon_;
  };
  if (is_below(sizes.largest_rounding())) return true;
  const bool errors_follow_values =
      source_ && source_->kernel().type == RBF && kernel_.engine().has_relative_errors();
  const auto holds_at = [&](const Variables& columns) {
    return is_below(2 * kernel_.largest_error() * sum_of_values(sizes, columns));
  };
  if (!errors_follow_values || !kernel_.has_all_rows()) return false;
  Variables some;
  for (const std::size_t t : most_violating()) some.push_back(representative(t));
  return holds_at(some) && holds_at(index_range(0, kernel_.size()));
}

// True if the rounding of doubles cannot hide that the tolerance is not met.
bool Refinement::is_certain_in_doubles(double size_of_sums, bool by_norms) const {
  const double most = rounding_in_doubles(*source_, kernel_.size(), size_of_sums, by_norms) +
                      rounding_of_linear(state_);
  return is_negligible(epsilon_, most) && state_.violation + kCertificate * most <= epsilon_;
}

// Bounds the sum over t of |b_t| K(s, t) for these s of the kernel, which is RBF.
double Refinement::sum_of_values(const TermSizes& sizes, const Variables& columns) {
  const double most = sizes.size_of_sums();
  std::vector<Term> terms = state_.terms();
  for (Term& term : terms) term.change = std::fabs(term.change);
  std::vector<double> sums(columns.size(), 0.0);
  if (sums.empty() || !add_products_at(terms, columns, Precision::kSingle, sums)) return most;
  return *std::max_element(sums.begin(), sums.end()) + kernel_.largest_error() * most;
}

// Makes it certain that the tolerance is met by sums of more digits than doubles have, perhaps
// after some rounds with these, or stops the monitor.  If that takes too long, the errors of some
// variables stand for those of all.  False if the solution stays as it was.
bool Refinement::refine_beyond_doubles() {
  const std::size_t terms = state_.terms().size();
  const bool is_dear = source_->cost(terms, kernel_.examples()) > kMostExactProducts;
  if (source_->errors_follow_values() && (!is_dear || kernel_.has_all_rows()) &&
      !monitor_.stopped() &&
      is_certain_in_doubles(sum_of_values(term_sizes(), index_range(0, kernel_.size())), false)) {
    return false;
  }
  if (is_dear) {
    if (!monitor_.stopped() && !sample_is_accurate_in_doubles()) {
      monitor_.stop(SVM_IMPRECISE);
    }
    return false;
  }
  monitor_.resume();
  has_more_digits_ = true;
  discard_f();
  const auto is_met = [this] {
    double largest = 0;
    for (std::size_t t = 0; t < state_.size(); ++t) {
      largest = std::max(largest, std::fabs(state_.f[t]) + std::fabs(state_.linear[t]));
    }
    const double products = term_sizes().size_of_sums();
    const double error = source_->error(state_.size()) * products + kDoubleUnit * largest;
    return violation() + 2 * kCertificate * error <= epsilon_;
  };
  if (!compute_candidates_exactly() || !(is_met() || (run_rounds() && is_met()))) {
    if (!monitor_.stopped()) monitor_.stop(SVM_IMPRECISE);
  }
  return !monitor_.interrupted() && compute_exactly(threshold_candidates()) && compute_objective();
}

// The most violating variables, and some others.
Refinement::Variables Refinement::sample() const {
  constexpr std::size_t kSample = 14;
  Variables sample = most_violating();
  const std::size_t step = state_.size() / kSample + 1;
  for (std::size_t t = 0; t < state_.size(); t += step) sample.push_back(t);
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

// True if sums of more digits of some variables show so small an error of sums in doubles that the
// violation is below the tolerance.
bool Refinement::sample_is_accurate_in_doubles() {
  const Variables sample = this->sample();
  const std::vector<Term> terms = state_.terms();
  std::vector<double> sums(sample.size(), 0.0), exact(sample.size(), 0.0);
  if (!add_products(terms, sample, Precision::kDouble, sums)) return false;
  if (!add_exact_products(terms, sample, exact)) return false;
  double largest = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    largest = std::max(largest, std::fabs(exact[k] - sums[k]));
  }
  return state_.violation + 2 * kErrorMargin * largest <= epsilon_;
}

// True if exact sums of some variables confirm the estimated error, and leave no doubt that the
// violation is below the tolerance.  Their errors then stand for those of all, which are often much
// smaller than the estimate.
bool Refinement::sample_is_accurate() {
  const Variables sample = this->sample();
  const std::vector<double> before = state_.f;
  if (!compute_exactly(sample)) return false;
  double largest = 0;  // error of the sample
  for (const std::size_t t : sample) {
    largest = std::max(largest, std::fabs(state_.f[t] - before[t]));
  }
  const double most = 2 * kErrorMargin * largest;
  if (!(state_.violation + most <= epsilon_) ||
      std::any_of(error_.begin(), error_.end(),
                  [this](double error) { return is_too_coarse(epsilon_, error); })) {
    return false;
  }
  for (double& error : error_) error = std::min(error, most);
  return violation() < epsilon_;
}

// Reduces the violation below the tolerance; false if that fails.  Works like iterative refinement
// of linear equations: f is computed in doubles, and steps by values of single precision as long as
// these make progress.
bool Refinement::run_rounds() {
  double least_violation = kInfinity, least_objective = kInfinity;
  Precision precision = kernel_.precision();
  cap_ = kLeastCap + kCapForEach * static_cast<long long>(state_.size());
  met_cap_ = false;
  for (int idle = 0, rounds = 0; idle < kMostIdleRounds && rounds < kMostRounds; ++idle, ++rounds) {
    // The constraints may be off by the rounding of variables that were large for a while.
    if (!sums_hold() && restore_sums()) discard_f();
    if (!compute_candidates_exactly()) return false;
    const double worst = violation(), value = state_.compute_objective();
    if (worst < epsilon_) return true;
    if (!std::isfinite(worst) || !std::isfinite(value)) return false;  // no way to judge
    const double error = term_sizes().resolution(Precision::kDouble);
    if (error > kHopeless * worst) return false;
    // The rounding of the objective; short rounds may go on.
    const auto& a = state_.alpha;
    const double square = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
    const double noise = met_cap_ && !has_more_digits_ ? error * std::sqrt(square) : 0;
    if (worst > kProgress * least_violation) precision = Precision::kDouble;
    if (worst <= kProgress * least_violation ||
        least_objective - value > std::max(kGain * std::fabs(value), noise)) {
      idle = 0;
      if (met_cap_) cap_ *= 2;
    }
    least_violation = std::min(least_violation, worst);
    least_objective = std::min(least_objective, value);
    state_.objective = value;
    if (!monitor_.go_on(value, worst, state_.size()) || !run_round(precision)) return false;
  }
  return violation() < epsilon_;
}

// Moves near the solution by the interior point method.  False, and nothing changes, if it fails.
bool Refinement::try_interior_point() {
  if (!source_ || source_->kernel().type != LINEAR || !state_.upper.are_finite()) return false;
  LinearBoxProblem problem = {source_->rows(), kernel_.examples(), {}, {sums_, sums_ + groups_}};
  for (std::size_t t = 0; t < state_.size(); ++t) {
    problem.variables.push_back(
        {example(t), state_.group(t), state_.linear[t], state_.lowest_b(t), state_.highest_b(t)});
  }
  const auto next_step = [&] {
    if (!monitor_.go_on(state_.objective, state_.violation, state_.size())) return false;
    monitor_.count_iteration();
    return true;
  };
  const InteriorPointSolution near = solve_by_interior_point(
      problem, epsilon_, monitor_.pool(), next_step, [this] { return monitor_.poll(); });
  if (near.b.empty()) return false;
  const std::vector<double> before = state_.alpha;
  for (std::size_t t = 0; t < state_.size(); ++t) state_.alpha[t] = state_.labels[t] * near.b[t];
  if (!restore_sums()) {
    state_.alpha = before;
    return false;
  }
  discard_f();
  state_.objective = near.objective;
  state_.reached_upper = true;  // the method depends on all bounds
  return true;
}

bool Refinement::sums_hold() const {
  constexpr double kRelative = 1e-12;
  double off[kGroups] = {sums_[0], sums_[1]};
  double sizes = 0;
  for (std::size_t t = 0; t < state_.size(); ++t) {
    off[state_.group(t)] -= state_.b(t);
    sizes += state_.alpha[t];
  }
  return std::all_of(off, off + groups_,
                     [&](double each) { return std::fabs(each) <= kRelative * sizes; });
}

// Restores the sums of b over the groups.  False if that is not possible.
bool Refinement::restore_sums() {
  for (int g = 0; g < groups_; ++g) {
    Variables members;
    std::vector<BoxedVariable> variables;
    for (std::size_t t = 0; t < state_.size(); ++t) {
      if (state_.group(t) != g) continue;
      members.push_back(t);
      variables.push_back({state_.b(t), state_.lowest_b(t), state_.highest_b(t)});
    }
    if (!restore_sum(variables, sums_[g])) return false;
    for (std::size_t k = 0; k < members.size(); ++k) {
      state_.alpha[members[k]] = std::fabs(variables[k].value);
    }
  }
  return true;
}

// Solves the problem over the candidates with all other variables fixed.  False if the run is over.
bool Refinement::run_round(Precision precision) {
  const Variables variables = candidates();
  Variables representatives;
  for (const std::size_t t : variables) representatives.push_back(representative(t));
  const PartStep step = improve_part(
      state_, variables, kernel_, representatives,
      {kPartOfTolerance * epsilon_, shrinking_, true, precision == Precision::kDouble, cap_},
      monitor_);
  met_cap_ = step.iterations >= cap_;
  if (monitor_.interrupted()) return false;
  std::vector<char> in_part(state_.size(), 0);
  for (const std::size_t t : variables) {
    in_part[t] = 1;
    error_[t] = kInfinity;  // to be computed anew
  }
  Variables others;
  for (std::size_t t = 0; t < state_.size(); ++t) {
    if (in_part[t] == 0) others.push_back(t);
  }
  // Single precision is much faster, and suffices if the change is small.
  const double error = term_sizes(step.change).resolution(Precision::kSingle);
  const bool single = error <= kChangePart * epsilon_;
  std::vector<double> sums(others.size(), 0.0);
  if (!add_products(step.change, others, single ? Precision::kSingle : Precision::kDouble, sums)) {
    return false;
  }
  for (std::size_t k = 0; k < others.size(); ++k) {
    const std::size_t t = others[k];
    state_.f[t] += sums[k];
    if (has_more_digits_) error_[t] = kInfinity;  // that is not exact
    if (!single) continue;
    error_[t] += error;
    if (std::isfinite(state_.f[t])) continue;
    state_.f[t] = 0;  // a kernel value beyond the range of float
    error_[t] = kInfinity;
  }
  return compute_exactly(variables) && !monitor_.at_cap();
}

// Sets the error of every finite f; other f are unknown.
void Refinement::set_error(double error) {
  state_.f.resize(state_.size());
  error_.assign(state_.size(), kInfinity);
  for (std::size_t t = 0; t < state_.size(); ++t) {
    if (std::isfinite(state_.f[t]) && std::isfinite(error)) {
      error_[t] = error;
    } else {
      state_.f[t] = 0;
    }
  }
}

// The ends of the index sets if every f is off by `errors` times its error: 1 gives the worst case,
// -1 the violation that is certain.
Ends Refinement::ends(double errors) const {
  Ends ends;
  for (std::size_t t = 0; t < state_.size(); ++t) {
    const double error = errors * error_[t];
    ends.of[state_.group(t)].add(t, state_.index_sets(t), state_.f[t] - error, state_.f[t] + error);
  }
  return ends;
}

// The violation in the worst case; NaN if some f is NaN.
double Refinement::violation() const {
  for (const double f : state_.f) {
    if (std::isnan(f)) return f;
  }
  double most = 0;
  for (const GroupEnds& group : ends(1).of) {
    const double between = svm::violation(group);
    if (std::isnan(between)) return between;
    most = std::max(most, between);
  }
  return most;
}

// The variables at the ends of the index sets.
Refinement::Variables Refinement::most_violating() const {
  Variables variables;
  for (const GroupEnds& group : state_.ends().of) {
    if (group.lowest_at != kNoIndex) variables.push_back(group.lowest_at);
    if (group.highest_at != kNoIndex) variables.push_back(group.highest_at);
  }
  return variables;
}

// Variables that may violate optimality, now or after f has changed by as much as the violation.
Refinement::Variables Refinement::candidates() const {
  const Ends outer = ends(1);
  const double slack = std::max(violation(), epsilon_);  // if NaN, all are candidates
  Variables variables;
  for (std::size_t t = 0; t < state_.size(); ++t) {
    const std::uint8_t sets = state_.index_sets(t);
    const double margin = error_[t] + slack;
    const double f = sets == kInUp ? state_.f[t] - margin : state_.f[t] + margin;
    if (!is_settled(sets, f, outer.of[state_.group(t)])) variables.push_back(t);
  }
  return variables;
}

// Variables that may be ends of the index sets in groups without free variables, where the
// threshold is the middle of the ends.
Refinement::Variables Refinement::threshold_candidates() const {
  const Ends inner = ends(-1);
  Variables variables;
  for (std::size_t t = 0; t < state_.size(); ++t) {
    const GroupEnds& group = inner.of[state_.group(t)];
    const bool may_be_end = (state_.index_sets(t) & kInUp) != 0
                                ? state_.f[t] - error_[t] <= group.lowest
                                : state_.f[t] + error_[t] >= group.highest;
    if (group.free_count == 0 && may_be_end) variables.push_back(t);
  }
  return variables;
}

void Refinement::find_representatives() {
  representative_.assign(kernel_.examples(), kNoIndex);
  for (std::size_t i = 0; i < kernel_.size(); ++i) representative_[kernel_.example(i)] = i;
}

// The terms as a vector over the kernel's variables, with one element for both of an example.
std::vector<double> Refinement::by_representative(const std::vector<Term>& terms) const {
  std::vector<double> of_each(kernel_.size(), 0.0);
  for (const Term& term : terms) of_each[representative(term.variable)] += term.change;
  return of_each;
}

// The terms of an example add up as independent errors do: by their squares.
TermSizes Refinement::term_sizes(const std::vector<Term>& terms) const {
  std::vector<double> of_each(kernel_.size(), 0.0);
  for (const Term& term : terms) {
    double& size = of_each[representative(term.variable)];
    size = size == 0 ? std::fabs(term.change) : std::hypot(size, term.change);
  }
  return TermSizes(kernel_, of_each);
}

// Computes f of these variables in doubles, unless that was done.  Raises the errors of all others
// if these turn out to be larger than estimated, which they may be if they are not independent.
// False if the run was interrupted.
bool Refinement::compute_exactly(const Variables& variables) {
  Variables inexact;
  for (const std::size_t t : variables) {
    if (error_[t] > 0) inexact.push_back(t);
  }
  std::vector<double> sums(inexact.size(), 0.0);
  const bool done = has_more_digits_
                        ? add_exact_products(state_.terms(), inexact, sums)
                        : add_products(state_.terms(), inexact, Precision::kDouble, sums);
  if (!done) return false;
  double excess = 1;  // largest ratio of an error to its estimate
  for (std::size_t k = 0; k < inexact.size(); ++k) {
    const std::size_t t = inexact[k];
    const double f = sums[k] + state_.linear[t];
    if (std::isfinite(error_[t])) {
      excess = std::max(excess, kErrorMargin * std::fabs(f - state_.f[t]) / error_[t]);
    }
    state_.f[t] = f;
    error_[t] = 0;
  }
  if (excess > 1) {
    for (double& error : error_) {
      if (error > 0) error *= excess;  // may be infinite
    }
  }
  return true;
}

// Computes f of all candidates exactly, which may add candidates.  False if the run was
// interrupted.
bool Refinement::compute_candidates_exactly() {
  for (;;) {
    const Variables variables = candidates();
    const auto is_exact = [this](std::size_t t) { return error_[t] == 0; };
    if (std::all_of(variables.begin(), variables.end(), is_exact)) return true;
    if (!compute_exactly(variables)) return false;
  }
}

// The same by sums of more digits than doubles have.
bool Refinement::add_exact_products(const std::vector<Term>& terms, const Variables& variables,
                                    std::vector<double>& sums) {
  std::vector<double> weights(kernel_.examples(), 0.0), exact;
  for (const Term& term : terms) weights[example(term.variable)] += term.change;
  Variables columns;
  columns.reserve(variables.size());
  for (const std::size_t t : variables) columns.push_back(example(t));
  const auto poll = [this] { return monitor_.poll(); };
  if (!source_->compute(weights, columns, monitor_.pool(), poll, exact)) return false;
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += exact[k];
  return true;
}

// sums[k] += the sum over the terms of change * K(variable, variables[k]).  False if interrupted.
bool Refinement::add_products(const std::vector<Term>& terms, const Variables& variables,
                              Precision precision, std::vector<double>& sums) {
  Variables columns;
  columns.reserve(variables.size());
  for (const std::size_t t : variables) columns.push_back(representative(t));
  return add_products_at(terms, columns, precision, sums);
}

// The same for variables of the kernel, in its order.
bool Refinement::add_products_at(const std::vector<Term>& terms, const Variables& columns,
                                 Precision precision, std::vector<double>& sums) {
  monitor_.observe(kernel_);
  const bool done = add_kernel_sums(kernel_, by_representative(terms), columns, precision, sums);
  monitor_.release();
  return done;
}

}  // namespace svm
