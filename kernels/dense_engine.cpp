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

// The ways in which a block holds its values.

struct AsDoubles {
  using Stored = double;
  explicit AsDoubles(const Examples&) {}

  double nothing() const { return 0; }
  double stored(const Examples& examples, std::size_t p) const { return examples.values()[p]; }
  template <class... Rest>
  void dots(const Loops& loops, const double* blocks, Rest... rest) const {
    loops.block_dots_double(blocks, rest...);
  }
};

struct AsFloats {
  using Stored = float;
  explicit AsFloats(const Examples&) {}

  float nothing() const { return 0; }
  float stored(const Examples& examples, std::size_t p) const {
    return static_cast<float>(examples.values()[p]);
  }
  template <class... Rest>
  void dots(const Loops& loops, const float* blocks, Rest... rest) const {
    loops.block_dots_float(blocks, rest...);
  }

  static bool fit(const Examples& examples) {
    const double* values = examples.values();
    return std::all_of(values, values + examples.nonzeros(), [](double value) {
      return std::fabs(value) <= std::numeric_limits<float>::max() &&
             static_cast<double>(static_cast<float>(value)) == value;
    });
  }
};

// As places in a sorted table: a pass that waits for memory is faster on an eighth of the bytes.
class AsCodes {
 public:
  using Stored = std::uint8_t;

  // Takes examples that fit.
  explicit AsCodes(const Examples& examples) {
    std::vector<double> values;
    list_values(examples, values);
    nothing_ = place_of(values, 0);
    codes_.reserve(examples.nonzeros());
    for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
      codes_.push_back(place_of(values, examples.values()[p]));
    }
    std::copy(values.begin(), values.end(), table_);
  }

  std::uint8_t nothing() const { return nothing_; }
  std::uint8_t stored(const Examples&, std::size_t p) const { return codes_[p]; }
  template <class... Rest>
  void dots(const Loops& loops, const std::uint8_t* blocks, Rest... rest) const {
    loops.block_dots_coded(blocks, table_, rest...);
  }

  static bool fit(const Examples& examples) {
    std::vector<double> values;
    return list_values(examples, values);
  }

 private:
  static constexpr std::size_t kMost = 256;

  static bool list_values(const Examples& examples, std::vector<double>& values) {
    values.assign(1, 0.0);
    for (std::size_t p = 0; p < examples.nonzeros(); ++p) {
      const double value = examples.values()[p];
      const auto place = std::lower_bound(values.begin(), values.end(), value);
      if (place != values.end() && *place == value) continue;
      if (values.size() == kMost) return false;
      values.insert(place, value);
    }
    return true;
  }

  static std::uint8_t place_of(const std::vector<double>& values, double value) {
    const auto place = std::lower_bound(values.begin(), values.end(), value);
    return static_cast<std::uint8_t>(place - values.begin());
  }

  alignas(64) double table_[kMost] = {};
  std::vector<std::uint8_t> codes_;  // of all values of the examples
  std::uint8_t nothing_ = 0;
};

// A pass goes over the features of the row's example only.  Where a column lacks one of them, it
// adds a zero to a sum that began at +0, which leaves it as it is.
template <class Form>
class DenseEngine final : public DotEngine {
 public:
  DenseEngine(const KernelFunction& kernel, Examples rows)
      : DotEngine(kernel, std::move(rows)), form_(examples()) {}

 private:
  using Stored = typename Form::Stored;

  struct Blocks final : Columns {
    AlignedVector<Stored> values;  // (block, feature, column of the block)
  };

  std::size_t block_size() const { return examples().dimension() * kBlockColumns; }

  std::unique_ptr<Columns> new_columns() const override { return std::make_unique<Blocks>(); }

  void fill(Columns& columns, const std::uint32_t* packed, std::size_t count) const override {
    auto& values = static_cast<Blocks&>(columns).values;
    const std::size_t blocks = (count + kBlockColumns - 1) / kBlockColumns;
    values.assign(blocks * block_size(), form_.nothing());
    for (std::size_t k = 0; k < count; ++k) {
      Stored* column = values.data() + k / kBlockColumns * block_size() + k % kBlockColumns;
      for (std::size_t p = examples().begin(packed[k]); p < examples().end(packed[k]); ++p) {
        column[examples().features()[p] * kBlockColumns] = form_.stored(examples(), p);
      }
    }
  }

  void dots(std::size_t example, const Columns& columns, std::size_t begin, std::size_t end,
            double* sums) const override {
    const std::size_t first = examples().begin(example);
    const std::size_t nonzeros = examples().end(example) - first;
    const Stored* blocks = static_cast<const Blocks&>(columns).values.data();
    form_.dots(loops(), blocks + begin / kBlockColumns * block_size(), examples().dimension(),
               (end - begin) / kBlockColumns, examples().features() + first,
               examples().values() + first, nonzeros, sums);
  }

  double dot_cost() const override {
    const double rows = static_cast<double>(examples().size() + 1);
    return 0.2 * static_cast<double>(examples().nonzeros()) / rows;
  }

  Form form_;
};

}  // namespace

std::unique_ptr<RowEngine> make_dense_engine(const KernelFunction& kernel, Examples examples) {
  if (AsCodes::fit(examples)) {
    return std::make_unique<DenseEngine<AsCodes>>(kernel, std::move(examples));
  }
  if (AsFloats::fit(examples)) {
    return std::make_unique<DenseEngine<AsFloats>>(kernel, std::move(examples));
  }
  return std::make_unique<DenseEngine<AsDoubles>>(kernel, std::move(examples));
}

}  // namespace svm
