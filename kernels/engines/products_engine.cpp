#include <algorithm>
#include <utility>

#include "kernels/engines/aligned_vector.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/product_layout.h"
#include "kernels/engines/single_engine.h"
#include "kernels/kernel_tail.h"

namespace svm {
namespace {

class ProductsEngine final : public SingleEngine {
 public:
  ProductsEngine(const KernelFunction& kernel, Examples rows, const ProductLayout& layout,
                 const RowPasses& passes)
      : SingleEngine(kernel, std::move(rows), layout.rounding),
        of_distances_(kernel.of_distances()),
        has_lone_lists_(layout.has_lone_lists()),
        groups_(layout.places.groups()),
        floats_(layout.places.floats),
        part_places_(layout.part_places),
        panel_rows_(rows_for(layout.list_bytes())),
        cost_(layout.cost()),
        blocks_{nullptr, nullptr, nullptr, groups_, floats_, layout.shift, layout.factor()},
        tail_(single_tail(kernel, of_distances_ ? layout.distance_unit() : layout.dot_unit())) {
    const std::size_t count = examples().size();
    // One more, so that the arrays are never empty.
    words_.resize(count * groups_ + 1);
    values_.resize(count * floats_ + 1);
    norms_.resize(count);
    offsets_.resize(count);
    passes.over(count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        layout.places.store(examples(), i, words_.data() + i * groups_,
                            values_.data() + i * floats_);
        set_sums_of(i);
      }
    });
    drop_pairs();
  }

  void prefetch(std::size_t example) const override {
    constexpr std::size_t kPerLine = 16;
    for (std::size_t g = 0; g < groups_; g += kPerLine) {
      platform::prefetch(words_.data() + example * groups_ + g);
    }
    for (std::size_t f = 0; f < floats_; f += kPerLine) {
      platform::prefetch(values_.data() + example * floats_ + f);
    }
  }

  double value_cost() const override { return cost_; }
  double value_work() const override {
    return Work::kFunction + (groups_ > 0 ? Work::kByte : 1) * examples().nonzeros_per_row();
  }

 private:
  // The number of rows whose lists fit into the second-level cache beside the columns.
  static std::size_t rows_for(double list_bytes) {
    constexpr double kPanelBytes = 0x1p18;
    const auto rows = static_cast<std::size_t>(kPanelBytes / (list_bytes + 1));
    return std::clamp(rows / kSingleRows, std::size_t{1}, std::size_t{256}) * kSingleRows;
  }

  static constexpr std::uint32_t kSignBits = 0x80808080U;

  struct Columns final : PackedColumns {
    AlignedVector<std::uint32_t> words;  // (block, group, column); bytes are less 128
    AlignedVector<float> values;         // (block, place, column)
    AlignedVector<std::int32_t> norms;
  };
  struct Rows final : Panel {
    std::vector<std::uint32_t> begin, groups, words;
    std::vector<std::int32_t> offsets, norms;
    std::vector<std::uint32_t> ends, places;
    std::vector<float> values;
    std::size_t parts = 0, grouped = 0;

    void clear() {
      begin.assign(1, 0);
      for (auto* list : {&groups, &words, &ends, &places}) list->clear();
      offsets.clear();
      norms.clear();
      values.clear();
    }
    ProductRows view() const {
      return {begin.data(), groups.data(), words.data(),  offsets.data(), norms.data(),
              ends.data(),  places.data(), values.data(), parts,          grouped};
    }
  };

  // Computes the norm and the offset of an example, see ProductRows.
  void set_sums_of(std::size_t example) {
    const std::uint32_t* words = words_.data() + example * groups_;
    std::int32_t sum = 0, squares = 0;
    for (std::size_t g = 0; g < groups_; ++g) {
      for (int at = 0; at < 32; at += 8) {
        const std::int32_t number = static_cast<std::uint8_t>(words[g] >> at);
        sum += number;
        squares += of_distances_ ? number * number : 0;
      }
    }
    const std::int32_t floats =
        loops().float_norm(values_.data() + example * floats_, floats_, part_places_);
    offsets_[example] = 128 * sum;
    norms_[example] = of_distances_ ? (groups_ == 0 ? 0 : squares << blocks_.shift) + floats : 0;
  }

  std::unique_ptr<PackedColumns> new_columns() const override {
    return std::make_unique<Columns>();
  }

  void resize(PackedColumns& packed, std::size_t blocks) const override {
    auto& columns = static_cast<Columns&>(packed);
    columns.words.resize(blocks * groups_ * kBlockColumns + 1);
    columns.values.resize(blocks * floats_ * kBlockColumns + 1);
    columns.norms.resize(blocks * kBlockColumns + 1);
  }

