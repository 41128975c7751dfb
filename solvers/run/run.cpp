#include "solvers/run/run.h"

#include <algorithm>
#include <cmath>

namespace svm {

const char* stop_warning(svm_status status, double objective, bool is_by_scale) {
  switch (status) {
    case SVM_TIME_LIMIT:
      return "\nWARNING: reaching the time limit\n";
    case SVM_CANCELLED:
      return "\nWARNING: cancelled before the optimum was reached\n";
    case SVM_STALLED:
      return "\nWARNING: no further progress, as kernel values are rounded; stopping.  Scaling the "
             "features (svm-scale) may help\n";
    case SVM_IMPRECISE:
      if (!std::isfinite(objective)) {
        return "\nWARNING: kernel values or their sums overflow, and the model is of no use; scale "
               "the features (svm-scale)\n";
      }
      return is_by_scale
                 ? "\nWARNING: kernel values are too large for the tolerance, which rounding "
                   "hides; scale the features (svm-scale), or choose a larger -e\n"
                 : "\nWARNING: sums of kernel values are too large for the tolerance, which "
                   "rounding hides; choose a larger -e, or a smaller C\n";
    default:
      return "\nWARNING: reaching max number of iterations\n";
  }
}

void Record::note(int other) {
  if (other != SVM_CONVERGED && !is_interruption(status)) status = other;
}

void Record::add(const Record& other) {
  note(other.status);
  problems += other.problems;
  iterations += other.iterations;
  conjugate_steps += other.conjugate_steps;
  clipped_steps += other.clipped_steps;
  phases += other.phases;
  outer_steps += other.outer_steps;
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
std::optional<svm_status> Run::check(const std::function<svm_progress()>& snapshot) {
  if (can_interrupt()) last_check_ = Clock::now();
  if (interruption_ == SVM_CANCELLED) return interruption_;
  const bool is_abandoned = services.is_abandoned && services.is_abandoned();
  if (is_abandoned || (services.progress && !services.progress(snapshot()))) {
    interrupt(SVM_CANCELLED);
  } else if (options.time_limit > 0 && services.seconds() >= options.time_limit) {
    interrupt(SVM_TIME_LIMIT);
  }
  return interruption_;
}

bool Run::poll() {
  if (interrupted()) return false;
  if (!is_check_due()) return true;
  const std::optional<svm_status> why = check([this] {
    svm_progress snapshot = first_progress();
    snapshot.problem = 0;
    snapshot.seconds = services.seconds();
    return snapshot;
  });
  if (why) record.note(*why);
  return !why;
}

}  // namespace svm
