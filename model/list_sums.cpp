// Support vectors packed as one list of values for each feature.
#include <algorithm>

#include "base/simd/instruction_set.h"
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
      blocks_.push_back(make_block(model, first, std::min(first + block_columns_, columns_)));
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
        add_products(block, group.rows[r], row_sums);
      }
    }
  }

  std::size_t bytes() const override {
    std::size_t bytes = features_.bytes();
    for (const Block& block : blocks_) {
      bytes += (block.features.size() + block.column.size()) * sizeof(std::uint32_t) +
               block.start.size() * sizeof(std::size_t) + block.value.size() * sizeof(double);
    }
    return bytes;
  }

 private:
  // Lists of values, one list for each feature, by rising number.
  struct Block {
    std::vector<std::uint32_t> features;  // of each list; empty if every feature has a list
    std::vector<std::size_t> start;       // where each list begins, and the end
    std::vector<std::uint32_t> column;
    std::vector<double> value;

    // The first list, from list `from` on, of this feature or of a later one.
    std::size_t list_from(std::size_t from, std::size_t feature) const {
      if (features.empty()) return feature;
      const auto begin = features.begin() + static_cast<std::ptrdiff_t>(from);
      return static_cast<std::size_t>(std::lower_bound(begin, features.end(), feature) -
                                      features.begin());
    }
    bool is_of(std::size_t list, std::size_t feature) const {
      return features.empty() || (list < features.size() && features[list] == feature);
    }
  };

  // If there are more features per value, a list for every feature would take more memory than the
  // values.
  static constexpr std::size_t kFeaturesPerValue = 4;

  Block make_block(const ModelView& model, std::size_t first, std::size_t last) const {
    Block block;
    Features::Row row;
    std::vector<std::uint32_t> used;
    for (std::size_t s = first; s < last; ++s) {
      features_.place(model.vectors[s], row);
      for (const auto& entry : row.entries) used.push_back(entry.number);
    }
    const std::size_t values = used.size();
    std::size_t lists = features_.size();
    if (values > 0 && features_.size() / kFeaturesPerValue > values) {
      std::sort(used.begin(), used.end());
      used.erase(std::unique(used.begin(), used.end()), used.end());
      used.shrink_to_fit();
      block.features = std::move(used);
      lists = block.features.size();
    }
    block.start.assign(lists + 1, 0);
    for (std::size_t s = first; s < last; ++s) {
      features_.place(model.vectors[s], row);
      for (const auto& entry : row.entries) ++block.start[block.list_from(0, entry.number) + 1];
    }
    for (std::size_t k = 0; k < lists; ++k) block.start[k + 1] += block.start[k];
    block.column.resize(values);
    block.value.resize(values);
    std::vector<std::size_t> next = block.start;
    for (std::size_t s = first; s < last; ++s) {
      features_.place(model.vectors[s], row);
      for (const auto& entry : row.entries) {
        const std::size_t place = next[block.list_from(0, entry.number)]++;
        block.column[place] = static_cast<std::uint32_t>(s - first);
        block.value[place] = entry.value;
      }
    }
    return block;
  }

  static void add_products(const Block& block, const Features::Row& row, double* sums) {
    std::size_t list = 0;
    for (const auto& entry : row.entries) {
      list = block.list_from(list, entry.number);
      if (!block.is_of(list, entry.number)) continue;
      for (std::size_t k = block.start[list]; k < block.start[list + 1]; ++k) {
        sums[block.column[k]] += entry.value * block.value[k];
      }
    }
  }

  void add_squared_differences(const Block& block, const Features::Row& row,
                               std::vector<double>& scratch, double* sums) const {
    std::size_t list = 0;
    // Adds the features before this one that the row lacks.
    const auto go_on_to = [&](std::size_t feature) {
      const std::size_t next = block.list_from(list, feature);
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
      if (block.is_of(list, entry.number)) ++list;
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
