#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/float_layout.h"
#include "kernels/engines/single_engine.h"
#include "platform/numbers.h"

namespace svm {
namespace {

constexpr std::size_t kGroup = 4;  // features
constexpr std::uint32_t kSignBits = 0x80808080U;

// True if all values are 0 to 255 times the unit, but for what floats would round away beside the
// largest.
bool is_unit(double unit, const Examples& examples) {
  constexpr double kMostError = 255 * 0x1p-24;  // of the unit
  const double* values = examples.values();
  return unit > 0x1p-100 && std::all_of(values, values + examples.nonzeros(), [&](double value) {
           const double number = value / unit;
           return number >= 0 && number < 255.5 &&
                  std::fabs(number - std::nearbyint(number)) <= kMostError;
         });
}

// Estimates the error of values of bytes with this unit.  A small value may be lost altogether, so
// kernels of dots count what rows lose beside their own norms.
double bytes_rounding(const KernelFunction& kernel, const Examples& examples, double unit) {
  const StoredError error = stored_error(examples, [&](std::size_t p) {
    const double value = examples.values()[p];
    return value - unit * std::nearbyint(value / unit);
  });
  if (!kernel.of_distances()) return dot_rounding(kernel, examples, error.part);
  if (!is_ordinary(kernel.gamma * unit * unit)) return kInfinity;
  return rounding_of_bound(moved_bound(kernel.gamma, error.distance));
}

// True if squared distances, and sums of products of bytes by 128, take 31 bits.
bool sums_fit(const Examples& examples, double unit, std::size_t groups) {
  constexpr double kMostNorm = 0x1p29;
  constexpr std::size_t kMostGroups = (std::size_t{1} << 31) / (kGroup * 255 * 128) - 1;
  return groups <= kMostGroups && examples.largest_squared_norm() <= kMostNorm * unit * unit;
}

// Examples as bytes, a place for every feature that occurs.  Passes leave out the groups of a row
// that are zero.  128 is subtracted from columns, so that they are signed.
class BytesEngine final : public SingleEngine {
 public:
  BytesEngine(const KernelFunction& kernel, const Examples& examples, const ByteLayout& layout)
      : SingleEngine(kernel, examples, layout.rounding),
        of_distances_(kernel.of_distances()),
        groups_(layout.groups),
        cost_(layout.cost),
        tail_(single_tail(kernel, layout.unit * layout.unit)) {
    words_.assign(examples.size() * groups_ + 1, 0);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      std::uint32_t* words = words_.data() + i * groups_;
      for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
        const std::uint32_t place = layout.places[examples.features()[p]];
        const auto byte =
            static_cast<std::uint32_t>(std::nearbyint(examples.values()[p] / layout.unit));
        words[place / kGroup] |= byte << (place % kGroup * 8);
      }
    }
  }

  void prefetch(std::size_t example) const override {
    constexpr std::size_t kWordsPerLine = 16;
    for (std::size_t g = 0; g < groups_; g += kWordsPerLine) {
      platform::prefetch(words_.data() + example * groups_ + g);
    }
  }

  double value_cost() const override { return cost_; }

 private:
  struct Columns final : PackedColumns {
    AlignedVector<std::uint32_t> words;  // (block, group, column), of signed bytes
    AlignedVector<std::int32_t> norms;   // squared; if the kernel is one of distances
  };
  struct Rows final : Panel {
    std::vector<std::uint32_t> begin, groups, words;
    std::vector<std::int32_t> offsets;

    ByteRows view() const { return {begin.data(), groups.data(), words.data(), offsets.data()}; }
  };
  struct Sums {
    std::int32_t values = 0, squares = 0;
  };

  std::unique_ptr<PackedColumns> new_columns() const override {
    return std::make_unique<Columns>();
  }

  void resize(PackedColumns& packed, std::size_t blocks) const override {
    auto& columns = static_cast<Columns&>(packed);
    columns.words.resize(blocks * groups_ * kBlockColumns + 1);
    columns.norms.assign(blocks * kBlockColumns + 1, 0);
  }

  void set_column(PackedColumns& packed, std::size_t block, std::size_t shift,
                  std::size_t example) const override {
    auto& columns = static_cast<Columns&>(packed);
    const std::uint32_t* row = words_.data() + example * groups_;
    std::uint32_t* to = columns.words.data() + block * groups_ * kBlockColumns + shift;
    for (std::size_t g = 0; g < groups_; ++g) to[g * kBlockColumns] = row[g] ^ kSignBits;
    if (of_distances_) columns.norms[block * kBlockColumns + shift] = sums_of(row).squares;
  }

