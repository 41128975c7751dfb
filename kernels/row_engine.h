// Computes kernel values between training examples.  The layer above caches and permutes rows; the
// solvers see neither.
#ifndef SVM_KERNELS_ROW_ENGINE_H_
#define SVM_KERNELS_ROW_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/kernel_function.h"
#include "svm.h"

namespace svm {

class RowEngine {
 public:
  virtual ~RowEngine() = default;

  // out[k] = K(example, columns[k]) rounded to float, for k < count.  Sums run over features in
  // index order, multiply then add, so that every engine gives the same bits.
  virtual void compute(std::size_t example, const std::uint32_t* columns, std::size_t count,
                       float* out) = 0;

  // K(example, example) in double.
  virtual double diagonal(std::size_t example) const = 0;
};

// The engine for `count` rows.  The rows are read now and, for PRECOMPUTED, later as well.  Throws
// PrecomputedRowError where a precomputed row is too short for the serial numbers in use.
std::unique_ptr<RowEngine> make_row_engine(const KernelFunction& kernel,
                                           const svm_node* const* rows, std::size_t count);

}  // namespace svm

#endif  // SVM_KERNELS_ROW_ENGINE_H_
