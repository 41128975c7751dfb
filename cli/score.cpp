#include "cli/score.h"

namespace svm::cli {

void Score::add(double prediction, double label) {
  ++count_;
  if (prediction == label) ++correct_;
  squared_error_ += (prediction - label) * (prediction - label);
  prediction_ += prediction;
  label_ += label;
  prediction_squared_ += prediction * prediction;
  label_squared_ += label * label;
  product_ += prediction * label;
}

double Score::accuracy() const {
  return static_cast<double>(correct_) / static_cast<double>(count_) * 100;
}

double Score::mean_squared_error() const { return squared_error_ / static_cast<double>(count_); }

double Score::squared_correlation() const {
  const double n = static_cast<double>(count_);
  const double covariance = n * product_ - prediction_ * label_;
  return (covariance * covariance) / ((n * prediction_squared_ - prediction_ * prediction_) *
                                      (n * label_squared_ - label_ * label_));
}

}  // namespace svm::cli
