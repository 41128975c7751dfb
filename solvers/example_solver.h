// What solvers have in common that work on the training rows themselves instead of kernel rows.
#ifndef SVM_SOLVERS_EXAMPLE_SOLVER_H_
#define SVM_SOLVERS_EXAMPLE_SOLVER_H_

#include <cstddef>
#include <vector>

#include "kernels/kernel_function.h"
#include "solvers/run.h"
#include "svm.h"

namespace svm {

// C-SVC: the labels are the signs of the targets.  Epsilon-SVR: a tube around the targets.
struct ExampleProblem {
  const svm_node* const* rows;
  const double* targets;
  std::size_t size;
  bool regression;
  double cost_positive, cost_negative;  // C of the two classes; equal for regression
  double tube;                          // regression: its half width
  KernelFunction kernel;
  double epsilon;      // stop at a violation of optimality below this
  bool shrinking;      // may leave out variables that look settled
  std::size_t memory;  // bytes that may be kept for speed
};

// Decides by K(row, x) - rho where there is a row, else by sum_t coefficients_t K(x_t, x) - rho
// over the rows of the problem.
struct ExampleSolution {
  std::vector<svm_node> row;  // with the node that ends it; or empty
  std::vector<double> coefficients;
  double rho = 0;
  double objective = 0;
  std::size_t support_vectors = 0;  // rows that take part in the solution
  std::size_t bounded = 0;          // of these, rows whose coefficient is C
};

// The course of one run of such a solver: limits, progress, report.
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

}  // namespace svm

#endif  // SVM_SOLVERS_EXAMPLE_SOLVER_H_
