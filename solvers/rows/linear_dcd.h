// Linear machines without a threshold, by dual coordinate descent.
//
//   dcd   Hsieh, Chang, Lin, Keerthi, Sundararajan: A dual coordinate descent method for
//         large-scale linear SVM, ICML 2008.  Sweeps in random order, with shrinking.
//   avsf  Glasmachers, Dogan: Accelerated linear SVM training with adaptive variable selection
//         frequencies, 2013.  Variables whose steps gain more come more often.
//
// See docs/dcd.md.
#ifndef SVM_SOLVERS_ROWS_LINEAR_DCD_H_
#define SVM_SOLVERS_ROWS_LINEAR_DCD_H_

#include "solvers/run/example_solver.h"

namespace svm {

// Minimise 1/2 |w|^2 + p'a over 0 <= a_v <= C_v, w = sum_v y_v a_v x_v.  C-SVC has a variable for
// each row, with p = -1; epsilon-SVR has two, with y = +1, -1 and p = tube - target, tube + target.
// run.options.bias > 0 adds a feature of that value to every row.  The kernel is LINEAR.
// An iteration visits one variable.
ExampleSolution solve_dcd(const ExampleProblem& problem, Run& run);
ExampleSolution solve_avsf(const ExampleProblem& problem, Run& run);

}  // namespace svm

#endif  // SVM_SOLVERS_ROWS_LINEAR_DCD_H_
