#include "training/metric/trials.h"

#include <algorithm>
#include <cmath>

namespace svm {
namespace {

RowNumbers part_of(const RowNumbers& rows, std::size_t begin, std::size_t end) {
  const auto place = [&](std::size_t k) {
    return rows.begin() + static_cast<std::ptrdiff_t>(std::min(k, rows.size()));
  };
  return {place(begin), place(end)};
}

// A part of `count`, but at least the smaller one, and at most the larger one of two numbers.
std::size_t part_within(double part, std::size_t count, std::size_t least, std::size_t most) {
  const auto wanted = static_cast<std::size_t>(part * static_cast<double>(count));
  return std::min(std::max(wanted, least), most);
}

}  // namespace

RowNumbers MetricTrials::seen() const {
  RowNumbers rows;
  for (const MetricTrial& pilot : pilots) {
    rows.insert(rows.end(), pilot.trained.begin(), pilot.trained.end());
    rows.insert(rows.end(), pilot.judged.begin(), pilot.judged.end());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

MetricTrial drawn_pilot(RowNumbers& rows, std::size_t trained, Draws& draws) {
  draws.shuffle(rows);
  return {part_of(rows, 0, trained), part_of(rows, trained, trained + trained / 4)};
}

MetricTrials machine_trials(RowNumbers rows, std::uint64_t seed) {
  // Below some thousand rows a training takes milliseconds, and more rows make the better metric.
  constexpr std::size_t kPilot = 800, kMostOfPilot = 2500, kGuard = 1200, kMostOfGuard = 6000;
  const std::size_t count = rows.size();
  const bool are_many = count >= kManyRows;
  const std::size_t pilot =
      part_within(are_many ? 0.08 : 0.25, count, std::min(kPilot, 2 * count / 5), kMostOfPilot);
  const std::size_t guard =
      part_within(are_many ? 0.15 : 0.4, count, std::min(kGuard, 2 * count / 3), kMostOfGuard);
  Draws draws(seed);
  MetricTrials trials;
  trials.pilots.push_back(drawn_pilot(rows, pilot, draws));
  trials.guards.push_back({part_of(rows, 0, guard), part_of(rows, guard, 2 * guard)});
  return trials;
}

MetricTrial trial_of_cell(RowNumbers cell, const RowNumbers& seen, Draws& draws) {
  constexpr std::size_t kJudged = 5;
  draws.shuffle(cell);
  const auto unseen = std::stable_partition(cell.begin(), cell.end(), [&](std::uint32_t row) {
    return std::binary_search(seen.begin(), seen.end(), row);
  });
  const auto trained = std::max<std::size_t>(cell.size() - cell.size() / kJudged,
                                             static_cast<std::size_t>(unseen - cell.begin()));
  return {part_of(cell, 0, trained), part_of(cell, trained, cell.size())};
}

}  // namespace svm
