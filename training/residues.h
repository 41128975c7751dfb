// What a start leaves in the solution by its rounding.
#ifndef SVM_TRAINING_RESIDUES_H_
#define SVM_TRAINING_RESIDUES_H_

#include <cstddef>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "solvers/run/dual_problem.h"

namespace svm {

// A dual problem without its kernel, and the size of what its solver starts from.
class Residues {
 public:
  explicit Residues(const DualProblem& problem);

  // Was the start so much larger than the solution that its rounding may decide?  It remains in the
  // gradient, and in the constraint y'a = 0, which the problem must have.
  bool may_decide(const Solution& solution) const;

  // The same problem, which must have the constraint y'a = 0, from 0.
  DualProblem from_zero(KernelMatrix& kernel) const;

  // If all variables of the solution are within rounding of a bound, relative to the largest of
  // them, puts them there, and takes as threshold (and margin) the middle of what is optimal, as
  // after a start at 0: not what a coefficient of 1e-16 says.  Otherwise, if its kernel sums are
  // not known, or if this could change them by more than a small part of `epsilon`, the solution
  // stays. Variables t and t + `rows` stand for example t of the engine.
  void settle(const RowEngine& engine, std::size_t rows, double epsilon, Solution& solution) const;

 private:
  const std::vector<double> linear_;
  const std::vector<signed char> labels_;
  const UpperBounds upper_;
  const bool two_groups_;
  const DataRows linear_rows_;
  const double largest_;  // variable of the start
};

}  // namespace svm

#endif  // SVM_TRAINING_RESIDUES_H_
