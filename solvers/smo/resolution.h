// How small a violation can be resolved with rounded kernel values.
#ifndef SVM_SOLVERS_SMO_RESOLUTION_H_
#define SVM_SOLVERS_SMO_RESOLUTION_H_

#include <cstddef>
#include <vector>

#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"

namespace svm {

// Estimates the error that the rounding of kernel values causes in a difference of two sums over t
// of weights[t] K_st.  Each value is rounded by a part of up to 2^-24 (2^-52 in doubles), and
// errors are taken for independent, so that their squares add up.  Not a bound.
double resolution(const KernelMatrix& kernel, const std::vector<double>& weights,
                  Precision precision);
inline double resolution(const KernelMatrix& kernel, const std::vector<double>& weights) {
  return resolution(kernel, weights, kernel.precision());
}

// Estimates the error that updates in doubles have accumulated in a difference of two sums.
double drift(const KernelMatrix& kernel, const std::vector<double>& weights,
             const RoundingHistory& history);

// The violation to stop at so that the true violation is below `epsilon`, if the resolution allows
// it; otherwise the least violation that can be resolved.
double attainable_violation(double epsilon, double resolution);

// True if the resolution does not tell whether a violation is below `epsilon`.
bool is_too_coarse(double epsilon, double resolution);

// A solver has stalled after this many steps of one pair in a row, as one step should settle it.
constexpr int kStallRepetitions = 1000;

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_RESOLUTION_H_
