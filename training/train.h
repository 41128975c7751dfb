// From a problem to a model.
#ifndef SVM_TRAINING_TRAIN_H_
#define SVM_TRAINING_TRAIN_H_

#include <cstddef>

#include "model/model_memory.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/machines.h"
#include "training/problem.h"

namespace svm {

// Trains all sub-problems, with probability estimates if asked for.  Support vectors that are nodes
// stay those of `problem`.  If the run was stopped, there are no probability estimates.  Throws
// PrecomputedRowError, std::bad_alloc, and std::invalid_argument if there are no rows, or the run's
// weights of the rows or its model to start from do not fit.
ModelPtr train(const Problem& problem, const svm_parameter& param, Run& run);

// The same for some rows of a call, whose weights are all above 0 and were checked: starts as
// usual.
TrainedMachines train_machines(const Problem& problem, const svm_parameter& param, Run& run);

// Random draws that train() will take.
std::size_t count_draws(const Problem& problem, const svm_parameter& param);

}  // namespace svm

#endif  // SVM_TRAINING_TRAIN_H_
