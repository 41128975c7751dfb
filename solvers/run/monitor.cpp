#include "solvers/run/monitor.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <string>

#include "base/platform/text.h"

namespace svm {
namespace {

constexpr long long kLeastIterationCap = 10000000;
constexpr double kMostSecondsBetweenChecks =
    std::chrono::duration<double>(Run::kPollInterval).count();

}  // namespace

long long iteration_cap(std::size_t variables) {
  const long long scaled =
      variables > INT_MAX / 100 ? INT_MAX : 100 * static_cast<long long>(variables);
  return std::max(kLeastIterationCap, scaled);
}

Monitor::Monitor(Run& run, std::size_t variables, Pace pace)
    : run_(run),
      variables_(variables),
      cap_(run.options.max_iter > 0 ? run.options.max_iter : pace.cap),
      interval_(std::max(
          1LL,
          pace.iteration_seconds * static_cast<double>(pace.interval) > kMostSecondsBetweenChecks
              ? static_cast<long long>(kMostSecondsBetweenChecks / pace.iteration_seconds)
              : pace.interval)),
      active_(variables) {
  if (!run.services.one_by_one) start_ = Clock::now();
}

Monitor::Monitor(PartOf part)
    : run_(part.whole.run_),
      whole_(&part.whole),
      variables_(part.whole.variables_),
      cap_(std::min(part.whole.cap_ - part.whole.iterations(), part.most_iterations)),
      interval_(part.whole.interval_),
      objective_(part.whole.objective_),
      active_(part.whole.active_) {
  silence_.silence();
}

Monitor::~Monitor() {
  if (whole_ == nullptr) return;
  release();
  whole_->record_.add(record_);
  whole_->objective_ = objective_;
  whole_->until_check_ = 0;  // the part's iterations may have met the cap
  const bool met_cap = at_cap() && whole_->iterations() >= whole_->cap_;
  if (interrupted() || met_cap) whole_->stop(*ended_);
}

bool Monitor::check() {
  until_check_ = 0;
  if (stopped()) return false;
  if (record_.iterations >= cap_) {
    stop(SVM_ITERATION_LIMIT);
    return false;
  }
  if (!check_for_interruption()) return false;
  // go_on() is called at least once for each iteration, so the cap is not missed.
  until_check_ = std::min(interval_, cap_ - record_.iterations) - 1;
  return true;
}

bool Monitor::check_for_interruption() {
  const bool is_short = run_.services.one_by_one && !run_.interrupted();
  if (is_short && !run_.is_check_due()) return true;
  const std::optional<svm_status> why = run_.check([this] {
    (whole_ != nullptr ? *whole_ : *this).shown_ = true;
    return snapshot(false);
  });
  if (why) stop(*why);
  return !interrupted();
}

bool Monitor::poll() {
  if (interrupted()) return false;
  return !run_.is_check_due() || check_for_interruption();
}

void Monitor::observe(KernelMatrix& kernel) {
  release();
  kernel_ = &kernel;
  rows_before_ = kernel.rows_computed();
  seconds_before_ = kernel.seconds();
  kernel.set_poll([this] { return poll(); });
}

void Monitor::release() {
  if (kernel_ == nullptr) return;
  kernel_->set_poll(nullptr);
  record_.kernel_rows += kernel_->rows_computed() - rows_before_;
  record_.kernel_seconds += kernel_->seconds() - seconds_before_;
  kernel_ = nullptr;
}

svm_progress Monitor::snapshot(bool finished) const {
  svm_progress progress = first_progress();
  if (whole_ != nullptr) {
    progress = whole_->snapshot(finished);
  } else {
    progress.problem = run_.record.problems + 1;
    progress.total_iterations = run_.record.iterations;
    progress.seconds = run_.services.seconds();
    progress.violation = violation_;
    progress.active = active_;
    progress.variables = variables_;
    progress.finished = finished ? 1 : 0;
  }
  progress.objective = objective_;
  progress.iterations += record_.iterations;
  progress.total_iterations += record_.iterations;
  progress.kernel_rows += record_.kernel_rows;
  progress.conjugate_steps += record_.conjugate_steps;
  progress.clipped_steps += record_.clipped_steps;
  progress.phases += record_.phases;
  progress.outer_steps += record_.outer_steps;
  if (kernel_ != nullptr) progress.kernel_rows += kernel_->rows_computed() - rows_before_;
  return progress;
}

void Monitor::finish(double objective, double violation, bool is_by_scale) {
  release();
  objective_ = objective;
  violation_ = violation;
  if (stopped()) messages().warn(stop_warning(*ended_, objective, is_by_scale));
  if (shown_ && !run_.services.progress(snapshot(true))) run_.interrupt(SVM_CANCELLED);
  record_.status = ended_.value_or(SVM_CONVERGED);
  record_.problems = 1;
  record_.objective = objective;
  record_.violation = violation;
  // The task that short problems belong to is timed as a whole.
  if (!run_.services.one_by_one) record_.seconds = seconds_since(start_);
  run_.record.add(record_);
  messages().print([this] {
    return joined({"\noptimization finished, #iter = ", std::to_string(record_.iterations), "\n"});
  });
}

}  // namespace svm