  void set_column(PackedColumns& packed, std::size_t block, std::size_t shift,
                  std::size_t example) const override {
    auto& columns = static_cast<Columns&>(packed);
    const std::uint32_t* words = words_.data() + example * groups_;
    std::uint32_t* to_words = columns.words.data() + block * groups_ * kBlockColumns + shift;
    for (std::size_t g = 0; g < groups_; ++g) to_words[g * kBlockColumns] = words[g] ^ kSignBits;
    const float* values = values_.data() + example * floats_;
    float* to_values = columns.values.data() + block * floats_ * kBlockColumns + shift;
    for (std::size_t f = 0; f < floats_; ++f) to_values[f * kBlockColumns] = values[f];
    columns.norms[block * kBlockColumns + shift] = norms_[example];
  }

  std::size_t panel_rows() const override { return panel_rows_; }

  std::unique_ptr<Panel> new_panel() const override { return std::make_unique<Rows>(); }

  void fill(Panel& panel, const std::uint32_t* examples, std::size_t count) const override {
    auto& rows = static_cast<Rows&>(panel);
    rows.clear();
    rows.parts = (floats_ + part_places_ - 1) / part_places_;
    rows.grouped = has_lone_lists_ ? 0 : count / kSingleRows * kSingleRows;
    for (std::size_t r = 0; r < count; ++r) {
      add_wholes(rows, examples[r]);
      rows.offsets.push_back(offsets_[examples[r]]);
      rows.norms.push_back(norms_[examples[r]]);
    }
    for (std::size_t r = 0; r < count;) {
      const std::size_t together = r < rows.grouped ? kSingleRows : 1;
      add_floats(rows, examples + r, together);
      r += together;
    }
  }

  // Entries are written without asking whether they are zero; the next one replaces them then.
  void add_wholes(Rows& rows, std::size_t example) const {
    const std::uint32_t* words = words_.data() + example * groups_;
    std::size_t count = rows.groups.size();
    rows.groups.resize(count + groups_);
    rows.words.resize(count + groups_);
    for (std::size_t g = 0; g < groups_; ++g) {
      rows.groups[count] = static_cast<std::uint32_t>(g);
      rows.words[count] = words[g];
      count += words[g] != 0 ? 1 : 0;
    }
    rows.groups.resize(count);
    rows.words.resize(count);
    rows.begin.push_back(static_cast<std::uint32_t>(count));
  }

  // Adds the list of some examples, at most kSingleRows.
  void add_floats(Rows& rows, const std::uint32_t* examples, std::size_t together) const {
    const float* values[kSingleRows];
    for (std::size_t r = 0; r < together; ++r) values[r] = values_.data() + examples[r] * floats_;
    std::size_t count = rows.places.size(), at = rows.values.size();
    rows.places.resize(count + floats_);
    rows.values.resize(at + floats_ * together);
    for (std::size_t begin = 0; begin < floats_; begin += part_places_) {
      for (std::size_t f = begin; f < std::min(begin + part_places_, floats_); ++f) {
        bool is_zero = true;
        for (std::size_t r = 0; r < together; ++r) {
          rows.values[at + r] = values[r][f];
          is_zero = is_zero && values[r][f] == 0;
        }
        rows.places[count] = static_cast<std::uint32_t>(f);
        count += is_zero ? 0 : 1;
        at += is_zero ? 0 : together;
      }
      rows.ends.push_back(static_cast<std::uint32_t>(count));
    }
    rows.places.resize(count);
    rows.values.resize(at);
  }

  ProductBlocks blocks_from(const PackedColumns& packed, std::size_t first) const {
    const auto& columns = static_cast<const Columns&>(packed);
    ProductBlocks blocks = blocks_;
    blocks.wholes = columns.words.data() + first * groups_ * kBlockColumns;
    blocks.floats = columns.values.data() + first * floats_ * kBlockColumns;
    blocks.norms = columns.norms.data() + first * kBlockColumns;
    return blocks;
  }

  void add_blocks(const Panel& panel, const double* factors, std::size_t rows,
                  const PackedColumns& columns, std::size_t first, std::size_t count,
                  double* sums) const override {
    loops().product_sums(blocks_from(columns, first), count, static_cast<const Rows&>(panel).view(),
                         factors, rows, tail_, sums);
  }

  void panel_values(const Panel& panel, std::size_t rows, const PackedColumns& columns,
                    std::size_t first, std::size_t count, float* const* out) const override {
    loops().product_values(blocks_from(columns, first), count,
                           static_cast<const Rows&>(panel).view(), rows, tail_, out);
  }

  bool of_distances_, has_lone_lists_;
  std::size_t groups_, floats_, part_places_, panel_rows_;
  double cost_;
  ProductBlocks blocks_;  // without columns
  SingleTail tail_;
  AlignedVector<std::uint32_t> words_;         // (example, group)
  AlignedVector<float> values_;                // (example, place)
  std::vector<std::int32_t> norms_, offsets_;  // of each example, see ProductRows
};

}  // namespace

std::unique_ptr<RowEngine> make_products_engine(const KernelFunction& kernel, Examples examples,
                                                const ProductLayout& layout,
                                                const RowPasses& passes) {
  return std::make_unique<ProductsEngine>(kernel, std::move(examples), layout, passes);
}

}  // namespace svm
