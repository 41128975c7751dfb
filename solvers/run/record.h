// What happened in a run: how it ended, counters, progress.
#ifndef SVM_SOLVERS_RUN_RECORD_H_
#define SVM_SOLVERS_RUN_RECORD_H_

#include <cstddef>

namespace svm {

// How a solver ended.  None of them is an error: there is a usable point in every case.
enum class Status {
  kConverged,
  kIterationLimit,
  kTimeLimit,
  kCancelled,
  kStalled,   // the same pair again and again without progress (rounded kernel rows can do that)
  kImprecise  // rounding hides whether the tolerance is met; or nu-SVC has no margin
};

// Ended from outside, by the clock or by the caller: what would follow need not be done.
constexpr bool is_interruption(Status status) {
  return status == Status::kTimeLimit || status == Status::kCancelled;
}

// What is said where a solver ended before it converged.
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

// Sums over the binary problems of a call.  The status is that of the last one which did not
// converge.
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

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_RECORD_H_
