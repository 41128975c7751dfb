// One call of the library, or a task of one: its options, its services and its record.
#ifndef SVM_SOLVERS_RUN_RUN_H_
#define SVM_SOLVERS_RUN_RUN_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/platform/clock.h"
#include "base/simd/loops.h"
#include "base/threads/pool.h"
#include "solvers/run/messages.h"
#include "svm_ext.h"

namespace svm {

struct SharedProgress;
class RowStore;
struct SolverEntry;
class TaskQueue;

// What a call asks of its solvers.  The seed is that of the solvers on rows, 0 by default.
struct Options : svm_options {
  Options() : svm_options{} { free_set = 1; }

  const SolverEntry* entry = nullptr;  // of the solver, whose name is not read; null: the default
  // Order classes by their labels.  LIBSVM has them in the order of their first rows.
  bool sorted_classes = false;
};

// True if the clock or the caller ended the solver, so that no further work is wanted.
constexpr bool is_interruption(int status) {
  return status == SVM_TIME_LIMIT || status == SVM_CANCELLED;
}

// The warning about a solver that ended with this status, which is not SVM_CONVERGED.  If rounding
// hides the tolerance, the cause is the scale of the features, or sums over large variables.
const char* stop_warning(svm_status status, double objective = 0, bool is_by_scale = true);

// A snapshot of a run before its first problem, to be shown to the progress function.  `problem`
// counts from 1 in the order of starts; 0: between problems, only `seconds` is set.
inline svm_progress first_progress() {
  svm_progress progress{};
  progress.size = sizeof(progress);
  progress.problem = 1;
  return progress;
}

// What print_notes() tells about.
enum Note : unsigned {
  kMostlyOutliers = 1,  // the rows of a one-class SVM whose nu is below 1 / rows
  kAsymmetric = 2,      // the precomputed matrix
  kTurnedRound = 4,     // probabilities that contradict the decision values
  kNoMargin = 8         // the classes of a nu-SVC overlap; a warning has told it
};

// The counts of a binary problem, or their sums over the problems of a call.  The status is that of
// the last problem that did not converge.
struct Record : svm_result {
  Record() : svm_result{} {}

  long long idle_trials = 0;  // times that conjugate steps gained little, see csmo.cpp
  unsigned notes = 0;         // enum Note
  double far_violation = 0;   // the largest far above the tolerance that LIBSVM's solver ended at

  void add(const Record& other);
  // Sets the status to `other`, unless that is SVM_CONVERGED or the status is an interruption.
  void note(int other);
};

using ProgressFunction = std::function<bool(const svm_progress&)>;  // false cancels

// Draws a random number in [0, bound); bound is from 1 to 2^31.
using Draw = std::function<int(std::uint32_t bound)>;

// How the training of one machine of a model ended.
struct MachineRecord {
  long long iterations = 0;
  int status = SVM_CONVERGED;
};

// The services of a run.  The members are handles: a copy uses the same services.  A task of a call
// has a copy with messages, progress and draws of its own (see training/tasks.h).
struct Services {
  explicit Services(Messages to) : messages(std::move(to)) {}

  Messages messages;
  const Loops* loops = &svm::loops(instruction_set());
  std::shared_ptr<ThreadPool> pool = std::make_shared<ThreadPool>(1U);  // never null
  std::shared_ptr<TaskQueue> tasks;  // on the pool; null until there is a group of tasks
  std::size_t concurrency = 1;       // solvers that run at once and share the memory
  std::size_t parts = 1;             // solvers that would run at once with enough threads
  bool one_by_one = false;           // tasks within this one are too short to be handed out
  // True if nobody wants the results of this task any more, because one before it, or the whole
  // call, has failed.  Empty outside of tasks that run at once with others.
  std::function<bool()> is_abandoned;
  std::shared_ptr<RowStore> shared_rows;  // of the data set that all trainings take rows of
  ProgressFunction progress;              // may be empty
  std::shared_ptr<SharedProgress> shared_progress;  // of a task; null if it has none
  Draw draw;                                        // empty for default_draws()
  Clock::time_point start = Clock::now();           // of the call

  double seconds() const { return seconds_since(start); }
};

class Run {
 public:
  explicit Run(Messages messages) : services(std::move(messages)) {}
  // A task of `whole`.
  Run(const Run& whole, Services of_task)
      : options(whole.options), services(std::move(of_task)), interruption_(whole.interruption_) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // The least time between two checks.
  static constexpr std::chrono::milliseconds kPollInterval{20};

  // To be called every few milliseconds by the thread of this run, while it waits or works outside
  // of solvers (a solver polls its Monitor).  Checks if a check is due.  False if interrupted, as
  // an abandoned task is.
  bool poll();
  bool is_check_due() {
    if (interrupted() || !can_interrupt()) return interrupted();
    if (services.one_by_one && ++polls_ % kPollsOfShortTasks != 0) return false;
    return Clock::now() - last_check_ >= kPollInterval;
  }

  // Shows a snapshot to the progress function, if there is one, and reads the clock.  Returns what
  // interrupted the run, or nothing.
  std::optional<svm_status> check(const std::function<svm_progress()>& snapshot);

  // Ends the solver, and all further ones of this run.  Only the first call counts.
  void interrupt(svm_status why) {
    if (!interruption_) interruption_ = why;
  }
  std::optional<svm_status> interruption() const { return interruption_; }
  bool interrupted() const { return interruption_.has_value(); }

  Options options;
  Services services;
  Record record;
  // How the machines of the trained model ended, in the order of its decision functions.
  std::vector<MachineRecord> machines;

 private:
  static constexpr unsigned kPollsOfShortTasks = 32;  // for each look at the clock

  bool can_interrupt() const {
    return services.progress || options.time_limit > 0 || services.is_abandoned;
  }

  unsigned polls_ = 0;
  std::optional<svm_status> interruption_;
  Clock::time_point last_check_ = Clock::now();
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_RUN_H_
