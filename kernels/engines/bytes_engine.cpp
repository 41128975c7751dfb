#include <memory>
#include <utility>
#include <vector>

#include "kernels/engines/byte_store.h"
#include "kernels/engines/dot_engine.h"
#include "kernels/engines/engines.h"
#include "kernels/engines/single_engine.h"

namespace svm {
namespace {

// LIBSVM's floats: sums of products of whole numbers are exact in doubles, so that their order does
// not matter.
class ExactBytesEngine final : public DotEngine {
 public:
  ExactBytesEngine(const KernelFunction& kernel, Examples rows, const ByteLayout& layout)
      : DotEngine(kernel, std::move(rows)),
        store_(examples(), layout, false),
        least_(layout.least),
        cost_(layout.cost) {
    drop_pairs();
    set_precise_sums(std::make_unique<ByteUnpacker>(store_, examples()), true);
  }

  void prefetch(std::size_t example) const override { store_.prefetch(example); }

 private:
  struct Bytes final : Columns {
    ByteColumns bytes;
    std::vector<std::int32_t> sums;  // of a column's bytes; if the least value is not 0
  };

  std::unique_ptr<Columns> new_columns() const override { return std::make_unique<Bytes>(); }

  void fill(Columns& packed, const std::uint32_t* examples, std::size_t count) const override {
    constexpr std::size_t kAhead = 8;
    auto& columns = static_cast<Bytes&>(packed);
    const std::size_t blocks = (count + kBlockColumns - 1) / kBlockColumns;
    store_.resize(columns.bytes, blocks);
    if (least_ != 0) columns.sums.assign(blocks * kBlockColumns, 0);
    for (std::size_t k = 0; k < count; ++k) {
      if (k + kAhead < count) store_.prefetch(examples[k + kAhead]);
      store_.set_column(columns.bytes, k, examples[k]);
      if (least_ != 0) columns.sums[k] = store_.sum_of_bytes(examples[k]);
    }
  }

  void dots(std::size_t example, const Columns& packed, std::size_t begin, std::size_t end,
            double* sums) const override {
    const auto& columns = static_cast<const Bytes&>(packed);
    const auto number = static_cast<std::uint32_t>(example);
    ByteStore::Rows row;
    store_.fill(row, &number, 1);
    loops().byte_dots(store_.blocks_from(columns.bytes, begin / kBlockColumns),
                      (end - begin) / kBlockColumns, row.view(), sums);
    if (least_ == 0) return;
    // The dot of values is that of bytes, plus the least value times the bytes of both rows and
    // itself, place by place.
    const double of_row =
        least_ * (store_.sum_of_bytes(example) + least_ * static_cast<double>(store_.places()));
    for (std::size_t k = 0; k < end - begin; ++k) {
      sums[k] += of_row + least_ * columns.sums[begin + k];
    }
  }

  double dot_cost() const override { return cost_; }

  const ByteStore store_;
  const double least_;
  const double cost_;
};

class SingleBytesEngine final : public SingleEngine {
 public:
  SingleBytesEngine(const KernelFunction& kernel, const Examples& examples,
                    const ByteLayout& layout)
      : SingleEngine(kernel, examples, layout.rounding),
        store_(examples, layout, kernel.of_distances()),
        cost_(layout.cost),
        tail_(single_tail(kernel, layout.unit * layout.unit)) {}

  void prefetch(std::size_t example) const override { store_.prefetch(example); }
  double value_cost() const override { return cost_; }

 private:
  struct Columns final : PackedColumns {
    ByteColumns bytes;
  };
  struct Rows final : Panel {
    ByteStore::Rows rows;
  };

  std::unique_ptr<PackedColumns> new_columns() const override {
    return std::make_unique<Columns>();
  }

  void resize(PackedColumns& columns, std::size_t blocks) const override {
    store_.resize(static_cast<Columns&>(columns).bytes, blocks);
  }

  void set_column(PackedColumns& columns, std::size_t block, std::size_t shift,
                  std::size_t example) const override {
    store_.set_column(static_cast<Columns&>(columns).bytes, block * kBlockColumns + shift, example);
  }

  std::size_t panel_rows() const override {
    constexpr std::size_t kPanelGroups = std::size_t{1} << 15;  // in the second level cache
    return kPanelGroups / (store_.groups() + 1) + 1;
  }

  std::unique_ptr<Panel> new_panel() const override { return std::make_unique<Rows>(); }

  void fill(Panel& panel, const std::uint32_t* examples, std::size_t count) const override {
    store_.fill(static_cast<Rows&>(panel).rows, examples, count);
  }

  ByteBlocks blocks_from(const PackedColumns& columns, std::size_t first) const {
    return store_.blocks_from(static_cast<const Columns&>(columns).bytes, first);
  }

  void add_blocks(const Panel& panel, const double* factors, std::size_t rows,
                  const PackedColumns& columns, std::size_t first, std::size_t count,
                  double* sums) const override {
    loops().byte_sums(blocks_from(columns, first), count,
                      static_cast<const Rows&>(panel).rows.view(), factors, rows, tail_, sums);
  }

  void panel_values(const Panel& panel, std::size_t rows, const PackedColumns& columns,
                    std::size_t first, std::size_t count, float* const* out) const override {
    loops().byte_values(blocks_from(columns, first), count,
                        static_cast<const Rows&>(panel).rows.view(), rows, tail_, out);
  }

  void block_values(std::size_t example, const PackedColumns& columns, std::size_t first,
                    std::size_t count, float* out) const override {
    const auto number = static_cast<std::uint32_t>(example);
    ByteStore::Rows row;
    store_.fill(row, &number, 1);
    loops().byte_values(blocks_from(columns, first), count, row.view(), 1, tail_, &out);
  }

  const ByteStore store_;
  const double cost_;
  const SingleTail tail_;
};

}  // namespace

std::unique_ptr<RowEngine> make_exact_bytes_engine(const KernelFunction& kernel, Examples examples,
                                                   const ByteLayout& layout) {
  return std::make_unique<ExactBytesEngine>(kernel, std::move(examples), layout);
}

std::unique_ptr<RowEngine> make_single_bytes_engine(const KernelFunction& kernel,
                                                    const Examples& examples,
                                                    const ByteLayout& layout) {
  return std::make_unique<SingleBytesEngine>(kernel, examples, layout);
}

}  // namespace svm
