#include "solvers/math/boxed_sum.h"

#include <algorithm>
#include <cmath>

namespace svm {

bool restore_sum(std::vector<BoxedVariable>& variables, double sum) {
  double missing = sum;
  for (const BoxedVariable& v : variables) missing -= v.value;
  const auto room = [&](const BoxedVariable& v) {
    if (!(v.value > v.low && v.value < v.high)) return 0.0;
    const double up = v.high - v.value, down = v.value - v.low;
    const double way = missing > 0 ? up : down;
    return std::isfinite(way) ? way : std::min(up, down);
  };
  double all = 0;
  for (const BoxedVariable& v : variables) all += room(v);
  if (!(std::fabs(missing) <= all)) return false;
  if (missing == 0) return true;
  for (BoxedVariable& v : variables) {
    v.value = std::min(std::max(v.value + missing / all * room(v), v.low), v.high);
  }
  return true;
}

}  // namespace svm
