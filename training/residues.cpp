#include "training/residues.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "model/compensated_sum.h"

namespace svm {
namespace {

// The bound that a variable is within `rounding` of; itself if it is near none.
double bound_near(double alpha, double upper, double rounding) {
  if (alpha <= rounding) return 0;
  return upper - alpha <= rounding ? upper : alpha;
}

}  // namespace

double largest_variable(const DualState& state) {
  const std::vector<double>& alpha = state.alpha;
  return alpha.empty() ? 0 : *std::max_element(alpha.begin(), alpha.end());
}

bool start_may_decide(double largest_of_start, const DualState& solution) {
  constexpr double kFarSmaller = 1e-3, kImbalance = 1e-10;
  if (largest_of_start == 0) return false;
  CompensatedSum sum, sizes;
  for (std::size_t t = 0; t < solution.size(); ++t) {
    sum.add(solution.b(t));
    sizes.add(solution.alpha[t]);
  }
  return largest_variable(solution) < kFarSmaller * largest_of_start ||
         std::fabs(sum.value()) > kImbalance * sizes.value();
}

void settle_at_bounds(const RowEngine& engine, std::size_t rows, double epsilon,
                      Solution& solution) {
  constexpr double kRelative = 1e-12, kPartOfEpsilon = 0.01;
  if (solution.f.empty()) return;
  const double rounding = kRelative * largest_variable(solution);
  std::vector<double> settled(solution.size());
  double change = 0, largest_root = 0;  // bound the change of every kernel sum
  for (std::size_t t = 0; t < solution.size(); ++t) {
    const double upper = solution.upper_bound(t);
    settled[t] = bound_near(solution.alpha[t], upper, rounding);
    if (settled[t] > 0 && settled[t] < upper) return;
    const double root = std::sqrt(std::fabs(engine.diagonal(t % rows)));
    change += std::fabs(settled[t] - solution.alpha[t]) * root;
    largest_root = std::max(largest_root, root);
  }
  if (settled == solution.alpha || !(change * largest_root <= kPartOfEpsilon * epsilon)) return;
  solution.alpha = std::move(settled);
  solution.set_thresholds(solution.ends());
}

}  // namespace svm
