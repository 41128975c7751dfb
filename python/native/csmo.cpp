// Makes svm-grid's engine callable from Python, and trainings with classes in ascending order of
// their labels, as scikit-learn has them.
#include "python/native/csmo.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/border.h"
#include "api/training_calls.h"
#include "kernels/engines/row_store.h"
#include "programs/grid/cells.h"
#include "programs/grid/search.h"
#include "solvers/registry.h"
#include "solvers/run/run.h"
#include "training/call.h"
#include "training/check.h"
#include "training/cross_validation.h"
#include "training/problem.h"

// Kernel rows of a search that a training reads.
struct csmo_rows {
  std::unique_ptr<const svm::RowsProblem> problem;  // the engine of the rows refers to it
  svm_parameter param;                              // of the kernel, and cache_size
  svm::Precision precision;
  std::shared_ptr<svm::RowStore> rows;

  // True if a training with these parameters would compute the same rows in this precision.
  bool suit(const svm_parameter& other, svm::Precision other_precision) const {
    return other.kernel_type == param.kernel_type && other.gamma == param.gamma &&
           other.coef0 == param.coef0 && other.degree == param.degree &&
           other.cache_size == param.cache_size && other_precision == precision;
  }
};

namespace {

using svm::grid::Point;

// Rows that are in no fold follow those of the folds, so that every training set has them.
svm::Folds folds_of(const csmo_grid& grid, std::size_t rows) {
  if (grid.folds < 1) throw std::invalid_argument("cross validation needs a fold or more");
  const auto count = static_cast<std::size_t>(grid.folds);
  std::vector<std::vector<std::size_t>> members(count);
  std::vector<std::size_t> others;
  for (std::size_t t = 0; t < rows; ++t) {
    const int fold = grid.fold_of_row[t];
    if (fold < CSMO_NEVER_TESTED || fold >= grid.folds) {
      throw std::invalid_argument("row " + std::to_string(t) + ", from 0, has no such fold");
    }
    (fold == CSMO_NEVER_TESTED ? others : members[static_cast<std::size_t>(fold)]).push_back(t);
  }
  for (const std::vector<std::size_t>& fold : members) {
    if (fold.empty() || fold.size() == rows) {
      throw std::invalid_argument("a fold has no rows, or all of them");
    }
  }
  svm::Folds folds = svm::folds_of(members);
  folds.order.insert(folds.order.end(), others.begin(), others.end());
  return folds;
}

// Throws std::invalid_argument if nu is infeasible for the training set of a fold.
void check_training_sets(const svm::Problem& problem, const svm::Folds& folds,
                         const svm_parameter& param) {
  if (param.svm_type != NU_SVC) return;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const svm::Subset others = svm::rows_of_others(problem, folds, f);
    const svm::Problem training_set = others.problem();
    const char* const fault = svm::check_parameters(training_set, param, training_set.weights);
    if (fault != nullptr) throw std::invalid_argument(fault);
  }
}

// The parameters of a problem whose rows are not all trained on: nu need not be feasible for it.
svm_parameter without_nu(svm_parameter param) {
  if (param.svm_type == NU_SVC) param.nu = std::numeric_limits<double>::min();
  return param;
}

std::vector<Point> points_of(const csmo_grid& grid) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < grid.count; ++i) {
    const csmo_grid_point& point = grid.points[i];
    if (!(point.C > 0 && point.gamma >= 0 && point.p >= 0 && std::isfinite(point.C) &&
          std::isfinite(point.gamma) && std::isfinite(point.p))) {
      throw std::invalid_argument("point " + std::to_string(i) +
                                  " of the grid, from 0: C must be > 0, gamma and p >= 0");
    }
    points.push_back({std::log2(point.C), std::log2(point.gamma), std::log2(point.p),
                      svm::grid::PointValues{point.C, point.gamma, point.p}});
  }
  if (points.empty()) throw std::invalid_argument("the grid has no points");
  return points;
}

svm::Responses responses_of(const csmo_grid& grid) {
  return {static_cast<std::size_t>(std::max(grid.values, 0)), grid.every_fold != 0};
}

// Removes duplicates, so that each point is evaluated once.
std::vector<Point> unique(const std::vector<Point>& points) {
  std::vector<Point> result;
  for (const Point& point : points) {
    if (std::find(result.begin(), result.end(), point) == result.end()) result.push_back(point);
  }
  return result;
}

