// Sums of rows of a kernel matrix.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/platform/clock.h"
#include "base/platform/index_range.h"
#include "kernels/engines/row_places.h"
#include "kernels/matrix/kernel_matrix.h"

namespace svm {
namespace {

constexpr std::size_t kCachedPiece = 8192;  // columns of cached rows that a thread adds up

}  // namespace

// Tells for each row whether its values up to this column are cached.  All are false if runs of
// those that are would be too short to be worth a pass of their own.
std::vector<char> KernelMatrix::find_cached(const Rows& rows, std::size_t last_column) {
  constexpr std::size_t kLeastStretch = 16;  // rows on average
  std::vector<char> cached(rows.size(), 0);
  auto* const cache = std::get_if<RowCache<float>>(&cache_);
  if (cache == nullptr) return cached;
  std::size_t changes = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t example = example_[rows[r]];
    cache->catch_up(example);
    cached[r] = cache->known(example).length > last_column ? 1 : 0;
    if (r > 0 && cached[r] != cached[r - 1]) ++changes;
  }
  if (changes * kLeastStretch > rows.size()) cached.assign(rows.size(), 0);
  return cached;
}

// A value has the same bits in a cached row as in a sum of the engine, so it makes no difference to
// the sums what is cached.
bool KernelMatrix::add_sums(const Rows& rows, const std::vector<double>& factors,
                            const std::vector<std::size_t>& columns, Precision precision,
                            double* sums) {
  if (rows.empty() || columns.empty()) return true;
  std::vector<char> cached(rows.size(), 0);
  if (precision == Precision::kSingle) {
    if (offered_ && at_once_ && in_play_ == size()) fill_rows();
    cached = find_cached(rows, *std::max_element(columns.begin(), columns.end()));
  }
  std::optional<ColumnSums> computed_columns;
  std::optional<RowPlaces> cached_columns;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && cached[end] == cached[begin]) ++end;
    std::vector<std::uint32_t> examples;
    for (std::size_t r = begin; r < end; ++r) examples.push_back(example_[rows[r]]);
    if (cached[begin] != 0) {
      if (!cached_columns) {
        cached_columns.emplace(std::vector<std::uint32_t>(columns.begin(), columns.end()));
      }
      add_cached_sums(examples, factors.data() + begin, *cached_columns, sums);
      continue;
    }
    if (!computed_columns) {
      std::vector<std::uint32_t> of_columns;
      of_columns.reserve(columns.size());
      for (const std::size_t t : columns) of_columns.push_back(example_[t]);
      computed_columns.emplace(*engine_, std::move(of_columns), precision);
    }
    const auto first = factors.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::vector<double> of_run(first, first + static_cast<std::ptrdiff_t>(end - begin));
    if (!add_sums_of_examples(examples, of_run, *computed_columns, sums)) return false;
  }
  return true;
}

void KernelMatrix::add_cached_sums(const std::vector<std::uint32_t>& examples,
                                   const double* factors, const RowPlaces& columns, double* sums) {
  const auto& cache = std::get<RowCache<float>>(cache_);
  std::vector<const float*> rows;
  rows.reserve(examples.size());
  for (const std::uint32_t e : examples) rows.push_back(cache.known(e).values);
  pool_.for_chunks(columns.all().size(), kCachedPiece, [&](std::size_t begin, std::size_t end) {
    columns.add(rows.data(), factors, rows.size(), begin, end, sums + begin);
  });
}

bool KernelMatrix::add_sums(const std::vector<double>& weights,
                            const std::vector<std::size_t>& columns, Precision precision,
                            double* sums) {
  Rows rows;
  std::vector<double> factors;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (weights[t] == 0) continue;
    rows.push_back(t);
    factors.push_back(weights[t]);
  }
  return add_sums(rows, factors, columns, precision, sums);
}

bool KernelMatrix::add_sums_of_examples(const std::vector<std::uint32_t>& rows,
                                        const std::vector<double>& factors, ColumnSums& columns,
                                        double* sums) {
  const Clock::time_point start = Clock::now();
  const bool done = columns.add(rows, factors, pool_, poll_, sums);
  rows_computed_ += static_cast<long long>(rows.size());
  seconds_ += seconds_since(start);
  return done;
}

double KernelMatrix::spread_of_errors() const {
  if (spread_of_errors_ >= 0) return spread_of_errors_;
  // A row whose values are larger than those of the sampled ones has larger errors.
  constexpr double kMargin = 4;
  constexpr std::size_t kLeastExamples = 2048, kSampledRows = 16;
  spread_of_errors_ = 1;
  if (examples_ < kLeastExamples || !engine_->has_relative_errors() ||
      largest_value() > engine_->diagonal(0)) {
    return 1;
  }
  const std::size_t width = std::min(engine_->pack_width(), kLeastExamples);
  using Squares = std::array<double, kSampledRows>;  // sums of squares of each row
  std::vector<Squares> of_pieces((examples_ + width - 1) / width, Squares());
  const auto sampled = [&](std::size_t r) { return r * examples_ / kSampledRows; };
  pool_.for_chunks(examples_, width, [&](std::size_t begin, std::size_t end) {
    const auto columns = index_range<std::uint32_t>(begin, end);
    const auto packed = engine_->pack(columns.data(), columns.size(), nullptr);
    std::vector<double> diagonals;
    diagonals.reserve(columns.size());
    for (const std::uint32_t t : columns) diagonals.push_back(engine_->diagonal(t));
    std::vector<float> row(columns.size());
    for (std::size_t r = 0; r < kSampledRows; ++r) {
      engine_->compute(sampled(r), *packed, 0, columns.size(), row.data());
      if (begin <= sampled(r) && sampled(r) < end) row[sampled(r) - begin] = 0;
      double sum = 0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        const auto value = static_cast<double>(row[k]);
        if (value != 0) sum += value * value / diagonals[k];
      }
      of_pieces[begin / width][r] = sum;
    }
  });
  double largest = 0;
  for (std::size_t r = 0; r < kSampledRows; ++r) {
    double sum = 0;
    for (const Squares& squares : of_pieces) sum += squares[r];
    if (sum != 0) largest = std::max(largest, sum / engine_->diagonal(sampled(r)));
  }
  const double spread = kMargin * largest / static_cast<double>(examples_ - 1);
  if (spread < 1) spread_of_errors_ = spread;
  return spread_of_errors_;
}

}  // namespace svm
