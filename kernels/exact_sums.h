// Sums of kernel values in double-doubles, and bounds on the rounding of such sums.
#ifndef SVM_KERNELS_EXACT_SUMS_H_
#define SVM_KERNELS_EXACT_SUMS_H_

#include <cstddef>
#include <vector>

#include "base/threads/go_on.h"
#include "base/threads/pool.h"
#include "kernels/data_row.h"
#include "kernels/kernel_function.h"

namespace svm {

// The largest relative error of rounding to double.
inline constexpr double kDoubleUnit = 0x1p-53;

// Bounds of rows.
struct RowExtent {
  RowExtent() = default;
  RowExtent(const DataRows& rows, std::size_t count);

  double mean_features = 0;  // of a row
  std::size_t most_features = 0;
  double largest_norm = 0;  // squared
};

class ExactSums {
 public:
  // For sums over the first `count` rows.  `known` bounds these rows, perhaps among others; null if
  // they have to be read.  Copies share the rows.
  ExactSums(const KernelFunction& kernel, const DataRows& rows, std::size_t count,
            const RowExtent* known = nullptr);

  const KernelFunction& kernel() const { return kernel_; }
  const DataRows& rows() const { return rows_; }

  // A bound on the error of the sum over s of w_s K(s, t), relative to the sum of |w_s| B(s, t),
  // for `terms` terms in doubles, in any order and by any engine.  B(s, t) bounds |K(s, t)| for any
  // signs of the features: it is the root of K(s, s) K(t, t), or KernelFunction::largest_value().
  // If more than some sixty rounding errors add up, they are taken for independent, so that their
  // sum exceeds the bound with a probability of at most 1e-13 (Higham, Mary: A new approach to
  // probabilistic rounding error analysis, SIAM J. Sci. Comput. 41, 2019).
  // With `by_norms`, values of an RBF kernel may be those of norms where they lose digits, see
  // KernelFunction::is_rounded(), as those of floats are.
  double error_in_doubles(std::size_t terms, bool by_norms = false) const;
  // True if that also holds with |K(s, t)| for B(s, t).
  bool errors_follow_values() const {
    return kernel_.type == RBF && !kernel_.is_rounded(extent_.largest_norm);
  }
  // True if features are so large that scaling them helps against errors.
  bool has_large_features() const {
    return kernel_.of_distances() ? kernel_.is_rounded(extent_.largest_norm)
                                  : kernel_.of_inner(extent_.largest_norm) > 1e4;
  }
  // error_in_doubles() for compute(), to which the rounding of the sum itself to double is added.
  double error(std::size_t terms) const;

  // The products of features that compute() takes for so many terms and columns, each some ten
  // nanoseconds.
  double cost(std::size_t terms, std::size_t columns) const;

  // sums[k] = the sum over s of weights[s] K(s, columns[k]), with a weight for each row.  Returns
  // false if it was ended by `go_on`.
  bool compute(const std::vector<double>& weights, const std::vector<std::size_t>& columns,
               ThreadPool& pool, const GoOn& go_on, std::vector<double>& sums) const;

 private:
  KernelFunction kernel_;
  DataRows rows_;
  std::size_t count_;
  RowExtent extent_;
};

}  // namespace svm

#endif  // SVM_KERNELS_EXACT_SUMS_H_
