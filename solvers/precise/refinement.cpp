#include "solvers/precise/refinement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "platform/numbers.h"
#include "solvers/math/boxed_sum.h"
#include "solvers/precise/interior_point.h"
#include "solvers/precise/true_objective.h"
#include "solvers/smo/part_problem.h"
#include "solvers/smo/resolution.h"
#include "solvers/smo/threshold.h"

namespace svm {
namespace {

// A part is solved to this share of the tolerance: sums that are formed anew differ a little.
constexpr double kPartOfTolerance = 0.5;
// What the others' gradient may lose of the tolerance in a round.
constexpr double kChangePart = 0.05;
// A round that neither brings the violation to this part of the least one so far, nor lowers the
// objective by such a part, is idle.
constexpr double kProgress = 0.7, kGain = 1e-9;
constexpr double kSingleProgress = 0.3;  // less than that, and single precision has done its part
constexpr int kMostIdleRounds = 3;

}  // namespace

Refinement::Refinement(const DualProblem& problem, double epsilon, bool shrinking, Monitor& monitor)
    : kernel_(problem.kernel),
      labels_(problem.labels),
      linear_(problem.linear),
      upper_(problem.upper),
      two_groups_(problem.one_constraint_per_label),
      epsilon_(epsilon),
      shrinking_(shrinking),
      monitor_(monitor),
      linear_rows_(problem.linear_rows),
      sums_(two_groups_ ? kGroups : 1, 0.0) {
  example_.reserve(labels_.size());
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    linear_[t] *= labels_[t];
    example_.push_back(kernel_.example(t));
    sums_[static_cast<std::size_t>(group(t))] += labels_[t] * problem.alpha[t];
  }
}

void Refinement::improve(Solution& solution, Finish finish) {
  if (monitor_.interrupted() || monitor_.at_cap() || labels_.empty()) return;
  alpha_ = solution.alpha;
  find_places();
  if (solution.in_doubles) kernel_.use_doubles();
  const double error = rounding(alpha_, kernel_.precision()) + solution.drift;
  const bool is_blurred = monitor_.stopped() || is_too_coarse(epsilon_, error);
  if (!is_blurred && finish == Finish::kWhenBlurred) return;
  monitor_.resume();
  const bool known = !solution.kernel_sums.empty();
  gradient_.assign(labels_.size(), {0, kInfinity});
  for (std::size_t t = 0; known && t < labels_.size(); ++t) {
    const double value = solution.kernel_sums[t] + linear_[t];
    if (std::isfinite(value) && std::isfinite(error)) gradient_[t] = {value, error};
  }
  if (!is_blurred && finish == Finish::kBySample && sample_holds()) return;
  double objective = solution.objective;
  const bool jumped = is_blurred && linear_rows_ && jump(objective, solution.violation);
  // What doubles do not resolve either, steps that go by it would only make worse.
  const bool stays = jumped && is_too_coarse(epsilon_, rounding(alpha_, Precision::kDouble));
  const bool done = stays ? sharpen_what_matters() && violation() < epsilon_ : improve();
  if (!done && !monitor_.stopped()) monitor_.stop(Status::kImprecise);
  if (monitor_.interrupted() || !sharpen(possible_violators())) return;
  write(solution);
  if (stays) {
    solution.objective = objective;
  } else if (const std::optional<double> found = true_objective()) {
    solution.objective = *found;
  }
}

// Do the exact sums of some variables say that those of all are as good as estimated?
bool Refinement::sample_holds() {
  constexpr std::size_t kSample = 14;
  std::vector<std::size_t> sample = most_violating();
  const std::size_t step = labels_.size() / kSample + 1;
  for (std::size_t t = 0; t < labels_.size(); t += step) sample.push_back(t);
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  if (!sharpen(sample)) return false;
  const auto is_fine = [this](const Gradient& gradient) {
    return !is_too_coarse(epsilon_, gradient.error);
  };
  return std::all_of(gradient_.begin(), gradient_.end(), is_fine);
}

