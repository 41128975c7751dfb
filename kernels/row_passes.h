// Passes over the rows of a data set, which threads share.
#ifndef SVM_KERNELS_ROW_PASSES_H_
#define SVM_KERNELS_ROW_PASSES_H_

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/threads/go_on.h"
#include "base/threads/pool.h"

namespace svm {

// A pass is cut into pieces of rows, by the data alone: what it gives does not depend on the number
// of threads.
class RowPasses {
 public:
  static constexpr std::size_t kPieceRows = 512;

  // Passes of the calling thread alone.
  RowPasses() = default;
  RowPasses(GoOn go_on) : go_on_(std::move(go_on)) {}
  // The pool must outlive this.
  RowPasses(GoOn go_on, ThreadPool& pool) : go_on_(std::move(go_on)), pool_(&pool) {}

  // Throws Interrupted if the work is no longer wanted.
  void poll() const { go_on_or_throw(go_on_); }

  // Calls body(begin, end) for pieces of [0, rows), on several threads at once.  Polls now and
  // then.
  template <typename Body>
  void over(std::size_t rows, Body body, std::size_t piece = kPieceRows) const {
    constexpr std::size_t kPiecesPerPoll = 64;
    for (std::size_t first = 0; first < rows; first += kPiecesPerPoll * piece) {
      poll();
      const std::size_t count = std::min(rows - first, kPiecesPerPoll * piece);
      for_chunks(pool_, count, piece,
                 [&](std::size_t begin, std::size_t end) { body(first + begin, first + end); });
    }
  }

  // Calls find(begin, end, result) for the pieces, each with a copy of `empty` as its result, and
  // then whole.add(result) in the order of the pieces, for `whole` that began as `empty`.
  template <typename Result, typename Find>
  Result collect(std::size_t rows, const Result& empty, Find find,
                 std::size_t piece = kPieceRows) const {
    std::vector<Result> results((rows + piece - 1) / piece, empty);
    over(
        rows, [&](std::size_t begin, std::size_t end) { find(begin, end, results[begin / piece]); },
        piece);
    Result whole = empty;
    for (const Result& result : results) whole.add(result);
    return whole;
  }

 private:
  GoOn go_on_;
  ThreadPool* pool_ = nullptr;
};

}  // namespace svm

#endif  // SVM_KERNELS_ROW_PASSES_H_
