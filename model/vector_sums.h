// Inner sums of rows and support vectors, which kernels are functions of: squared distances for
// RBF, dot products for others.  The support vectors are packed once, for many rows.
#ifndef SVM_MODEL_VECTOR_SUMS_H_
#define SVM_MODEL_VECTOR_SUMS_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/engines/bit_examples.h"
#include "kernels/engines/dense_columns.h"
#include "kernels/features.h"
#include "model/model_view.h"

namespace svm {

class VectorSums {
 public:
  // Up to kPackRows rows to predict in the layout of the packed form, and working memory.
  struct Group {
    std::size_t count = 0;
    DenseRows<double> dense;
    Features::Row rows[kPackRows];              // lists and bits
    std::vector<double> scratch;                // lists
    std::optional<BitExamples> bits;            // bits
    std::vector<std::uint32_t> row_bits;        // bits, of a row
    std::vector<double> own_values[kPackRows];  // bits: tables of rows that need one of their own
  };

  VectorSums(Features features, std::size_t columns, std::size_t block_columns)
      : features_(std::move(features)), columns_(columns), block_columns_(block_columns) {}
  virtual ~VectorSums() = default;

  std::size_t columns() const { return columns_; }
  std::size_t block_columns() const { return block_columns_; }
  virtual std::size_t bytes() const = 0;  // of the packed support vectors

  // Fills `group` with up to kPackRows orderly rows.
  virtual void prepare(const DataRow* rows, std::size_t count, Group& group) const = 0;

  // Writes the sums of row r and support vector first + s to sums[r * block_columns() + s], for s <
  // block_columns() and r < kPackRows.  `first` must be a multiple of block_columns().  Sums of
  // rows and support vectors that do not exist are undefined.
  virtual void of_block(std::size_t first, Group& group, double* sums) const = 0;
  // True if what of_block() writes are the kernel values.
  virtual bool are_values() const { return false; }

 protected:
  void place_rows(const DataRow* rows, std::size_t count, Group& group) const {
    group.count = count;
    for (std::size_t r = 0; r < count; ++r) features_.place(rows[r], group.rows[r]);
  }

  const Features features_;
  const std::size_t columns_;
  const std::size_t block_columns_;
};

// The properties of a model's support vectors that decide how they are packed.  Nothing if only
// LIBSVM's computation, row by row, gives its results: if the kernel is precomputed, if values or
// coefficients are not finite, or if indices do not ascend.
struct VectorShape {
  Features features;
  std::size_t entries;  // number of values that are given
  bool is_dense;
  bool ones;
};
std::optional<VectorShape> shape_of(const ModelView& model);

// The packed support vectors of a model.  `any` takes all orderly rows; `ones` takes rows whose
// values are all 1, and is null unless all values of the support vectors are 1 and pack_bits() can
// pack them.
struct PackedVectors {
  std::unique_ptr<VectorSums> any, ones;

  std::size_t bytes() const {
    return (any == nullptr ? 0 : any->bytes()) + (ones == nullptr ? 0 : ones->bytes());
  }
};

// Packs support vectors in no more than `most_bytes`; a form that would take more is left out.
PackedVectors pack_support_vectors(const ModelView& model, const VectorShape& shape,
                                   std::size_t most_bytes);

// The forms.  pack_bits() returns null if there are no features or too many.
std::unique_ptr<VectorSums> pack_dense(const ModelView& model, const Features& features);
std::unique_ptr<VectorSums> pack_lists(const ModelView& model, Features features);
std::unique_ptr<VectorSums> pack_bits(const ModelView& model, Features features);

}  // namespace svm

#endif  // SVM_MODEL_VECTOR_SUMS_H_
