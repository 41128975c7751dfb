// From a problem to a model.
#ifndef SVM_TRAINING_TRAIN_H_
#define SVM_TRAINING_TRAIN_H_

#include <cstddef>
#include <vector>

#include "model/model_memory.h"
#include "solvers/run/run.h"
#include "svm.h"

namespace svm {

// Trains all sub-problems, with probability estimates where asked for.  The model's rows point
// into `problem`.  Where the run was stopped there are no probability estimates.  Throws
// PrecomputedRowError, std::bad_alloc, and std::invalid_argument where there are no rows.
ModelPtr train(const svm_problem& problem, const svm_parameter& param, Run& run);

// Random draws that train() will take.
std::size_t count_draws(const svm_problem& problem, const svm_parameter& param);

// Predictions for every row by models that did not see it; in folds stratified by class for the
// classifications.  NaN for the rows of the folds that were not completed when the run was stopped.
// Throws as make_folds() and train() do.
std::vector<double> cross_validate(const svm_problem& problem, const svm_parameter& param,
                                   int folds, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_TRAIN_H_
