// What a kernel needs of a row and all support vectors: squared distances for RBF, dot products for
// the others.  The support vectors are packed once, for many rows.
#ifndef SVM_MODEL_INNER_SUMS_H_
#define SVM_MODEL_INNER_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/data_row.h"
#include "model/model_view.h"
#include "simd/loops.h"

namespace svm {

// The features that occur in the support vectors, by rising index.  A feature's place among them is
// its slot.
class FeatureSlots {
 public:
  explicit FeatureSlots(std::vector<int> indices) : indices_(std::move(indices)) {}

  struct Entry {
    std::uint32_t slot;
    double value;
  };
  // A row in terms of slots.  `others` are its features that no support vector has, each with the
  // slot that it comes before.
  struct Row {
    std::vector<Entry> entries, others;
  };
  std::size_t size() const { return indices_.size(); }
  int index(std::uint32_t slot) const { return indices_[slot]; }

  // Replaces `row` by `data`, which must be orderly (see below).
  void place(const DataRow& data, Row& row) const;

 private:
  std::vector<int> indices_;
};

// Gathers the features of rows.
class DistinctFeatures {
 public:
  void add(const DataRow& row);
  std::vector<int> take();  // by rising index

 private:
  void sort();

  std::vector<int> indices_;
  std::size_t sorted_ = 0;  // of which there are so many first
};

// Do the indices rise from feature to feature, and are all values finite?  LIBSVM's merge gives
// other results for other rows.
bool is_orderly(const DataRow& row);

// Are all values 1?
bool is_all_ones(const DataRow& row);

class InnerSums {
 public:
  // Rows to predict, as the packed form wants them, and memory to work in.
  struct Group {
    FeatureSlots::Row rows[kPackRows];
    std::size_t count = 0;             // of rows in use
    std::vector<double> x;             // kPackRows values for each of some slots
    std::vector<std::uint32_t> slots;  // those slots, where they are not all
    struct Other {
      std::uint32_t slot;
      std::size_t row;
      double square;
    };
    std::vector<Other> others;
    std::vector<double> scratch;
    std::vector<std::uint64_t> bits;
  };

  InnerSums(FeatureSlots slots, std::size_t columns, std::size_t block_columns)
      : slots_(std::move(slots)), columns_(columns), block_columns_(block_columns) {}
  virtual ~InnerSums() = default;

  std::size_t columns() const { return columns_; }
  std::size_t block_columns() const { return block_columns_; }

  // Readies up to kPackRows orderly rows.
  void prepare(const DataRow* rows, std::size_t count, Group& group) const;

  // Sums of the rows with support vectors first ... first + block_columns() - 1, where `first` is a
  // multiple of block_columns(): sums[r * block_columns() + s].  Those of rows and support vectors
  // that do not exist are left undefined.
  virtual void of_block(std::size_t first, Group& group, double* sums) const = 0;

 protected:
  virtual void arrange(Group& group) const = 0;

  FeatureSlots slots_;
  std::size_t columns_;
  std::size_t block_columns_;
};

// What decides how the support vectors of a model are packed.  Nothing where only LIBSVM's way, row
// by row, gives its results: for precomputed kernels, and for support vectors or coefficients with
// values that are not finite or indices that do not ascend.
struct VectorShape {
  FeatureSlots slots;
  bool is_dense;
  bool ones;  // are all values 1?
};
std::optional<VectorShape> shape_of(const ModelView& model);

// The support vectors of a model, packed in the way that suits them.  `any` takes all orderly rows.
// It is null where there is no shape.  `ones` takes rows whose values are all 1, and is null where
// the support vectors have others.
struct PackedVectors {
  std::unique_ptr<InnerSums> any, ones;
};
PackedVectors pack_support_vectors(const ModelView& model);

// The packed forms.  Bits are null where there are too many features.
std::unique_ptr<InnerSums> pack_bits(const ModelView& model, FeatureSlots slots);
std::unique_ptr<InnerSums> pack_dense(const ModelView& model, FeatureSlots slots);
std::unique_ptr<InnerSums> pack_sparse(const ModelView& model, FeatureSlots slots);

// Adds the terms of support vectors [first, last) to sums[function * kSumRows + r] of kSumRows rows
// each; kernel_values[(s - first) * kSumRows + r] are those of row r.
void add_kernel_terms(const ModelView& model, std::size_t first, std::size_t last,
                      const double* kernel_values, double* sums);

}  // namespace svm

#endif  // SVM_MODEL_INNER_SUMS_H_
