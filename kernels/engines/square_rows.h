// All kernel values of some examples with each other.
#ifndef SVM_KERNELS_ENGINES_SQUARE_ROWS_H_
#define SVM_KERNELS_ENGINES_SQUARE_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/engines/row_engine.h"
#include "threads/go_on.h"
#include "threads/pool.h"

namespace svm {

// The number of rows that are computed together.
constexpr std::size_t kSquareRows = 64;

// Sets rows[i][j] = K(examples[i], examples[j]) rounded to float, with the bits of
// RowEngine::compute().  Requires a symmetric engine, and at most pack_width() examples.  Only the
// half of the values with j <= i is computed, many rows at a time, and copied to the other half.
// Returns false if `poll` ended it early; some rows are then not set.
bool compute_square(const RowEngine& engine, const std::vector<std::uint32_t>& examples,
                    ThreadPool& pool, const GoOn& poll, float* const* rows);

// The part of compute_square() that belongs to rows [begin, end), which are at most kSquareRows,
// from a multiple of kSquareRows on.  `columns` are all examples.  Parts may be computed in any
// order and by several threads.
void compute_part_of_square(const RowEngine& engine, const std::uint32_t* examples,
                            const PackedColumns& columns, std::size_t begin, std::size_t end,
                            float* const* rows);

// to[c][r] = from[r][c], for r < rows and c < columns.
void transpose(const float* const* from, std::size_t rows, std::size_t columns, float* const* to);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_SQUARE_ROWS_H_
