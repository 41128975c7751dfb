// What solvers have in common that work on the training rows themselves instead of kernel rows.
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

// C-SVC: the labels are the signs of the targets.  Epsilon-SVR: a tube around the targets.
struct ExampleProblem {
  DataRows rows;
  const double* targets;
  std::size_t size;
  bool regression;
  UpperBounds cost;  // C of each row, by the sign of its target; regression: all the same
  double tube;       // regression: its half width
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

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_EXAMPLE_SOLVER_H_
