// A sum that also adds up its rounding errors, so that its error does not grow with the number of
// terms.
#ifndef SVM_MODEL_COMPENSATED_SUM_H_
#define SVM_MODEL_COMPENSATED_SUM_H_

#include <cmath>

namespace svm {

//   A. Neumaier: Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen,
//   ZAMM 54 (1974).
class CompensatedSum {
 public:
  void add(double term) {
    const double sum = sum_ + term;
    errors_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + errors_; }  // not finite after an overflow

 private:
  double sum_ = 0;
  double errors_ = 0;
};

}  // namespace svm

#endif  // SVM_MODEL_COMPENSATED_SUM_H_
