#include "solvers/smo/first_order.h"

namespace svm {

bool FirstOrderSolver::select_working_set(Pair& pair) {
  if (!find_violation()) return false;
  const Ends* ends = find_ends();
  const Ends& worst = violation(ends[1]) > violation(ends[0]) ? ends[1] : ends[0];
  pair = {worst.lowest_at, worst.highest_at};
  return true;
}

}  // namespace svm
