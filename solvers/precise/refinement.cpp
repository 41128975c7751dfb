#include "solvers/precise/refinement.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "solvers/precise/interior_point.h"
#include "solvers/smo/csmo.h"
#include "solvers/smo/resolution.h"

namespace svm {
namespace {

// A part is solved to this share of the tolerance: sums that are formed anew differ a little.
constexpr double kPartOfTolerance = 0.5;
// The part of the tolerance by which a round may blur the gradient of the variables outside of the
// part that it solves.
constexpr double kChangePart = 0.05;
// A round that neither brings the violation to this part of the least one so far, nor lowers the
// objective by such a part, is idle.
constexpr double kProgress = 0.7, kGain = 1e-9;
constexpr double kSingleProgress = 0.3;  // less than that, and single precision has done its part
constexpr int kMostIdleRounds = 3;

}  // namespace

Refinement::Refinement(const DualProblem& problem, double epsilon, bool shrinking, Monitor& monitor)
    : kernel_(problem.kernel),
      epsilon_(epsilon),
      shrinking_(shrinking),
      monitor_(monitor),
      linear_rows_(problem.linear_rows),
      sums_(problem.two_groups ? kGroups : 1, 0.0) {
  example_.reserve(problem.size());
  for (std::size_t t = 0; t < problem.size(); ++t) {
    example_.push_back(kernel_.example(t));
    sums_[static_cast<std::size_t>(problem.group(t))] += problem.b(t);
  }
}

void Refinement::improve(Solution& solution, Finish finish) {
  if (monitor_.interrupted() || monitor_.at_cap() || solution.alpha.empty()) return;
  const double objective = solution.objective;
  std::vector<double> alpha = solution.alpha;
  state_ = std::move(solution);
  find_places();
  if (refine(finish)) {
    state_.set_thresholds(state_.ends());
    state_.violation = violation();
  } else if (monitor_.interrupted()) {
    state_.alpha = std::move(alpha);
    state_.objective = objective;
    state_.f.clear();
  }
  solution = std::move(state_);
}

// False if the solution is to stay as it was: it is fine, or the run was interrupted.
bool Refinement::refine(Finish finish) {
  const double error = rounding(terms(), kernel_.precision()) +
                       drift(kernel_, sizes_by_place(terms()), state_.history);
  const bool is_unresolved = monitor_.stopped() || is_too_coarse(epsilon_, error);
  if (!is_unresolved && finish == Finish::kIfUnresolved) return false;
  monitor_.resume();
  if (state_.f.empty()) {
    discard_f();
  } else {
    set_error(error);
  }
  if (!is_unresolved && finish == Finish::kBySample && sample_is_accurate()) return false;
  const bool jumped = is_unresolved && linear_rows_ && try_interior_point();
  // What doubles do not resolve either, steps that go by it would only make worse.
  const bool stays = jumped && is_too_coarse(epsilon_, rounding(terms(), Precision::kDouble));
  const double known_objective = state_.objective;
  const bool done = stays ? compute_candidates_exactly() && violation() < epsilon_ : run_rounds();
  if (!done && !monitor_.stopped()) monitor_.stop(Status::kImprecise);
  if (monitor_.interrupted() || !compute_exactly(threshold_candidates())) return false;
  state_.objective = stays ? known_objective : state_.compute_objective();
  return true;
}

// Do the exact sums of some variables say that those of all are as good as estimated?
bool Refinement::sample_is_accurate() {
  constexpr std::size_t kSample = 14;
  Variables sample = most_violating();
  const std::size_t step = state_.size() / kSample + 1;
  for (std::size_t t = 0; t < state_.size(); t += step) sample.push_back(t);
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  if (!compute_exactly(sample)) return false;
  return std::all_of(error_.begin(), error_.end(),
                     [this](double error) { return !is_too_coarse(epsilon_, error); });
}

// True if the violation has come below the tolerance.  Like the refinement of linear equations:
// what is left is known in doubles, and found by values of single precision while that helps.
bool Refinement::run_rounds() {
  double least_violation = kInfinity, least_objective = kInfinity;
  Precision precision = kernel_.precision();
  for (int idle = 0; idle < kMostIdleRounds; ++idle) {
    // Rounding of variables that were large on the way.
    if (!sums_hold() && restore_sums()) discard_f();
    if (!compute_candidates_exactly()) return false;
    const double worst = violation(), value = state_.compute_objective();
    if (worst < epsilon_) return true;
    if (!std::isfinite(worst) || !std::isfinite(value)) return false;  // nothing to go by
    if (worst > kSingleProgress * least_violation) precision = Precision::kDouble;
    if (worst <= kProgress * least_violation ||
        least_objective - value > kGain * std::fabs(value)) {
      idle = 0;
    }
    least_violation = std::min(least_violation, worst);
    least_objective = std::min(least_objective, value);
    state_.objective = value;
    if (!monitor_.go_on(value, worst, state_.size()) || !run_round(precision)) return false;
  }
  return violation() < epsilon_;
}

// Goes near the solution at once, if the kernel is linear and there are few features.  False, and
// nothing changes, if that is not possible.
bool Refinement::try_interior_point() {
  if (!state_.upper.are_finite()) return false;
  LinearBoxProblem problem = {linear_rows_, place_.size(), {}, sums_};
  for (std::size_t t = 0; t < state_.size(); ++t) {
    problem.variables.push_back(
        {example_[t], state_.group(t), state_.linear[t], state_.lowest_b(t), state_.highest_b(t)});
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
  state_.met_upper = true;  // all bounds had a part in this
  return true;
}

bool Refinement::sums_hold() const {
  constexpr double kRelative = 1e-12;
  std::vector<double> off = sums_;
  double sizes = 0;
  for (std::size_t t = 0; t < state_.size(); ++t) {
    off[static_cast<std::size_t>(state_.group(t))] -= state_.b(t);
    sizes += state_.alpha[t];
  }
  return std::all_of(off.begin(), off.end(),
                     [&](double each) { return std::fabs(each) <= kRelative * sizes; });
}

// Makes the sums of the groups what they have to be again.  False where that is not possible.
bool Refinement::restore_sums() {
  for (std::size_t g = 0; g < sums_.size(); ++g) {
    Variables members;
    std::vector<BoxedVariable> variables;
    for (std::size_t t = 0; t < state_.size(); ++t) {
      if (static_cast<std::size_t>(state_.group(t)) != g) continue;
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

// Solves the problem over the variables that matter, the others fixed.  False if the run is over.
bool Refinement::run_round(Precision precision) {
  const Variables variables = candidates();
  Variables places;
  places.reserve(variables.size());
  for (const std::size_t t : variables) places.push_back(place(t));
  const std::unique_ptr<KernelMatrix> matrix = kernel_.part(places);
  if (precision == Precision::kDouble) matrix->use_doubles();
  DualState part = state_.part(variables);
  part.f_is_exact = true;
  // Steps cannot resolve more of f than its sums have digits: a solver that is told more may go in
  // circles.
  std::vector<Term> terms;
  for (std::size_t k = 0; k < variables.size(); ++k) terms.push_back({variables[k], part.b(k)});
  std::vector<double> sums(variables.size(), 0.0);
  if (!add_products(terms, variables, precision, sums)) return false;
  for (std::size_t k = 0; k < sums.size(); ++k) part.f[k] = sums[k] + (part.f[k] - sums[k]);
  const Solution solution = solve_part_by_csmo(*matrix, std::move(part),
                                               {kPartOfTolerance * epsilon_, shrinking_}, monitor_);
  const std::vector<Term> change = state_.take_over(variables, solution);
  if (monitor_.interrupted()) return false;
  std::vector<char> in_part(state_.size(), 0);
  for (const std::size_t t : variables) {
    in_part[t] = 1;
    error_[t] = kInfinity;  // to be summed up anew
  }
  Variables others;
  for (std::size_t t = 0; t < state_.size(); ++t) {
    if (in_part[t] == 0) others.push_back(t);
  }
  // If the change is so small that single precision does for it, that is faster by far.
  const double error = rounding(change, Precision::kSingle);
  const bool single = error <= kChangePart * epsilon_;
  sums.assign(others.size(), 0.0);
  if (!add_products(change, others, single ? Precision::kSingle : Precision::kDouble, sums)) {
    return false;
  }
  for (std::size_t k = 0; k < others.size(); ++k) {
    const std::size_t t = others[k];
    state_.f[t] += sums[k];
    if (!single) continue;
    error_[t] += error;
    if (std::isfinite(state_.f[t])) continue;
    state_.f[t] = 0;  // a kernel value beyond the range of float
    error_[t] = kInfinity;
  }
  return compute_exactly(variables) && !monitor_.at_cap();
}

}  // namespace svm