// By all pairs of variables that are not 0, as the gradient of those at a bound is not known in
// doubles.  Empty where the run was interrupted.
std::optional<double> Refinement::true_objective() {
  const std::vector<double> b = signed_alpha();
  const std::vector<double> of_place = by_place(b);
  double twice_linear = 0;
  for (std::size_t t = 0; t < labels_.size(); ++t) twice_linear += 2 * b[t] * linear_[t];
  std::vector<std::uint32_t> examples;
  std::vector<double> weights;
  for (std::size_t i = 0; i < of_place.size(); ++i) {
    if (of_place[i] == 0) continue;
    examples.push_back(static_cast<std::uint32_t>(kernel_.example(i)));
    weights.push_back(of_place[i]);
  }
  const std::optional<double> form =
      quadratic_form(kernel_.precise_engine(), examples, weights, monitor_.pool(),
                     [this] { return monitor_.poll(); });
  if (!form) return std::nullopt;
  return (*form + twice_linear) / 2;
}

// True where the violation has come below the tolerance.  Like the refinement of linear equations:
// what is left is known in doubles, and found by values of single precision while that helps.
bool Refinement::improve() {
  double least_violation = kInfinity, least_objective = kInfinity;
  Precision precision = kernel_.precision();
  for (int idle = 0; idle < kMostIdleRounds; ++idle) {
    // Rounding of variables that were large on the way.
    if (!is_balanced() && balance()) gradient_.assign(labels_.size(), {0, kInfinity});
    if (!sharpen_what_matters()) return false;
    const double worst = violation(), value = objective();
    if (worst < epsilon_) return true;
    if (!std::isfinite(worst) || !std::isfinite(value)) return false;  // nothing to go by
    if (worst > kSingleProgress * least_violation) precision = Precision::kDouble;
    if (worst <= kProgress * least_violation ||
        least_objective - value > kGain * std::fabs(value)) {
      idle = 0;
    }
    least_violation = std::min(least_violation, worst);
    least_objective = std::min(least_objective, value);
    if (!solve_part({value, worst, labels_.size()}, precision)) return false;
  }
  return violation() < epsilon_;
}

// Goes near the solution at once, where the kernel is linear and there are few features.  False,
// and nothing changes, where that is not possible.
bool Refinement::jump(double& objective, double worst) {
  if (!upper_.are_finite()) return false;
  LinearBoxProblem problem = {linear_rows_, place_.size(), {}, sums_};
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    const double lower = labels_[t] > 0 ? 0 : -upper(t), highest = labels_[t] > 0 ? upper(t) : 0;
    problem.variables.push_back({example_[t], group(t), linear_[t], lower, highest});
  }
  const auto next_step = [&] {
    if (!monitor_.go_on(objective, worst, labels_.size())) return false;
    monitor_.count_iteration();
    return true;
  };
  const InteriorPointSolution near = solve_by_interior_point(
      problem, epsilon_, monitor_.pool(), next_step, [this] { return monitor_.poll(); });
  if (near.b.empty()) return false;
  const std::vector<double> before = alpha_;
  for (std::size_t t = 0; t < labels_.size(); ++t) alpha_[t] = labels_[t] * near.b[t];
  if (!balance()) {
    alpha_ = before;
    return false;
  }
  gradient_.assign(labels_.size(), {0, kInfinity});
  objective = near.objective;
  met_upper_ = true;  // all bounds had a part in this
  return true;
}

bool Refinement::is_balanced() const {
  constexpr double kRelative = 1e-12;
  std::vector<double> off = sums_;
  double sizes = 0;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    off[static_cast<std::size_t>(group(t))] -= labels_[t] * alpha_[t];
    sizes += alpha_[t];
  }
  return std::all_of(off.begin(), off.end(),
                     [&](double each) { return std::fabs(each) <= kRelative * sizes; });
}

