// The gradient of a refinement: exact sums of some variables, and the errors of the others.
#include <algorithm>
#include <cmath>

#include "solvers/precise/refinement.h"
#include "solvers/smo/resolution.h"

namespace svm {

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
  representative_.clear();
  for (std::size_t i = 0; i < kernel_.size(); ++i) {
    const std::size_t example = kernel_.example(i);
    if (example >= representative_.size()) representative_.resize(example + 1, kNoIndex);
    representative_[example] = i;
  }
}

// The terms as a vector over the kernel's variables, with one element for both of an example.
std::vector<double> Refinement::by_representative(const std::vector<Term>& terms) const {
  std::vector<double> of_each(kernel_.size(), 0.0);
  for (const Term& term : terms) of_each[representative(term.variable)] += term.change;
  return of_each;
}

// The same of the sizes of the terms, added as independent errors are: by their squares.
std::vector<double> Refinement::sizes_by_representative(const std::vector<Term>& terms) const {
  std::vector<double> of_each(kernel_.size(), 0.0);
  for (const Term& term : terms) {
    double& size = of_each[representative(term.variable)];
    size = size == 0 ? std::fabs(term.change) : std::hypot(size, term.change);
  }
  return of_each;
}

// The estimated error of sums over these terms with kernel values of this precision.
double Refinement::rounding(const std::vector<Term>& terms, Precision precision) const {
  return resolution(kernel_, sizes_by_representative(terms), precision);
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
  std::vector<double> weights(representative_.size(), 0.0), exact;
  for (const Term& term : terms) weights[example_[term.variable]] += term.change;
  Variables columns;
  columns.reserve(variables.size());
  for (const std::size_t t : variables) columns.push_back(example_[t]);
  const auto poll = [this] { return monitor_.poll(); };
  if (!exact_sums_->compute(weights, columns, monitor_.pool(), poll, exact)) return false;
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += exact[k];
  return true;
}

// sums[k] += the sum over the terms of change * K(variable, variables[k]).  False if interrupted.
bool Refinement::add_products(const std::vector<Term>& terms, const Variables& variables,
                              Precision precision, std::vector<double>& sums) {
  monitor_.observe(kernel_);
  Variables columns;
  columns.reserve(variables.size());
  for (const std::size_t t : variables) columns.push_back(representative(t));
  const bool done = add_kernel_sums(kernel_, by_representative(terms), columns, precision, sums);
  monitor_.release();
  return done;
}

}  // namespace svm
