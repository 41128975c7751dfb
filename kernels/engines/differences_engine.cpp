#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/difference_layout.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/single_engine.h"
#include "kernels/kernel_tail.h"

namespace svm {
namespace {

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

  void block_values(std::size_t example, const PackedColumns& columns, std::size_t first,
                    std::size_t count, float* out) const override {
    const FloatPanel row = {values_.data() + example * floats_, marks_.data() + example * words_};
    loops().float_values(blocks_from(columns, first), count, row, 1, tail_, &out);
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

std::unique_ptr<RowEngine> make_differences_engine(const KernelFunction& kernel, Examples examples,
                                                   const DifferenceLayout& layout,
                                                   const RowPasses& passes) {
  return std::make_unique<DifferencesEngine>(kernel, std::move(examples), layout, passes);
}

}  // namespace svm
