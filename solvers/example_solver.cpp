#include "solvers/example_solver.h"

namespace svm {

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

}  // namespace svm
