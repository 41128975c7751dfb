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

Watch::Watch(Run& run, const KernelMatrix& kernel, std::size_t variables, State state)
    : run_(run), kernel_(kernel), variables_(variables), state_(std::move(state)) {}

bool Watch::go_on() {
  if (report_.status != Status::kConverged) return false;
  const long long cap = run_.max_iterations > 0 ? run_.max_iterations : iteration_cap(variables_);
  if (report_.iterations >= cap) {
    report_.status = Status::kIterationLimit;
  } else if (--until_look_ < 0) {
    until_look_ = kLookInterval - 1;
    if (run_.cancelled || !look(false)) {
      run_.cancelled = true;
      report_.status = Status::kCancelled;
    } else if (run_.time_limit > 0 && run_.seconds() >= run_.time_limit) {
      report_.status = Status::kTimeLimit;
    }
  }
  return report_.status == Status::kConverged;
}

// False where the caller cancels.
bool Watch::look(bool finished) {
  if (!run_.progress) return true;
  looked_ = true;
  Progress progress;
  progress.problem = run_.report.problems + 1;
  progress.iterations = report_.iterations;
  progress.total_iterations = run_.report.iterations + report_.iterations;
  progress.seconds = run_.seconds();
  progress.active = progress.variables = variables_;
  progress.kernel_rows = kernel_.rows_computed();
  progress.finished = finished;
  state_(progress);
  return run_.progress(progress);
}

void Watch::finish(double objective, double violation) {
  if (report_.status != Status::kConverged) run_.messages.warn(stop_warning(report_.status));
  if (looked_ && !look(true)) run_.cancelled = true;
  report_.problems = 1;
  report_.objective = objective;
  report_.violation = violation;
  report_.kernel_rows = kernel_.rows_computed();
  report_.kernel_seconds = kernel_.seconds();
  report_.seconds = std::chrono::duration<double>(Run::Clock::now() - start_).count();
  run_.report.add(report_);
  run_.messages.print(format("\noptimization finished, #iter = %lld\n", report_.iterations));
}

}  // namespace svm
