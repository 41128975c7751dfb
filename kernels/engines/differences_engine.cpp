#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/platform/numbers.h"
#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/product_layout.h"
#include "kernels/engines/single_engine.h"
#include "kernels/engines/single_error.h"
#include "kernels/kernel_tail.h"

namespace svm {
namespace {

// The exponent of a power of two whose square gives gamma an ordinary size.
int exponent_for(double gamma) {
  const int power = std::ilogb(gamma);
  return (power - (power & 1)) / 2;
}

class DifferencesEngine final : public SingleEngine {
 public:
  DifferencesEngine(const KernelFunction& kernel, Examples rows, const DifferenceLayout& layout,
                    const RowPasses& passes)
      : SingleEngine(kernel, std::move(rows), layout.rounding),
        floats_(layout.floats),
        words_(layout.words),
        mark_(static_cast<float>(layout.mark)),
        cost_(layout.cost()),
        tail_(single_tail(kernel, std::ldexp(1.0, -2 * layout.exponent))) {
    std::vector<float> absent(floats_);
    for (std::size_t place = 0; place < floats_; ++place) absent[place] = layout.stored(0, place);
    // One more, so that the arrays are never empty.
    values_.resize(examples().size() * floats_ + 1);
    marks_.assign(examples().size() * words_ + 1, 0);
    passes.over(examples().size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) store(i, absent, layout);
    });
    drop_pairs();
  }

  void prefetch(std::size_t example) const override {
    platform::prefetch(values_.data() + example * floats_);
    platform::prefetch(marks_.data() + example * words_);
  }

  double value_cost() const override { return cost_; }

 private:
  void store(std::size_t example, const std::vector<float>& absent,
             const DifferenceLayout& layout) {
    float* values = values_.data() + example * floats_;
    std::uint32_t* marks = marks_.data() + example * words_;
    std::copy(absent.begin(), absent.end(), values);
    for (std::size_t p = examples().begin(example); p < examples().end(example); ++p) {
      const std::uint32_t feature = examples().features()[p], place = layout.places[feature];
      const double value = examples().values()[p];
      if (place == DifferenceLayout::kNoPlace) continue;
      if (layout.is_bit(place)) {
        const std::uint32_t bit = place - kMarkPlace;
        if (value == layout.set_value[feature]) marks[bit / 32] |= std::uint32_t{1} << (bit % 32);
      } else {
        values[place] = layout.stored(value, place);
      }
    }
  }

  struct Columns final : PackedColumns {
    AlignedVector<float> values;         // (block, feature, column)
    AlignedVector<std::uint32_t> words;  // (block, word, column)
  };
  struct FloatRows final : Panel {
    AlignedVector<float> values;         // (group, feature, row)
    AlignedVector<std::uint32_t> words;  // (group, word, row)
  };

  // to[k * stride + shift] = rows[example][k]
  template <class Vector>
  static void scatter(const Vector& rows, std::size_t width, std::size_t example,
                      typename Vector::value_type* to, std::size_t stride, std::size_t shift) {
    const typename Vector::value_type* from = rows.data() + example * width;
    for (std::size_t k = 0; k < width; ++k) to[k * stride + shift] = from[k];
  }

  std::unique_ptr<PackedColumns> new_columns() const override {
    return std::make_unique<Columns>();
  }

  void resize(PackedColumns& packed, std::size_t blocks) const override {
    auto& columns = static_cast<Columns&>(packed);
    columns.values.resize(blocks * floats_ * kBlockColumns + 1);
    columns.words.resize(blocks * words_ * kBlockColumns + 1);
  }

  void set_column(PackedColumns& packed, std::size_t block, std::size_t shift,
                  std::size_t example) const override {
    auto& columns = static_cast<Columns&>(packed);
    scatter(values_, floats_, example, columns.values.data() + block * floats_ * kBlockColumns,
            kBlockColumns, shift);
    scatter(marks_, words_, example, columns.words.data() + block * words_ * kBlockColumns,
            kBlockColumns, shift);
  }

  std::size_t panel_rows() const override {
    constexpr std::size_t kPanelValues = std::size_t{1} << 15;  // in the second level cache
    const std::size_t rows = kPanelValues / (floats_ + words_ + 1);
    return std::max(rows / kSingleRows, std::size_t{1}) * kSingleRows;
  }

  std::unique_ptr<Panel> new_panel() const override { return std::make_unique<FloatRows>(); }

