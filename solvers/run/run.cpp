#include "solvers/run/run.h"

#include <algorithm>
#include <cmath>

namespace svm {

const char* stop_warning(Status status, double objective) {
  switch (status) {
    case Status::kTimeLimit:
      return "\nWARNING: reaching the time limit\n";
    case Status::kCancelled:
      return "\nWARNING: cancelled before the optimum was reached\n";
    case Status::kStalled:
      return "\nWARNING: no further progress, as kernel values are rounded; stopping.  Scaling the "
             "features (svm-scale) may help\n";
    case Status::kImprecise:
      if (!std::isfinite(objective)) {
        return "\nWARNING: kernel values or their sums overflow, and the model is of no use; scale "
               "the features (svm-scale)\n";
      }
      return "\nWARNING: kernel values are too large for the tolerance, which rounding hides; "
             "scale the features (svm-scale), or choose a larger -e\n";
    default:
      return "\nWARNING: reaching max number of iterations\n";
  }
}

void Record::note(Status other) {
  if (other != Status::kConverged && !is_interruption(status)) status = other;
}

void Record::add(const Record& other) {
  note(other.status);
  problems += other.problems;
  iterations += other.iterations;
  steps.add(other.steps);
  idle_trials += other.idle_trials;
  objective += other.objective;
  violation = std::max(violation, other.violation);
  kernel_rows += other.kernel_rows;
  kernel_seconds += other.kernel_seconds;
  seconds += other.seconds;
  far_violation = std::max(far_violation, other.far_violation);
  notes |= other.notes;
}

// Shows problems that begin after the time limit, too.
std::optional<Status> Run::check(const std::function<Progress()>& snapshot) {
  last_check_ = Clock::now();
  if (interruption_ == Status::kCancelled) return interruption_;
  if (services.progress && !services.progress(snapshot())) {
    interrupt(Status::kCancelled);
  } else if (options.time_limit > 0 && services.seconds() >= options.time_limit) {
    interrupt(Status::kTimeLimit);
  }
  return interruption_;
}

bool Run::poll() {
  if (interrupted()) return false;
  if (!is_check_due()) return true;
  const std::optional<Status> why = check([this] {
    Progress snapshot;
    snapshot.problem = 0;
    snapshot.seconds = services.seconds();
    return snapshot;
  });
  if (why) record.note(*why);
  return !why;
}

}  // namespace svm
