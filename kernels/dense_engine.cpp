#include "kernels/dense_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/aligned_vector.h"
#include "kernels/dot_engine.h"

namespace svm {
namespace {

// Where the features stand in a block.  Those that have one value only, wherever they occur, are
// marked by bits.
struct Layout {
  std::vector<std::uint32_t> places;  // of each feature
  std::vector<double> marked;         // the value of each place among the marks
  std::size_t full = 0;               // features with a value for each column

  bool is_full(std::uint32_t feature) const { return (places[feature] & kMarkPlace) == 0; }
};

Layout layout_of(const Examples& examples) {
  enum Kind : unsigned char { kUnused, kSingle, kFull };
  std::vector<Kind> kinds(examples.dimension(), kUnused);
  std::vector<double> first(examples.dimension(), 0.0);
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
    const std::uint32_t feature = examples.features()[p];
    const double value = examples.values()[p];
    if (kinds[feature] == kUnused) {
      kinds[feature] = kSingle;
      first[feature] = value;
    } else if (first[feature] != value) {
      kinds[feature] = kFull;
    }
  }
  Layout layout;
  for (std::size_t f = 0; f < kinds.size(); ++f) {
    if (kinds[f] == kFull) {
      layout.places.push_back(static_cast<std::uint32_t>(layout.full++));
    } else if (kinds[f] == kSingle) {
      layout.places.push_back(kMarkPlace + static_cast<std::uint32_t>(layout.marked.size()));
      layout.marked.push_back(first[f]);
    } else {
      layout.places.push_back(kMarkPlace);
    }
  }
  return layout;
}

// The ways in which a block holds full values.

struct AsDoubles {
  using Stored = double;
  static constexpr double kNanoseconds = 0.25;
  AsDoubles(const Examples&, const Layout&) {}

  double nothing() const { return 0; }
  double stored(const Examples& examples, std::size_t p) const { return examples.values()[p]; }
  const double* table() const { return nullptr; }
  static auto dots(const Loops& loops) { return loops.block_dots_double; }
};

struct AsFloats {
  using Stored = float;
  static constexpr double kNanoseconds = 0.2;
  AsFloats(const Examples&, const Layout&) {}

  float nothing() const { return 0; }
  float stored(const Examples& examples, std::size_t p) const {
    return static_cast<float>(examples.values()[p]);
  }
  const double* table() const { return nullptr; }
  static auto dots(const Loops& loops) { return loops.block_dots_float; }

  static bool fit(const Examples& examples, const Layout& layout) {
    for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
      const double value = examples.values()[p];
      if (!layout.is_full(examples.features()[p])) continue;
      if (std::fabs(value) > std::numeric_limits<float>::max()) return false;
      if (static_cast<double>(static_cast<float>(value)) != value) return false;
    }
    return true;
  }
};

// As places in a sorted table: a pass that waits for memory is faster on an eighth of the bytes.
class AsCodes {
 public:
  using Stored = std::uint8_t;
  static constexpr double kNanoseconds = 0.25;

  // Takes examples that fit.
  AsCodes(const Examples& examples, const Layout& layout) {
    list_values(examples, layout, values_);
    nothing_ = place_of(0);
    codes_.reserve(examples.nonzeros());
    for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
      codes_.push_back(place_of(examples.values()[p]));  // of no meaning where the value is marked
    }
    values_.resize(kMost, 0.0);
  }

  std::uint8_t nothing() const { return nothing_; }
  std::uint8_t stored(const Examples&, std::size_t p) const { return codes_[p]; }
  const double* table() const { return values_.data(); }
  static auto dots(const Loops& loops) { return loops.block_dots_coded; }

  static bool fit(const Examples& examples, const Layout& layout) {
    std::vector<double> values;
    return examples.size() * layout.full * sizeof(double) > kCacheBytes &&
           list_values(examples, layout, values);
  }

 private:
  static constexpr std::size_t kMost = 256;

  // Where doubles fit into the second level cache, looking them up in a table only costs.
  static constexpr std::size_t kCacheBytes = std::size_t{4} << 20;

  static bool list_values(const Examples& examples, const Layout& layout,
                          std::vector<double>& values) {
    values.assign(1, 0.0);
    for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
      const double value = examples.values()[p];
      if (!layout.is_full(examples.features()[p])) continue;
      const auto place = std::lower_bound(values.begin(), values.end(), value);
      if (place != values.end() && *place == value) continue;
      if (values.size() == kMost) return false;
      values.insert(place, value);
    }
    return true;
  }

  std::uint8_t place_of(double value) const {
    const auto place = std::lower_bound(values_.begin(), values_.end(), value);
    return static_cast<std::uint8_t>(place - values_.begin());
  }

  std::vector<double> values_;       // in rising order, and room for all codes
  std::vector<std::uint8_t> codes_;  // of all values of the examples
  std::uint8_t nothing_ = 0;
};

