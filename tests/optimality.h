// Measures violations of optimality; shares nothing with the solvers.
#ifndef SVM_TESTS_OPTIMALITY_H_
#define SVM_TESTS_OPTIMALITY_H_

#include <algorithm>
#include <cmath>
#include <limits>

namespace svm::test {

// The largest violation max_{I_low} f - min_{I_up} f.
class Violation {
 public:
  // Adds a variable with label y, value alpha in [0, upper] and signed gradient f = y G.
  void add(int y, double alpha, double upper, double f) {
    const bool may_grow = alpha<upper, may_fall = alpha> 0;
    if (std::isnan(f)) up_ = f;  // std::min() would ignore it
    if (y > 0 ? may_grow : may_fall) up_ = std::min(up_, f);
    if (y > 0 ? may_fall : may_grow) low_ = std::max(low_, f);
  }
  double value() const { return low_ - up_; }

 private:
  double up_ = std::numeric_limits<double>::infinity();
  double low_ = -std::numeric_limits<double>::infinity();
};

}  // namespace svm::test

#endif  // SVM_TESTS_OPTIMALITY_H_
