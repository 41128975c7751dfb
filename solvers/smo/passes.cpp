#include "solvers/smo/passes.h"

#include <algorithm>
#include <array>

namespace svm {
namespace {

// A pass over fewer variables ends before another thread could help.
constexpr std::size_t kPassWorthThreads = 32768;
constexpr std::size_t kLeastPassPiece = 8192;
constexpr std::size_t kMostPieces = 64;

// `later` has higher indices than `all`, so it wins ties.
void merge(Extremes& all, const Extremes& later) {
  if (later.lowest_at != kNoIndex && later.lowest <= all.lowest) {
    all.lowest = later.lowest;
    all.lowest_at = later.lowest_at;
  }
  if (later.highest_at != kNoIndex && later.highest >= all.highest) {
    all.highest = later.highest;
    all.highest_at = later.highest_at;
  }
}

void merge(Partner& all, const Partner& later) {
  if (later.at != kNoIndex && later.gain >= all.gain) all = later;
}

// The merged results of pass(begin, end) over all pieces of [0, count).
template <typename Result, typename Pass>
Result over_pieces(ThreadPool& pool, std::size_t count, Pass pass) {
  if (count < kPassWorthThreads || pool.threads() == 1) return pass(0, count);
  const std::size_t piece = std::max(kLeastPassPiece, (count / kMostPieces / 64 + 1) * 64);
  std::array<Result, kMostPieces> results;
  pool.for_chunks(count, piece, [&](std::size_t begin, std::size_t end) {
    results[begin / piece] = pass(begin, end);
  });
  Result all = results[0];
  for (std::size_t k = 1; k * piece < count; ++k) merge(all, results[k]);
  return all;
}

}  // namespace

Extremes Passes::find_extremes(const double* f, const std::uint8_t* index_sets,
                               std::size_t count) const {
  return over_pieces<Extremes>(pool_, count, [&](std::size_t begin, std::size_t end) {
    return loops_.find_extremes(f, index_sets, begin, end);
  });
}

Extremes Passes::add_pair(const PairUpdate& update, std::size_t count) const {
  return over_pieces<Extremes>(pool_, count, [&](std::size_t begin, std::size_t end) {
    return loops_.add_pair(update, begin, end);
  });
}

Extremes Passes::add_conjugate(const ConjugateUpdate& update, std::size_t count) const {
  return over_pieces<Extremes>(pool_, count, [&](std::size_t begin, std::size_t end) {
    return loops_.add_conjugate(update, begin, end);
  });
}

Partner Passes::find_partner(const PartnerSearch& search, std::size_t count) const {
  return over_pieces<Partner>(pool_, count, [&](std::size_t begin, std::size_t end) {
    return loops_.find_partner(search, begin, end);
  });
}

}  // namespace svm
