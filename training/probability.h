// Fits probability estimates.
#ifndef SVM_TRAINING_PROBABILITY_H_
#define SVM_TRAINING_PROBABILITY_H_

#include <optional>
#include <vector>

#include "model/model_view.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// P(positive | decision value f) = 1 / (1 + exp(slope f + offset)).
struct Sigmoid {
  double slope;
  double offset;
};

// The maximum likelihood sigmoid for decision values, whose labels are positive or negative, by
// Newton's method with backtracking.  Not usable if the run was stopped.
//
//   Lin, Lin, Weng: A note on Platt's probabilistic outputs for support vector machines, 2007.
Sigmoid fit_sigmoid(const std::vector<double>& decision_values, const double* labels, Run& run);

// The sigmoid of a pair of classes (labels +1 and -1), fitted to the decision values of a five-fold
// cross validation.  Not usable if the run was stopped.
Sigmoid pair_sigmoid(const Problem& pair, const svm_parameter& param, const UpperBounds& costs,
                     Run& run);

// Ten marks that divide the range of the model's decision values on its training rows.  Empty if
// there are too few values of either sign (after a warning) or if the run was stopped.
std::vector<double> one_class_marks(const Problem& problem, const ModelView& model, Run& run);

// The scale of the Laplace distribution of some errors: their mean absolute value without outliers
// beyond five standard deviations.
double error_width(const std::vector<double>& errors, Run& run);

// That of the errors of a five-fold cross validation.  The weights of the rows, all above 0, count
// in trainings only.  Empty if the run was stopped or (after a warning) if there is only one row.
std::optional<double> regression_error_width(const Problem& problem, const svm_parameter& param,
                                             Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_PROBABILITY_H_
