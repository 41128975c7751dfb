#include "solvers/first_order.h"

namespace svm {

bool FirstOrderSolver::select_working_set(Pair& pair) {
  Extremes extremes[kGroups];
  if (!find_violation(extremes)) return false;
  const Extremes& worst =
      extremes[1].violation() > extremes[0].violation() ? extremes[1] : extremes[0];
  pair = {worst.lowest_up_at, worst.highest_low_at};
  return true;
}

}  // namespace svm
