// Folds, and cross validation.
#ifndef SVM_TRAINING_CROSS_VALIDATION_H_
#define SVM_TRAINING_CROSS_VALIDATION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/predictor.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/machines.h"
#include "training/problem.h"

namespace svm {

// Rows in the order of their folds.  Fold f is order[start[f]] ... order[start[f + 1] - 1].
struct Folds {
  std::vector<std::size_t> order;
  std::vector<std::size_t> start;

  std::size_t size() const { return start.size() - 1; }
};

// The folds with these rows, without the empty ones.
Folds folds_of(const std::vector<std::vector<std::size_t>>& members);

// The numbers of all rows, ordered by class (for the classifications) and then by fold, so that the
// training sets of folds and class pairs are few contiguous ranges.  Rows of a precomputed kernel
// keep their order, so that messages have their numbers.
std::vector<std::uint32_t> rows_by_class_and_fold(const Problem& problem,
                                                  const svm_parameter& param, const Folds& folds);

// Draws the folds as LIBSVM does, stratified by class for the classifications.  If there are fewer
// rows than `folds`, warns and makes a fold of each row.  Throws std::invalid_argument if there are
// fewer than two folds or rows, or if one fold would get all rows.
Folds make_folds(const Problem& problem, const svm_parameter& param, int folds, Run& run);

// `folds` parts of all rows in random order.
Folds plain_folds(std::size_t rows, std::size_t folds, Run& run);

// The training set of fold f: the rows of the other folds whose weights are above 0.
Subset rows_of_others(const Problem& problem, const Folds& folds, std::size_t f);

// Predicts every row by a model that was trained on the other folds.  The folds are those of
// make_folds(); the weights of the run's options count in trainings only.  If the run is stopped,
// the rows of unfinished folds are NaN. Throws as make_folds() and train().
std::vector<double> cross_validate(const Problem& problem, const svm_parameter& param, int folds,
                                   Run& run);

// The same with the weights of the problem, which were checked.
std::vector<double> predict_by_folds(const Problem& problem, const svm_parameter& param, int folds,
                                     Run& run);

// Sets the results of the rows of fold f, by a model of the other folds: decision values if
// `by_value`, else predictions, by probability if the model has estimates.  Returns false, and sets
// none, if the run was stopped.
bool predict_fold(const Problem& problem, const Folds& folds, std::size_t f,
                  const SupportVectors& vectors, bool by_value, Run& run,
                  std::vector<double>& results);

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
