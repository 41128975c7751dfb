// Support vectors packed in blocks, with a value for every feature.
#include <algorithm>

#include "base/simd/instruction_set.h"
#include "kernels/kernel_types.h"
#include "model/inner_sums.h"

namespace svm {
namespace {

// The number of columns whose sums are computed together: as many blocks of kPackColumns as stay in
// the second-level cache for all groups of rows.
std::size_t columns_together(std::size_t slots) {
  constexpr std::size_t kBytes = std::size_t{1} << 17U, kMost = 8;
  const std::size_t blocks = kBytes / (slots * kPackColumns * sizeof(double) + 1);
  return std::clamp<std::size_t>(blocks, 1, kMost) * kPackColumns;
}

class DenseSums : public InnerSums {
 public:
  DenseSums(const ModelView& model, const FeatureSlots& slots)
      : InnerSums(slots, model.count, columns_together(slots.size())),
        loops_(loops(instruction_set())),
        distances_(is_of_distances(model.param.kernel_type)) {
    const std::size_t blocks = (columns_ + kPackColumns - 1) / kPackColumns;
    values_.resize(blocks * kPackColumns * slots_.size());
    FeatureSlots::Row row;
    for (std::size_t s = 0; s < columns_; ++s) {
      slots_.place(model.vectors[s], row);
      double* column = values_.data() + place_of(s) + s % kPackColumns;
      for (const auto& entry : row.entries) column[entry.slot * kPackColumns] = entry.value;
    }
  }

  void of_block(std::size_t first, Group& group, double* sums) const override {
    std::fill_n(sums, group.width * block_columns_, 0.0);
    const std::size_t last = std::min(first + block_columns_, columns_);
    for (std::size_t column = first; column < last; column += kPackColumns) {
      add_to_columns(column, group, sums + (column - first));
    }
  }

  std::size_t bytes() const override { return values_.size() * sizeof(double) + slots_.bytes(); }

 protected:
  void arrange(Group& group) const override {
    group.width = group.count == 1 ? 1 : kPackRows;
    group.x.assign(slots_.size() * group.width, 0.0);
    for (std::size_t r = 0; r < group.count; ++r) {
      for (const auto& entry : group.rows[r].entries) {
        group.x[entry.slot * group.width + r] = entry.value;
      }
    }
    if (distances_) {
      arrange_others(group);
    } else {
      drop_zeros(group);
    }
  }

 private:
  // Adds the features of a group to its sums with kPackColumns columns.
  void add_to_columns(std::size_t column, const Group& group, double* sums) const {
    const double* const block = values_.data() + place_of(column);
    if (!distances_) {
      loops_.add_products(block, group.slots.data(), group.x.data(), group.width,
                          group.slots.size(), sums, block_columns_);
      return;
    }
    std::size_t slot = 0;
    const auto go_on_to = [&](std::size_t next) {
      loops_.add_squared_differences(block + slot * kPackColumns,
                                     group.x.data() + slot * group.width, group.width, next - slot,
                                     sums, block_columns_);
      slot = next;
    };
    for (const Group::Other& other : group.others) {
      if (other.slot > slot) go_on_to(other.slot);
      for (std::size_t c = 0; c < kPackColumns; ++c) {
        sums[other.row * block_columns_ + c] += other.square;
      }
    }
    go_on_to(slots_.size());
  }

  std::size_t place_of(std::size_t column) const {
    return column / kPackColumns * kPackColumns * slots_.size();
  }

  // Features that no support vector has are added to the sums of their row, in index order.
  static void arrange_others(Group& group) {
    group.others.clear();
    for (std::size_t r = 0; r < group.count; ++r) {
      for (const auto& other : group.rows[r].others) {
        group.others.push_back({other.slot, r, other.value * other.value});
      }
    }
    if (group.count == 1) return;  // they are in order
    // Stable: the others of one row before the same slot stay in index order.
    std::stable_sort(group.others.begin(), group.others.end(),
                     [](const Group::Other& a, const Group::Other& b) { return a.slot < b.slot; });
  }

  // Keeps the slots for which at least one row has a value.
  void drop_zeros(Group& group) const {
    group.slots.clear();
    double* kept = group.x.data();
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      const double* x = group.x.data() + slot * group.width;
      if (std::all_of(x, x + group.width, [](double value) { return value == 0; })) continue;
      group.slots.push_back(static_cast<std::uint32_t>(slot));
      kept = std::copy(x, x + group.width, kept);
    }
  }

  const Loops& loops_;
  bool distances_;
  std::vector<double> values_;  // block, then slot, then column
};

}  // namespace

std::unique_ptr<InnerSums> pack_dense(const ModelView& model, const FeatureSlots& slots) {
  return std::make_unique<DenseSums>(model, slots);
}

}  // namespace svm
