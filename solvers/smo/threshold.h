// Where the threshold of a solution lies, by the signed gradient of its variables.
#ifndef SVM_SOLVERS_SMO_THRESHOLD_H_
#define SVM_SOLVERS_SMO_THRESHOLD_H_

#include <cmath>
#include <cstddef>
#include <limits>

namespace svm {

// Mean of f over the free variables, else the middle of what those at a bound allow.
class Threshold {
 public:
  // A variable that may go up, down, both or, with a cost of 0, not at all: then it says nothing.
  // Sums run in the order of the calls.
  void add(double f, bool may_go_up, bool may_go_down) {
    if (may_go_up && may_go_down) {
      ++free_count_;
      sum_ += f;
    } else if (may_go_up) {
      above_ = above_ < f ? above_ : f;
    } else if (may_go_down) {
      below_ = below_ > f ? below_ : f;
    }
  }

  // LIBSVM's: infinite where nothing is free and all may go the same way.
  double value() const {
    return free_count_ > 0 ? sum_ / static_cast<double>(free_count_) : (above_ + below_) / 2;
  }

  // The end that there is, then; 0 where there is none.
  double finite_value() const {
    if (std::isfinite(value())) return value();
    if (std::isfinite(above_)) return above_;
    return std::isfinite(below_) ? below_ : 0;
  }

 private:
  double above_ = std::numeric_limits<double>::infinity();
  double below_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;
  std::size_t free_count_ = 0;
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_THRESHOLD_H_
