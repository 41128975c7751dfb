#include "solvers/run.h"

#include <algorithm>

namespace svm {

void Report::add(const Report& other) {
  if (other.status != Status::kConverged) status = other.status;
  problems += other.problems;
  iterations += other.iterations;
  conjugate_steps += other.conjugate_steps;
  clipped_steps += other.clipped_steps;
  phases += other.phases;
  objective += other.objective;
  violation = std::max(violation, other.violation);
  kernel_rows += other.kernel_rows;
  kernel_seconds += other.kernel_seconds;
  seconds += other.seconds;
}

}  // namespace svm
