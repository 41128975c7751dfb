// How small a violation can be resolved with rounded kernel values.
#ifndef SVM_SOLVERS_SMO_RESOLUTION_H_
#define SVM_SOLVERS_SMO_RESOLUTION_H_

#include <cstddef>
#include <vector>

#include "kernels/exact_sums.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/run/dual_state.h"

namespace svm {

// The sizes of the terms of sums over t of w_t K(s, t), from which their errors follow.
class TermSizes {
 public:
  // `kernel` must outlive this, and keep the order of its variables while weights change.
  TermSizes(const KernelMatrix& kernel, const std::vector<double>& weights);

  // Takes in the change of a weight.
  void change(std::size_t t, double before, double after);

  // Estimates the error that the rounding of kernel values causes in a difference of two of these
  // sums.  Each value is rounded by a part of up to RowEngine::rounding() (2^-51 in doubles), and
  // errors are taken for independent, so that their squares add up.  Not a bound.
  double resolution(Precision precision) const;

  // Bounds the sum over t of |w_t K(s, t)| for every s.
  double size_of_sums() const;

  // Bounds that error for kernel values of the matrix's own precision: every value is off by the
  // largest error that its engine has, in the direction that does most harm.  Many times as large
  // as resolution(), but certain.
  double largest_rounding() const;

  // The violation to stop at so that the true violation is below `epsilon`, if the resolution
  // allows it; otherwise the least violation that can be resolved.  If rounding is negligible, it
  // is certain that the true violation is below `epsilon`.
  double attainable_violation(double epsilon) const;

  // sqrt(largest K) sqrt(max(sum of w^2 K_tt, `least`)): the size of a sum of independent terms.
  double of_independent(double least) const;

 private:
  double value_size(std::size_t t) const;

  const KernelMatrix& kernel_;
  const double bound_;  // of all kernel values, if it is above 0
  const double root_of_bound_;
  double largest_value_;       // of a kernel value
  double squares_ = 0;         // sum of w_t^2 K_tt
  double largest_square_ = 0;  // the largest one so far
  double sizes_ = 0;           // sum of |w_t| sqrt(K_tt)
};

inline double resolution(const KernelMatrix& kernel, const std::vector<double>& weights,
                         Precision precision) {
  return TermSizes(kernel, weights).resolution(precision);
}
inline double resolution(const KernelMatrix& kernel, const std::vector<double>& weights) {
  return resolution(kernel, weights, kernel.precision());
}

// Bounds the error that rounding of doubles causes in a difference of two sums of so many terms
// w_t K(s, t), if kernel values and sums are doubles.  `size_of_sums` bounds the sums of their
// sizes; `by_norms` as ExactSums::error_in_doubles().
double rounding_in_doubles(const ExactSums& sums, std::size_t terms, double size_of_sums,
                           bool by_norms);

// Bounds the error that the rounding of `linear`, and of f as a sum with it, causes in a difference
// of two f.
double rounding_of_linear(const DualState& state);

// The violation that a certificate computes may differ from a solver's by the bounds of both, and
// its own bound is added to it.
constexpr double kCertificate = 3;

// True if rounding by this much at most does not matter, so that sums need not be checked.
bool is_negligible(double epsilon, double largest_rounding);

// Estimates the error that updates in doubles have accumulated in a difference of two sums.
double drift(const TermSizes& sizes, const RoundingHistory& history);

// The violation to stop at so that the true violation is below `epsilon`, if the resolution allows
// it; otherwise the least violation that can be resolved.
double attainable_violation(double epsilon, double resolution);

// True if a violation is below attainable_violation() for every resolution.
bool is_surely_attainable(double violation, double epsilon);

// True if the resolution does not tell whether a violation is below `epsilon`.
bool is_too_coarse(double epsilon, double resolution);

// A solver has stalled after this many steps of one pair in a row, as one step should settle it.
constexpr int kStallRepetitions = 1000;

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_RESOLUTION_H_
