// All kernel values of some examples with each other.
#ifndef SVM_KERNELS_ENGINES_SQUARE_ROWS_H_
#define SVM_KERNELS_ENGINES_SQUARE_ROWS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "base/threads/go_on.h"
#include "base/threads/pool.h"
#include "base/threads/primitives.h"
#include "kernels/engines/row_engine.h"

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

// A loop over rows that every thread joins when it wants the result.
class JoinedLoop {
 public:
  // Calls compute(begin, end) for the rows of [0, count) that no thread has claimed, kSquareRows at
  // a time, and waits for those that others compute.  Returns false if `poll` ended it early.  If
  // compute() throws, the others throw std::bad_alloc.
  template <typename Compute>
  bool complete(std::size_t count, const GoOn& poll, const Compute& compute) {
    while (done_ < count) {
      if (poll && !poll()) return false;
      if (failed_) throw std::bad_alloc();
      const std::size_t begin = claimed_.fetch_add(kSquareRows);
      if (begin >= count) {
        yield();
        continue;
      }
      const std::size_t end = std::min(count, begin + kSquareRows);
      try {
        compute(begin, end);
      } catch (...) {
        failed_ = true;
        throw;
      }
      done_ += end - begin;
    }
    return true;
  }

 private:
  std::atomic<std::size_t> claimed_{0}, done_{0};  // rows
  std::atomic<bool> failed_{false};
};

// to[c][r] = from[r][c], for r < rows and c < columns.
void transpose(const float* const* from, std::size_t rows, std::size_t columns, float* const* to);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_SQUARE_ROWS_H_
