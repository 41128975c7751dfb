#include "solvers/run/monitor.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <utility>

namespace svm {
namespace {

constexpr long long kLeastIterationCap = 10000000;
constexpr double kMostSecondsBetweenLooks =
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
      cap_(run.max_iterations > 0 ? run.max_iterations : pace.cap),
      interval_(std::max(
          1LL,
          pace.iteration_seconds * static_cast<double>(pace.interval) > kMostSecondsBetweenLooks
              ? static_cast<long long>(kMostSecondsBetweenLooks / pace.iteration_seconds)
              : pace.interval)),
      active_(variables) {}

bool Monitor::look() {
  until_look_ = 0;
  if (stopped()) return false;
  if (report_.iterations >= cap_) {
    stop(Status::kIterationLimit);
    return false;
  }
  if (!look_at_clock()) return false;
  // A question for each iteration at least, so that the cap is not missed.
  until_look_ = std::min(interval_, cap_ - report_.iterations) - 1;
  return true;
}

bool Monitor::look_at_clock() {
  if (run_.progress && !run_.cancelled) show(false);
  if (run_.cancelled) {
    stop(Status::kCancelled);
  } else if (run_.time_limit > 0 && run_.seconds() >= run_.time_limit) {
    stop(Status::kTimeLimit);
  }
  last_look_ = Run::Clock::now();
  run_.looked();
  return !interrupted();
}

bool Monitor::poll() {
  if (interrupted()) return false;
  return Run::Clock::now() - last_look_ < Run::kPollInterval || look_at_clock();
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
  report_.kernel_rows += kernel_->rows_computed() - rows_before_;
  report_.kernel_seconds += kernel_->seconds() - seconds_before_;
  kernel_ = nullptr;
}

void Monitor::show(bool finished) {
  shown_ = true;
  Progress progress;
  progress.problem = run_.report.problems + 1;
  progress.iterations = report_.iterations;
  progress.total_iterations = run_.report.iterations + report_.iterations;
  progress.seconds = run_.seconds();
  progress.objective = base_ + objective_;
  progress.violation = violation_;
  progress.active = active_;
  progress.variables = variables_;
  progress.kernel_rows = report_.kernel_rows;
  if (kernel_ != nullptr) progress.kernel_rows += kernel_->rows_computed() - rows_before_;
  progress.finished = finished;
  if (!run_.progress(progress)) run_.cancelled = true;
}

void Monitor::print_once(const char* text) {
  if (std::exchange(printed_, text) != text) run_.messages.print(text);
}

void Monitor::finish(double objective, double violation) {
  release();
  objective_ = objective;
  violation_ = violation;
  if (stopped()) run_.messages.warn(stop_warning(report_.status));
  if (shown_) show(true);
  report_.problems = 1;
  report_.objective = objective;
  report_.violation = violation;
  report_.seconds = std::chrono::duration<double>(Run::Clock::now() - start_).count();
  run_.report.add(report_);
  run_.messages.print(format("\noptimization finished, #iter = %lld\n", report_.iterations));
}

}  // namespace svm
