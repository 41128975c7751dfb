// Prediction of single rows.
#ifndef SVM_MODEL_PREDICTION_H_
#define SVM_MODEL_PREDICTION_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/kernel_function.h"
#include "kernels/kernel_tail.h"
#include "model/model_view.h"
#include "solvers/run/messages.h"

namespace svm {

// A term of a decision value: coefficients times the kernel values of a class.
struct KernelTerm {
  const double* coefficients;
  double* sum;
};

// Working memory of a thread, for one row after the other.
struct PredictionWork {
  std::vector<double> kernel_values;
  std::vector<KernelTerm> terms;
  std::vector<double> pairwise, q, p, product;  // of probabilities
};

// Adds the terms of support vectors [first, last) to the sums of all decision functions, in the
// order of the support vectors.  kernel_values[s - first] is the value of vector s.
void add_row_terms(const ModelView& model, std::size_t first, std::size_t last,
                   const double* kernel_values, std::vector<KernelTerm>& terms, double* sums);

// Predicts single rows.  The arrays that the view borrows must outlive it.  Immutable, so that
// threads can share it.
class Predictor {
 public:
  Predictor(ModelView model, Messages messages)
      : model_(std::move(model)), kernel_(model_.param), messages_(std::move(messages)) {
    if (model_.count >= kManyValues) tail_.emplace(kernel_);
  }

  // Writes the decision values of a row (see svm_predict_values), and returns its prediction.
  double predict_values(const DataRow& x, double* decision_values, PredictionWork& work) const;
  double predict_values(const DataRow& x, double* decision_values) const {
    PredictionWork work;
    return predict_values(x, decision_values, work);
  }
  double predict(const DataRow& x) const;

  // Predicts by probability if the model has estimates, and writes them to `probabilities` if that
  // is not null.
  double predict_probability(const DataRow& x, double* probabilities) const;

  // The prediction of a row from its decision values, by sign or by probability.
  double prediction_of(const double* decision_values) const;
  double probability_of(const double* decision_values, double* probabilities,
                        PredictionWork& work) const;

  // Number of values that predict_values writes.
  std::size_t value_count() const { return model_.functions(); }
  bool has_class_probabilities() const;  // a classifier with sigmoids

 private:
  static constexpr std::size_t kManyValues = 32;  // that pay for memory and vectorised loops

  double one_class_probability(double decision_value) const;

  const ModelView model_;
  KernelFunction kernel_;
  std::optional<ExactTail> tail_;  // if there are many support vectors
  Messages messages_;
};

// Value of the sigmoid 1 / (1 + exp(slope f + offset)) without overflow.
double sigmoid_probability(double decision_value, double slope, double offset);

// Writes class probabilities to work.p, from pairwise ones: work.pairwise[a * k + b] =
// P(a | a or b).
//
//   Wu, Lin, Weng: Probability estimates for multi-class classification by pairwise coupling,
//   JMLR 5 (2004), second approach, algorithm 2.
void couple_probabilities(std::size_t classes, PredictionWork& work, const Messages& messages);

}  // namespace svm

#endif  // SVM_MODEL_PREDICTION_H_
