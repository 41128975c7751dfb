#include "kernels/engines/square_rows.h"

#include <algorithm>
#include <memory>

namespace svm {

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
