#include "solvers/smo/part_problem.h"

#include <utility>

namespace svm {

DualProblem part_problem(KernelMatrix& matrix, const Box& whole, bool two_groups,
                         const std::vector<std::size_t>& variables) {
  const UpperBounds& upper = whole.bounds;
  DualProblem part = {matrix, {}, {}, {}, {upper.positive, upper.negative}, two_groups};
  for (const std::size_t t : variables) {
    part.labels.push_back(whole.labels[t]);
    part.alpha.push_back(whole.alpha[t]);
    if (!upper.each.empty()) part.upper.each.push_back(upper.each[t]);
  }
  return part;
}

Solution solve_part(DualProblem part, const std::vector<double>& f, const Monitor::Whole& whole,
                    const PartSettings& settings, Monitor& monitor) {
  double twice = 0;  // the part's objective at the start
  part.linear.clear();
  for (std::size_t k = 0; k < f.size(); ++k) {
    const double rest = f[k] - part.kernel_sums[k];
    part.linear.push_back(part.labels[k] * rest);
    twice += part.labels[k] * part.alpha[k] * (part.kernel_sums[k] + 2 * rest);
  }
  monitor.enter_part(whole, twice / 2);
  Solution solution = ConjugateSolver(std::move(part), settings.tolerance, settings.shrinking,
                                      monitor, settings.use)
                          .solve();
  monitor.leave_part();
  solution.objective -= twice / 2;
  return solution;
}

}  // namespace svm
