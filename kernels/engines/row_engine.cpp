#include "kernels/engines/row_engine.h"

#include <algorithm>
#include <memory>

#include "base/simd/loops.h"

namespace svm {

void RowEngine::compute_rows(const std::uint32_t* examples, std::size_t count,
                             const PackedColumns& columns, std::size_t to,
                             float* const* out) const {
  for (std::size_t r = 0; r < count; ++r) compute(examples[r], columns, 0, to, out[r]);
}

void RowEngine::add_sums(const std::uint32_t* examples, const double* factors, std::size_t count,
                         const PackedColumns& columns, std::size_t from, std::size_t to,
                         double* sums) const {
  // The values stay in the first level cache, the sums of so many rows in registers.
  constexpr std::size_t kValues = 2 * kMostSumsWidth, kMostRowsAtOnce = 8;
  float values[kValues];
  const float* rows_of[kMostRowsAtOnce];
  const std::size_t width = sums_width();
  const std::size_t most_rows = std::min(kMostRowsAtOnce, kValues / width);
  const Loops& passes = loops(instruction_set());
  for (std::size_t begin = from; begin < to; begin += width) {
    const std::size_t end = std::min(to, begin + width);
    for (std::size_t first = 0; first < count; first += most_rows) {
      const std::size_t rows = std::min(most_rows, count - first);
      for (std::size_t r = 0; r < rows; ++r) {
        rows_of[r] = values + r * width;
        compute(examples[first + r], columns, begin, end, values + r * width);
      }
      passes.add_float_rows(sums + (begin - from), rows_of, 0, factors + first, rows, end - begin);
    }
  }
}

void RowEngine::add_precise_sums(const std::uint32_t* examples, const double* factors,
                                 std::size_t count, const std::uint32_t* columns, std::size_t width,
                                 double* sums) const {
  double values[kMostPreciseColumns];
  const std::unique_ptr<PackedColumns> packed = pack(columns, width, nullptr);
  for (std::size_t r = 0; r < count; ++r) {
    compute(examples[r], *packed, 0, width, values);
    for (std::size_t k = 0; k < width; ++k) sums[k] += factors[r] * values[k];
  }
}

void transpose(const float* const* from, std::size_t rows, std::size_t columns, float* const* to) {
  constexpr std::size_t kTile = 16;  // floats in a cache line
  for (std::size_t r = 0; r < rows; r += kTile) {
    const std::size_t last_row = std::min(rows, r + kTile);
    for (std::size_t c = 0; c < columns; c += kTile) {
      const std::size_t last_column = std::min(columns, c + kTile);
      for (std::size_t column = c; column < last_column; ++column) {
        for (std::size_t row = r; row < last_row; ++row) to[column][row] = from[row][column];
      }
    }
  }
}

void compute_part_of_square(const RowEngine& engine, const std::uint32_t* examples,
                            const PackedColumns& columns, std::size_t begin, std::size_t end,
                            float* const* rows) {
  engine.compute_rows(examples + begin, end - begin, columns, end, rows + begin);
  const float* lower[kSquareRows];
  float* upper[kSquareRows];
  for (std::size_t c = 0; c < begin; c += kSquareRows) {
    for (std::size_t r = begin; r < end; ++r) lower[r - begin] = rows[r] + c;
    for (std::size_t k = 0; k < kSquareRows; ++k) upper[k] = rows[c + k] + begin;
    transpose(lower, end - begin, kSquareRows, upper);
  }
}

bool compute_square(const RowEngine& engine, const std::vector<std::uint32_t>& examples,
                    ThreadPool& pool, const GoOn& poll, float* const* rows) {
  if (examples.empty()) return true;
  const std::unique_ptr<PackedColumns> columns =
      engine.pack(examples.data(), examples.size(), nullptr);
  const SharedGoOn go_on(poll);
  pool.for_chunks(examples.size(), kSquareRows, [&](std::size_t begin, std::size_t end) {
    if (go_on()) compute_part_of_square(engine, examples.data(), *columns, begin, end, rows);
  });
  return !go_on.is_stopped();
}

}  // namespace svm
