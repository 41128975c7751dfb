// Inner sums of rows and support vectors, which kernels are functions of: squared distances for
// RBF, dot products for others.  The support vectors are packed once, for many rows.
#ifndef SVM_MODEL_INNER_SUMS_H_
#define SVM_MODEL_INNER_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/data_row.h"
#include "kernels/engines/bit_examples.h"
#include "model/model_view.h"

namespace svm {

// The features that occur in the support vectors, by rising index.  The position of a feature among
// them is its slot.
class FeatureSlots {
 public:
  explicit FeatureSlots(std::vector<int> indices);

  struct Entry {
    std::uint32_t slot;
    double value;
  };
  // A row in terms of slots.  `others` are the features that no support vector has, each with the
  // slot that it comes before.
  struct Row {
    std::vector<Entry> entries, others;
  };
  std::size_t size() const { return indices_.size(); }
  int index(std::uint32_t slot) const { return indices_[slot]; }
  std::size_t bytes() const {
    return indices_.size() * sizeof(int) + slots_from_.size() * sizeof(std::uint32_t);
  }

  // Replaces `row` by `data`.  Requires is_orderly(data).
  void place(const DataRow& data, Row& row) const;
  // The same without a copy: calls entry(slot, value) and other(slot, value), in order.
  template <typename Entry, typename Other>
  void for_each(const DataRow& data, const Entry& entry, const Other& other) const {
    std::uint32_t next = 0;  // the slot behind that of the last feature
    data.for_each([&](int index, double value) {
      const bool is_next = next < indices_.size() && indices_[next] == index;
      const std::uint32_t slot = is_next ? next : slot_from(index);
      if (is_next || (slot < indices_.size() && indices_[slot] == index)) {
        entry(slot, value);
        next = slot + 1;
      } else {
        other(slot, value);
        next = slot;
      }
    });
  }

 private:
  // The first slot whose index is not below `index`.
  std::uint32_t slot_from(int index) const;

  std::vector<int> indices_;
  // slot_from() of each index from the first on; empty if the indices are few in a wide range.
  std::vector<std::uint32_t> slots_from_;
};

// Gathers the indices of all features of some rows.
class DistinctFeatures {
 public:
  void add(const DataRow& row);
  std::vector<int> take();  // by rising index

 private:
  void sort();

  std::vector<int> indices_;
  std::size_t sorted_ = 0;  // the first so many are sorted and distinct
};

// True if the indices rise from feature to feature and all values are finite.  LIBSVM's merge of
// two rows gives other results for other rows.
bool is_orderly(const DataRow& row);

// True if all values are 1.
bool is_all_ones(const DataRow& row);

class InnerSums {
 public:
  // Rows to predict in the layout of the packed form, and working memory.
  struct Group {
    FeatureSlots::Row rows[kPackRows];
    std::size_t count = 0;             // number of rows in use
    std::size_t width = kPackRows;     // number of rows in x: 1 if only one is in use
    std::vector<double> x;             // `width` values for each slot in use
    std::vector<std::uint32_t> slots;  // the slots in use, unless all are
    struct Other {
      std::uint32_t slot;
      std::size_t row;
      double square;
    };
    std::vector<Other> others;
    std::vector<double> scratch;
    std::optional<BitExamples> bits;
  };

  InnerSums(FeatureSlots slots, std::size_t columns, std::size_t block_columns)
      : slots_(std::move(slots)), columns_(columns), block_columns_(block_columns) {}
  virtual ~InnerSums() = default;

  std::size_t columns() const { return columns_; }
  std::size_t block_columns() const { return block_columns_; }
  virtual std::size_t bytes() const = 0;  // of the packed support vectors

  // Fills `group` with up to kPackRows orderly rows.
  void prepare(const DataRow* rows, std::size_t count, Group& group) const;

  // Writes the sums of row r and support vector first + s to sums[r * block_columns() + s], for s <
  // block_columns().  `first` must be a multiple of block_columns().  Sums of rows and support
  // vectors that do not exist are undefined.
  virtual void of_block(std::size_t first, Group& group, double* sums) const = 0;

 protected:
  virtual void arrange(Group& group) const = 0;

  FeatureSlots slots_;
  std::size_t columns_;
  std::size_t block_columns_;
};

// The properties of a model's support vectors that decide how they are packed.  Nothing if only
// LIBSVM's computation, row by row, gives its results: if the kernel is precomputed, if values or
// coefficients are not finite, or if indices do not ascend.
struct VectorShape {
  FeatureSlots slots;
  std::size_t entries;  // number of values that are given
  bool is_dense;
  bool ones;
};
std::optional<VectorShape> shape_of(const ModelView& model);

// The packed support vectors of a model.  `any` takes all orderly rows; `ones` takes rows whose
// values are all 1, and is null unless all values of the support vectors are 1 and pack_bits() can
// pack them.
struct PackedVectors {
  std::unique_ptr<InnerSums> any, ones;

  std::size_t bytes() const {
    return (any == nullptr ? 0 : any->bytes()) + (ones == nullptr ? 0 : ones->bytes());
  }
};

// Packs support vectors in no more than `most_bytes`; a form that would take more is left out.
PackedVectors pack_support_vectors(const ModelView& model, const VectorShape& shape,
                                   std::size_t most_bytes);

// Estimates the bytes of the smallest form that takes all orderly rows.
std::size_t least_packed_bytes(const ModelView& model, const VectorShape& shape);

// The packed forms.  pack_bits() returns null if there are no features or too many.
std::unique_ptr<InnerSums> pack_bits(const ModelView& model, FeatureSlots slots);
std::unique_ptr<InnerSums> pack_dense(const ModelView& model, const FeatureSlots& slots);
std::unique_ptr<InnerSums> pack_sparse(const ModelView& model, FeatureSlots slots);

// Adds the terms of support vectors [first, last) to the sums of kSumRows rows each, at
// sums[function * kSumRows + r].  kernel_values[(s - first) * kSumRows + r] is the kernel value of
// row r and support vector s.
void add_kernel_terms(const ModelView& model, std::size_t first, std::size_t last,
                      const double* kernel_values, double* sums);

}  // namespace svm

#endif  // SVM_MODEL_INNER_SUMS_H_
