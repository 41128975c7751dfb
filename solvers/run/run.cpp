#include "solvers/run/run.h"

namespace svm {

// Problems that begin after the time limit are shown as well.
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
  if (stopped()) return false;
  if (Clock::now() - last_check_ < kPollInterval) return true;
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
