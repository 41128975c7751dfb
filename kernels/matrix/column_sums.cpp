#include "kernels/matrix/column_sums.h"

#include <algorithm>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kPartColumns = 2048;       // columns of a task
constexpr std::size_t kRowsOfFewColumns = 2048;  // rows of a task if columns make one task only
constexpr double kSumPollNanoseconds = 1e7;
constexpr std::size_t kLeastPrepared = 8, kMostPrepared = 64;  // rows at a time

// The number of rows, at least `least`, that are added to so many columns between two polls.
std::size_t rows_between_polls(std::size_t columns, double value_cost, std::size_t least = 64) {
  const double row = value_cost * static_cast<double>(columns + 1);
  return std::max(least, static_cast<std::size_t>(kSumPollNanoseconds / row));
}

}  // namespace

ColumnSums::ColumnSums(const RowEngine& engine, std::vector<std::uint32_t> columns,
                       Precision precision)
    : engine_(engine),
      columns_(std::move(columns)),
      precision_(precision),
      width_(precision == Precision::kDouble ? RowEngine::kMostPreciseColumns : kPartColumns),
      packed_((columns_.size() + width_ - 1) / width_) {}

bool ColumnSums::add(const std::vector<std::uint32_t>& rows, const std::vector<double>& factors,
                     ThreadPool& pool, const GoOn& poll, double* sums) {
  if (rows.empty()) return true;
  const SharedGoOn go_on(poll);
  precision_ == Precision::kDouble ? add_doubles(rows, factors, pool, go_on, sums)
                                   : add_floats(rows, factors, pool, go_on, sums);
  return !go_on.is_stopped();
}

void ColumnSums::add_floats(const std::vector<std::uint32_t>& rows,
                            const std::vector<double>& factors, ThreadPool& pool,
                            const SharedGoOn& go_on, double* sums) {
  const std::size_t prepared = std::min(
      kMostPrepared, rows_between_polls(columns_.size(), engine_.value_cost(), kLeastPrepared));
  pool.for_chunks(rows.size(), prepared, [&](std::size_t begin, std::size_t end) {
    if (go_on()) engine_.prepare_sums(rows.data() + begin, end - begin, columns_.size());
  });
  pool.for_chunks(columns_.size(), width_, [&](std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    std::unique_ptr<PackedColumns>& packed = packed_[begin / width_];
    if (packed == nullptr) packed = engine_.pack(columns_.data() + begin, count, nullptr);
    const std::size_t together = rows_between_polls(count, engine_.value_cost());
    for (std::size_t r = 0; r < rows.size() && go_on(); r += together) {
      const std::size_t some = std::min(together, rows.size() - r);
      engine_.add_sums(rows.data() + r, factors.data() + r, some, *packed, 0, count, sums + begin);
    }
  });
}

// Sums over few columns are cut into pieces of rows.
void ColumnSums::add_doubles(const std::vector<std::uint32_t>& rows,
                             const std::vector<double>& factors, ThreadPool& pool,
                             const SharedGoOn& go_on, double* sums) const {
  const auto add_rows = [&](std::size_t first, std::size_t last, std::size_t column,
                            std::size_t count, double* to) {
    const std::size_t together = rows_between_polls(count, engine_.value_cost());
    for (std::size_t r = first; r < last && go_on(); r += together) {
      engine_.add_precise_sums(rows.data() + r, factors.data() + r, std::min(together, last - r),
                               columns_.data() + column, count, to);
    }
  };
  if (columns_.size() > width_ || rows.size() <= kRowsOfFewColumns) {
    pool.for_chunks(columns_.size(), width_, [&](std::size_t begin, std::size_t end) {
      add_rows(0, rows.size(), begin, end - begin, sums + begin);
    });
    return;
  }
  const std::size_t count = columns_.size();
  const std::size_t pieces = (rows.size() + kRowsOfFewColumns - 1) / kRowsOfFewColumns;
  std::vector<double> of_pieces(pieces * count, 0.0);
  pool.for_chunks(rows.size(), kRowsOfFewColumns, [&](std::size_t begin, std::size_t end) {
    add_rows(begin, end, 0, count, of_pieces.data() + begin / kRowsOfFewColumns * count);
  });
  for (std::size_t n = 0; n < of_pieces.size(); ++n) sums[n % count] += of_pieces[n];
}

}  // namespace svm
