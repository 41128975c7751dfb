#include <algorithm>
#include <utility>

#include "base/platform/index_range.h"
#include "training/forest/train_forest.h"

namespace svm {
namespace {

// From so many rows on, the pilots are cells as well.  Of fewer rows, a random sample has a better
// share, and tells more about features that do not vary within a cell.
constexpr std::size_t kRowsForCells = 64000;

// Rows, cells of pilots and cells of guards.
struct Sizes {
  std::size_t pilot, pilots, guards;
};

Sizes sizes_for(std::size_t rows, std::size_t cell) {
  constexpr std::size_t kMostOfPilot = 2500;
  const bool are_many = rows >= kManyRows;
  Sizes sizes{};
  sizes.pilot = std::min({kMostOfPilot, 2 * cell, are_many ? rows / 16 : rows / 4});
  sizes.pilots = std::clamp<std::size_t>(rows / 6000, 8, 20);
  sizes.guards = are_many ? std::clamp<std::size_t>(rows / 5000, 4, 24) : 8;
  return sizes;
}

}  // namespace

MetricTrials forest_trials(RowSource& source, const Problem& problem, const RowNumbers& rows,
                           const CellRules& rules, Run& run, LoadedRows& loaded) {
  const auto seed = seed_of(static_cast<std::uint64_t>(run.options.seed), rows.size());
  Draws draws(seed);
  MetricTrials trials;
  if (rows.size() <= rules.most) {
    trials = machine_trials(rows, seed);
  } else {
    const Sizes sizes = sizes_for(rows.size(), rules.most);
    const bool are_cells = rows.size() >= kRowsForCells;
    if (!are_cells) {
      RowNumbers shuffled = rows;
      trials.pilots.push_back(drawn_pilot(shuffled, sizes.pilot, draws));
    }
    RowNumbers seen = trials.seen();
    const Cells upper = upper_cells(source, problem, rows, rules, seed, run);
    if (run.interrupted()) return trials;
    source.divide(rows, upper.tree, run);
    for (const std::uint32_t p : draws.order(upper.rows.size())) {
      if (trials.guards.size() == sizes.guards || !run.poll()) break;
      const LoadedRows part = source.load_part(p);
      Cells cells = make_cells(problem, source.part(p), rules, seed_of(seed, p), run);
      const auto largest = std::max_element(
          cells.rows.begin(), cells.rows.end(),
          [](const RowNumbers& a, const RowNumbers& b) { return a.size() < b.size(); });
      MetricTrial trial = trial_of_cell(std::move(*largest), seen, draws);
      if (trial.judged.empty()) continue;
      const bool is_pilot = are_cells && trials.pilots.size() < sizes.pilots;
      (is_pilot ? trials.pilots : trials.guards).push_back(std::move(trial));
    }
  }
  RowNumbers all = trials.seen();
  for (const MetricTrial& guard : trials.guards) {
    all.insert(all.end(), guard.trained.begin(), guard.trained.end());
    all.insert(all.end(), guard.judged.begin(), guard.judged.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  loaded = source.load(all, run);
  return trials;
}

}  // namespace svm
