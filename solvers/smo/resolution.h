// How small a violation the kernel values let a solver see.
#ifndef SVM_SOLVERS_SMO_RESOLUTION_H_
#define SVM_SOLVERS_SMO_RESOLUTION_H_

#include <cstddef>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"

namespace svm {

// What the rounding of kernel values may make of a difference of two sums over t of
// weights[t] K_st.  An estimate, not a bound: each value, or each product where values are not
// rounded to float, is rounded by up to a part 2^-24 of it (2^-52 in doubles), and the errors of
// many add up as their squares do.
double resolution(const KernelMatrix& kernel, const std::vector<double>& weights,
                  KernelMatrix::Precision precision);
inline double resolution(const KernelMatrix& kernel, const std::vector<double>& weights) {
  return resolution(kernel, weights, kernel.precision());
}

// What a difference of two sums may have lost in doubles in the history.  An estimate, as above.
double drift(const KernelMatrix& kernel, const std::vector<double>& weights,
             const RoundingHistory& history);

// The violation to stop at, where less than `epsilon` is wanted: such that the true violation is
// below epsilon, too, where the resolution allows it, else what it resolves.
double attainable_violation(double epsilon, double resolution);

// The violation found by these kernel values says nothing about the true one at this tolerance.
bool is_too_coarse(double epsilon, double resolution);

// Steps of one pair in a row, which one step should settle: the solver no longer gets on.
constexpr int kStallRepetitions = 1000;

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_RESOLUTION_H_