// Makes the sums of the groups what they have to be again.  False where that is not possible.
bool Refinement::balance() {
  for (std::size_t g = 0; g < sums_.size(); ++g) {
    std::vector<std::size_t> members;
    std::vector<BoxedVariable> variables;
    for (std::size_t t = 0; t < labels_.size(); ++t) {
      if (static_cast<std::size_t>(group(t)) != g) continue;
      const double low = labels_[t] > 0 ? 0 : -upper(t), high = labels_[t] > 0 ? upper(t) : 0;
      members.push_back(t);
      variables.push_back({labels_[t] * alpha_[t], low, high});
    }
    if (!restore_sum(variables, sums_[g])) return false;
    for (std::size_t k = 0; k < members.size(); ++k) {
      alpha_[members[k]] = std::fabs(variables[k].value);
    }
  }
  return true;
}

// Solves the problem over the variables that matter, the others fixed.  False where the run is
// over.
bool Refinement::solve_part(const Monitor::Whole& whole, Precision precision) {
  const std::vector<std::size_t> variables = variables_that_matter();
  const std::size_t size = variables.size();
  std::vector<std::size_t> places;
  places.reserve(size);
  for (const std::size_t t : variables) places.push_back(place(t));
  const std::unique_ptr<KernelMatrix> matrix = kernel_.part(places);
  if (precision == Precision::kDouble) matrix->use_doubles();
  DualProblem part = part_problem(*matrix, box(), two_groups_, variables);
  std::vector<double> weights(labels_.size(), 0.0), f(size);
  for (std::size_t k = 0; k < size; ++k) {
    weights[variables[k]] = part.labels[k] * part.alpha[k];
    f[k] = gradient_[variables[k]].value;
  }
  part.exact_start = true;
  part.kernel_sums.assign(size, 0.0);
  if (!add_products(weights, variables, precision, part.kernel_sums)) return false;
  const Solution solution =
      svm::solve_part(std::move(part), f, whole,
                      {kPartOfTolerance * epsilon_, shrinking_, ConjugateUse::kAlways}, monitor_);
  std::vector<double> changes(labels_.size(), 0.0);
  std::vector<char> in_part(labels_.size(), 0);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t t = variables[k];
    changes[t] = labels_[t] * (solution.alpha[k] - alpha_[t]);
    alpha_[t] = solution.alpha[k];
    in_part[t] = 1;
    gradient_[t].error = kInfinity;  // to be summed up anew
  }
  met_upper_ = met_upper_ || solution.met_upper;
  if (monitor_.interrupted()) return false;
  std::vector<std::size_t> others;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    if (in_part[t] == 0) others.push_back(t);
  }
  // Where the change is so small that single precision does for it, it is faster by far.
  const double error = rounding(changes, Precision::kSingle);
  const bool single = error <= kChangePart * epsilon_;
  std::vector<double> sums(others.size(), 0.0);
  if (!add_products(changes, others, single ? Precision::kSingle : Precision::kDouble, sums)) {
    return false;
  }
  for (std::size_t k = 0; k < others.size(); ++k) {
    Gradient& gradient = gradient_[others[k]];
    gradient.value += sums[k];
    if (single) gradient.error += error;
    // A kernel value beyond the range of float.
    if (single && !std::isfinite(gradient.value)) gradient = {0, kInfinity};
  }
  const bool at_cap = monitor_.at_cap();
  if (!at_cap) monitor_.resume();
  return sharpen(variables) && !at_cap;
}

double Refinement::objective() const {
  double twice = 0;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    twice += labels_[t] * alpha_[t] * (gradient_[t].value + linear_[t]);
  }
  return twice / 2;
}

double Refinement::threshold(int group_number) const {
  Threshold threshold;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    if (group(t) == group_number) {
      threshold.add(gradient_[t].value, may_go_up(t), may_go_down(t));
    }
  }
  return threshold.finite_value();
}

void Refinement::write(Solution& solution) const {
  const double first = threshold(0);
  const double second = two_groups_ ? -threshold(1) : -first;
  solution.margin = two_groups_ ? (first + second) / 2 : 0;
  solution.rho = (first - second) / 2;
  solution.objective = objective();
  solution.kernel_sums.resize(labels_.size());
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    solution.kernel_sums[t] = gradient_[t].value - linear_[t];
  }
  solution.alpha = alpha_;
  solution.violation = violation();
  solution.met_upper = solution.met_upper || met_upper_;
}

}  // namespace svm
