// Predictions from decision values, and decision values from kernel values.
#ifndef SVM_MODEL_DECISIONS_H_
#define SVM_MODEL_DECISIONS_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "model/model_view.h"
#include "solvers/run/messages.h"

namespace svm {

// A term of a decision value: coefficients times the kernel values of a class.
struct KernelTerm {
  const double* coefficients;
  double* sum;
};

// Working memory of a thread, for one row after the other.
struct DecisionWork {
  std::vector<KernelTerm> terms;
  std::vector<double> pairwise, q, p, product;  // of probabilities
};

// True if a model with these members has the estimates that svm_predict_probability() writes: of
// classes by the slopes and offsets of sigmoids, or of normal rows and outliers by density marks.
bool has_probabilities(int svm_type, const double* slopes, const double* offsets,
                       const double* marks);
bool has_probabilities(const svm_model& model);

// The decisions of a model about a row whose kernel values are known.  The arrays that the view
// borrows must outlive it.  Immutable, so that threads can share it.
class Decisions {
 public:
  Decisions(ModelView model, Messages messages)
      : model_(std::move(model)), messages_(std::move(messages)) {}

  const ModelView& model() const { return model_; }

  // Adds the terms of support vectors [first, last) to the sums of all decision functions, in the
  // order of the support vectors: that of function f is sums[f * stride].  kernel_values[s - first]
  // is the value of vector s.
  void add_terms(std::size_t first, std::size_t last, const double* kernel_values,
                 std::vector<KernelTerm>& terms, double* sums, std::size_t stride = 1) const;

  // The prediction of a row from its decision values, by sign; or by probability if the model has
  // estimates, which are written to `probabilities` if that is not null.
  double prediction_of(const double* decision_values) const;
  double probability_of(const double* decision_values, double* probabilities,
                        DecisionWork& work) const;

  bool has_probabilities() const {
    return svm::has_probabilities(model_.param.svm_type, model_.slopes, model_.offsets,
                                  model_.marks);
  }

 private:
  double one_class_probability(double decision_value) const;

  const ModelView model_;
  const Messages messages_;
};

// Value of the sigmoid 1 / (1 + exp(slope f + offset)) without overflow.
double sigmoid_probability(double decision_value, double slope, double offset);

// Writes class probabilities to work.p, from pairwise ones: work.pairwise[a * k + b] =
// P(a | a or b).
//
//   Wu, Lin, Weng: Probability estimates for multi-class classification by pairwise coupling,
//   JMLR 5 (2004), second approach, algorithm 2.
void couple_probabilities(std::size_t classes, DecisionWork& work, const Messages& messages);

}  // namespace svm

#endif  // SVM_MODEL_DECISIONS_H_
