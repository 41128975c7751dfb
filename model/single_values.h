// Decision values of the RBF kernel in single precision, with bounds of their error.  Labels depend
// on signs alone, and these are known of nearly all rows at a fraction of the cost.
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

// What the model's view borrows must outlive it.  Constant, so that threads can share it.
class SingleValues {
 public:
  // Rows for one call.
  static constexpr std::size_t kRows = kBlockColumns;

  // Null where it is of no use: regression, other kernels, support vectors that are sparse, or not
  // to be packed.
  static std::unique_ptr<SingleValues> make(const ModelView& model);

  SingleValues(const ModelView& model, FeatureSlots slots);

  // values[r * functions + f] of up to kRows orderly rows.  is_certain[r]: those of the row have
  // the signs that LIBSVM's values have.
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
  const bool is_single_;        // decision function
  const std::size_t features_;  // slots, and one for all that no support vector has
  const std::size_t vectors_;
  std::vector<float> values_;    // of the support vectors: a FloatPanel, or row after row
  std::vector<double> weights_;  // of each decision function: sum of absolute coefficients
  double rounding_ = 0;          // largest distance of a support vector from its floats
};

}  // namespace svm

#endif  // SVM_MODEL_SINGLE_VALUES_H_
