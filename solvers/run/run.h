// One call of the library, or a task of one: what it is asked for, what it works with, and what
// happened.
#ifndef SVM_SOLVERS_RUN_RUN_H_
#define SVM_SOLVERS_RUN_RUN_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "platform/clock.h"
#include "solvers/run/messages.h"
#include "threads/pool.h"

struct svm_model;

namespace svm {

struct SharedProgress;
template <typename Value>
class RowStore;
struct SolverEntry;
class TaskQueue;

// Options of the solvers that work on rows (see svm_options).
struct ExampleOptions {
  double bias = 0;            // dcd, avsf
  std::size_t landmarks = 0;  // pegasos, snacks; 0 for the default
  std::uint64_t seed = 0;     // of their random draws
};

// What a call asks of its solvers.
struct Options {
  const SolverEntry* solver = nullptr;  // null for the default
  long long max_iterations = 0;         // of each binary problem; 0 for LIBSVM's cap
  double time_limit = 0;                // seconds for the whole call; 0 for none
  bool free_set = true;                 // csmo: phases over the free variables
  bool fixed_threshold = false;         // platt: the threshold stays 0
  // Classes stand in ascending order of their labels; LIBSVM has them in order of appearance.
  bool sorted_classes = false;
  // csmo: end with sums in doubles always, not only if rounding may hide a violation or a
  // sample of them shows more of it than was estimated.
  bool exact_finish = true;
  const svm_model* init = nullptr;      // to start from; outlives the run
  const double* row_weights = nullptr;  // of the rows of the call, as svm_options says; likewise
  ExampleOptions examples;
};

// How a solver ended.  None of them is an error: there is a usable point in every case.
enum class Status {
  kConverged,
  kIterationLimit,
  kTimeLimit,
  kCancelled,
  kStalled,   // the same pair again and again without progress (rounded kernel rows can do that)
  kImprecise  // rounding hides whether the tolerance is met; or nu-SVC has no margin
};

// True if the clock or the caller ended the solver: what would follow need not be done.
constexpr bool is_interruption(Status status) {
  return status == Status::kTimeLimit || status == Status::kCancelled;
}

// The warning about a solver that ended like this, before it converged.
const char* stop_warning(Status status);

// Snapshot of a run.
struct Progress {
  long long problem = 1;           // number of the binary problem, from 1, in order of their start;
                                   // 0: none, nor the other numbers but for the seconds
  long long iterations = 0;        // of the present binary problem
  long long total_iterations = 0;  // of the call
  double seconds = 0;              // since the call began
  double objective = 0;            // dual, to be minimised
  double violation = 0;            // of the KKT conditions, over the active variables
  std::size_t active = 0;          // variables not shrunk
  std::size_t variables = 0;
  long long kernel_rows = 0;  // computed so far for the present binary problem
  bool finished = false;      // the last snapshot of this binary problem
};

// Sums over the binary problems of a call, or the counts of one.  The status is that of the last
// one which did not converge.
struct Record {
  Status status = Status::kConverged;
  long long problems = 0;  // binary problems
  long long iterations = 0;
  long long conjugate_steps = 0;  // along a conjugate direction, clipped ones included
  long long clipped_steps = 0;    // conjugate steps that met a bound
  long long phases = 0;           // over the free variables
  double objective = 0;
  double violation = 0;  // largest
  long long kernel_rows = 0;
  double kernel_seconds = 0;  // spent on computing kernel rows
  double seconds = 0;         // in solvers, kernel rows included

  void add(const Record& other);
  // Keeps a status other than kConverged, unless there was an interruption before.
  void note(Status other);
};

using ProgressFunction = std::function<bool(const Progress&)>;  // false cancels

// What a run works with.  The members are handles: a copy is a second user of the same services.  A
// part of a call that runs as a task has a copy with messages, progress and draws of its own (see
// training/tasks.h).
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
  std::shared_ptr<RowStore<float>> shared_rows;  // of a data set that these are trained on parts of
  ProgressFunction progress;                     // called now and then; may be empty
  std::shared_ptr<SharedProgress> shared_progress;  // of a task; null if it has none
  std::function<int()> draw;                        // random, in [0, 2^31); empty for rand()
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

  // Between two calls of the progress function, and two readings of the clock, at least.
  static constexpr std::chrono::milliseconds kPollInterval{20};

  // To be called during long work outside of a solver, which has a Monitor for that: at least every
  // few milliseconds, by the thread of this run.  Checks for an interruption if a check is due.
  // False if the run is stopped().
  bool poll();
  bool is_check_due() const { return Clock::now() - last_check_ >= kPollInterval; }

  // Asks for a snapshot and shows it to the progress function, if there is one, and reads the
  // clock. Returns what interrupts the run, for good; empty if nothing does.
  std::optional<Status> check(const std::function<Progress()>& snapshot);

  // Latches: every further solver of this run ends at once.
  void interrupt(Status why) {
    if (!interruption_) interruption_ = why;
  }
  std::optional<Status> interruption() const { return interruption_; }
  bool stopped() const { return interruption_.has_value(); }

  Options options;
  Services services;
  Record record;

 private:
  std::optional<Status> interruption_;
  Clock::time_point last_check_ = Clock::now();
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_RUN_H_