  Sums sums_of(const std::uint32_t* row) const {
    Sums sums;
    for (std::size_t g = 0; g < groups_; ++g) {
      for (std::uint32_t word = row[g]; word != 0; word >>= 8) {
        const auto byte = static_cast<std::int32_t>(word & 0xffU);
        sums.values += byte;
        sums.squares += byte * byte;
      }
    }
    return sums;
  }

  std::size_t panel_rows() const override {
    constexpr std::size_t kPanelGroups = std::size_t{1} << 15;  // in the second level cache
    return kPanelGroups / (groups_ + 1) + 1;
  }

  std::unique_ptr<Panel> new_panel() const override { return std::make_unique<Rows>(); }

  void fill(Panel& panel, const std::uint32_t* examples, std::size_t count) const override {
    auto& rows = static_cast<Rows&>(panel);
    rows.begin.assign(1, 0);
    rows.groups.clear();
    rows.words.clear();
    rows.offsets.clear();
    for (std::size_t r = 0; r < count; ++r) {
      const std::uint32_t* row = words_.data() + examples[r] * groups_;
      for (std::size_t g = 0; g < groups_; ++g) {
        if (row[g] == 0) continue;
        rows.groups.push_back(static_cast<std::uint32_t>(g));
        rows.words.push_back(row[g]);
      }
      const Sums sums = sums_of(row);
      rows.offsets.push_back(of_distances_ ? sums.squares - 256 * sums.values : 128 * sums.values);
      rows.begin.push_back(static_cast<std::uint32_t>(rows.groups.size()));
    }
  }

  ByteBlocks blocks_from(const PackedColumns& packed, std::size_t first) const {
    const auto& columns = static_cast<const Columns&>(packed);
    const std::uint32_t* words = columns.words.data() + first * groups_ * kBlockColumns;
    return {reinterpret_cast<const std::int8_t*>(words),
            columns.norms.data() + first * kBlockColumns, groups_};
  }

  void add_blocks(const Panel& panel, const double* factors, std::size_t rows,
                  const PackedColumns& columns, std::size_t first, std::size_t count,
                  double* sums) const override {
    loops().byte_sums(blocks_from(columns, first), count, static_cast<const Rows&>(panel).view(),
                      factors, rows, tail_, sums);
  }

  void block_values(std::size_t example, const PackedColumns& columns, std::size_t first,
                    std::size_t count, float* out) const override {
    const auto row = static_cast<std::uint32_t>(example);
    Rows rows;
    fill(rows, &row, 1);
    loops().byte_values(blocks_from(columns, first), count, rows.view(), 1, tail_, &out);
  }

  void panel_values(const Panel& panel, std::size_t rows, const PackedColumns& columns,
                    std::size_t first, std::size_t count, float* const* out) const override {
    loops().byte_values(blocks_from(columns, first), count, static_cast<const Rows&>(panel).view(),
                        rows, tail_, out);
  }

  bool of_distances_;
  std::size_t groups_;
  double cost_;
  SingleTail tail_;
  AlignedVector<std::uint32_t> words_;  // (example, group), four bytes each
};

}  // namespace

ByteLayout::ByteLayout(const KernelFunction& kernel, const Examples& examples) {
  if (examples.nonzeros() == 0) return;
  const double* values = examples.values();
  const double most = *std::max_element(values, values + examples.nonzeros());
  rounding = kInfinity;
  for (const double each : {1.0, most / 255}) {
    if (!is_unit(each, examples)) continue;
    const double of_unit = bytes_rounding(kernel, examples, each);
    if (!(of_unit < rounding)) continue;
    unit = each;
    rounding = of_unit;
  }
  if (!(rounding <= kMostRounding)) return;
  std::vector<bool> is_used(examples.dimension(), false);
  for (std::size_t p = 0; p < examples.nonzeros(); ++p) is_used[examples.features()[p]] = true;
  std::uint32_t used = 0;
  for (const bool is : is_used) places.push_back(is ? used++ : 0);
  groups = (used + kGroup - 1) / kGroup;
  std::size_t met = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::size_t last = groups;
    for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
      const std::size_t group = places[examples.features()[p]] / kGroup;
      met += group != std::exchange(last, group) ? 1 : 0;
    }
  }
  cost = 0.2 + 0.03 * static_cast<double>(met) / static_cast<double>(examples.size());
  fits = sums_fit(examples, unit, groups);
}

std::unique_ptr<RowEngine> make_bytes_engine(const KernelFunction& kernel, const Examples& examples,
                                             const ByteLayout& layout) {
  return std::make_unique<BytesEngine>(kernel, examples, layout);
}

}  // namespace svm
