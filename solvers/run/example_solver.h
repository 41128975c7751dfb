// The problem and the solution of solvers that work on the training rows instead of kernel rows.
#ifndef SVM_SOLVERS_RUN_EXAMPLE_SOLVER_H_
#define SVM_SOLVERS_RUN_EXAMPLE_SOLVER_H_

#include <cstddef>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/kernel_function.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "svm.h"

namespace svm {

// C-SVC, whose labels are the signs of the targets, or epsilon-SVR.
struct ExampleProblem {
  DataRows rows;
  const double* targets;  // of `size` rows
  std::size_t size;
  bool regression;   // epsilon-SVR
  UpperBounds cost;  // C of each row, by the sign of its target; regression: all the same
  double tube;       // regression: half the width of the tube
  KernelFunction kernel;
  double epsilon;      // stop at a violation of optimality below this
  bool shrinking;      // may leave out variables that look settled
  std::size_t memory;  // bytes for caches
};

// The decision function is K(row, x) - rho if `row` is not empty, else sum_t coefficients_t
// K(x_t, x) - rho over the rows of the problem.
struct ExampleSolution {
  std::vector<svm_node> row;  // including the terminating node; or empty
  std::vector<double> coefficients;
  double rho = 0;
  double objective = 0;
  std::size_t support_vectors = 0;  // rows whose coefficient is not 0
  std::size_t bounded = 0;          // of these, rows whose coefficient is C
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_EXAMPLE_SOLVER_H_
