// A primal-dual interior point method for linear kernels of few features.
//
//   Fine, Scheinberg: Efficient SVM training using low-rank kernel representations, JMLR 2 (2001).
//   Mehrotra: On the implementation of a primal-dual interior point method, SIAM J. Optim. 2
//   (1992).
//
// With d features the kernel matrix has rank d, and a Newton step over all variables costs as much
// as a d by d matrix: whatever the scales of the features, some tens of such steps come close to
// the optimum.  Methods that move a few variables at a time need millions where features are not
// scaled.
#ifndef SVM_SOLVERS_PRECISE_INTERIOR_POINT_H_
#define SVM_SOLVERS_PRECISE_INTERIOR_POINT_H_

#include <cstddef>
#include <vector>

#include "kernels/data_row.h"
#include "svm.h"
#include "threads/go_on.h"
#include "threads/pool.h"

namespace svm {

// minimise  1/2 |sum_t b_t x_t|^2 + sum_t linear_t b_t,
// subject to lower_t <= b_t <= upper_t, finite, and sums of b over each group as given.
struct LinearBoxProblem {
  struct Variable {
    std::size_t row;  // of x_t
    int group;
    double linear, lower, upper;
  };
  DataRows rows;
  std::size_t row_count;
  std::vector<Variable> variables;
  std::vector<double> sums;  // of each group
};

struct InteriorPointSolution {
  // Near the solution: those whose gradient differs from the threshold of their group by more than
  // epsilon are at their bound.  Empty where there is none.
  std::vector<double> b;
  // Known to more digits than can be told from b where features are large.
  double objective = 0;
};

// Has no answer where steps are not cheap, as there are many features or rows of many values; where
// the method does not converge; and where it is interrupted: `next_step` is asked before every
// step, `go_on` during it.
InteriorPointSolution solve_by_interior_point(const LinearBoxProblem& problem, double epsilon,
                                              ThreadPool& pool, const GoOn& next_step,
                                              const GoOn& go_on);

}  // namespace svm

#endif  // SVM_SOLVERS_PRECISE_INTERIOR_POINT_H_
