// The choice among engines of single precision, and their common part.
//
// An engine of single precision is chosen if the error of a value, relative to the root of the
// diagonal values of its row and column, is estimated at kMostRounding at most: see FloatLayout.
// Otherwise the engines of make_row_engine() are used, and also for precomputed kernels, rows of
// irregular indices, and rows whose values are all 1, whose engine is as fast.
#include "kernels/engines/single_engine.h"

#include <limits>
#include <utility>

#include "kernels/engines/engines.h"
#include "kernels/engines/float_layout.h"

namespace svm {
namespace {

constexpr double kMostBytes = 0x1p30;  // of all rows, if SVM_ENGINE asks for an engine

}  // namespace

SingleExamples::SingleExamples(const KernelFunction& kernel, const Examples& examples)
    : kernel_(kernel), largest_value_(kernel.largest_value(examples.largest_squared_norm())) {
  rows_.reserve(examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    rows_.push_back(examples.row(i));
    if (!kernel.of_distances()) norms_.push_back(examples.squared_norm(i));
    if (kernel.type == LINEAR) exact_.push_back(examples.has_exact_products(i) ? 1 : 0);
  }
}

std::shared_ptr<const RowEngine> SingleExamples::precise() const {
  run_once(once_, [&] { precise_ = make_row_engine(kernel_, rows_.data(), rows_.size()); });
  return precise_;
}

double SingleExamples::diagonal(std::size_t example) const {
  return kernel_.of_inner(kernel_.of_distances() ? 0 : norms_[example]);
}

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
  while (from < to) {
    const std::size_t block = from / kBlockColumns, shift = from % kBlockColumns;
    const std::size_t whole = shift == 0 ? (to - from) / kBlockColumns : 0;
    std::size_t done = whole * kBlockColumns;
    if (whole > 0) {
      block_values(example, columns, block, whole, out);
    } else {
      alignas(64) float values[kBlockColumns];
      block_values(example, columns, block, 1, values);
      done = std::min(to - from, kBlockColumns - shift);
      std::copy(values + shift, values + shift + done, out);
    }
    from += done;
    out += done;
  }
}

void SingleEngine::compute(std::size_t example, const PackedColumns& columns, std::size_t from,
                           std::size_t to, double* out) const {
  constexpr std::size_t kTile = 1024;
  float values[kTile];
  for (std::size_t begin = from; begin < to; begin += kTile) {
    const std::size_t end = std::min(to, begin + kTile);
    compute(example, columns, begin, end, values);
    std::copy(values, values + (end - begin), out + (begin - from));
  }
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

std::shared_ptr<const RowEngine> make_single_engine(const KernelFunction& kernel, DataRows rows,
                                                    std::size_t count, const GoOn& go_on) {
  Engine wish = Engine::kFloats;
  const bool is_wished = wished_engine(wish);
  const bool is_single = wish == Engine::kFloats || wish == Engine::kBytes;
  if (!tail_form(kernel.type) || !is_single) return make_row_engine(kernel, rows, count, go_on);
  Examples examples(rows, count, go_on);
  if (!examples.is_regular() || examples.nonzeros() == 0 || (!is_wished && fit_bits(examples))) {
    return make_exact_engine(kernel, std::move(examples), go_on);
  }
  go_on_or_throw(go_on);
  const double values_per_row =
      static_cast<double>(examples.nonzeros()) / static_cast<double>(examples.size());
  const double most = is_wished ? kMostBytes / static_cast<double>(examples.size())
                                : kMostBytesPerValue * values_per_row;
  const ByteLayout bytes(kernel, examples);
  go_on_or_throw(go_on);
  FloatLayout floats(kernel, examples, most, go_on);
  go_on_or_throw(go_on);
  constexpr double kNever = std::numeric_limits<double>::infinity(), kColumnsTail = 0.3,
                   kExactTail = 1.5;
  const auto cost_of = [&](Engine engine, bool can_be, double cost) {
    if (!can_be) return kNever;
    return is_wished && wish == engine ? 0.0 : cost;
  };
  const double bytes_cost =
      cost_of(Engine::kBytes, bytes.fits && bytes.bytes() <= most, bytes.cost);
  const double floats_cost =
      cost_of(Engine::kFloats, floats.rounding <= kMostRounding, floats.cost());
  const bool can_be_sparse = single_columns_rounding(kernel, examples) <= kMostRounding;
  const double sparse_cost = can_be_sparse ? columns_cost(examples) + kColumnsTail : kNever;
  const double least = std::min({bytes_cost, floats_cost, sparse_cost});
  if (least == kNever) return make_exact_engine(kernel, std::move(examples), go_on);
  if (least == bytes_cost) return make_bytes_engine(kernel, examples, bytes);
  if (least == floats_cost) return make_floats_engine(kernel, examples, std::move(floats));
  // If floats do not suit the data, blocks of doubles may still be faster than columns.
  const DenseCost dense = dense_cost(examples, go_on);
  if (dense.bytes <= most && dense.nanoseconds + kExactTail < sparse_cost) {
    return make_dense_engine(kernel, std::move(examples), go_on);
  }
  return make_single_columns_engine(kernel, std::move(examples));
}

}  // namespace svm