// Evaluates the points by a search of all rows, or of cells.
template <typename AnySearch>
void evaluate(AnySearch& search, const std::vector<Point>& points, double* results,
              csmo_watch* watch) {
  search.evaluate(unique(points), [&](const Point& point, const std::vector<double>& finished) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!(points[i] == point)) continue;
      std::copy(finished.begin(), finished.end(), results + i * finished.size());
    }
    if (watch != nullptr) watch->points = watch->points + 1;
  });
}

// Returns the kernel rows that are kept, if any.
std::unique_ptr<csmo_rows> search(const svm_rows& rows, const double* y, const svm_parameter& param,
                                  const svm_options* options, const csmo_grid& grid,
                                  double* results, csmo_watch* watch) {
  if (param.probability != 0) throw std::invalid_argument("no grid of probability estimates");
  const svm_parameter of_all = without_nu(param);
  auto checked = std::make_unique<const svm::RowsProblem>(rows, y, of_all, options);
  const std::vector<Point> points = points_of(grid);
  const svm::Problem problem =
      svm::with_weights(checked->problem(), of_all, svm::row_weights_of(options));
  const svm::grid::SearchSpecification specification{problem,
                                                     param,
                                                     {true, true, param.svm_type == EPSILON_SVR},
                                                     grid.folds,
                                                     grid.warm_start != 0,
                                                     responses_of(grid)};

  svm::Run run(svm::process_messages());
  svm::configure(run, param, options);
  run.options.sorted_classes = true;
  if (specification.warm_start && !svm::has_warm_starts(run.options)) {
    throw std::invalid_argument("warm starts are for the solvers " +
                                svm::solver_names(&svm::SolverEntry::start_point));
  }
  svm::Folds folds = folds_of(grid, rows.rows);
  check_training_sets(problem, folds, param);
  if (grid.cells > 0) {
    if (folds.start.back() < rows.rows) {
      throw std::invalid_argument("cells need all rows to be in folds");
    }
    if (param.kernel_type == PRECOMPUTED) {
      throw std::invalid_argument("cells are not for a precomputed kernel");
    }
    if (grid.values > 0 || grid.every_fold != 0) {
      throw std::invalid_argument("cells give predictions of tested rows only");
    }
    svm::grid::CellSearch cells(specification, folds, static_cast<std::size_t>(grid.cells), run);
    evaluate(cells, points, results, watch);
    return nullptr;
  }
  svm::grid::Search whole(specification, std::move(folds), run);
  evaluate(whole, points, results, watch);
  auto kept = std::make_unique<csmo_rows>();
  kept->param = param;
  kept->param.gamma = points.back().values().gamma;
  kept->precision = svm::kernel_precision(run.options);
  kept->rows = whole.kept_rows(kept->param.gamma);
  if (kept->rows == nullptr) return nullptr;
  kept->problem = std::move(checked);
  return kept;
}

}  // namespace

int csmo_watch_progress(const svm_progress* progress, void* watch) {
  auto* const shared = static_cast<volatile csmo_watch*>(watch);
  const_cast<csmo_watch*>(shared)->progress = *progress;
  return shared->cancel;
}

int csmo_grid_search(const svm_rows* rows, const double* y, const svm_parameter* param,
                     const svm_options* options, const csmo_grid* grid, double* results,
                     csmo_watch* watch, csmo_rows** kept) {
  if (kept != nullptr) *kept = nullptr;
  return svm::guarded("csmo_grid_search", -1, [&] {
    const auto folds = static_cast<std::size_t>(std::max(grid->folds, 1));
    std::fill_n(results, grid->count * responses_of(*grid).size(rows->rows, folds),
                std::numeric_limits<double>::quiet_NaN());
    std::unique_ptr<csmo_rows> found = search(*rows, y, *param, options, *grid, results, watch);
    if (kept != nullptr) *kept = found.release();
    return 0;
  });
}

void csmo_free_rows(csmo_rows* kept) { const std::unique_ptr<csmo_rows> owned(kept); }

svm_model* csmo_train(const svm_rows* rows, const double* y, const svm_parameter* param,
                      const svm_options* options, const csmo_rows* kept, svm_result* result) {
  return svm::guarded_model("csmo_train", [&] {
    const svm::RowsProblem checked(*rows, y, *param, options);
    svm::CallRun run(*param, options, result);
    run.options.sorted_classes = true;
    if (kept != nullptr && kept->suit(*param, svm::kernel_precision(run.options))) {
      run.services.shared_rows = kept->rows;
    }
    return run.train_rows(checked, *param);
  });
}
