// Kernel values and decision values, without the threshold, of a dual problem: from kernel rows, or
// with the linear kernel from the examples and the weight vector w.
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

  // True if kernel values are not rounded to float.
  virtual bool in_doubles() const = 0;

  // sum_s weights_s K_st
  virtual double value(std::size_t t, const std::vector<double>& weights) = 0;

  // Sets values[k] to offsets[k] + value(k, weights), for all k of `examples`, after the weights of
  // s and t changed.  To be called after every change of weights; with s == t and change_t == 0 if
  // only one changed.
  virtual void update(std::size_t s, double change_s, std::size_t t, double change_t,
                      const std::vector<std::size_t>& examples, const std::vector<double>& offsets,
                      std::vector<double>& values) = 0;
};

// By the weight vector if `linear_rows` is not null, else by kernel rows; also by kernel rows if
// `go_on` returns false, as these need no preparation.  `kernel` must outlive the result.
std::unique_ptr<DecisionValues> make_decision_values(KernelMatrix& kernel, DataRows linear_rows,
                                                     const GoOn& go_on);

}  // namespace svm

#endif  // SVM_SOLVERS_HISTORICAL_DECISION_VALUES_H_
