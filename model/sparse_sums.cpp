// Support vectors as lists of each feature's values.
#include <algorithm>

#include "model/inner_sums.h"
#include "simd/instruction_set.h"

namespace svm {
namespace {

constexpr std::size_t kSparseColumns = 2048;  // their sums stay close to the processor

class SparseSums : public InnerSums {
 public:
  SparseSums(const svm_model& model, FeatureSlots slots)
      : InnerSums(std::move(slots), static_cast<std::size_t>(model.l),
                  std::min<std::size_t>(kSparseColumns, static_cast<std::size_t>(model.l))),
        loops_(loops(instruction_set())),
        distances_(model.param.kernel_type == RBF) {
    for (std::size_t first = 0; first < columns_; first += block_columns_) {
      blocks_.push_back(make_block(model, first, std::min(first + block_columns_, columns_)));
    }
  }

  void of_block(std::size_t first, Group& group, double* sums) const override {
    const Block& block = blocks_[first / block_columns_];
    std::fill_n(sums, kPackRows * block_columns_, 0.0);
    for (std::size_t r = 0; r < group.count; ++r) {
      double* const row_sums = sums + r * block_columns_;
      if (distances_) {
        add_squared_differences(block, group.rows[r], group.scratch, row_sums);
      } else {
        add_products(block, group.rows[r], row_sums);
      }
    }
  }

 protected:
  void arrange(Group&) const override {}

 private:
  struct Block {
    std::vector<std::size_t> start;  // of each slot's values; one more than there are slots
    std::vector<std::uint32_t> column;
    std::vector<double> value;
  };

  Block make_block(const svm_model& model, std::size_t first, std::size_t last) const {
    Block block;
    block.start.assign(slots_.size() + 1, 0);
    FeatureSlots::Row row;
    for (std::size_t s = first; s < last; ++s) {
      slots_.place(model.SV[s], row);
      for (const auto& entry : row.entries) ++block.start[entry.slot + 1];
    }
    for (std::size_t k = 0; k < slots_.size(); ++k) block.start[k + 1] += block.start[k];
    block.column.resize(block.start.back());
    block.value.resize(block.start.back());
    std::vector<std::size_t> next = block.start;
    for (std::size_t s = first; s < last; ++s) {
      slots_.place(model.SV[s], row);
      for (const auto& entry : row.entries) {
        const std::size_t place = next[entry.slot]++;
        block.column[place] = static_cast<std::uint32_t>(s - first);
        block.value[place] = entry.value;
      }
    }
    return block;
  }

  static void add_products(const Block& block, const FeatureSlots::Row& row, double* sums) {
    for (const auto& entry : row.entries) {
      for (std::size_t k = block.start[entry.slot]; k < block.start[entry.slot + 1]; ++k) {
        sums[block.column[k]] += entry.value * block.value[k];
      }
    }
  }

  void add_squared_differences(const Block& block, const FeatureSlots::Row& row,
                               std::vector<double>& scratch, double* sums) const {
    std::size_t slot = 0;
    // Features that the row has not.
    const auto go_on_to = [&](std::size_t next) {
      for (std::size_t k = block.start[slot]; k < block.start[next]; ++k) {
        sums[block.column[k]] += block.value[k] * block.value[k];
      }
      slot = next;
    };
    auto other = row.others.begin();
    // Features that no support vector has, up to this slot.
    const auto add_others = [&](std::size_t next) {
      for (; other != row.others.end() && other->slot <= next; ++other) {
        go_on_to(other->slot);
        loops_.add_to_all(other->value * other->value, block_columns_, sums);
      }
    };
    for (const auto& entry : row.entries) {
      add_others(entry.slot);
      go_on_to(entry.slot);
      const std::size_t begin = block.start[entry.slot], end = block.start[entry.slot + 1];
      scratch.resize(end - begin);
      for (std::size_t k = begin; k < end; ++k) {
        const double difference = entry.value - block.value[k];
        scratch[k - begin] = sums[block.column[k]] + difference * difference;
      }
      loops_.add_to_all(entry.value * entry.value, block_columns_, sums);
      for (std::size_t k = begin; k < end; ++k) sums[block.column[k]] = scratch[k - begin];
      slot = entry.slot + 1;
    }
    add_others(slots_.size());
    go_on_to(slots_.size());
  }

  const Loops& loops_;
  bool distances_;
  std::vector<Block> blocks_;
};

}  // namespace

std::unique_ptr<InnerSums> pack_sparse(const svm_model& model, FeatureSlots slots) {
  return std::make_unique<SparseSums>(model, std::move(slots));
}

}  // namespace svm
