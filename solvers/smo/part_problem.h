// A dual problem over some variables of another one, while the others stay where they are.
#ifndef SVM_SOLVERS_SMO_PART_PROBLEM_H_
#define SVM_SOLVERS_SMO_PART_PROBLEM_H_

#include <cstddef>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/math/box.h"
#include "solvers/run/dual_problem.h"
#include "solvers/run/monitor.h"
#include "solvers/smo/csmo.h"

namespace svm {

// The problem over these variables of `whole`, at the point where they are.  `matrix` is over them,
// and must outlive the problem.  Linear part and kernel sums are left empty.
DualProblem part_problem(KernelMatrix& matrix, const Box& whole, bool two_groups,
                         const std::vector<std::size_t>& variables);

// How solve_part() solves.
struct PartSettings {
  double tolerance;
  bool shrinking;
  ConjugateUse use;
};

// Solves a part, whose kernel sums are given by now, by conjugate SMO; its linear part becomes what
// else the signed gradients f of its variables have.  `whole` is what progress is to show.  The
// objective of the solution is the change of that.
Solution solve_part(DualProblem part, const std::vector<double>& f, const Monitor::Whole& whole,
                    const PartSettings& settings, Monitor& monitor);

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_PART_PROBLEM_H_
