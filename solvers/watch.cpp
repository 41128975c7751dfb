#include "solvers/watch.h"

#include <algorithm>
#include <climits>
#include <utility>

namespace svm {
namespace {

constexpr long long kLeastIterationCap = 10000000;
constexpr int kLookInterval = 64;  // questions between looks at clock and callback

}  // namespace

long long iteration_cap(std::size_t size) {
  const long long scaled = size > INT_MAX / 100 ? INT_MAX : 100 * static_cast<long long>(size);
  return std::max(kLeastIterationCap, scaled);
}

Course::Course(Run& run, std::size_t variables, long long interval)
    : run_(run),
      variables_(variables),
      mask_(interval - 1),
      limit_(run.max_iterations > 0 ? run.max_iterations : -1) {}

bool Course::look(double objective, double violation, std::size_t active) {
  if (report_.iterations == limit_) {
    report_.status = Status::kIterationLimit;
    return false;
  }
  if (!may_wait(objective, violation, active)) return false;
  ++report_.iterations;
  return true;
}

bool Course::may_wait(double objective, double violation, std::size_t active) {
  if (run_.progress && !run_.cancelled) show(objective, violation, active, false);
  if (run_.cancelled) {
    report_.status = Status::kCancelled;
  } else if (run_.time_limit > 0 && run_.seconds() >= run_.time_limit) {
    report_.status = Status::kTimeLimit;
  }
  return !stopped();
}

void Course::show(double objective, double violation, std::size_t active, bool finished) {
  looked_ = true;
  Progress progress;
  progress.problem = run_.report.problems + 1;
  progress.iterations = report_.iterations;
  progress.total_iterations = run_.report.iterations + report_.iterations;
  progress.seconds = run_.seconds();
  progress.objective = objective;
  progress.violation = violation;
  progress.active = active;
  progress.variables = variables_;
  progress.kernel_rows = report_.kernel_rows;
  progress.finished = finished;
  if (!run_.progress(progress)) run_.cancelled = true;
}

void Course::finish(double objective, double violation) {
  if (stopped()) run_.messages.warn(stop_warning(report_.status));
  if (looked_) show(objective, violation, variables_, true);
  report_.problems = 1;
  report_.objective = objective;
  report_.violation = violation;
  report_.seconds = std::chrono::duration<double>(Run::Clock::now() - start_).count();
  run_.report.add(report_);
  run_.messages.print(format("\noptimization finished, #iter = %lld\n", report_.iterations));
}

Watch::Watch(Run& run, const KernelMatrix& kernel, std::size_t variables, State state)
    : run_(run),
      kernel_(kernel),
      variables_(variables),
      cap_(run.max_iterations > 0 ? run.max_iterations : iteration_cap(variables)),
      state_(std::move(state)),
      course_(run, variables, 1) {}

bool Watch::go_on() {
  if (course_.stopped()) return false;
  if (course_.iterations() >= cap_) {
    course_.report().status = Status::kIterationLimit;
    return false;
  }
  if (--until_look_ >= 0) return true;
  until_look_ = kLookInterval - 1;
  return look();
}

bool Watch::look() {
  Progress progress;
  progress.active = variables_;
  if (run_.progress) state_(progress);
  course_.report().kernel_rows = kernel_.rows_computed();
  return course_.may_wait(progress.objective, progress.violation, progress.active);
}

void Watch::finish(double objective, double violation) {
  course_.report().kernel_rows = kernel_.rows_computed();
  course_.report().kernel_seconds = kernel_.seconds();
  course_.finish(objective, violation);
}

}  // namespace svm
