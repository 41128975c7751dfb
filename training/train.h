// From a problem to a model.
#ifndef SVM_TRAINING_TRAIN_H_
#define SVM_TRAINING_TRAIN_H_

#include <vector>

#include "model/model_memory.h"
#include "solvers/messages.h"
#include "svm.h"

namespace svm {

// Trains all sub-problems, with probability estimates where asked for.  The model's rows point
// into `problem`.  Throws PrecomputedRowError and std::bad_alloc.
ModelPtr train(const svm_problem& problem, const svm_parameter& param, const Messages& messages);

// Predictions for every row by models that did not see it; in folds stratified by class for the
// classifications.
std::vector<double> cross_validate(const svm_problem& problem, const svm_parameter& param,
                                   int folds, const Messages& messages);

}  // namespace svm

#endif  // SVM_TRAINING_TRAIN_H_
