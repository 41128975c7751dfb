// Cross validation.
#ifndef SVM_TRAINING_CROSS_VALIDATION_H_
#define SVM_TRAINING_CROSS_VALIDATION_H_

#include <vector>

#include "solvers/run/run.h"
#include "svm.h"
#include "training/problem.h"

namespace svm {

// Predictions for every row by models that did not see it; in folds stratified by class for the
// classifications.  NaN for the rows of the folds that were not completed when the run was stopped.
// The weights of the rows, which are those of the run's options, do not change the folds.  Throws
// as make_folds() and train() do.
std::vector<double> cross_validate(const Problem& problem, const svm_parameter& param, int folds,
                                   Run& run);

// The same with the problem's weights, which were checked.
std::vector<double> cross_validate_weighted(const Problem& problem, const svm_parameter& param,
                                            int folds, Run& run);

}  // namespace svm

#endif  // SVM_TRAINING_CROSS_VALIDATION_H_
