// What a refinement knows of its gradient: sums in doubles, and how far off the others may be.
#include <algorithm>
#include <cmath>
#include <limits>

#include "platform/numbers.h"
#include "solvers/precise/refinement.h"
#include "solvers/smo/resolution.h"

namespace svm {
namespace {

// What an error that was seen is taken for a part of, as others may be larger.
constexpr double kErrorMargin = 1.25;

}  // namespace

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
double Refinement::violation() const { return violation(find_extremes()); }

double Refinement::violation(const std::vector<Extremes>& extremes) const {
  for (const Gradient& gradient : gradient_) {
    if (std::isnan(gradient.value)) return gradient.value;
  }
  double most = 0;
  for (const Extremes& e : extremes) {
    const double between = e.highest - e.lowest;
    if (std::isnan(between)) return between;
    most = std::max(most, between);
  }
  return most;
}

// Those that the violation is between.
std::vector<std::size_t> Refinement::most_violating() const {
  std::vector<std::size_t> ends(std::size_t{2} * kGroups,
                                labels_.size());  // lowest and highest of each group
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    const double f = gradient_[t].value;
    std::size_t* const end = ends.data() + 2 * static_cast<std::size_t>(group(t));
    if (may_go_up(t) && (end[0] == labels_.size() || f < gradient_[end[0]].value)) end[0] = t;
    if (may_go_down(t) && (end[1] == labels_.size() || f > gradient_[end[1]].value)) end[1] = t;
  }
  ends.erase(std::remove(ends.begin(), ends.end(), labels_.size()), ends.end());
  return ends;
}

// Those that may be part of a violation, or come to be when f changes by as much as that.
std::vector<std::size_t> Refinement::variables_that_matter() const {
  const std::vector<Extremes> extremes = find_extremes();
  const double slack = std::max(violation(extremes), epsilon_);  // not a number: all matter
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
    if (example >= place_.size()) place_.resize(example + 1, kNoIndex);
    place_[example] = i;
  }
}

std::vector<double> Refinement::signed_alpha() const {
  std::vector<double> b(labels_.size());
  for (std::size_t t = 0; t < b.size(); ++t) b[t] = labels_[t] * alpha_[t];
  return b;
}

// The weights of an example's variables together, in the order of the kernel.
std::vector<double> Refinement::by_place(const std::vector<double>& weights) const {
  std::vector<double> of_place(kernel_.size(), 0.0);
  for (std::size_t t = 0; t < weights.size(); ++t) of_place[place(t)] += weights[t];
  return of_place;
}

// Of sums with these weights of the variables.
double Refinement::rounding(const std::vector<double>& weights, Precision precision) const {
  std::vector<double> of_place(kernel_.size(), 0.0);
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    double& weight = of_place[place(t)];
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
  std::vector<double> sums(blurred.size(), 0.0);
  if (!add_products(signed_alpha(), blurred, Precision::kDouble, sums)) return false;
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
    for (Gradient& gradient : gradient_) {
      if (gradient.error > 0) gradient.error *= excess;  // which may be infinite
    }
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
  std::vector<std::size_t> columns, column_of(kernel_.size(), kNoIndex);
  for (const std::size_t t : variables) {
    std::size_t& column = column_of[place(t)];
    if (column != kNoIndex) continue;
    column = columns.size();
    columns.push_back(place(t));
  }
  std::vector<double> of_column(columns.size(), 0.0);
  const bool done = kernel_.add_sums(by_place(weights), columns, precision, of_column.data());
  for (std::size_t k = 0; k < variables.size(); ++k) {
    sums[k] += of_column[column_of[place(variables[k])]];
  }
  monitor_.release();
  return done;
}

}  // namespace svm
