// Machines without a threshold, by solvers that work on the training rows.
//
//   dcd   Hsieh, Chang, Lin, Keerthi, Sundararajan: A dual coordinate descent method for
//         large-scale linear SVM, ICML 2008.  Sweeps in random order, with shrinking.
//   avsf  Glasmachers, Dogan: Accelerated linear SVM training with adaptive variable selection
//         frequencies, 2013.  Variables whose steps gain more come more often.
//   pegasos  Shalev-Shwartz, Singer, Srebro: Pegasos: primal estimated sub-gradient solver for SVM,
//            ICML 2007.  Steps of length 1/(mu k).
//   snacks   Tanji, Della Vecchia, Glineur, Villa: Snacks: a fast large-scale kernel SVM solver,
//            2023, after Xu, Lin, Yang: Stochastic convex optimization: faster local growth implies
//            faster global convergence, ICML 2017.  Restarts from the average of a stage, with half
//            the step length and half the radius.
//
// See docs/dcd.md and docs/nystrom.md.
#ifndef SVM_SOLVERS_ROWS_ROW_SOLVERS_H_
#define SVM_SOLVERS_ROWS_ROW_SOLVERS_H_

#include <cstddef>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/kernel_function.h"
#include "solvers/run/dual_state.h"
#include "solvers/run/monitor.h"
#include "svm.h"

namespace svm {

// The problem of all solvers that work on the training rows instead of kernel rows: C-SVC, whose
// labels are the signs of the targets, or epsilon-SVR.
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

// Minimise 1/2 |w|^2 + p'a over 0 <= a_v <= C_v, w = sum_v y_v a_v x_v.  C-SVC has a variable for
// each row, with p = -1; epsilon-SVR has two, with y = +1, -1 and p = tube - target, tube + target.
// run.options.bias > 0 adds a feature of that value to every row.  The kernel is LINEAR.
// An iteration visits one variable.
ExampleSolution solve_dcd(const ExampleProblem& problem, Run& run);
ExampleSolution solve_avsf(const ExampleProblem& problem, Run& run);

// Minimise mu/2 |w|^2 + 1/l sum_t (C_t/C) max(0, 1 - y_t w'z_t) over the embedded rows z_t, where
// mu = 1/(l C), and C is the larger cost, or the mean if rows have costs of their own.  For C-SVC
// with any kernel.  The solution's objective is -l C times this one: if every row is a landmark, it
// converges to smo's dual objective.  An iteration is a step on one row.  Throw std::runtime_error
// if the landmarks are degenerate, and std::invalid_argument if C is out of range.
ExampleSolution solve_pegasos(const ExampleProblem& problem, Run& run);
ExampleSolution solve_snacks(const ExampleProblem& problem, Run& run);

}  // namespace svm

#endif  // SVM_SOLVERS_ROWS_ROW_SOLVERS_H_
