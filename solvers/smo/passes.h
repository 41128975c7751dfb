// The solvers' passes over their active variables, vectorised, and on several threads if they are
// long enough.  Results do not depend on either.
#ifndef SVM_SOLVERS_SMO_PASSES_H_
#define SVM_SOLVERS_SMO_PASSES_H_

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/simd/loops.h"
#include "base/threads/pool.h"

namespace svm {

// Loops and pool must outlive this.
class Passes {
 public:
  Passes(const Loops& loops, ThreadPool& pool) : loops_(loops), pool_(pool) {}

  // The result of this pass of Loops over variables [0, count): that of its pieces, merged.
  template <typename Pass, typename... Given>
  auto run(Pass Loops::*pass, std::size_t count, const Given&... given) const {
    const auto over = [&](std::size_t begin, std::size_t end) {
      return (loops_.*pass)(given..., begin, end);
    };
    if (count < kWorthThreads || pool_.threads() == 1) return over(0, count);
    const std::size_t piece = std::max(kLeastPiece, (count / kMostPieces / 64 + 1) * 64);
    std::array<decltype(over(0, count)), kMostPieces> results;
    pool_.for_chunks(count, piece, [&](std::size_t begin, std::size_t end) {
      results[begin / piece] = over(begin, end);
    });
    auto all = results[0];
    for (std::size_t k = 1; k * piece < count; ++k) merge(all, results[k]);
    return all;
  }

 private:
  // A pass over fewer variables ends before another thread could help.
  static constexpr std::size_t kWorthThreads = 32768;
  static constexpr std::size_t kLeastPiece = 8192;
  static constexpr std::size_t kMostPieces = 64;

  // `later` has higher indices than `all`, so it wins ties.
  static void merge(Extremes& all, const Extremes& later) {
    if (later.lowest_at != kNoIndex && later.lowest <= all.lowest) {
      all.lowest = later.lowest;
      all.lowest_at = later.lowest_at;
    }
    if (later.highest_at != kNoIndex && later.highest >= all.highest) {
      all.highest = later.highest;
      all.highest_at = later.highest_at;
    }
  }
  static void merge(Partner& all, const Partner& later) {
    if (later.at != kNoIndex && later.gain >= all.gain) all = later;
  }

  const Loops& loops_;
  ThreadPool& pool_;
};

}  // namespace svm

#endif  // SVM_SOLVERS_SMO_PASSES_H_
