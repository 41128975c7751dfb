// Kernel machines by stochastic subgradient steps on the Nystrom embedding, without a threshold.
//
//   pegasos  Shalev-Shwartz, Singer, Srebro: Pegasos: primal estimated sub-gradient solver for SVM,
//            ICML 2007: steps of length 1/(mu k).
//   snacks   Snacks: a fast large-scale kernel SVM solver, 2023, after Xu, Lin, Yang: Stochastic
//            convex optimization: faster local growth implies faster global convergence, ICML 2017:
//            restarts from the average of a stage, with half the step on half the ball.
//
// See docs/nystrom.md.
#ifndef SVM_SOLVERS_ROWS_SUBGRADIENT_H_
#define SVM_SOLVERS_ROWS_SUBGRADIENT_H_

#include "solvers/run/example_solver.h"

namespace svm {

// Minimise mu/2 |w|^2 + 1/l sum_t (C_t/C) max(0, 1 - y_t w'z_t), C the larger cost, mu = 1/(l C),
// over the embedded rows z_t; where rows have costs of their own, C is the mean of these.  Any
// kernel; C-SVC only.  The objective reported is that of C-SVC,
// l C times this one, with the sign turned: smo's dual objective comes to the same value where
// every row is a landmark.  An iteration is a step on one row.  Throws std::runtime_error where the
// landmarks are degenerate.
ExampleSolution solve_pegasos(const ExampleProblem& problem, Run& run);
ExampleSolution solve_snacks(const ExampleProblem& problem, Run& run);

}  // namespace svm

#endif  // SVM_SOLVERS_ROWS_SUBGRADIENT_H_
