// Tasks of a training, which run concurrently with the results of running one after the other.
#ifndef SVM_TRAINING_TASKS_H_
#define SVM_TRAINING_TASKS_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "solvers/run/run.h"

namespace svm {

// The sizes of the shuffles for which a task draws random numbers, in their order.
using Shuffles = std::function<std::vector<std::size_t>(std::size_t task)>;
inline std::vector<std::size_t> no_shuffles(std::size_t /*task*/) { return {}; }

// Returns false if later tasks are not needed.
using TaskBody = std::function<bool(std::size_t task, Run& run)>;

// Calls body(task, its own run) for the tasks 0 ... count-1 on the threads of `run`.  Results do
// not depend on the number of threads:
// * Messages come out in the order of the tasks; those of the first unfinished task, at once.
// * Task t gets the draws for shuffles(t) that it would get if the tasks ran one after the other.
// * Records are added to that of `run` in the order of the tasks.
// * If several tasks throw, the exception of the first one is rethrown.
// Progress is shown by one thread at a time.
//
// With `together` above 1, that many tasks are handed out at once: they run one after the other, in
// one run, on one thread, and so do the tasks within them.  For tasks of microseconds.  Their
// messages come out together.
void run_tasks(Run& run, std::size_t count, const Shuffles& shuffles, const TaskBody& body,
               std::size_t together = 1);

}  // namespace svm

#endif  // SVM_TRAINING_TASKS_H_
