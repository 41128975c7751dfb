#include "kernels/engines/single_engine.h"

#include <algorithm>
#include <utility>

namespace svm {

std::shared_ptr<const RowEngine> SingleEngine::precise() const {
  run_once(once_, [&] { precise_ = make_row_engine(kernel_, examples_.rows(), examples_.size()); });
  return precise_;
}

SingleEngine::SingleEngine(const KernelFunction& kernel, Examples examples, double rounding)
    : kernel_(kernel),
      examples_(std::move(examples)),
      rounding_(rounding),
      largest_value_(kernel.largest_value(examples_.largest_squared_norm())),
      precise_sums_(kernel, examples_, false),
      loops_(svm::loops(instruction_set())) {}

std::unique_ptr<PackedColumns> SingleEngine::pack(const std::uint32_t* examples, std::size_t count,
                                                  std::unique_ptr<PackedColumns> old) const {
  constexpr std::size_t kRowsAhead = 8;
  std::unique_ptr<PackedColumns> columns = old == nullptr ? new_columns() : std::move(old);
  const std::size_t blocks = (count + kBlockColumns - 1) / kBlockColumns;
  resize(*columns, blocks);
  for (std::size_t k = 0; k < blocks * kBlockColumns; ++k) {
    if (k + kRowsAhead < count) prefetch(examples[k + kRowsAhead]);
    set_column(*columns, k / kBlockColumns, k % kBlockColumns, examples[std::min(k, count - 1)]);
  }
  return columns;
}

// Whole blocks are written to `out` directly, parts of blocks by way of a buffer.
void SingleEngine::compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                           std::size_t to, float* out) const {
  const auto row = static_cast<std::uint32_t>(example);
  const std::unique_ptr<Panel> panel = new_panel();
  fill(*panel, &row, 1);
  while (from < to) {
    const std::size_t block = from / kBlockColumns, shift = from % kBlockColumns;
    const std::size_t whole = shift == 0 ? (to - from) / kBlockColumns : 0;
    std::size_t done = whole * kBlockColumns;
    if (whole > 0) {
      panel_values(*panel, 1, columns, block, whole, &out);
    } else {
      alignas(64) float values[kBlockColumns];
      float* const only = values;
      panel_values(*panel, 1, columns, block, 1, &only);
      done = std::min(to - from, kBlockColumns - shift);
      std::copy(values + shift, values + shift + done, out);
    }
    from += done;
    out += done;
  }
}

void SingleEngine::compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                           std::size_t to, double* out) const {
  std::vector<float> values(to - from);
  compute(example, columns, from, to, values.data());
  std::copy(values.begin(), values.end(), out);
}

void SingleEngine::compute_rows(const std::uint32_t* examples, std::size_t count,
                                const PackedColumns& columns, std::size_t to,
                                float* const* out) const {
  const std::size_t whole = to / kBlockColumns, rest = to % kBlockColumns;
  const std::size_t most = std::min(panel_rows(), count);
  const std::unique_ptr<Panel> panel = new_panel();
  std::vector<float> last(rest > 0 ? most * kBlockColumns : 0);
  std::vector<float*> last_rows;
  for (std::size_t k = 0; k < last.size(); k += kBlockColumns) last_rows.push_back(&last[k]);
  for (std::size_t r = 0; r < count; r += most) {
    const std::size_t rows = std::min(most, count - r);
    fill(*panel, examples + r, rows);
    if (whole > 0) panel_values(*panel, rows, columns, 0, whole, out + r);
    if (rest == 0) continue;
    panel_values(*panel, rows, columns, whole, 1, last_rows.data());
    for (std::size_t i = 0; i < rows; ++i) {
      std::copy_n(last_rows[i], rest, out[r + i] + whole * kBlockColumns);
    }
  }
}

void SingleEngine::add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                            const PackedColumns& columns, std::size_t from, std::size_t to,
                            double* sums) const {
  if (count == 0 || from == to) return;
  const std::size_t first = from / kBlockColumns, whole = (to - from) / kBlockColumns;
  const std::size_t rest = (to - from) % kBlockColumns;
  const std::unique_ptr<Panel> panel = new_panel();
  for (std::size_t r = 0; r < count; r += panel_rows()) {
    const std::size_t rows = std::min(panel_rows(), count - r);
    fill(*panel, examples + r, rows);
    if (whole > 0) add_blocks(*panel, factors + r, rows, columns, first, whole, sums);
    if (rest > 0) {
      alignas(64) double last[kBlockColumns] = {};
      double* rest_sums = sums + whole * kBlockColumns;
      std::copy(rest_sums, rest_sums + rest, last);
      add_blocks(*panel, factors + r, rows, columns, first + whole, 1, last);
      std::copy(last, last + rest, rest_sums);
    }
  }
}

}  // namespace svm
