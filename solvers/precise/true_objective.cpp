#include "solvers/precise/true_objective.h"

#include <algorithm>
#include <numeric>

#include "kernels/matrix/column_sums.h"

namespace svm {
namespace {

constexpr std::size_t kColumnBlock = RowEngine::kMostPreciseColumns;  // of one thread

// Those above 0 and those below by turns, as far as there are both.
std::vector<std::size_t> by_turns(const std::vector<double>& weights) {
  std::vector<std::size_t> order[2], all;
  for (std::size_t s = 0; s < weights.size(); ++s) order[weights[s] > 0 ? 1 : 0].push_back(s);
  for (std::size_t k = 0; k < std::max(order[0].size(), order[1].size()); ++k) {
    for (const std::vector<std::size_t>& sign : order) {
      if (k < sign.size()) all.push_back(sign[k]);
    }
  }
  return all;
}

}  // namespace

// Sums that stay small are rounded less: with all terms of one sign first, and values that repeat,
// what rounding makes of them would have one sign, too.
std::optional<double> quadratic_form(const RowEngine& engine,
                                     const std::vector<std::uint32_t>& given_examples,
                                     const std::vector<double>& given_weights, ThreadPool& pool,
                                     const GoOn& poll) {
  const std::size_t count = given_examples.size();
  std::vector<std::uint32_t> examples;
  std::vector<double> weights;
  for (const std::size_t s : by_turns(given_weights)) {
    examples.push_back(given_examples[s]);
    weights.push_back(given_weights[s]);
  }
  const std::size_t blocks = (count + kColumnBlock - 1) / kColumnBlock;
  // What stands left of a block's columns stands above the diagonal as well.
  std::vector<double> twice(count);
  for (std::size_t s = 0; s < count; ++s) twice[s] = 2 * weights[s];
  const std::size_t together = rows_between_polls(kColumnBlock, engine.value_cost());
  std::vector<double> parts(blocks, 0.0);
  const SharedGoOn go_on(poll);
  pool.for_chunks(blocks, 1, [&](std::size_t chunk, std::size_t) {
    const std::size_t block = blocks - 1 - chunk;  // the longest first
    const std::size_t begin = block * kColumnBlock, end = std::min(count, begin + kColumnBlock);
    double sums[kColumnBlock] = {};
    const auto add = [&](const std::vector<double>& factors, std::size_t from, std::size_t to) {
      for (std::size_t s = from; s < to && go_on(); s += together) {
        engine.add_precise_sums(examples.data() + s, factors.data() + s, std::min(together, to - s),
                                examples.data() + begin, end - begin, sums);
      }
    };
    if (engine.is_symmetric()) {
      add(twice, 0, begin);
      add(weights, begin, end);
    } else {
      add(weights, 0, count);
    }
    for (std::size_t k = begin; k < end; ++k) parts[block] += weights[k] * sums[k - begin];
  });
  if (go_on.is_stopped()) return std::nullopt;
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace svm
