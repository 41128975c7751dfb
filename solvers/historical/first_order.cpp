#include "solvers/historical/first_order.h"

namespace svm {

bool FirstOrderSolver::select_working_set(Pair& pair) {
  if (!find_violation()) return false;
  const Extremes* extremes = find_extremes();
  const Extremes& worst =
      svm::violation(extremes[1]) > svm::violation(extremes[0]) ? extremes[1] : extremes[0];
  pair = {worst.lowest_at, worst.highest_at};
  return true;
}

}  // namespace svm
