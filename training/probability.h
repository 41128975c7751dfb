// Fits of probability estimates.
#ifndef SVM_TRAINING_PROBABILITY_H_
#define SVM_TRAINING_PROBABILITY_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "model/model_view.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"
#include "training/weights.h"

namespace svm {

// P(positive | decision value f) = 1 / (1 + exp(slope f + offset)).
struct Sigmoid {
  double slope;
  double offset;
};

// Maximum likelihood sigmoid for `count` decision values with labels of either sign, by Newton's
// method with backtracking.  Without meaning where the run was stopped.
//
//   Lin, Lin, Weng: A note on Platt's probabilistic outputs for support vector machines, 2007.
Sigmoid fit_sigmoid(const std::vector<double>& decision_values, const double* labels, Run& run);

// The sigmoid of a pair of classes (labels +1 and -1), from decision values of a five-fold cross
// validation.  Without meaning where the run was stopped.
Sigmoid pair_sigmoid(const Problem& pair, const svm_parameter& param, const Costs& costs, Run& run);

// Ten marks that cut the range of the model's decision values on its training rows; empty where
// there are too few of either sign (after a warning), and where the run was stopped meanwhile.
std::vector<double> one_class_marks(const Problem& problem, const ModelView& model, Run& run);

// Scale of the Laplace distribution of the errors of a five-fold cross validation: their mean
// absolute value, without those beyond five standard deviations.  Nothing where the run was
// stopped, and (after a warning) for a single row.  Weights of the rows, all above 0, count in
// trainings only.
std::optional<double> regression_error_width(const Problem& problem, const svm_parameter& param,
                                             Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_PROBABILITY_H_
