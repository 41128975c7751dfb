// Sums whose rounding is far below that of their terms.
#ifndef SVM_TRAINING_EXACT_SUM_H_
#define SVM_TRAINING_EXACT_SUM_H_

namespace svm {

// A sum to about twice a double's digits, by error-free addition.
class ExactSum {
 public:
  void add(double value) {
    const double sum = sum_ + value, part = sum - sum_;
    rest_ += (sum_ - (sum - part)) + (value - part);
    sum_ = sum;
  }
  double value() const { return sum_ + rest_; }
  double minus(double other) const { return (sum_ - other) + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

}  // namespace svm

#endif  // SVM_TRAINING_EXACT_SUM_H_
