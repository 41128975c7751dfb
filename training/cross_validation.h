// Cross validation.
#ifndef SVM_TRAINING_CROSS_VALIDATION_H_
#define SVM_TRAINING_CROSS_VALIDATION_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/predictor.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Predicts every row by a model that was trained on the other folds.  The folds are those of
// make_folds(); the weights of the run's options count in trainings only.  If the run is stopped,
// the rows of unfinished folds are NaN. Throws as make_folds() and train().
std::vector<double> cross_validate(const Problem& problem, const svm_parameter& param, int folds,
                                   Run& run);

// The same with the weights of the problem, which were checked.
std::vector<double> predict_by_folds(const Problem& problem, const svm_parameter& param, int folds,
                                     Run& run);

// Calls predict(begin, end) for consecutive batches of the rows [0, count).  Returns false if the
// run was stopped before the last batch.
template <typename Predict>
bool for_batches(Run& run, std::size_t count, const Predict& predict) {
  for (std::size_t begin = 0; begin < count; begin += Predictor::kRows) {
    if (begin > 0 && !run.poll()) return false;
    predict(begin, std::min(count, begin + Predictor::kRows));
  }
  return true;
}

}  // namespace svm

#endif  // SVM_TRAINING_CROSS_VALIDATION_H_
