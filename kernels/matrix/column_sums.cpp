#include "kernels/matrix/column_sums.h"

#include <algorithm>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kPartColumns = 2048;  // columns of a task
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
  const bool in_doubles = precision_ == Precision::kDouble;
  if (!in_doubles) {
    const std::size_t prepared = std::min(
        kMostPrepared, rows_between_polls(columns_.size(), engine_.value_cost(), kLeastPrepared));
    pool.for_chunks(rows.size(), prepared, [&](std::size_t begin, std::size_t end) {
      if (go_on()) engine_.prepare_sums(rows.data() + begin, end - begin, columns_.size());
    });
  }
  pool.for_chunks(columns_.size(), width_, [&](std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    const std::uint32_t* const columns = columns_.data() + begin;
    std::unique_ptr<PackedColumns>& packed = packed_[begin / width_];
    if (!in_doubles && packed == nullptr) packed = engine_.pack(columns, count, nullptr);
    const std::size_t together = rows_between_polls(count, engine_.value_cost());
    for (std::size_t r = 0; r < rows.size() && go_on(); r += together) {
      const std::uint32_t* const row = rows.data() + r;
      const double* const factor = factors.data() + r;
      const std::size_t some = std::min(together, rows.size() - r);
      if (in_doubles) {
        engine_.add_precise_sums(row, factor, some, columns, count, sums + begin);
      } else {
        engine_.add_sums(row, factor, some, *packed, 0, count, sums + begin);
      }
    }
  });
  return !go_on.is_stopped();
}

}  // namespace svm
