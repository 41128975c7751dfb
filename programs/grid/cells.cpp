#include "programs/grid/cells.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/platform/index_range.h"
#include "model/svm_type.h"
#include "training/forest/cells.h"
#include "training/tasks.h"

namespace svm::grid {
namespace {

// Cells searched concurrently; they share the memory.
constexpr std::size_t kCellsAtOnce = 8;

// The folds of some rows, told by their places among these, without empty ones.  `fold_of` has the
// fold of each row.
Folds parts_of(const std::vector<std::size_t>& fold_of, std::size_t folds,
               const std::vector<std::uint32_t>& rows) {
  std::vector<std::vector<std::size_t>> members(folds);
  for (std::size_t k = 0; k < rows.size(); ++k) members[fold_of[rows[k]]].push_back(k);
  return folds_of(members);
}

std::vector<RowNumbers> cells_of(const SearchSpecification& specification, std::size_t most,
                                 Run& run) {
  const Problem& problem = specification.problem;
  return make_cells(problem, index_range<std::uint32_t>(0, problem.size()),
                    {most, is_classification(specification.param.svm_type)},
                    static_cast<std::uint64_t>(run.options.seed), run)
      .rows;
}

}  // namespace

// The points of one gamma, with the predictions of all rows.
struct CellSearch::Group {
  std::vector<Point> points;
  std::vector<std::vector<double>> predictions;
};

CellSearch::CellSearch(const SearchSpecification& specification, std::size_t rows_of_cell, Run& run)
    : specification_(specification), run_(run) {
  for (RowNumbers& rows : cells_of(specification, rows_of_cell, run)) {
    const Subset subset(specification.problem, rows);
    cells_.push_back({std::move(rows),
                      make_folds(subset.problem(), specification.param, specification.folds, run)});
  }
}

CellSearch::CellSearch(const SearchSpecification& specification, const Folds& folds,
                       std::size_t rows_of_cell, Run& run)
    : specification_(specification), run_(run) {
  std::vector<std::size_t> fold_of(specification.problem.size());
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (std::size_t i = folds.start[f]; i < folds.start[f + 1]; ++i) fold_of[folds.order[i]] = f;
  }
  for (RowNumbers& rows : cells_of(specification, rows_of_cell, run)) {
    Folds of_cell = parts_of(fold_of, folds.size(), rows);
    if (of_cell.size() < 2) {
      throw std::invalid_argument("all " + std::to_string(rows.size()) +
                                  " rows of a cell are in one fold: folds of shuffled rows, or "
                                  "larger cells, may help");
    }
    cells_.push_back({std::move(rows), std::move(of_cell)});
  }
}

bool CellSearch::evaluate(const std::vector<Point>& points, const Search::Finished& finished,
                          Adaptive* judge) {
  for (std::vector<Point>& of_gamma : by_gamma(points)) {
    Group group;
    group.points = std::move(of_gamma);
    group.predictions.assign(group.points.size(),
                             std::vector<double>(specification_.problem.size(),
                                                 std::numeric_limits<double>::quiet_NaN()));
    evaluate_group(group, finished, judge);
    if (run_.interrupted()) return false;
  }
  return !run_.interrupted();
}

void CellSearch::evaluate_group(Group& group, const Search::Finished& finished, Adaptive* judge) {
  const std::vector<std::size_t> all = index_range(0, group.points.size());
  std::vector<std::size_t> done(group.points.size(), 0);  // cells of each point
  for (std::size_t begun = 0;;) {
    std::vector<Step> steps;
    if (judge != nullptr) steps = judge->next(group.points);
    while (judge == nullptr && begun < cells_.size() && steps.size() < kCellsAtOnce) {
      steps.push_back({begun++, all});
    }
    if (steps.empty()) return;
    run_tasks(run_, steps.size(), no_shuffles, [&](std::size_t task, Run& run) {
      return evaluate_cell(group, steps[task].fold, steps[task].points, run);
    });
    if (run_.interrupted()) return;
    for (const Step& step : steps) {
      const std::vector<std::uint32_t>& rows = cells_[step.fold].rows;
      for (const std::size_t p : step.points) {
        if (judge != nullptr) {
          judge->fold_finished(group.points[p], {rows.begin(), rows.end()}, group.predictions[p]);
        }
        if (++done[p] == cells_.size()) finished(group.points[p], group.predictions[p]);
      }
    }
  }
}

// Predicts the rows of a cell at some points of the group.  Returns false if the run was stopped.
bool CellSearch::evaluate_cell(Group& group, std::size_t cell,
                               const std::vector<std::size_t>& places, Run& run) {
  const std::vector<std::uint32_t>& rows = cells_[cell].rows;
  const Subset subset(specification_.problem, rows);
  SearchSpecification specification = specification_;
  specification.problem = subset.problem();
  specification.param.cache_size /= static_cast<double>(std::min(cells_.size(), kCellsAtOnce));
  Search search(specification, cells_[cell].folds, run);
  std::vector<Point> points;
  points.reserve(places.size());
  for (const std::size_t p : places) points.push_back(group.points[p]);
  return search.evaluate(points, [&](const Point& point, const std::vector<double>& predictions) {
    const auto found = std::find(points.begin(), points.end(), point);
    std::vector<double>& all =
        group.predictions[places[static_cast<std::size_t>(found - points.begin())]];
    for (std::size_t k = 0; k < rows.size(); ++k) all[rows[k]] = predictions[k];
  });
}

}  // namespace svm::grid
