// What a run works with: threads, messages, random draws, progress, and the clock.
#ifndef SVM_SOLVERS_RUN_SERVICES_H_
#define SVM_SOLVERS_RUN_SERVICES_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "platform/clock.h"
#include "solvers/run/messages.h"
#include "solvers/run/record.h"
#include "threads/pool.h"

namespace svm {

struct SharedProgress;
class SharedRows;
class TaskQueue;

using ProgressFunction = std::function<bool(const Progress&)>;  // false cancels

// Handles, so that a copy is a second user of the same services.  A part of a call that runs as a
// task has a copy with messages, progress and draws of its own (see training/tasks.h).
struct Services {
  explicit Services(Messages to) : messages(std::move(to)) {}

  Messages messages;
  std::shared_ptr<ThreadPool> pool = std::make_shared<ThreadPool>(1U);  // never null
  std::shared_ptr<TaskQueue> tasks;  // on the pool; null until there is a group of tasks
  std::size_t concurrency = 1;       // solvers that may run at once and share the memory
  std::size_t parts = 1;             // solvers that might do so, were there enough threads
  // To be called by a task that waits for another one: throws TasksAbandoned if that, or another
  // task before it, has failed.  Empty outside of tasks.
  std::function<void()> throw_if_abandoned;
  std::shared_ptr<SharedRows> shared_rows;  // of a data set that these are trained on parts of
  ProgressFunction progress;                // called now and then; may be empty
  std::shared_ptr<SharedProgress> shared_progress;  // of a task; null where it has none
  std::function<int()> draw;                        // random, in [0, 2^31); empty for rand()
  Clock::time_point start = Clock::now();           // of the call

  double seconds() const { return seconds_since(start); }
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_SERVICES_H_
