// The figures that svm-train -v and svm-predict print.
#ifndef SVM_CLI_SCORE_H_
#define SVM_CLI_SCORE_H_

namespace svm::cli {

// Sums over pairs of a prediction and the true label.  The order of the arithmetic is LIBSVM's.
class Score {
 public:
  void add(double prediction, double label);

  long long count() const { return count_; }
  long long correct() const { return correct_; }  // prediction equals label
  double accuracy() const;                        // percent; NaN for no pairs
  double mean_squared_error() const;
  double squared_correlation() const;

 private:
  long long count_ = 0, correct_ = 0;
  double squared_error_ = 0;
  double prediction_ = 0, label_ = 0;
  double prediction_squared_ = 0, label_squared_ = 0, product_ = 0;
};

}  // namespace svm::cli

#endif  // SVM_CLI_SCORE_H_
