// One call of the library: what its solvers are asked for, and what they report.
#ifndef SVM_SOLVERS_RUN_RUN_H_
#define SVM_SOLVERS_RUN_RUN_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "solvers/run/messages.h"
#include "threads/pool.h"

struct svm_model;

namespace svm {

struct SolverEntry;
struct SharedProgress;
class SharedRows;
class TaskQueue;

// Why a solver stopped.  None of them is an error: there is a usable point in every case.
enum class Status {
  kConverged,
  kIterationLimit,
  kTimeLimit,
  kCancelled,
  kStalled,   // the same pair again and again without progress (rounded kernel rows can do that)
  kImprecise  // rounding hides whether the tolerance is met; or nu-SVC has no margin
};

// What is said where a solver stopped before it converged.
const char* stop_warning(Status status);

// Options of the solvers that work on rows (see svm_options).
struct ExampleOptions {
  double bias = 0;            // dcd, avsf
  std::size_t landmarks = 0;  // pegasos, snacks; 0 for the default
  std::uint64_t seed = 0;     // of their draws
};

// A look at a running solver.
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
  bool finished = false;      // the last look at this binary problem
};

// Sums over the binary problems of a call.  The status is that of the last one which did not
// converge.
struct Report {
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

  void add(const Report& other);
  // Keeps a status that is not kConverged, unless there was a stop from outside before.
  void note(Status other);
};

// A part of a call that runs as a task of its own (see training/tasks.h) has a run of its own, made
// from that of the whole.
class Run {
 public:
  using Clock = std::chrono::steady_clock;
  using ProgressFunction = std::function<bool(const Progress&)>;  // false cancels

  explicit Run(Messages run_messages) : messages(std::move(run_messages)) {}
  // For a task of `whole`.  Progress and draws are not taken over.
  Run(const Run& whole, Messages run_messages)
      : messages(std::move(run_messages)),
        pool(whole.pool),
        tasks(whole.tasks),
        concurrency(whole.concurrency),
        parts(whole.parts),
        shared_rows(whole.shared_rows),
        solver(whole.solver),
        max_iterations(whole.max_iterations),
        time_limit(whole.time_limit),
        free_set(whole.free_set),
        fixed_threshold(whole.fixed_threshold),
        example_options(whole.example_options),
        cancelled(whole.cancelled),
        start_(whole.start_),
        stopped_before_(whole.stopped()) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // A solver was ended from outside: what would follow it need not be done.
  bool stopped() const {
    return stopped_before_ || cancelled || report.status == Status::kTimeLimit;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Between looks, at least.
  static constexpr std::chrono::milliseconds kPollInterval{20};

  // To be asked during long work outside of a solver, which has a Monitor for that: at least every
  // few milliseconds, by the thread of this run.  Looks at the clock, and calls the progress
  // function, when enough time has gone by since the last look.  False where the run is stopped().
  bool poll();
  // A solver has looked.
  void looked() { last_look_ = Clock::now(); }

  Messages messages;
  std::shared_ptr<ThreadPool> pool = std::make_shared<ThreadPool>(1U);  // never null
  std::shared_ptr<TaskQueue> tasks;         // on the pool; null until there is a group of tasks
  std::size_t concurrency = 1;              // solvers that may run at once and share the memory
  std::size_t parts = 1;                    // solvers that might do so, were there enough threads
  std::shared_ptr<SharedRows> shared_rows;  // of a data set that these are trained on parts of
  const SolverEntry* solver = nullptr;      // null for the default
  long long max_iterations = 0;             // of each binary problem; 0 for LIBSVM's cap
  double time_limit = 0;                    // seconds for the whole call; 0 for none
  bool free_set = true;                     // csmo: phases over the free variables
  const svm_model* init = nullptr;          // to start from; of the whole call, not of tasks
  bool fixed_threshold = false;             // platt: the threshold stays 0
  ExampleOptions example_options;
  ProgressFunction progress;                        // called now and then; may be empty
  std::shared_ptr<SharedProgress> shared_progress;  // of a task; null where it has none
  std::function<int()> draw;                        // random, in [0, 2^31); empty for rand()
  Report report;

  // Latches: once true, every further solver of this call stops at once.
  bool cancelled = false;

 private:
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_look_ = Clock::now();
  bool stopped_before_ = false;  // this task began
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_RUN_H_
