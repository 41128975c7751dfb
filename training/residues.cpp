#include "training/residues.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "solvers/smo/threshold.h"

namespace svm {

Residues::Residues(const DualProblem& problem)
    : linear_(problem.linear), labels_(problem.labels), upper_(problem.upper) {
  constexpr double kRelative = 1e-12;
  for (const double alpha : problem.alpha) rounding_ = std::max(rounding_, kRelative * alpha);
}

double Residues::bound_near(double alpha, double upper) const {
  if (alpha <= rounding_) return 0;
  return upper - alpha <= rounding_ ? upper : alpha;
}

void Residues::settle(Solution& solution) const {
  if (solution.kernel_sums.size() != labels_.size()) return;
  std::vector<double> settled(labels_.size());
  Threshold threshold;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    const double upper = upper_.of(t, labels_[t]);
    settled[t] = bound_near(solution.alpha[t], upper);
    if (settled[t] > 0 && settled[t] < upper) return;
    const bool may_grow = settled[t]<upper, may_shrink = settled[t]> 0;
    threshold.add(solution.kernel_sums[t] + labels_[t] * linear_[t],
                  labels_[t] > 0 ? may_grow : may_shrink, labels_[t] > 0 ? may_shrink : may_grow);
  }
  if (settled == solution.alpha) return;
  solution.alpha = std::move(settled);
  solution.rho = threshold.finite_value();
}

}  // namespace svm
