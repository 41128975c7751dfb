#include "solvers/precise/refinement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "solvers/math/boxed_sum.h"
#include "solvers/precise/interior_point.h"
#include "solvers/precise/true_objective.h"
#include "solvers/smo/csmo.h"
#include "solvers/smo/resolution.h"
#include "solvers/smo/threshold.h"

namespace svm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
// A part is solved to this share of the tolerance: sums that are formed anew differ a little.
constexpr double kPartOfTolerance = 0.5;
// What an error that was seen is taken for a part of, as others may be larger.
constexpr double kErrorMargin = 1.25;
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
      upper_positive_(problem.upper_positive),
      upper_negative_(problem.upper_negative),
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

void Refinement::improve(Solution& solution, bool always) {
  if (monitor_.interrupted() || monitor_.at_cap() || labels_.empty()) return;
  alpha_ = solution.alpha;
  find_places();
  if (solution.in_doubles) kernel_.use_doubles();
  const double error = rounding(alpha_, kernel_.precision()) + solution.drift;
  const bool is_blurred = monitor_.stopped() || is_too_coarse(epsilon_, error);
  if (!is_blurred && !always) return;
  monitor_.resume();
  const bool known = !solution.kernel_sums.empty();
  gradient_.assign(labels_.size(), {0, kInfinity});
  for (std::size_t t = 0; known && t < labels_.size(); ++t) {
    const double value = solution.kernel_sums[t] + linear_[t];
    if (std::isfinite(value)) gradient_[t] = {value, error};
  }
  double objective = solution.objective;
  const bool jumped = is_blurred && linear_rows_ != nullptr && jump(objective, solution.violation);
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

// By all pairs of variables that are not 0, as the gradient of those at a bound is not known in
// doubles.  Empty where the run was interrupted.
std::optional<double> Refinement::true_objective() {
  std::vector<double> of_place(kernel_.size(), 0.0);  // the twins of an example together
  double twice_linear = 0;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    of_place[place_[example_[t]]] += labels_[t] * alpha_[t];
    twice_linear += 2 * labels_[t] * alpha_[t] * linear_[t];
  }
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
    if (violation() < epsilon_) return true;
    if (violation() > kSingleProgress * least_violation) precision = Precision::kDouble;
    if (violation() <= kProgress * least_violation ||
        least_objective - objective() > kGain * std::fabs(objective())) {
      idle = 0;
    }
    least_violation = std::min(least_violation, violation());
    least_objective = std::min(least_objective, objective());
    if (!solve_part(variables_that_matter(), precision)) return false;
  }
  return violation() < epsilon_;
}

// Goes near the solution at once, where the kernel is linear and there are few features.  False,
// and nothing changes, where that is not possible.
bool Refinement::jump(double& objective, double worst) {
  if (!std::isfinite(upper_positive_ + upper_negative_)) return false;
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

bool Refinement::may_go_up(std::size_t t) const {
  return labels_[t] > 0 ? alpha_[t] < upper(t) : alpha_[t] > 0;
}

bool Refinement::may_go_down(std::size_t t) const {
  return labels_[t] > 0 ? alpha_[t] > 0 : alpha_[t] < upper(t);
}

std::vector<Refinement::Extremes> Refinement::find_extremes() const {
  std::vector<Extremes> extremes(kGroups,
                                 Extremes{kInfinity, -kInfinity, kInfinity, -kInfinity, false});
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    Extremes& e = extremes[static_cast<std::size_t>(group(t))];
    const auto [value, error] = gradient_[t];
    if (may_go_up(t) && may_go_down(t)) e.has_free = true;
    if (may_go_up(t)) {
      e.lowest = std::min(e.lowest, value - error);
      e.lowest_known = std::min(e.lowest_known, value + error);
    }
    if (may_go_down(t)) {
      e.highest = std::max(e.highest, value + error);
      e.highest_known = std::max(e.highest_known, value - error);
    }
  }
  return extremes;
}

// At most; not a number where f is none.
double Refinement::violation() const {
  for (const Gradient& gradient : gradient_) {
    if (std::isnan(gradient.value)) return gradient.value;
  }
  double most = 0;
  for (const Extremes& e : find_extremes()) {
    if (!(e.highest - e.lowest <= most)) most = e.highest - e.lowest;
  }
  return most;
}

// Those that may be part of a violation, or come to be when f changes by as much as that.
std::vector<std::size_t> Refinement::variables_that_matter() const {
  const std::vector<Extremes> extremes = find_extremes();
  const double slack = std::max(violation(), epsilon_);
  std::vector<std::size_t> variables;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    const Extremes& e = extremes[static_cast<std::size_t>(group(t))];
    const auto [value, error] = gradient_[t];
    const bool up = may_go_up(t), down = may_go_down(t);
    const bool settled =
        up != down && (up ? value - error > e.highest + slack : value + error < e.lowest - slack);
    if (!settled) variables.push_back(t);
  }
  return variables;
}

// Those that the threshold may be between, where no variable is free.
std::vector<std::size_t> Refinement::possible_violators() const {
  const std::vector<Extremes> extremes = find_extremes();
  std::vector<std::size_t> variables;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    const Extremes& e = extremes[static_cast<std::size_t>(group(t))];
    const auto [value, error] = gradient_[t];
    const bool may_be_end =
        may_go_up(t) ? value - error <= e.lowest_known : value + error >= e.highest_known;
    if (!e.has_free && may_be_end) variables.push_back(t);
  }
  return variables;
}

void Refinement::find_places() {
  place_.clear();
  for (std::size_t i = 0; i < kernel_.size(); ++i) {
    const std::size_t example = kernel_.example(i);
    if (example >= place_.size()) place_.resize(example + 1, kNone);
    place_[example] = i;
  }
}

