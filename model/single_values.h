// Decision values of the RBF kernel in single precision, with error bounds.  Labels depend on signs
// alone, and these are certain for nearly all rows, at a fraction of the cost.
#ifndef SVM_MODEL_SINGLE_VALUES_H_
#define SVM_MODEL_SINGLE_VALUES_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/data_row.h"
#include "kernels/kernel_function.h"
#include "model/inner_sums.h"
#include "simd/loops.h"

namespace svm {

// The arrays that the model's view borrows must outlive it.  Immutable, so that threads can share
// it.
class SingleValues {
 public:
  // The largest number of rows of a call.
  static constexpr std::size_t kRows = kBlockColumns;

  // Null if it is of no use: for regression, kernels other than RBF, gamma far outside the range of
  // floats, and support vectors that are sparse or cannot be packed.
  static std::unique_ptr<SingleValues> make(const ModelView& model);

  SingleValues(const ModelView& model, FeatureSlots slots);

  // Writes the value of row r by function f to values[r * functions + f], for up to kRows orderly
  // rows.  is_certain[r] is 1 if all values of row r have the signs of LIBSVM's values, else 0.
  void decide(const DataRow* rows, std::size_t count, double* values, char* is_certain) const;

 private:
  struct Columns;
  void pack(FeatureSlots::Row& row, std::size_t s);
  void fill(const DataRow* rows, std::size_t count, Columns& columns) const;
  void add_values(const Columns& columns, double* sums) const;
  double error(double rounding) const;

  const ModelView model_;
  const KernelFunction kernel_;
  const Loops& loops_;
  const FeatureSlots slots_;
  const SingleTail tail_;
  const bool is_single_;        // there is one decision function
  const std::size_t features_;  // slots, and one for all features that no support vector has
  const std::size_t vectors_;
  std::vector<float> values_;    // support vectors: a FloatPanel, or row after row
  std::vector<double> weights_;  // sum of absolute coefficients of each function
  double rounding_ = 0;          // largest distance of a support vector from its floats
};

}  // namespace svm

#endif  // SVM_MODEL_SINGLE_VALUES_H_
