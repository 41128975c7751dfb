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
#include "base/threads/pool.h"
#include "solvers/run/messages.h"

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
  long long max_iterations = 0;         // for each binary problem; 0 for LIBSVM's cap
  double time_limit = 0;                // seconds for the whole call; 0 for none
  bool free_set = true;                 // csmo: run phases over the free variables
  bool fixed_threshold = false;         // platt: keep the threshold at 0
  bool as_published = false;            // the algorithm of the solver's paper alone
  bool first_order = false;             // csmo as published: choose pairs by first order
  // Order classes by their labels.  LIBSVM has them in the order of their first rows.
  bool sorted_classes = false;
  const svm_model* init = nullptr;      // start point; outlives the run; null for none
  const double* row_weights = nullptr;  // see svm_options; outlives the run; null for none
  ExampleOptions examples;
};

// How a solver ended.  None of them is an error: there is a usable point in every case.
enum class Status {
  kConverged,
  kIterationLimit,
  kTimeLimit,
  kCancelled,
  kStalled,   // one pair again and again without progress, because kernel values are rounded
  kImprecise  // rounding hides whether the tolerance is met, or nu-SVC has no margin
};

// True if the clock or the caller ended the solver, so that no further work is wanted.
constexpr bool is_interruption(Status status) {
  return status == Status::kTimeLimit || status == Status::kCancelled;
}

// The warning about a solver that ended with this status, which is not kConverged.
const char* stop_warning(Status status, double objective = 0);

// Kinds of steps of conjugate SMO.
struct StepCounts {
  long long conjugate = 0;  // along a conjugate direction, clipped ones included
  long long clipped = 0;    // conjugate steps that met a bound
  long long phases = 0;     // over the free variables; these are no iterations
  long long outer = 0;      // that solve for a working set

  void add(const StepCounts& other) {
    conjugate += other.conjugate;
    clipped += other.clipped;
    phases += other.phases;
    outer += other.outer;
  }
};

// A snapshot of a run, as shown to the progress function.
struct Progress {
  long long problem = 1;           // number of the binary problem, from 1, in the order of starts;
                                   // 0: between problems, only `seconds` is set
  long long iterations = 0;        // of the present binary problem
  long long total_iterations = 0;  // of the call
  double seconds = 0;              // since the call began
  double objective = 0;            // dual, to be minimised
  double violation = 0;            // of the KKT conditions, over the active variables
  std::size_t active = 0;          // variables not shrunk
  std::size_t variables = 0;
  long long kernel_rows = 0;  // computed so far for the present binary problem
  StepCounts steps;           // so far on the present binary problem
  bool finished = false;      // the last snapshot of this binary problem
};

// What print_notes() tells about.
enum Note : unsigned {
  kMostlyOutliers = 1,  // the rows of a one-class SVM whose nu is below 1 / rows
  kAsymmetric = 2,      // the precomputed matrix
  kTurnedRound = 4      // probabilities that contradict the decision values
};

// The counts of a binary problem, or their sums over the problems of a call.  The status is that of
// the last problem that did not converge.
struct Record {
  Status status = Status::kConverged;
  long long problems = 0;  // binary problems
  long long iterations = 0;
  StepCounts steps;
  long long idle_trials = 0;  // times that conjugate steps gained little, see csmo.cpp
  double objective = 0;
  double violation = 0;  // the largest
  long long kernel_rows = 0;
  double kernel_seconds = 0;  // spent on computing kernel rows
  double seconds = 0;         // in solvers, kernel rows included
  unsigned notes = 0;         // enum Note
  double far_violation = 0;   // the largest far above the tolerance that LIBSVM's solver ended at

  void add(const Record& other);
  // Sets the status to `other`, unless that is kConverged or the status is an interruption.
  void note(Status other);
};

using ProgressFunction = std::function<bool(const Progress&)>;  // false cancels

// Draws a random number in [0, bound); bound is from 1 to 2^31.
using Draw = std::function<int(std::uint32_t bound)>;

// How the training of one machine of a model ended.
struct MachineRecord {
  long long iterations = 0;
  Status status = Status::kConverged;
};

// The services of a run.  The members are handles: a copy uses the same services.  A task of a call
// has a copy with messages, progress and draws of its own (see training/tasks.h).
struct Services {
  explicit Services(Messages to) : messages(std::move(to)) {}

  Messages messages;
  std::shared_ptr<ThreadPool> pool = std::make_shared<ThreadPool>(1U);  // never null
  std::shared_ptr<TaskQueue> tasks;  // on the pool; null until there is a group of tasks
  std::size_t concurrency = 1;       // solvers that run at once and share the memory
  std::size_t parts = 1;             // solvers that would run at once with enough threads
  // To be called by a task that waits for another one.  Throws TasksAbandoned if a task before it
  // has failed.  Empty outside of tasks.
  std::function<void()> throw_if_abandoned;
  std::shared_ptr<RowStore<float>> shared_rows;  // of the data set that all trainings take rows of
  ProgressFunction progress;                     // may be empty
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

  // To be called every few milliseconds by the thread of this run, during long work outside of
  // solvers (a solver polls its Monitor).  Checks if a check is due.  False if interrupted.
  bool poll();
  bool is_check_due() const { return Clock::now() - last_check_ >= kPollInterval; }

  // Shows a snapshot to the progress function, if there is one, and reads the clock.  Returns what
  // interrupted the run, or nothing.
  std::optional<Status> check(const std::function<Progress()>& snapshot);

  // Ends the solver, and all further ones of this run.  Only the first call counts.
  void interrupt(Status why) {
    if (!interruption_) interruption_ = why;
  }
  std::optional<Status> interruption() const { return interruption_; }
  bool interrupted() const { return interruption_.has_value(); }

  Options options;
  Services services;
  Record record;
  // How the machines of the trained model ended, in the order of its decision functions.
  std::vector<MachineRecord> machines;

 private:
  std::optional<Status> interruption_;
  Clock::time_point last_check_ = Clock::now();
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_RUN_H_
