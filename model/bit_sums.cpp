// Support vectors whose values are all 1, stored as bits.  Their sums are whole numbers, which are
// exact in any order, so that kernel values come from a table.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/platform/index_range.h"
#include "base/simd/instruction_set.h"
#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/bit_examples.h"
#include "kernels/kernel_function.h"
#include "model/vector_sums.h"

namespace svm {
namespace {

class BitSums final : public VectorSums {
 public:
  BitSums(const ModelView& model, Features features)
      : VectorSums(std::move(features), model.count, kBitColumns),
        kernel_(model.param),
        loops_(loops(instruction_set())),
        distances_(is_of_distances(model.param.kernel_type)),
        form_(loops_, features_.size(), features_.size()),
        values_(values_from(0)) {
    Features::Row row;
    std::vector<std::size_t> frequency(features_.size(), 0);
    for (std::size_t s = 0; s < columns_; ++s) {
      features_.place(model.vectors[s], row);
      for (const auto& entry : row.entries) ++frequency[entry.number];
    }
    bits_ = bits_by_frequency(frequency);
    BitExamples vectors = form_;
    std::vector<std::uint32_t> bits;
    for (std::size_t s = 0; s < columns_; ++s) {
      features_.place(model.vectors[s], row);
      add(row, vectors, bits);
    }
    vectors.pack(index_range<std::uint32_t>(0, columns_).data(), columns_, packed_);
  }

  void prepare(const DataRow* rows, std::size_t count, Group& group) const override {
    place_rows(rows, count, group);
    if (!group.bits) group.bits = form_;
    group.bits->clear();
    for (std::size_t r = 0; r < count; ++r) {
      add(group.rows[r], *group.bits, group.row_bits);
      // A feature that only the row has adds 1 to its distance from every support vector.
      const std::size_t alone = distances_ ? group.rows[r].others.size() : 0;
      group.own_values[r] = alone > 0 ? values_from(alone) : std::vector<double>();
    }
  }

  void of_block(std::size_t first, Group& group, double* values) const override {
    constexpr double kOne = 1;
    const std::size_t last = std::min(first + kBitColumns, columns_);
    for (std::uint32_t r = 0; r < group.count; ++r) {
      const std::vector<double>& own = group.own_values[r];
      double* const out = values + r * kBitColumns;
      std::fill_n(out, last - first, -0.0);  // so that the sum has the sign of a zero
      loops_.bit_sums_double(
          form_.blocks(packed_, distances_), first, last, group.bits->rows(&r, 1),
          {(own.empty() ? values_ : own).data(), features_.size() + 1, 0}, &kOne, out);
    }
  }
  bool are_values() const override { return true; }

  std::size_t bytes() const override {
    return packed_.size() + bits_.size() * sizeof(std::uint32_t) + values_.size() * sizeof(double) +
           features_.bytes();
  }

 private:
  void add(const Features::Row& row, BitExamples& to, std::vector<std::uint32_t>& bits) const {
    bits.clear();
    for (const auto& entry : row.entries) bits.push_back(bits_[entry.number]);
    to.add(bits.data(), bits.size());
  }

  // The kernel values for `least` and more bits that are counted.
  std::vector<double> values_from(std::size_t least) const {
    std::vector<double> values(features_.size() + 1 + kLikelyBits);
    for (std::size_t n = 0; n <= features_.size(); ++n) {
      values[n] = kernel_.of_inner(static_cast<double>(least + n));
    }
    return values;
  }

  const KernelFunction kernel_;
  const Loops& loops_;
  bool distances_;
  std::vector<std::uint32_t> bits_;     // of each feature
  BitExamples form_;                    // holds no examples
  AlignedVector<std::uint8_t> packed_;  // the support vectors
  std::vector<double> values_;          // for each number of bits
};

}  // namespace

std::unique_ptr<VectorSums> pack_bits(const ModelView& model, Features features) {
  if (features.size() == 0 || features.size() > kMaxBits) return nullptr;
  return std::make_unique<BitSums>(model, std::move(features));
}

}  // namespace svm
