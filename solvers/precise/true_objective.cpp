#include "solvers/precise/true_objective.h"

#include <algorithm>
#include <numeric>

namespace svm {
namespace {

constexpr std::size_t kBlock = 256;          // columns, of one thread
constexpr std::size_t kRowsTogether = 4096;  // between questions

}  // namespace

std::optional<double> quadratic_form(const RowEngine& engine,
                                     const std::vector<std::uint32_t>& examples,
                                     const std::vector<double>& weights, ThreadPool& pool,
                                     const GoOn& poll) {
  const std::size_t count = examples.size();
  const std::size_t blocks = (count + kBlock - 1) / kBlock;
  // What stands left of a block's columns stands above the diagonal as well.
  std::vector<double> twice(count);
  for (std::size_t s = 0; s < count; ++s) twice[s] = 2 * weights[s];
  std::vector<double> parts(blocks, 0.0);
  const SharedGoOn go_on(poll);
  pool.for_chunks(blocks, 1, [&](std::size_t chunk, std::size_t) {
    const std::size_t block = blocks - 1 - chunk;  // the longest first
    const std::size_t begin = block * kBlock, end = std::min(count, begin + kBlock);
    double sums[kBlock] = {};
    const auto add = [&](const std::vector<double>& factors, std::size_t from, std::size_t to) {
      for (std::size_t s = from; s < to && go_on(); s += kRowsTogether) {
        engine.add_precise_sums(examples.data() + s, factors.data() + s,
                                std::min(kRowsTogether, to - s), examples.data() + begin,
                                end - begin, sums);
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