// Features are taken to meet memory, not cache: roughly measured.
template <class Form>
DenseCost cost_of(const Examples& examples, const Layout& layout) {
  constexpr double kMarkNanoseconds = 0.12;
  std::size_t marks = 0;
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
    marks += layout.is_full(examples.features()[p]) ? 0 : 1;
  }
  const auto rows = static_cast<double>(examples.size() + 1);
  const double total = kMarkNanoseconds * static_cast<double>(marks) +
                       Form::kNanoseconds * static_cast<double>(examples.nonzeros() - marks);
  const double bytes = static_cast<double>(layout.full * sizeof(typename Form::Stored)) +
                       static_cast<double>(layout.marked.size()) / 8;
  return {bytes, total / rows};
}

// A pass goes over the features of the row's example only.  Where a column lacks one of them, it
// adds a zero to a sum that began at +0, which leaves it as it is.
template <class Form>
class DenseEngine final : public DotEngine {
 public:
  DenseEngine(const KernelFunction& kernel, Examples rows, Layout layout)
      : DotEngine(kernel, std::move(rows)),
        layout_(std::move(layout)),
        form_(examples(), layout_),
        cost_(cost_of<Form>(examples(), layout_).nanoseconds) {}

 private:
  using Stored = typename Form::Stored;

  struct Blocks final : Columns {
    AlignedVector<Stored> values;        // (block, place, column of the block)
    AlignedVector<std::uint64_t> marks;  // (block, place)
  };

  std::size_t values_per_block() const { return layout_.full * kBlockColumns; }
  std::size_t marks_per_block() const { return layout_.marked.size(); }

  std::unique_ptr<Columns> new_columns() const override { return std::make_unique<Blocks>(); }

  void fill(Columns& columns, const std::uint32_t* packed, std::size_t count) const override {
    auto& blocks = static_cast<Blocks&>(columns);
    const std::size_t number = (count + kBlockColumns - 1) / kBlockColumns;
    // One place more, so that the arrays are never empty.
    blocks.values.assign(number * values_per_block() + kBlockColumns, form_.nothing());
    blocks.marks.assign(number * marks_per_block() + 1, 0);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t block = k / kBlockColumns;
      Stored* values = blocks.values.data() + block * values_per_block() + k % kBlockColumns;
      std::uint64_t* marks = blocks.marks.data() + block * marks_per_block();
      for (std::size_t p = examples().begin(packed[k]); p < examples().end(packed[k]); ++p) {
        const std::uint32_t place = layout_.places[examples().features()[p]];
        if ((place & kMarkPlace) != 0) {
          marks[place - kMarkPlace] |= std::uint64_t{1} << (k % kBlockColumns);
        } else {
          values[place * kBlockColumns] = form_.stored(examples(), p);
        }
      }
    }
  }

  void dots(std::size_t example, const Columns& columns, std::size_t begin, std::size_t end,
            double* sums) const override {
    const auto& packed = static_cast<const Blocks&>(columns);
    const std::size_t first = begin / kBlockColumns;
    const DenseBlocks blocks = {layout_.places.data(),
                                packed.values.data() + first * values_per_block(),
                                packed.marks.data() + first * marks_per_block(),
                                values_per_block(),
                                marks_per_block(),
                                layout_.marked.data(),
                                form_.table()};
    const std::size_t from = examples().begin(example);
    const DenseRow row = {examples().features() + from, examples().values() + from,
                          examples().end(example) - from};
    Form::dots(loops())(blocks, (end - begin) / kBlockColumns, row, sums);
  }

  double dot_cost() const override { return cost_; }

  Layout layout_;
  Form form_;
  double cost_;
};

}  // namespace

DenseCost dense_cost(const Examples& examples) {
  const Layout layout = layout_of(examples);
  if (AsCodes::fit(examples, layout)) return cost_of<AsCodes>(examples, layout);
  if (AsFloats::fit(examples, layout)) return cost_of<AsFloats>(examples, layout);
  return cost_of<AsDoubles>(examples, layout);
}

std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples) {
  Layout layout = layout_of(examples);
  if (AsCodes::fit(examples, layout)) {
    return std::make_unique<DenseEngine<AsCodes>>(kernel, std::move(examples), std::move(layout));
  }
  if (AsFloats::fit(examples, layout)) {
    return std::make_unique<DenseEngine<AsFloats>>(kernel, std::move(examples), std::move(layout));
  }
  return std::make_unique<DenseEngine<AsDoubles>>(kernel, std::move(examples), std::move(layout));
}

}  // namespace svm
