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

// The course of one run of a solver: limits, progress, report.  No cap but the one asked for.
class Course {
 public:
  // `interval` iterations between looks at clock and progress function; a power of 2.
  Course(Run& run, std::size_t variables, long long interval);

  // To be called before each iteration, with objective and violation as known.  False where the
  // run has to end.
  bool may_go_on(double objective, double violation, std::size_t active) {
    if ((report_.iterations & mask_) != 0 && report_.iterations != limit_) {
      ++report_.iterations;
      return true;
    }
    return look(objective, violation, active);
  }

  // The same without an iteration.
  bool may_wait(double objective, double violation, std::size_t active);

  long long iterations() const { return report_.iterations; }
  bool stopped() const { return report_.status != Status::kConverged; }
  // The steps no longer change anything.
  void stall() { report_.status = Status::kStalled; }
  Report& report() { return report_; }

  // Call it once, at the end.
  void finish(double objective, double violation);

 private:
  bool look(double objective, double violation, std::size_t active);
  void show(double objective, double violation, std::size_t active, bool finished);

  Run& run_;
  Report report_;
  const std::size_t variables_;
  const long long mask_;
  const long long limit_;  // of iterations; -1 for none
  bool looked_ = false;
  const Run::Clock::time_point start_ = Run::Clock::now();
};

// A course over kernel rows, with LIBSVM's cap.
class Watch {
 public:
  // Sets objective, violation and active of a look.
  using State = std::function<void(Progress&)>;

  // `run` and `kernel` must outlive the watch.
  Watch(Run& run, const KernelMatrix& kernel, std::size_t variables, State state);

  // To be asked before every iteration, and also where much work is done without one.  False, for
  // good, where the run is to end.
  bool go_on();

  void count_iteration() { ++course_.report().iterations; }
  long long iterations() const { return course_.iterations(); }

  // No progress is possible: go_on() is false from now on.
  void stall() { course_.stall(); }

  // Warns where the run did not converge, and adds to the run's report.
  void finish(double objective, double violation);

 private:
  bool look();

  const Run& run_;
  const KernelMatrix& kernel_;
  const std::size_t variables_;
  const long long cap_;
  const State state_;
  Course course_;
  int until_look_ = 0;
};

}  // namespace svm

#endif  // SVM_SOLVERS_WATCH_H_
