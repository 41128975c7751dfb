// One call of the library, or a task of one: what it is asked for, what it works with, and what
// happened.
#ifndef SVM_SOLVERS_RUN_RUN_H_
#define SVM_SOLVERS_RUN_RUN_H_

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "solvers/run/options.h"
#include "solvers/run/record.h"
#include "solvers/run/services.h"

namespace svm {

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
  // few milliseconds, by the thread of this run.  Checks for an interruption when enough time has
  // gone by since the last check.  False where the run is stopped().
  bool poll();

  // Shows a snapshot, which is asked for then, to the progress function, if there is one, and reads
  // the clock.  What interrupts the run, for good; empty where nothing does.
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
