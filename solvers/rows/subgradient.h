// Kernel machines without a threshold, by stochastic subgradient steps on the Nystrom embedding.
//
//   pegasos  Shalev-Shwartz, Singer, Srebro: Pegasos: primal estimated sub-gradient solver for SVM,
//            ICML 2007.  Steps of length 1/(mu k).
//   snacks   Tanji, Della Vecchia, Glineur, Villa: Snacks: a fast large-scale kernel SVM solver,
//            2023, after Xu, Lin, Yang: Stochastic convex optimization: faster local growth implies
//            faster global convergence, ICML 2017.  Restarts from the average of a stage, with half
//            the step length and half the radius.
//
// See docs/nystrom.md.
#ifndef SVM_SOLVERS_ROWS_SUBGRADIENT_H_
#define SVM_SOLVERS_ROWS_SUBGRADIENT_H_

#include "solvers/run/example_solver.h"

namespace svm {

// Minimise mu/2 |w|^2 + 1/l sum_t (C_t/C) max(0, 1 - y_t w'z_t) over the embedded rows z_t, where
// mu = 1/(l C), and C is the larger cost, or the mean if rows have costs of their own.  For C-SVC
// with any kernel.  The solution's objective is -l C times this one: if every row is a landmark, it
// converges to smo's dual objective.  An iteration is a step on one row.  Throw std::runtime_error
// if the landmarks are degenerate, and std::invalid_argument if C is out of range.
ExampleSolution solve_pegasos(const ExampleProblem& problem, Run& run);
ExampleSolution solve_snacks(const ExampleProblem& problem, Run& run);

}  // namespace svm

#endif  // SVM_SOLVERS_ROWS_SUBGRADIENT_H_
