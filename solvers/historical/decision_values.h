// Kernel values and decision values (without threshold) of one dual problem: from kernel rows, or,
// with the linear kernel, from the examples and one weight vector that all multipliers are folded
// into.
#ifndef SVM_SOLVERS_HISTORICAL_DECISION_VALUES_H_
#define SVM_SOLVERS_HISTORICAL_DECISION_VALUES_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/matrix/kernel_matrix.h"
#include "svm.h"

namespace svm {

class DecisionValues {
 public:
  virtual ~DecisionValues() = default;

  virtual double kernel(std::size_t s, std::size_t t) = 0;

  // Kernel values are not rounded to float.
  virtual bool in_doubles() const = 0;

  // sum_s weights_s K_st
  virtual double value(std::size_t t, const std::vector<double>& weights) = 0;

  // Values of several examples at once cost so much less than one at a time that up to so many
  // should be asked for together; 0 where it makes no difference.
  virtual std::size_t block_size() const = 0;

  // values[k] = offsets[k] + value(k, weights) for begin <= k < end
  virtual void value_block(std::size_t begin, std::size_t end, const std::vector<double>& weights,
                           const std::vector<double>& offsets, std::vector<double>& values) = 0;

  // The weights of s and t changed: values[k] becomes that of example k, for all k of `examples`.
  // To be called after every change of weights, with s == t for a single one.  `offsets` is what
  // values[k] has besides.
  virtual void update(std::size_t s, double change_s, std::size_t t, double change_t,
                      const std::vector<std::size_t>& examples, const std::vector<double>& offsets,
                      std::vector<double>& values) = 0;
};

// `linear_rows` may be null; `kernel` must outlive the answer.  Where `go_on` says so, the values
// are those of kernel rows, which need no preparation.
std::unique_ptr<DecisionValues> make_decision_values(KernelMatrix& kernel, DataRows linear_rows,
                                                     const GoOn& go_on);

}  // namespace svm

#endif  // SVM_SOLVERS_HISTORICAL_DECISION_VALUES_H_
