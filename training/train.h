// Trains a model: a single machine, or one for each pair of classes.
#ifndef SVM_TRAINING_TRAIN_H_
#define SVM_TRAINING_TRAIN_H_

#include <cstddef>
#include <vector>

#include "model/model_memory.h"
#include "solvers/run/run.h"
#include "svm.h"
#include "training/machines.h"
#include "training/problem.h"
#include "training/start_point.h"

namespace svm {

// Trains a model, with probability estimates if asked for.  The run's options supply the weights of
// the rows and the model to start from.  Support vectors of the model point to the nodes of
// `problem`, unless its rows are those of a view: then the model owns them.  If the run was
// stopped, the model is that of the current iterate, without probability estimates.  Throws
// PrecomputedRowError, std::bad_alloc, and std::invalid_argument if there are no rows, or if
// weights or start do not fit them.
ModelPtr train(const Problem& problem, const svm_parameter& param, Run& run);

// Trains the machines of a model.  The weights of the problem were checked and are above 0.
// `starts` has one start for each machine, or is empty.
TrainedMachines train_machines(const Problem& problem, const svm_parameter& param, Run& run,
                               const std::vector<StartPoint>& starts = {});

// Passes notes on a call that has ended to its warning function, each once: it did what LIBSVM
// does, which may not be what the caller meant.  They begin with "NOTE: ".
void print_notes(const svm_parameter& param, const Run& run);

// The sizes of the shuffles for which train_machines() will draw random numbers, in their order.
std::vector<std::size_t> shuffles_of_training(const Problem& problem, const svm_parameter& param);

}  // namespace svm

#endif  // SVM_TRAINING_TRAIN_H_
