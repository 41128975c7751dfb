// Support vectors whose values are all 1, stored as bits.  Their sums are whole numbers, which are
// exact in any order.
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/kernel_types.h"
#include "model/inner_sums.h"
#include "platform/bits.h"
#include "simd/instruction_set.h"

namespace svm {
namespace {

constexpr std::size_t kBitBlock = 128;

class BitSums : public InnerSums {
 public:
  BitSums(const ModelView& model, FeatureSlots slots)
      : InnerSums(std::move(slots), model.count, kBitBlock),
        count_(is_of_distances(model.param.kernel_type) ? loops(instruction_set()).look_up_differing
                                                        : loops(instruction_set()).look_up_common),
        distances_(is_of_distances(model.param.kernel_type)),
        words_per_column_((slots_.size() + platform::kWordBits - 1) / platform::kWordBits),
        stride_((columns_ + kBitBlock - 1) / kBitBlock * kBitBlock + kBlockColumns),
        words_(stride_ * words_per_column_),
        counts_(stride_),
        numbers_(words_per_column_ * platform::kWordBits + 1) {
    std::iota(numbers_.begin(), numbers_.end(), 0.0F);
    FeatureSlots::Row row;
    for (std::size_t s = 0; s < columns_; ++s) {
      slots_.place(model.vectors[s], row);
      counts_[s] = row.entries.size();
      set_bits(row, words_.data() + s, stride_);
    }
  }

  void of_block(std::size_t first, Group& group, double* sums) const override {
    const BitColumns columns = {words_.data() + first, stride_, words_per_column_,
                                counts_.data() + first};
    float counted[kBitBlock];
    for (std::size_t r = 0; r < group.count; ++r) {
      count_(columns, kBitBlock, group.bits.data() + r * words_per_column_, numbers_.data(),
             numbers_.size(), counted);
      // A feature that only the row has adds 1 to its distance from every support vector.
      const double alone = distances_ ? static_cast<double>(group.rows[r].others.size()) : 0;
      for (std::size_t s = 0; s < kBitBlock; ++s) sums[r * kBitBlock + s] = counted[s] + alone;
    }
  }

 protected:
  void arrange(Group& group) const override {
    group.bits.assign(kPackRows * words_per_column_, 0);
    for (std::size_t r = 0; r < group.count; ++r) {
      set_bits(group.rows[r], group.bits.data() + r * words_per_column_, 1);
    }
  }

 private:
  static void set_bits(const FeatureSlots::Row& row, std::uint64_t* words, std::size_t stride) {
    for (const auto& entry : row.entries) {
      words[entry.slot / platform::kWordBits * stride] |= std::uint64_t{1}
                                                          << (entry.slot % platform::kWordBits);
    }
  }

  decltype(Loops::look_up_common) count_;
  bool distances_;
  std::size_t words_per_column_, stride_;
  std::vector<std::uint64_t> words_;   // word by word, each of all support vectors
  std::vector<std::uint64_t> counts_;  // number of bits of each support vector
  std::vector<float> numbers_;         // 0, 1, 2 ...: the table that the loops look counts up in
};

}  // namespace

std::unique_ptr<InnerSums> pack_bits(const ModelView& model, FeatureSlots slots) {
  if (slots.size() == 0 || slots.size() > kMaxBitWords * platform::kWordBits) return nullptr;
  return std::make_unique<BitSums>(model, std::move(slots));
}

}  // namespace svm
