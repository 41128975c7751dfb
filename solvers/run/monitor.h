// The limits, progress and interruptions that every solver polls, and its record.
#ifndef SVM_SOLVERS_RUN_MONITOR_H_
#define SVM_SOLVERS_RUN_MONITOR_H_

#include <cstddef>
#include <limits>
#include <optional>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/run.h"

namespace svm {

constexpr long long kNoCap = std::numeric_limits<long long>::max();  // on iterations

// LIBSVM's cap on the iterations for a problem with this number of variables.
long long iteration_cap(std::size_t variables);

// Monitors one binary problem, which several solvers may work on in turn.  To be used by the thread
// that solves the problem.
class Monitor {
 public:
  struct Pace {
    long long cap;            // bounds the iterations unless the run's options do
    long long interval = 64;  // calls of go_on() between checks of clock and progress function;
                              // reduced if iterations are slow
    double iteration_seconds = 0;  // the longest time of an iteration, roughly
  };
  // `run` must outlive the monitor.
  Monitor(Run& run, std::size_t variables, Pace pace);
  // Monitors the solver of a part of the problem of `whole`, which must outlive this and must not
  // be used meanwhile.  Messages of the part's solver are dropped.  Progress shows its objective,
  // with the violation and the active variables last passed to `whole`.  The destructor adds the
  // counts to those of `whole`, and stops it if the part was interrupted or met the cap of `whole`.
  // Matrices that this observes must outlive it.
  struct PartOf {
    Monitor& whole;
    long long most_iterations = kNoCap;  // of the part
  };
  explicit Monitor(PartOf part);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // To be called before every iteration.  Progress shows the arguments.  False, from then on, if
  // the solver has to end.
  bool go_on(double objective, double violation, std::size_t active) {
    objective_ = objective;
    violation_ = violation;
    active_ = active;
    if (--until_check_ >= 0) return true;
    return check();
  }
  void count_iteration() { ++record_.iterations; }

  // To be called during long work without iterations.  Checks if enough time has passed.  False if
  // the run was interrupted; the work should then be abandoned.
  bool poll();

  // Until release(), counts the rows that this matrix computes and makes it call poll().
  void observe(KernelMatrix& kernel);
  void release();

  // To be called if the solver gives up.  go_on() is false from now on.
  void stop(svm_status status) {
    ended_ = status;
    until_check_ = 0;
  }
  // Clears any stop but an interruption, so that a follow-up solver can run.
  void resume() {
    if (!interrupted()) ended_.reset();
  }
  // True after stop(), at the cap, and if interrupted.  A solver that converges just returns.
  bool stopped() const { return ended_.has_value(); }
  bool interrupted() const { return ended_ && is_interruption(*ended_); }
  bool at_cap() const { return ended_ == SVM_ITERATION_LIMIT; }

  const Options& options() const { return run_.options; }
  bool is_published() const { return options().as_published != 0; }
  const Services& services() const { return run_.services; }
  const Messages& messages() const { return whole_ != nullptr ? silence_ : run_.services.messages; }
  ThreadPool& pool() const { return *run_.services.pool; }
  // The counts of this problem.
  Record& record() { return record_; }
  long long iterations() const { return record_.iterations; }

  // To be called once, at the end.  Warns if the solver did not converge, shows the last progress,
  // and adds the problem's record to the run's.  `is_by_scale` as in stop_warning().
  void finish(double objective, double violation, bool is_by_scale = true);

 private:
  bool check();
  bool check_for_interruption();
  svm_progress snapshot(bool finished) const;

  Run& run_;
  Monitor* const whole_ = nullptr;  // null unless the solver works on a part
  Messages silence_{nullptr};       // of a part
  Record record_;
  std::optional<svm_status> ended_;  // empty while the solver runs
  const std::size_t variables_;
  const long long cap_, interval_;
  long long until_check_ = 0;
  double objective_ = 0, violation_ = 0;
  std::size_t active_;
  KernelMatrix* kernel_ = nullptr;
  long long rows_before_ = 0;  // that kernel_ had computed when observe() was called
  double seconds_before_ = 0;  // likewise
  bool shown_ = false;         // progress of this problem
  Clock::time_point start_;    // unless it is a part, or too short to be timed
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_MONITOR_H_
