#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/dot_engine.h"
#include "kernels/engines/engines.h"

namespace svm {
namespace {

// The places of features in a block.  A feature that has one value besides 0 is marked by bits.
struct FeaturePlaces {
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};  // the feature does not occur

  explicit FeaturePlaces(const std::vector<Examples::FeatureValues>& features) {
    of.reserve(features.size());
    for (const Examples::FeatureValues& feature : features) {
      const bool has_zero = feature.distinct == 2 && (feature.least == 0 || feature.most == 0);
      if (feature.count == 0) {
        of.push_back(kNoPlace);
      } else if (feature.distinct == 1 || has_zero) {
        of.push_back(kMarkPlace + static_cast<std::uint32_t>(marked.size()));
        marked.push_back(feature.most != 0 ? feature.most : feature.least);
      } else {
        of.push_back(static_cast<std::uint32_t>(full++));
      }
    }
  }

  bool is_full(std::uint32_t feature) const { return (of[feature] & kMarkPlace) == 0; }

  std::vector<std::uint32_t> of;  // the place of each feature; from kMarkPlace on, among the marks
  std::vector<double> marked;     // the value of each place among the marks
  std::size_t full = 0;           // number of features with a value for each example
};

// True if floats hold the full values without loss.
bool fit_floats(const Examples& examples, const FeaturePlaces& places) {
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
    const double value = examples.values()[p];
    if (!places.is_full(examples.features()[p])) continue;
    if (std::fabs(value) > std::numeric_limits<float>::max()) return false;
    if (static_cast<double>(static_cast<float>(value)) != value) return false;
  }
  return true;
}

// `Value` is that of full features.  Values are taken to come from memory, not from a cache;
// roughly measured.
template <class Value>
DenseCost cost_of(const Examples& examples, const FeaturePlaces& places) {
  constexpr double kMarkNanoseconds = 0.12;
  constexpr double kNanoseconds = sizeof(Value) == sizeof(float) ? 0.2 : 0.25;
  std::size_t marks = 0;
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
    marks += places.is_full(examples.features()[p]) ? 0 : 1;
  }
  const auto rows = static_cast<double>(examples.size() + 1);
  const double total = kMarkNanoseconds * static_cast<double>(marks) +
                       kNanoseconds * static_cast<double>(examples.nonzeros() - marks);
  const double bytes = static_cast<double>(places.full * sizeof(Value)) +
                       static_cast<double>(places.marked.size()) / 8;
  return {bytes, total / rows};
}

// A pass goes over the features of the row's example only.  A column that lacks one of them adds a
// zero to a sum that began at +0, which does not change it.
template <class Value>
class DenseEngine final : public DotEngine {
 public:
  DenseEngine(const KernelFunction& kernel, Examples rows, FeaturePlaces places, double cost)
      : DotEngine(kernel, std::move(rows)), places_(std::move(places)), cost_(cost) {
    use_precise_sums(false);
    drop_pairs();
  }

 private:
  static constexpr std::size_t kFewValues = 128;  // of a row, that need no memory of their own

  struct Blocks final : Columns {
    AlignedVector<Value> values;         // (block, place, column of the block)
    AlignedVector<std::uint64_t> marks;  // (block, place)
  };

  std::size_t values_per_block() const { return places_.full * kBlockColumns; }
  std::size_t marks_per_block() const { return places_.marked.size(); }

  std::unique_ptr<Columns> new_columns() const override { return std::make_unique<Blocks>(); }

  void fill(Columns& columns, const std::uint32_t* packed, std::size_t count) const override {
    auto& blocks = static_cast<Blocks&>(columns);
    const std::size_t number = (count + kBlockColumns - 1) / kBlockColumns;
    // One place more, so that the arrays are never empty.
    blocks.values.assign(number * values_per_block() + kBlockColumns, Value{});
    blocks.marks.assign(number * marks_per_block() + 1, 0);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t block = k / kBlockColumns;
      Value* values = blocks.values.data() + block * values_per_block() + k % kBlockColumns;
      std::uint64_t* marks = blocks.marks.data() + block * marks_per_block();
      examples().for_each_value(packed[k], [&](std::uint32_t feature, double value) {
        const std::uint32_t place = places_.of[feature];
        if ((place & kMarkPlace) != 0) {
          const std::uint64_t is_set = value != 0 ? 1 : 0;
          marks[place - kMarkPlace] |= is_set << (k % kBlockColumns);
        } else {
          values[place * kBlockColumns] = static_cast<Value>(value);
        }
      });
    }
  }

  void dots(std::size_t example, const Columns& columns, std::size_t begin, std::size_t end,
            double* sums) const override {
    const auto& packed = static_cast<const Blocks&>(columns);
    const std::size_t first = begin / kBlockColumns;
    const DenseBlocks blocks = {places_.of.data(),
                                packed.values.data() + first * values_per_block(),
                                packed.marks.data() + first * marks_per_block(),
                                values_per_block(),
                                marks_per_block(),
                                places_.marked.data()};
    const std::size_t length = examples().end(example) - examples().begin(example);
    double few_values[kFewValues];
    std::uint32_t few_features[kFewValues];
    const bool is_long = length > kFewValues;
    std::vector<double> many_values(is_long ? length : 0);
    std::vector<std::uint32_t> many_features(many_values.size());
    double* row_values = is_long ? many_values.data() : few_values;
    std::uint32_t* row_features = is_long ? many_features.data() : few_features;
    std::size_t k = 0;
    examples().for_each_value(example, [&](std::uint32_t feature, double value) {
      row_features[k] = feature;
      row_values[k++] = value;
    });
    const DenseRow row = {row_features, row_values, length};
    const auto loop =
        sizeof(Value) == sizeof(float) ? loops().block_dots_float : loops().block_dots_double;
    loop(blocks, (end - begin) / kBlockColumns, row, sums);
  }

  double dot_cost() const override { return cost_; }

  FeaturePlaces places_;
  double cost_;
};

}  // namespace

DenseCost dense_cost(const Examples& examples, const RowPasses& passes) {
  const FeaturePlaces places(examples.feature_values(passes));
  passes.poll();
  return fit_floats(examples, places) ? cost_of<float>(examples, places)
                                      : cost_of<double>(examples, places);
}

std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples,
                                             const RowPasses& passes) {
  FeaturePlaces places(examples.feature_values(passes));
  passes.poll();
  const auto make = [&](auto value) -> std::unique_ptr<RowEngine> {
    using Value = decltype(value);
    const double cost = cost_of<Value>(examples, places).nanoseconds;
    return std::make_unique<DenseEngine<Value>>(kernel, std::move(examples), std::move(places),
                                                cost);
  };
  return fit_floats(examples, places) ? make(float()) : make(double());
}

}  // namespace svm
