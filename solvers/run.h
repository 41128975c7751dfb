// One call of the library: what its solvers are asked for, and what they report.
#ifndef SVM_SOLVERS_RUN_H_
#define SVM_SOLVERS_RUN_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "solvers/messages.h"
#include "threads/pool.h"

namespace svm {

struct SolverEntry;

// Why a solver stopped.  None of them is an error: there is a usable point in every case.
enum class Status {
  kConverged,
  kIterationLimit,
  kTimeLimit,
  kCancelled,
  kStalled  // the same pair again and again without progress (rounded kernel rows can do that)
};

// A look at a running solver.
struct Progress {
  long long problem = 1;           // number of the binary problem, from 1
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
};

class Run {
 public:
  using Clock = std::chrono::steady_clock;
  using ProgressFunction = std::function<bool(const Progress&)>;  // false cancels

  explicit Run(Messages run_messages) : messages(std::move(run_messages)) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // A solver was ended from outside: what would follow it need not be done.
  bool stopped() const { return cancelled || report.status == Status::kTimeLimit; }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  Messages messages;
  std::shared_ptr<ThreadPool> pool = std::make_shared<ThreadPool>(1U);  // never null
  const SolverEntry* solver = nullptr;                                  // null for the default
  long long max_iterations = 0;  // of each binary problem; 0 for LIBSVM's cap
  double time_limit = 0;         // seconds for the whole call; 0 for none
  bool free_set = true;          // csmo: phases over the free variables
  bool fixed_threshold = false;  // platt: the threshold stays 0
  ProgressFunction progress;     // called now and then; may be empty
  std::function<int()> draw;     // random, in [0, 2^31); empty for rand()
  Report report;

  // Latches: once true, every further solver of this call stops at once.
  bool cancelled = false;

 private:
  Clock::time_point start_ = Clock::now();
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_H_
