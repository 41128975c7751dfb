// How large the variables of a dual problem may be.
#ifndef SVM_SOLVERS_RUN_UPPER_BOUNDS_H_
#define SVM_SOLVERS_RUN_UPPER_BOUNDS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace svm {

// C_t, by the label y_t, unless every variable has its own.
struct UpperBounds {
  double positive = 0;
  double negative = 0;
  std::vector<double> each = {};  // in the order of the variables; or empty

  double of(std::size_t t, int label) const {
    if (!each.empty()) return each[t];
    return label > 0 ? positive : negative;
  }
  void swap(std::size_t s, std::size_t t) {
    if (!each.empty()) std::swap(each[s], each[t]);
  }
  bool are_finite() const {
    return std::isfinite(positive) && std::isfinite(negative) &&
           std::all_of(each.begin(), each.end(), [](double upper) { return std::isfinite(upper); });
  }
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_UPPER_BOUNDS_H_
