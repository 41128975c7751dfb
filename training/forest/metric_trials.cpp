// The trials by which metrics are learned and judged: random rows, and cells of a tree.
#include <algorithm>
#include <utility>

#include "model/svm_type.h"
#include "solvers/math/draws.h"
#include "training/forest/train_forest.h"

namespace svm {
namespace {

// From so many rows on, trials take less than a third of the time of a training, and else about as
// much as one.
constexpr std::size_t kManyRows = 20000;
// From so many rows on, the pilots are cells.  A random sample of fewer rows has a better share of
// them, and tells about features that do not vary within a cell.
constexpr std::size_t kRowsForCells = 64000;
constexpr std::size_t kMostOfPilot = 2500;
// Gradients of small machines are noisy.
constexpr std::size_t kLeastPilotCell = 2000;

RowNumbers part_of(const RowNumbers& rows, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t k) { return rows.begin() + static_cast<std::ptrdiff_t>(k); };
  return {at(std::min(begin, rows.size())), at(std::min(end, rows.size()))};
}

// The first of some rows, and a quarter more to judge them.
MetricTrial first_rows(const RowNumbers& rows, std::size_t count) {
  return {part_of(rows, 0, count), part_of(rows, count, count + count / 4)};
}

void add_rows(const MetricTrial& trial, RowNumbers& rows) {
  rows.insert(rows.end(), trial.trained.begin(), trial.trained.end());
  rows.insert(rows.end(), trial.judged.begin(), trial.judged.end());
}

// A cell judged by a fifth of its rows that is not in `seen`, whose rows rise.
MetricTrial trial_of(RowNumbers cell, const RowNumbers& seen, Draws& draws) {
  draws.shuffle(cell);
  const auto unseen = std::stable_partition(cell.begin(), cell.end(), [&](std::uint32_t row) {
    return std::binary_search(seen.begin(), seen.end(), row);
  });
  const auto trained = std::max<std::size_t>(cell.size() - cell.size() / 5,
                                             static_cast<std::size_t>(unseen - cell.begin()));
  return {part_of(cell, 0, trained), part_of(cell, trained, cell.size())};
}

}  // namespace

Metric metric_of_cells(RowSource& source, const Problem& problem, const RowNumbers& rows,
                       const svm_parameter& param, const CellRules& rules, Run& run,
                       const MetricRecipe& recipe) {
  const std::uint64_t seed = seed_of(static_cast<std::uint64_t>(run.options.seed), rows.size());
  Draws draws(seed);
  RowNumbers shuffled = rows;
  draws.shuffle(shuffled);
  const std::size_t count = rows.size(), two_thirds = count * 2 / 3;
  if (count <= rules.most) {
    const LoadedRows loaded = source.load(rows, run);
    return learn_metric(problem, param, {first_rows(shuffled, count * 2 / 5)},
                        {{part_of(shuffled, 0, two_thirds), part_of(shuffled, two_thirds, count)}},
                        run, recipe);
  }
  const bool are_many = count >= kManyRows, are_cells = count >= kRowsForCells;
  const std::size_t most_pilots = are_cells ? std::clamp<std::size_t>(count / 6000, 8, 16) : 1;
  const std::size_t most_guards = are_many ? std::clamp<std::size_t>(count / 5000, 4, 20) : 8;
  CellRules of_pilots = rules;
  of_pilots.most = std::max(rules.most, kLeastPilotCell);
  MetricTrials pilots, guards;
  RowNumbers seen;
  if (!are_cells) {
    pilots.push_back(first_rows(
        shuffled, std::min({kMostOfPilot, 2 * rules.most, are_many ? count / 16 : count / 4})));
    add_rows(pilots[0], seen);
    std::sort(seen.begin(), seen.end());
  }
  const Cells upper = upper_cells(source, problem, rows, rules, seed, run);
  if (run.interrupted()) return {};
  source.divide(rows, upper.tree, run);
  for (const std::uint32_t p : draws.order(upper.rows.size())) {
    if (guards.size() == most_guards || !run.poll()) break;
    const LoadedRows part = source.load_part(p);
    const bool is_pilot = pilots.size() < most_pilots;
    Cells cells =
        make_cells(problem, source.part(p), is_pilot ? of_pilots : rules, seed_of(seed, p), run);
    RowNumbers& largest = *std::max_element(
        cells.rows.begin(), cells.rows.end(),
        [](const RowNumbers& a, const RowNumbers& b) { return a.size() < b.size(); });
    (is_pilot ? pilots : guards).push_back(trial_of(std::move(largest), seen, draws));
  }
  RowNumbers all;
  for (const MetricTrials* trials : {&pilots, &guards}) {
    for (const MetricTrial& trial : *trials) add_rows(trial, all);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const LoadedRows loaded = source.load(all, run);
  return run.interrupted() ? Metric() : learn_metric(problem, param, pilots, guards, run, recipe);
}

Metric machine_metric(const Problem& problem, const svm_parameter& param, Run& run) {
  // Cells have all rows of a neighbourhood, as machines of all rows do.
  constexpr std::size_t kCell = 2000;
  RowNumbers rows;
  for (std::uint32_t t = 0; t < problem.size(); ++t) {
    if (problem.weight(t) > 0) rows.push_back(t);
  }
  RowSource source(problem);
  return metric_of_cells(source, problem, rows, param, {kCell, is_classification(param.svm_type)},
                         run);
}

}  // namespace svm
