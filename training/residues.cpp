#include "training/residues.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "solvers/smo/threshold.h"
#include "training/exact_sum.h"

namespace svm {
namespace {

double largest_of(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// The bound that a variable is within `rounding` of; itself if it is near none.
double bound_near(double alpha, double upper, double rounding) {
  if (alpha <= rounding) return 0;
  return upper - alpha <= rounding ? upper : alpha;
}

}  // namespace

Residues::Residues(const DualProblem& problem)
    : linear_(problem.linear),
      labels_(problem.labels),
      upper_(problem.upper),
      two_groups_(problem.one_constraint_per_label),
      linear_rows_(problem.linear_rows),
      largest_(largest_of(problem.alpha)) {}

bool Residues::may_decide(const Solution& solution) const {
  constexpr double kFarSmaller = 1e-3, kImbalance = 1e-10;
  if (largest_ == 0) return false;
  ExactSum sum, sizes;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    sum.add(labels_[t] * solution.alpha[t]);
    sizes.add(solution.alpha[t]);
  }
  return largest_of(solution.alpha) < kFarSmaller * largest_ ||
         std::fabs(sum.value()) > kImbalance * sizes.value();
}

DualProblem Residues::from_zero(KernelMatrix& kernel) const {
  DualProblem problem = {kernel, linear_, labels_, std::vector<double>(labels_.size(), 0.0),
                         upper_};
  problem.linear_rows = linear_rows_;
  return problem;
}

void Residues::settle(const RowEngine& engine, std::size_t rows, double epsilon,
                      Solution& solution) const {
  constexpr double kRelative = 1e-12, kPartOfEpsilon = 0.01;
  if (solution.kernel_sums.size() != labels_.size()) return;
  const double rounding = kRelative * largest_of(solution.alpha);
  std::vector<double> settled(labels_.size());
  Threshold thresholds[kGroups];
  double change = 0, largest_root = 0;  // bound the change of every kernel sum
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    const double upper = upper_.of(t, labels_[t]);
    settled[t] = bound_near(solution.alpha[t], upper, rounding);
    if (settled[t] > 0 && settled[t] < upper) return;
    const double root = std::sqrt(std::fabs(engine.diagonal(t % rows)));
    change += std::fabs(settled[t] - solution.alpha[t]) * root;
    largest_root = std::max(largest_root, root);
    const bool may_grow = settled[t]<upper, may_shrink = settled[t]> 0;
    thresholds[two_groups_ && labels_[t] < 0 ? 1 : 0].add(
        solution.kernel_sums[t] + labels_[t] * linear_[t], labels_[t] > 0 ? may_grow : may_shrink,
        labels_[t] > 0 ? may_shrink : may_grow);
  }
  if (settled == solution.alpha || !(change * largest_root <= kPartOfEpsilon * epsilon)) return;
  solution.alpha = std::move(settled);
  const double first = thresholds[0].finite_value();
  const double second = two_groups_ ? -thresholds[1].finite_value() : -first;
  solution.rho = (first - second) / 2;
  if (two_groups_) solution.margin = (first + second) / 2;
}

}  // namespace svm
