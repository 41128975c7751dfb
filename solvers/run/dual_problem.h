// The quadratic problem that every kernel solver solves, what comes back, and the solver.
#ifndef SVM_SOLVERS_RUN_DUAL_PROBLEM_H_
#define SVM_SOLVERS_RUN_DUAL_PROBLEM_H_

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/upper_bounds.h"
#include "svm.h"

namespace svm {

// Variables that share an equality constraint form a group; with one constraint all are in the
// first.
inline constexpr int kGroups = 2;

// minimise   1/2 a'Qa + p'a,   Q_st = y_s y_t K_st,
// subject to 0 <= a_t <= C_t and y'a = const, or, with one_constraint_per_label, the sums of a over
// y_t = +1 and over y_t = -1 each const (nu-SVC and nu-SVR).
// The constants are those of the start point.
struct DualProblem {
  KernelMatrix& kernel;             // permuted by the solver
  std::vector<double> linear;       // p
  std::vector<signed char> labels;  // y: +1 or -1
  std::vector<double> alpha;        // feasible start point
  UpperBounds upper;                // C_t
  bool one_constraint_per_label = false;
  // The rows of the kernel's examples, where the kernel is linear; else null.
  DataRows linear_rows = {};
  // Sums over s of K_ts y_s a_s at the start point, for each t; empty where they are not known.
  std::vector<double> kernel_sums = {};
  // The linear part is such that the gradient at the start point is right in doubles: rounded
  // kernel values matter for what changes from there on only.
  bool exact_start = false;
};

struct Solution {
  std::vector<double> alpha;  // in the order of the problem
  double rho;                 // threshold
  double margin;              // r of the nu formulations; 0 otherwise
  double objective;
  // Some variable was at its upper bound at some time.  Where none was, larger bounds give the same
  // iterates.  A solver that does not know leaves it true.
  bool met_upper = true;
  std::vector<double> kernel_sums = {};  // as above, at the solution; empty where not known
  // Of the KKT conditions, by the kernel values that the solver worked with.
  double violation = 0;
  bool in_doubles = false;  // these were not rounded to float
  // What rounding may have made of kernel_sums while they were carried on.
  double drift = 0;
  std::string remark = {};  // a line for those who are told of the progress, or empty
};

// One run on one dual problem.
class DualSolver {
 public:
  DualSolver() = default;
  DualSolver(const DualSolver&) = delete;
  DualSolver& operator=(const DualSolver&) = delete;
  virtual ~DualSolver() = default;

  // Runs to the end.  May be called once.  What ended it, if not convergence, is with the monitor.
  virtual Solution solve() = 0;
};

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_DUAL_PROBLEM_H_
