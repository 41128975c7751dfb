// What rounding leaves of the coefficients that a training started from.
#ifndef SVM_TRAINING_RESIDUES_H_
#define SVM_TRAINING_RESIDUES_H_

#include <vector>

#include "solvers/run/dual_problem.h"

namespace svm {

// A dual problem with one equality constraint, without its kernel, and where its solver starts.
class Residues {
 public:
  explicit Residues(const DualProblem& problem);

  // Where all variables of the solution are within rounding of a bound, they are put there, and the
  // threshold is the middle of what is optimal, as after a start at 0: not what a coefficient of
  // 1e-16 says.  Otherwise, and where its kernel sums are not known, the solution stays.
  void settle(Solution& solution) const;

 private:
  double bound_near(double alpha, double upper) const;  // alpha itself where it is near none

  const std::vector<double> linear_;
  const std::vector<signed char> labels_;
  const UpperBounds upper_;
  double rounding_ = 0;
};

}  // namespace svm

#endif  // SVM_TRAINING_RESIDUES_H_
