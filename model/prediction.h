// Prediction of single rows.
#ifndef SVM_MODEL_PREDICTION_H_
#define SVM_MODEL_PREDICTION_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "kernels/kernel_function.h"
#include "model/model_view.h"
#include "solvers/run/messages.h"

namespace svm {

// Predicts single rows.  The arrays that the view borrows must outlive it.  Immutable, so that
// threads can share it.
class Predictor {
 public:
  Predictor(ModelView model, Messages messages)
      : model_(std::move(model)), kernel_(model_.param), messages_(std::move(messages)) {}

  // Writes the decision values of a row (see svm_predict_values), and returns its prediction.
  double predict_values(const DataRow& x, double* decision_values) const;
  double predict(const DataRow& x) const;

  // Predicts by probability if the model has estimates, and writes them to `probabilities` if that
  // is not null.
  double predict_probability(const DataRow& x, double* probabilities) const;

  // The prediction of a row from its decision values, by sign or by probability.
  double prediction_of(const double* decision_values) const;
  double probability_of(const double* decision_values, double* probabilities) const;

  // Number of values that predict_values writes.
  std::size_t value_count() const { return model_.functions(); }
  bool has_class_probabilities() const;  // a classifier with sigmoids

 private:
  std::vector<double> kernel_values(const DataRow& x) const;  // one for each support vector
  double single_value(const DataRow& x) const;
  double one_class_probability(double decision_value) const;

  const ModelView model_;
  KernelFunction kernel_;
  Messages messages_;
};

// Value of the sigmoid 1 / (1 + exp(slope f + offset)) without overflow.
double sigmoid_probability(double decision_value, double slope, double offset);

// Class probabilities from pairwise ones: pairwise[a * k + b] = P(a | a or b).
//
//   Wu, Lin, Weng: Probability estimates for multi-class classification by pairwise coupling,
//   JMLR 5 (2004), second approach, algorithm 2.
std::vector<double> couple_probabilities(std::size_t classes, const std::vector<double>& pairwise,
                                         const Messages& messages);

}  // namespace svm

#endif  // SVM_MODEL_PREDICTION_H_
