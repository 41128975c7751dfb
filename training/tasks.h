// Parts of a training that may run at the same time, as if they ran one after the other.
#ifndef SVM_TRAINING_TASKS_H_
#define SVM_TRAINING_TASKS_H_

#include <cstddef>
#include <functional>

#include "solvers/run/run.h"

namespace svm {

// A number of random draws for each task.
using CountDraws = std::function<std::size_t(std::size_t task)>;

// False where the tasks after this one are no longer needed.
using TaskBody = std::function<bool(std::size_t task, Run& run)>;

// Calls body(task, its own run) for the tasks 0 ... count-1 on the threads of `run`.  What comes of
// it does not depend on their number:
// * messages come out in the order of the tasks, those of the first unfinished one at once;
// * task t gets the draws that it would get if the tasks ran one after the other, draws(t) of them;
// * reports are added to `run` in the order of the tasks;
// * of several exceptions that of the first task is rethrown.
// Progress is shown by one thread at a time.
void run_tasks(Run& run, std::size_t count, const CountDraws& draws, const TaskBody& body);

}  // namespace svm

#endif  // SVM_TRAINING_TASKS_H_
