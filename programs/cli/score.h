// The figures that the programs print about predictions and models.
#ifndef SVM_PROGRAMS_CLI_SCORE_H_
#define SVM_PROGRAMS_CLI_SCORE_H_

#include <string>

#include "programs/certificate/certificate.h"

namespace svm::cli {

// Sums over pairs of a prediction and its true label, with LIBSVM's order of operations.
class Score {
 public:
  void add(double prediction, double label);

  long long count() const { return count_; }
  long long correct() const { return correct_; }  // number of predictions equal to their labels
  double accuracy() const;                        // in percent; NaN if there are no pairs
  double mean_squared_error() const;
  double squared_correlation() const;

 private:
  long long count_ = 0, correct_ = 0;
  double squared_error_ = 0;
  double prediction_ = 0, label_ = 0;
  double prediction_squared_ = 0, label_squared_ = 0, product_ = 0;
};

// Why a cross validation has no figure.
inline constexpr const char* kNanFault =
    "ERROR: cross validation failed: predictions are not numbers, because kernel values overflow; "
    "scale the features (svm-scale)";

// The lines that svm-train --check prints about a model. `tolerance` is the one that training was
// asked for.
std::string certificate_text(const Certificate& certificate, double tolerance);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_SCORE_H_
