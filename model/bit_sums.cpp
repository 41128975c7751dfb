// Support vectors whose values are all 1, stored as bits.  Their sums are whole numbers, which are
// exact in any order.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/platform/index_range.h"
#include "base/simd/instruction_set.h"
#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/bit_examples.h"
#include "kernels/kernel_types.h"
#include "model/vector_sums.h"

namespace svm {
namespace {

constexpr std::size_t kBitBlock = 128;

class BitSums final : public VectorSums {
 public:
  BitSums(const ModelView& model, Features features)
      : VectorSums(std::move(features), model.count, kBitBlock),
        loops_(loops(instruction_set())),
        distances_(is_of_distances(model.param.kernel_type)),
        form_(loops_, features_.size(), features_.size()),
        numbers_(index_range<float>(0, features_.size() + 1 + kLikelyBits)) {
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
    for (std::size_t r = 0; r < count; ++r) add(group.rows[r], *group.bits, group.row_bits);
  }

  void of_block(std::size_t first, Group& group, double* sums) const override {
    std::uint32_t rows[kPackRows];
    float counted[kPackRows][kBitBlock];
    float* out[kPackRows];
    for (std::size_t r = 0; r < group.count; ++r) {
      rows[r] = static_cast<std::uint32_t>(r);
      out[r] = counted[r];
    }
    const std::size_t last = std::min(first + kBitBlock, columns_);
    loops_.bit_values(form_.blocks(packed_, distances_), first, last,
                      group.bits->rows(rows, group.count),
                      {numbers_.data(), features_.size() + 1, 0}, out);
    for (std::size_t r = 0; r < group.count; ++r) {
      // A feature that only the row has adds 1 to its distance from every support vector.
      const double alone = distances_ ? static_cast<double>(group.rows[r].others.size()) : 0;
      for (std::size_t s = 0; s < last - first; ++s)
        sums[r * kBitBlock + s] = counted[r][s] + alone;
    }
  }

  std::size_t bytes() const override {
    return packed_.size() + bits_.size() * sizeof(std::uint32_t) + numbers_.size() * sizeof(float) +
           features_.bytes();
  }

 private:
  void add(const Features::Row& row, BitExamples& to, std::vector<std::uint32_t>& bits) const {
    bits.clear();
    for (const auto& entry : row.entries) bits.push_back(bits_[entry.number]);
    to.add(bits.data(), bits.size());
  }

  const Loops& loops_;
  bool distances_;
  std::vector<std::uint32_t> bits_;     // of each feature
  BitExamples form_;                    // holds no examples
  AlignedVector<std::uint8_t> packed_;  // the support vectors
  std::vector<float> numbers_;          // 0, 1, 2 ...
};

}  // namespace

std::unique_ptr<VectorSums> pack_bits(const ModelView& model, Features features) {
  if (features.size() == 0 || features.size() > kMaxBits) return nullptr;
  return std::make_unique<BitSums>(model, std::move(features));
}

}  // namespace svm