  void fill(Panel& panel, const std::uint32_t* examples, std::size_t count) const override {
    auto& rows = static_cast<FloatRows&>(panel);
    rows.values.resize(count * floats_ + 1);
    rows.words.resize(count * words_ + 1);
    const std::size_t grouped = count / kSingleRows * kSingleRows;
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t size = r < grouped ? kSingleRows : 1;
      const std::size_t first = r / size * size;
      scatter(values_, floats_, examples[r], rows.values.data() + first * floats_, size, r - first);
      scatter(marks_, words_, examples[r], rows.words.data() + first * words_, size, r - first);
    }
  }

  FloatBlocks blocks_from(const PackedColumns& packed, std::size_t first) const {
    const auto& columns = static_cast<const Columns&>(packed);
    return {columns.values.data() + first * floats_ * kBlockColumns,
            columns.words.data() + first * words_ * kBlockColumns, floats_, words_, mark_};
  }

  void add_blocks(const Panel& panel, const double* factors, std::size_t rows,
                  const PackedColumns& columns, std::size_t first, std::size_t count,
                  double* sums) const override {
    const auto& packed = static_cast<const FloatRows&>(panel);
    loops().float_sums(blocks_from(columns, first), count,
                       {packed.values.data(), packed.words.data()}, factors, rows, tail_, sums);
  }

  void panel_values(const Panel& panel, std::size_t rows, const PackedColumns& columns,
                    std::size_t first, std::size_t count, float* const* out) const override {
    const auto& packed = static_cast<const FloatRows&>(panel);
    loops().float_values(blocks_from(columns, first), count,
                         {packed.values.data(), packed.words.data()}, rows, tail_, out);
  }

  std::size_t floats_, words_;
  float mark_;
  double cost_;
  SingleTail tail_;
  AlignedVector<float> values_;         // (example, feature)
  AlignedVector<std::uint32_t> marks_;  // (example, word)
};

}  // namespace

DifferenceLayout::DifferenceLayout(const KernelFunction& kernel, const Examples& examples,
                                   const Features& features, double most_bytes, double most_cost,
                                   const RowPasses& passes) {
  rounding = kInfinity;
  if (!kernel.of_distances() || !is_ordinary(kernel.gamma)) return;
  exponent = exponent_for(kernel.gamma);
  scale = std::ldexp(1.0, exponent);
  place_features(features);
  if (bytes() > most_bytes || cost() > most_cost) return;
  rounding = difference_rounding(kernel, examples, features, passes);
}

void DifferenceLayout::place_features(const Features& features) {
  constexpr std::size_t kFewBits = 3;  // cost as much as floats
  const auto bit_size = [](const Examples::FeatureValues& feature) {
    return feature.distinct == 2 ? feature.most - feature.least : 0.0;
  };
  std::map<double, std::size_t> sizes;
  for (const Examples::FeatureValues& feature : features) {
    if (bit_size(feature) > 0) ++sizes[bit_size(feature)];
  }
  const auto commonest = std::max_element(
      sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool has_bits = commonest != sizes.end() && commonest->second > kFewBits;
  double size = kInfinity;
  if (has_bits) size = commonest->first;
  std::uint32_t bits = 0;
  set_value.assign(features.size(), 0.0);
  for (std::size_t f = 0; f < features.size(); ++f) {
    const Examples::FeatureValues& feature = features[f];
    if (feature.distinct < 2) {
      places.push_back(kNoPlace);
    } else if (bit_size(feature) == size) {
      places.push_back(kMarkPlace + bits++);
      set_value[f] = feature.most != 0 ? feature.most : feature.least;
    } else {
      places.push_back(static_cast<std::uint32_t>(floats++));
      centres.push_back(feature.least + (feature.most - feature.least) / 2);
    }
  }
  words = (bits + 31) / 32;
  mark = has_bits ? (size * scale) * (size * scale) : 0.0;
}

float DifferenceLayout::stored(double value, std::size_t place) const {
  return static_cast<float>((value - centres[place]) * scale);
}

// The change of a distance is at most the sum of how far its two rows have moved; moved_bound()
// bounds the change of the value.
double DifferenceLayout::difference_rounding(const KernelFunction& kernel, const Examples& examples,
                                             const Features& features,
                                             const RowPasses& passes) const {
  constexpr double kMostDistance = 0x1p60;
  const auto is_float = [&](std::uint32_t f) {
    return places[f] != kNoPlace && !is_bit(places[f]);
  };
  double distance = mark * 32 * static_cast<double>(words);
  std::vector<std::uint32_t> shifted;
  for (std::uint32_t f = 0; f < features.size(); ++f) {
    if (!is_float(f)) continue;
    const double range = (features[f].most - features[f].least) * scale;
    distance += range * range;
    if (features[f].count < examples.size()) shifted.push_back(f);
  }
  if (!(distance < kMostDistance)) return kInfinity;
  const auto squares = [&](std::uint32_t f, double value) {
    if (!is_float(f)) return StoredSquares();
    const double wanted = (value - centres[places[f]]) * scale;
    const double error = std::fabs(static_cast<double>(stored(value, places[f])) - wanted) +
                         std::fabs(value) * scale * 0x1p-53;
    return StoredSquares{error * error};
  };
  const double moved = stored_rows(examples, shifted, passes, squares).error.distance;
  return rounding_of_bound(moved_bound(std::ldexp(kernel.gamma, -2 * exponent), moved));
}

std::unique_ptr<RowEngine> make_differences_engine(const KernelFunction& kernel, Examples examples,
                                                   const DifferenceLayout& layout,
                                                   const RowPasses& passes) {
  return std::make_unique<DifferencesEngine>(kernel, std::move(examples), layout, passes);
}

}  // namespace svm
