// Support vectors packed as one list of values for each feature.
#include <algorithm>

#include "base/simd/instruction_set.h"
#include "kernels/engines/feature_lists.h"
#include "kernels/kernel_types.h"
#include "model/vector_sums.h"

namespace svm {
namespace {

constexpr std::size_t kSparseColumns = 2048;  // few enough that their sums stay in the cache

class ListSums final : public VectorSums {
 public:
  ListSums(const ModelView& model, Features features)
      : VectorSums(std::move(features), model.count,
                   std::min<std::size_t>(kSparseColumns, model.count)),
        loops_(loops(instruction_set())),
        distances_(is_of_distances(model.param.kernel_type)) {
    for (std::size_t first = 0; first < columns_; first += block_columns_) {
      const std::size_t count = std::min(block_columns_, columns_ - first);
      std::size_t values = 0;
      for (std::size_t s = 0; s < count; ++s) {
        model.vectors[first + s].for_each([&](int, double) { ++values; });
      }
      const auto of_column = [&](std::size_t s, const auto& visit) {
        features_.for_each(model.vectors[first + s], visit, [](std::uint32_t, double) {});
      };
      blocks_.emplace_back();
      blocks_.back().fill(features_.size(), count, values, of_column);
    }
  }

  void prepare(const DataRow* rows, std::size_t count, Group& group) const override {
    place_rows(rows, count, group);
  }

  void of_block(std::size_t first, Group& group, double* sums) const override {
    const Block& block = blocks_[first / block_columns_];
    std::fill_n(sums, kPackRows * block_columns_, 0.0);
    for (std::size_t r = 0; r < group.count; ++r) {
      double* const row_sums = sums + r * block_columns_;
      if (distances_) {
        add_squared_differences(block, group.rows[r], group.scratch, row_sums);
      } else {
        const auto of_row = [&](const auto& visit) {
          for (const auto& entry : group.rows[r].entries) visit(entry.number, entry.value);
        };
        block.add_products(of_row, 0, block.columns, row_sums);
      }
    }
  }

  std::size_t bytes() const override {
    std::size_t bytes = features_.bytes();
    for (const Block& block : blocks_) bytes += block.bytes();
    return bytes;
  }

 private:
  using Block = FeatureLists<double>;

  void add_squared_differences(const Block& block, const Features::Row& row,
                               std::vector<double>& scratch, double* sums) const {
    std::size_t list = 0;
    // Adds the features before this one that the row lacks.
    const auto go_on_to = [&](std::size_t feature) {
      const std::size_t next = block.list_of(feature);
      for (std::size_t k = block.start[list]; k < block.start[next]; ++k) {
        sums[block.column[k]] += block.value[k] * block.value[k];
      }
      list = next;
    };
    auto other = row.others.begin();
    // Adds the features up to this one that no support vector has.
    const auto add_others = [&](std::size_t next) {
      for (; other != row.others.end() && other->number <= next; ++other) {
        go_on_to(other->number);
        loops_.add_to_all(other->value * other->value, block_columns_, sums);
      }
    };
    for (const auto& entry : row.entries) {
      add_others(entry.number);
      go_on_to(entry.number);
      const std::size_t begin = block.start[list];
      if (block.has_list(entry.number)) ++list;
      const std::size_t end = block.start[list];
      scratch.resize(end - begin);
      for (std::size_t k = begin; k < end; ++k) {
        const double difference = entry.value - block.value[k];
        scratch[k - begin] = sums[block.column[k]] + difference * difference;
      }
      loops_.add_to_all(entry.value * entry.value, block_columns_, sums);
      for (std::size_t k = begin; k < end; ++k) sums[block.column[k]] = scratch[k - begin];
    }
    add_others(features_.size());
    go_on_to(features_.size());
  }

  const Loops& loops_;
  bool distances_;
  std::vector<Block> blocks_;
};

}  // namespace

std::unique_ptr<VectorSums> pack_lists(const ModelView& model, Features features) {
  return std::make_unique<ListSums>(model, std::move(features));
}

}  // namespace svm
