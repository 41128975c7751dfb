// A primal-dual interior point method for linear kernels with few features.
//
//   Fine, Scheinberg: Efficient SVM training using low-rank kernel representations, JMLR 2 (2001).
//   Mehrotra: On the implementation of a primal-dual interior point method, SIAM J. Optim. 2
//   (1992).
//
// With d features the kernel matrix has rank d, so that a Newton step over all variables only
// factors a d by d matrix.  Some tens of steps come close to the optimum, whatever the scales of
// the features; methods that move a few variables at a time need millions if features are not
// scaled.
#ifndef SVM_SOLVERS_PRECISE_INTERIOR_POINT_H_
#define SVM_SOLVERS_PRECISE_INTERIOR_POINT_H_

#include <cstddef>
#include <vector>

#include "base/threads/go_on.h"
#include "base/threads/pool.h"
#include "kernels/data_row.h"
#include "svm.h"

namespace svm {

// minimise  1/2 |sum_t b_t x_t|^2 + sum_t linear_t b_t,
// subject to lower_t <= b_t <= upper_t, which are finite, and given sums of b over each group.
struct LinearBoxProblem {
  struct Variable {
    std::size_t row;  // index of x_t in `rows`
    int group;
    double linear, lower, upper;
  };
  DataRows rows;
  std::size_t row_count;
  std::vector<Variable> variables;
  std::vector<double> sums;  // of b over each group
};

struct InteriorPointSolution {
  // A point near the solution: variables whose gradient differs from the threshold of their group
  // by more than epsilon are at their bound.  Empty if the method failed.
  std::vector<double> b;
  // More accurate than what follows from b if features are large.
  double objective = 0;
};

// Fails if there are too many features or values, if the method does not converge, and if it is
// interrupted, by `next_step`, which is called before every step, or by `go_on`, called during one.
InteriorPointSolution solve_by_interior_point(const LinearBoxProblem& problem, double epsilon,
                                              ThreadPool& pool, const GoOn& next_step,
                                              const GoOn& go_on);

}  // namespace svm

#endif  // SVM_SOLVERS_PRECISE_INTERIOR_POINT_H_