// Of sums with these weights of the variables.
double Refinement::rounding(const std::vector<double>& weights, Precision precision) const {
  std::vector<double> of_place(kernel_.size(), 0.0);
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    double& weight = of_place[place_[example_[t]]];
    weight = std::hypot(weight, weights[t]);
  }
  return resolution(kernel_, of_place, precision);
}

// Sums up f of these variables in doubles, where they are not known as such.  What that changes
// says how well the estimate of errors holds: they may depend on each other, and add up to more.
// False where the run was interrupted.
bool Refinement::sharpen(const std::vector<std::size_t>& variables) {
  std::vector<std::size_t> blurred;
  for (const std::size_t t : variables) {
    if (gradient_[t].error > 0) blurred.push_back(t);
  }
  std::vector<double> weights(labels_.size()), sums(blurred.size(), 0.0);
  for (std::size_t t = 0; t < labels_.size(); ++t) weights[t] = labels_[t] * alpha_[t];
  if (!add_products(weights, blurred, Precision::kDouble, sums)) return false;
  double excess = 1;  // of an error over its estimate
  for (std::size_t k = 0; k < blurred.size(); ++k) {
    Gradient& gradient = gradient_[blurred[k]];
    const double value = sums[k] + linear_[blurred[k]];
    if (std::isfinite(gradient.error)) {
      const double error = std::fabs(value - gradient.value);
      excess = std::max(excess, kErrorMargin * error / gradient.error);
    }
    gradient = {value, 0};
  }
  if (excess > 1) {
    for (Gradient& gradient : gradient_) gradient.error *= excess;
  }
  return true;
}

// Sharpens until no variable that matters is left to be.
bool Refinement::sharpen_what_matters() {
  for (;;) {
    const std::vector<std::size_t> variables = variables_that_matter();
    const auto is_sharp = [this](std::size_t t) { return gradient_[t].error == 0; };
    if (std::all_of(variables.begin(), variables.end(), is_sharp)) return true;
    if (!sharpen(variables)) return false;
  }
}

// sums[k] += sum over t of weights[t] K(t, variables[k]).  False where the run was interrupted.
bool Refinement::add_products(const std::vector<double>& weights,
                              const std::vector<std::size_t>& variables, Precision precision,
                              std::vector<double>& sums) {
  monitor_.observe(kernel_);
  std::vector<double> of_place(kernel_.size(), 0.0);  // the twins of an example together
  for (std::size_t t = 0; t < weights.size(); ++t) of_place[place_[example_[t]]] += weights[t];
  KernelMatrix::Rows rows;
  std::vector<double> factors;
  for (std::size_t i = 0; i < of_place.size(); ++i) {
    if (of_place[i] == 0) continue;
    rows.push_back(i);
    factors.push_back(of_place[i]);
  }
  std::vector<std::size_t> columns, column_of(kernel_.size(), kNone);
  for (const std::size_t t : variables) {
    std::size_t& column = column_of[place_[example_[t]]];
    if (column != kNone) continue;
    column = columns.size();
    columns.push_back(place_[example_[t]]);
  }
  std::vector<double> of_column(columns.size(), 0.0);
  const bool done = kernel_.add_sums(rows, factors, columns, precision, of_column.data());
  for (std::size_t k = 0; k < variables.size(); ++k) {
    sums[k] += of_column[column_of[place_[example_[variables[k]]]]];
  }
  monitor_.release();
  return done;
}

// Solves the problem over these variables, the others fixed.  False where the run is over.
bool Refinement::solve_part(const std::vector<std::size_t>& variables, Precision precision) {
  const std::size_t size = variables.size();
  std::vector<std::size_t> places;
  places.reserve(size);
  for (const std::size_t t : variables) places.push_back(place_[example_[t]]);
  const std::unique_ptr<KernelMatrix> matrix = kernel_.part(places);
  if (precision == Precision::kDouble) matrix->use_doubles();
  // f = (what the part gives) + (a linear part that stays).
  DualProblem part = {*matrix, {}, {}, {}, upper_positive_, upper_negative_, two_groups_};
  std::vector<double> weights(labels_.size(), 0.0);
  for (const std::size_t t : variables) weights[t] = labels_[t] * alpha_[t];
  part.exact_start = true;
  part.kernel_sums.assign(size, 0.0);
  if (!add_products(weights, variables, precision, part.kernel_sums)) return false;
  std::vector<double> rest(size);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t t = variables[k];
    rest[k] = gradient_[t].value - part.kernel_sums[k];
    part.linear.push_back(labels_[t] * rest[k]);
    part.labels.push_back(labels_[t]);
    part.alpha.push_back(alpha_[t]);
  }
  // What progress shows is the objective of the whole problem.
  double twice = 0;
  for (std::size_t k = 0; k < size; ++k) {
    twice += part.labels[k] * part.alpha[k] * (part.kernel_sums[k] + 2 * rest[k]);
  }
  monitor_.enter_part({objective() - twice / 2, violation(), labels_.size()});
  const Solution solution = ConjugateSolver(std::move(part), kPartOfTolerance * epsilon_,
                                            shrinking_, monitor_, ConjugateUse::kAlways)
                                .solve();
  std::vector<double> changes(labels_.size(), 0.0);
  std::vector<char> in_part(labels_.size(), 0);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t t = variables[k];
    changes[t] = labels_[t] * (solution.alpha[k] - alpha_[t]);
    alpha_[t] = solution.alpha[k];
    in_part[t] = 1;
    gradient_[t].error = kInfinity;  // to be summed up anew
  }
  monitor_.leave_part();
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
    gradient_[others[k]].value += sums[k];
    if (single) gradient_[others[k]].error += error;
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
