// What every solver polls: limits, progress, interruption; and where it leaves its record.
#ifndef SVM_SOLVERS_RUN_MONITOR_H_
#define SVM_SOLVERS_RUN_MONITOR_H_

#include <cstddef>
#include <optional>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/run.h"

namespace svm {

// LIBSVM's cap on the iterations for a problem of so many variables.
long long iteration_cap(std::size_t variables);

// Of one binary problem, which may go through several solvers.  For the thread that solves it.
class Monitor {
 public:
  // `cap` bounds the iterations where the run does not.  `interval` is the number of questions
  // between checks of clock and progress function, where an iteration takes `iteration_seconds`
  // at most; less where it takes long.  `run` must outlive the monitor.
  struct Pace {
    long long cap;
    long long interval = 64;
    double iteration_seconds = 0;
  };
  Monitor(Run& run, std::size_t variables, Pace pace);
  // For a solver that works on a part of the problem of `whole`, which must outlive it and waits
  // meanwhile.  The part's solver is silent, and what it observes must outlive this.  Progress
  // shows violation and active variables of the whole, as last told to it, and the objective that
  // the part's solver tells.  In the end its counts are added to the whole, which ends as well if
  // the part was interrupted or met the cap of the iterations.
  explicit Monitor(Monitor& whole);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // To be asked before every iteration, with objective, violation and active variables as known.
  // False, for good, where the run is to end.
  bool go_on(double objective, double violation, std::size_t active) {
    objective_ = objective;
    violation_ = violation;
    active_ = active;
    if (--until_check_ >= 0) return true;
    return check();
  }
  void count_iteration() { ++record_.iterations; }

  // To be asked during long work without iterations; checks when enough time has gone by.  False
  // where the run was interrupted: the work should be left as it is.
  bool poll();

  // Rows that this matrix computes are counted, and it asks poll(), until release().
  void observe(KernelMatrix& kernel);
  void release();

  // The solver gives up: go_on() is false from now on.
  void stop(Status status) {
    ended_ = status;
    until_check_ = 0;
  }
  // Clears any stop but an interruption, so that a follow-up solver can run.
  void resume() {
    if (!interrupted()) ended_.reset();
  }
  // By stop(), or by a limit.  A solver that converges just returns.
  bool stopped() const { return ended_.has_value(); }
  bool interrupted() const { return ended_ && is_interruption(*ended_); }
  bool at_cap() const { return ended_ == Status::kIterationLimit; }

  const Options& options() const { return run_.options; }
  const Services& services() const { return run_.services; }
  const Messages& messages() const { return whole_ != nullptr ? silence_ : run_.services.messages; }
  ThreadPool& pool() const { return *run_.services.pool; }
  // Of this problem.
  Record& record() { return record_; }
  long long iterations() const { return record_.iterations; }

  // Once, at the end: warns where the run did not converge, shows the last progress, and adds to
  // the run's record.
  void finish(double objective, double violation);

 private:
  bool check();
  bool check_for_interruption();
  Progress snapshot(bool finished) const;

  Run& run_;
  Monitor* const whole_ = nullptr;  // null unless the solver works on a part
  Record record_;
  std::optional<Status> ended_;  // empty while the solver runs
  const Messages silence_{[](const char*) {}, [](const char*) {}};
  const std::size_t variables_;
  const long long cap_, interval_;
  long long until_check_ = 0;
  double objective_ = 0, violation_ = 0;
  std::size_t active_;
  KernelMatrix* kernel_ = nullptr;
  long long rows_before_ = 0;  // it was observed
  double seconds_before_ = 0;
  bool shown_ = false;  // progress of this problem
  const Clock::time_point start_ = Clock::now();
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_MONITOR_H_
