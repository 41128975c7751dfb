#include "model/vector_sums.h"

#include <algorithm>
#include <limits>

#include "base/simd/instruction_set.h"
#include "kernels/kernel_types.h"

namespace svm {
namespace {

// Support vectors are packed densely if at least one in kDenseShare of their values is given.
constexpr std::size_t kDenseShare = 16;

// Bytes of the packed forms, beside the features.
struct FormBytes {
  FormBytes(const ModelView& model, const VectorShape& shape)
      : bits(static_cast<double>(model.count) * static_cast<double>(shape.features.size()) / 8),
        dense(bits * 8 * sizeof(double)),
        lists(static_cast<double>(shape.entries) * (sizeof(double) + sizeof(std::uint32_t)) +
              static_cast<double>(shape.features.size()) * sizeof(std::size_t)) {}
  double bits, dense, lists;
};

// Support vectors packed in blocks, with a value for every feature.
class DenseSums final : public VectorSums {
 public:
  DenseSums(const ModelView& model, const Features& features)
      : VectorSums(features, model.count, columns_together(features.size())),
        distances_(is_of_distances(model.param.kernel_type)),
        sums_(distances_ ? loops(instruction_set()).squared_differences
                         : loops(instruction_set()).products),
        vectors_(features, model.vectors, model.count, as_it_is) {}

  void prepare(const DataRow* rows, std::size_t count, Group& group) const override {
    group.count = count;
    group.dense.pack(features_, rows, count, count == 1 ? 1 : kPackRows,
                     distances_ ? RowFeatures::kAll : RowFeatures::kCommon, kAnyLength, as_it_is);
  }

  void of_block(std::size_t first, Group& group, double* sums) const override {
    const std::size_t last = std::min(first + block_columns_, columns_);
    for (std::size_t column = first; column < last; column += kPackColumns) {
      sums_(vectors_.block(column / kPackColumns), group.dense.view(), sums + (column - first),
            block_columns_);
    }
  }

  std::size_t bytes() const override { return vectors_.bytes() + features_.bytes(); }

 private:
  // The number of columns whose sums are computed together: as many blocks as stay in the
  // second-level cache for all groups of rows.
  static std::size_t columns_together(std::size_t features) {
    constexpr std::size_t kBytes = std::size_t{1} << 17U, kMost = 8;
    const std::size_t blocks = kBytes / (features * kPackColumns * sizeof(double) + 1);
    return std::clamp<std::size_t>(blocks, 1, kMost) * kPackColumns;
  }

  const bool distances_;
  void (*const sums_)(const double*, const PackedRows<double>&, double*, std::size_t);
  const DenseColumns<double, kPackColumns> vectors_;
};

}  // namespace

std::optional<VectorShape> shape_of(const ModelView& model) {
  if (model.param.kernel_type == PRECOMPUTED || !has_finite_coefficients(model)) return {};
  std::size_t entries = 0;
  bool ones = true;
  for (std::size_t s = 0; s < model.count; ++s) {
    const DataRow vector = model.vectors[s];
    if (!is_orderly(vector)) return {};
    ones = ones && is_all_ones(vector);
    vector.for_each([&](int, double) { ++entries; });
  }
  std::vector<int> indices = indices_of(model.vectors, model.count);
  const std::size_t distinct = indices.size();
  if (distinct > std::numeric_limits<std::uint32_t>::max()) return {};
  const double places = static_cast<double>(model.count) * static_cast<double>(distinct);
  const double share = entries > 0 ? static_cast<double>(entries) / places : 0;
  return VectorShape{Features(std::move(indices)), entries, share * kDenseShare >= 1, ones};
}

PackedVectors pack_support_vectors(const ModelView& model, const VectorShape& shape,
                                   std::size_t most_bytes) {
  const FormBytes bytes(model, shape);
  double left = static_cast<double>(most_bytes) - static_cast<double>(shape.features.bytes());
  PackedVectors packed;
  if (shape.ones && bytes.bits <= left) {
    packed.ones = pack_bits(model, shape.features);
    if (packed.ones != nullptr) left -= static_cast<double>(packed.ones->bytes());
  }
  if (shape.is_dense && bytes.dense <= left) {
    packed.any = pack_dense(model, shape.features);
  } else if (bytes.lists <= left) {
    packed.any = pack_lists(model, shape.features);
  }
  return packed;
}

std::unique_ptr<VectorSums> pack_dense(const ModelView& model, const Features& features) {
  return std::make_unique<DenseSums>(model, features);
}

}  // namespace svm
