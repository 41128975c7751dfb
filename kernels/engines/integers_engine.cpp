#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/dot_engine.h"
#include "kernels/engines/engines.h"

namespace svm {
namespace {

// The least of all values and 0.
double least_value(const Examples& examples) {
  double least = 0;
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
    least = std::min(least, examples.values()[p]);
  }
  return least;
}

// Sums of products of integers are exact in double as long as they stay below 2^53, so the order
// does not matter.  A column holds its values plus an offset, as bytes; what the offset adds to a
// dot depends on the row alone.
class IntegersEngine final : public DotEngine {
 public:
  IntegersEngine(const KernelFunction& kernel, Examples rows)
      : DotEngine(kernel, std::move(rows)),
        offset_(-least_value(examples())),
        cost_(integers_cost(examples())) {
    use_precise_sums(true);
    drop_pairs();
  }

 private:
  struct Blocks final : Columns {
    AlignedVector<std::uint8_t> bytes;
  };

  // Two for each pair of features.
  std::size_t bytes_per_block() const {
    return (examples().dimension() + 1) / 2 * 2 * kBlockColumns;
  }

  std::unique_ptr<Columns> new_columns() const override { return std::make_unique<Blocks>(); }

  void fill(Columns& columns, const std::uint32_t* packed, std::size_t count) const override {
    auto& bytes = static_cast<Blocks&>(columns).bytes;
    const std::size_t blocks = (count + kBlockColumns - 1) / kBlockColumns;
    bytes.assign(blocks * bytes_per_block(), static_cast<std::uint8_t>(offset_));
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t column = k / kBlockColumns * bytes_per_block() + k % kBlockColumns * 2;
      examples().for_each_value(packed[k], [&](std::size_t feature, double value) {
        bytes[column + feature / 2 * 2 * kBlockColumns + feature % 2] =
            static_cast<std::uint8_t>(value + offset_);
      });
    }
  }

  void dots(std::size_t example, const Columns& columns, std::size_t begin, std::size_t end,
            double* sums) const override {
    std::vector<IntegerPair> row;
    row.reserve(examples().end(example) - examples().begin(example));
    double total = 0;
    examples().for_each_value(example, [&](std::uint32_t feature, double value) {
      if (row.empty() || row.back().pair != feature / 2) row.push_back({feature / 2, {0, 0}});
      row.back().values[feature % 2] = static_cast<std::int16_t>(value);
      total += value;
    });
    const std::uint8_t* bytes = static_cast<const Blocks&>(columns).bytes.data();
    const IntegerBlocks blocks = {bytes + begin / kBlockColumns * bytes_per_block(),
                                  bytes_per_block()};
    loops().block_dots_integer(blocks, (end - begin) / kBlockColumns, row.data(), row.size(), sums);
    if (offset_ == 0) return;
    for (std::size_t k = 0; k < end - begin; ++k) sums[k] -= offset_ * total;
  }

  double dot_cost() const override { return cost_; }

  double offset_;
  double cost_;
};

}  // namespace

bool fit_integers(const Examples& examples) {
  constexpr double kLargest = 255;
  double least = 0, largest = 0;
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
    const double value = examples.values()[p];
    if (!(value >= -kLargest && value <= kLargest)) return false;
    if (value != static_cast<double>(static_cast<int>(value))) return false;
    least = std::min(least, value);
    largest = std::max(largest, value);
  }
  std::size_t longest = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    longest = std::max(longest, examples.end(i) - examples.begin(i));
  }
  constexpr double kMostSum = 2147483647.0;
  return largest - least <= kLargest &&
         static_cast<double>(longest) * kLargest * kLargest <= kMostSum;
}

double integers_cost(const Examples& examples) {
  constexpr double kNanoseconds = 0.08;
  return kNanoseconds * examples.nonzeros_per_row() + 0.2;
}

std::unique_ptr<RowEngine> make_integers_engine(const KernelFunction& kernel, Examples examples) {
  return std::make_unique<IntegersEngine>(kernel, std::move(examples));
}

}  // namespace svm
