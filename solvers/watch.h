// What a solver owes its run: limits, looks, the report.  For the solvers that are no variant of
// SMO's loop, which has these built in.
#ifndef SVM_SOLVERS_WATCH_H_
#define SVM_SOLVERS_WATCH_H_

#include <cstddef>
#include <functional>

#include "kernels/kernel_matrix.h"
#include "solvers/run.h"

namespace svm {

// LIBSVM's cap for a problem of so many variables.
long long iteration_cap(std::size_t size);

class Watch {
 public:
  // Sets objective, violation and active of a look.
  using State = std::function<void(Progress&)>;

  // `run` and `kernel` must outlive the watch.
  Watch(Run& run, const KernelMatrix& kernel, std::size_t variables, State state);

  // To be asked before every iteration, and also where much work is done without one.  False, for
  // good, where the run is to end.
  bool go_on();

  void count_iteration() { ++report_.iterations; }
  long long iterations() const { return report_.iterations; }

  // No progress is possible: go_on() is false from now on.
  void stall() { report_.status = Status::kStalled; }

  // Warns where the run did not converge, and adds to the run's report.
  void finish(double objective, double violation);

 private:
  bool look(bool finished);

  Run& run_;
  const KernelMatrix& kernel_;
  const std::size_t variables_;
  const State state_;
  Report report_;
  int until_look_ = 0;
  bool looked_ = false;
  const Run::Clock::time_point start_ = Run::Clock::now();
};

}  // namespace svm

#endif  // SVM_SOLVERS_WATCH_H_
