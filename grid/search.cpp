#include "grid/search.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "solvers/solve_dual.h"
#include "training/cost_path.h"
#include "training/cross_validation.h"
#include "training/sharing.h"
#include "training/tasks.h"

namespace svm::grid {
namespace {

// Up to so many rows, all points of a gamma are done together.
constexpr std::size_t kSmall = 20000;
constexpr double kSharedPart = 0.75;  // of the memory for kernel rows

}  // namespace

int FirstDraws::at(std::size_t place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (draws_.size() <= place) {
    draws_.push_back(source_ ? source_() : std::rand());  // NOLINT: LIBSVM's draws
  }
  return draws_[place];
}

svm_parameter SearchSpecification::at(const Point& point) const {
  svm_parameter result = param;
  if (axes.c) result.C = std::exp2(point.log2c);
  if (axes.g) result.gamma = std::exp2(point.log2g);
  if (axes.p) result.p = std::exp2(point.log2p);
  return result;
}

// What the points of one gamma share, made with the first and gone with the last of them.
struct Search::Kernel {
  svm_parameter param;
  std::shared_ptr<SharedRows> rows;
  std::unique_ptr<CostPath> path;
  std::size_t units_left = 0;

  void unit_done() {
    if (--units_left > 0) return;
    path.reset();
    rows.reset();
  }
};

// Points that are done together, fold by fold.
struct Search::Unit {
  std::shared_ptr<Kernel> kernel;
  std::vector<Point> points;
  std::vector<std::vector<double>> predictions;
  std::size_t folds_left = 0;
};

Search::Search(const SearchSpecification& specification, Run& run)
    : specification_(specification),
      run_(run),
      draws_(std::make_shared<FirstDraws>(run.services.draw)) {
  Run drawing(run.services.messages);
  drawing.services.draw = fresh_draws();
  folds_ = make_folds(specification_.problem, specification_.param, specification_.folds, drawing);
  const double rows = specification_.problem.l;
  // Two kernels at a time.  The rows of a precomputed one are there already.
  const double wanted =
      specification_.param.kernel_type == PRECOMPUTED ? 0 : 2 * rows * rows * sizeof(float);
  budget_ = std::make_shared<RowBudget>(static_cast<std::size_t>(
      std::min({kSharedPart * cache_bytes(specification_.param), wanted, 4.0e18})));
}

Search::~Search() = default;

std::function<int()> Search::fresh_draws() const {
  return [draws = draws_, place = std::size_t{0}]() mutable { return draws->at(place++); };
}

std::vector<Search::Unit> Search::make_units(const std::vector<Point>& points) {
  std::vector<double> gammas;
  for (const Point& point : points) {
    if (std::find(gammas.begin(), gammas.end(), point.log2g) == gammas.end()) {
      gammas.push_back(point.log2g);
    }
  }
  const bool small = static_cast<std::size_t>(specification_.problem.l) <= kSmall;
  std::vector<Unit> units;
  for (const double gamma : gammas) {
    std::vector<Point> of_gamma;
    for (const Point& point : points) {
      if (point.log2g == gamma) of_gamma.push_back(point);
    }
    std::sort(of_gamma.begin(), of_gamma.end(), [](const Point& a, const Point& b) {
      return a.log2p != b.log2p ? a.log2p < b.log2p : a.log2c < b.log2c;
    });
    const auto kernel = std::make_shared<Kernel>();
    kernel->param = specification_.at(of_gamma.front());
    const bool together = small && specification_.param.probability == 0;
    const std::size_t step = together ? of_gamma.size() : 1;
    for (std::size_t first = 0; first < of_gamma.size(); first += step) {
      Unit unit;
      unit.kernel = kernel;
      for (std::size_t i = first; i < first + step; ++i) unit.points.push_back(of_gamma[i]);
      unit.folds_left = folds_.size();
      ++kernel->units_left;
      units.push_back(std::move(unit));
    }
  }
  return units;
}

bool Search::look_at(const std::vector<Point>& points, const Finished& finished) {
  std::vector<Unit> units = make_units(points);
  if (specification_.param.probability != 0) {
    run_with_estimates(units, finished);
    return !run_.stopped();
  }
  const bool one_by_one = units.size() > 0 && units.front().points.size() < points.size() &&
                          static_cast<std::size_t>(specification_.problem.l) > kSmall;
  if (!one_by_one) {
    run_units(units, finished);
    return !run_.stopped();
  }
  // A warm start of a fold needs the unit before it, and so do early results.
  for (std::size_t u = 0; u < units.size() && !run_.stopped(); ++u) {
    std::vector<Unit> one;
    one.push_back(std::move(units[u]));
    run_units(one, finished);
  }
  return !run_.stopped();
}

// False where the run was stopped meanwhile.
bool Search::open(Unit& unit, Run& run) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Kernel& kernel = *unit.kernel;
  if (kernel.path == nullptr) {
    if (!works_on_examples(run_)) {
      const auto count = static_cast<std::size_t>(specification_.problem.l);
      const GoOn go_on = [&run] { return run.poll(); };
      try {
        kernel.rows =
            std::make_shared<SharedRows>(make_engine(run_.options, KernelFunction(kernel.param),
                                                     specification_.problem.x, count, go_on),
                                         specification_.problem.x, count, budget_, go_on);
      } catch (const Interrupted&) {
        return false;
      }
    }
    kernel.path = std::make_unique<CostPath>(specification_.problem, kernel.param, folds_,
                                             kernel.rows, specification_.warm_start);
  }
  if (unit.predictions.empty()) {
    unit.predictions.assign(unit.points.size(),
                            std::vector<double>(static_cast<std::size_t>(specification_.problem.l),
                                                std::numeric_limits<double>::quiet_NaN()));
  }
  return true;
}

void Search::run_units(std::vector<Unit>& units, const Finished& finished) {
  const std::size_t folds = folds_.size();
  run_tasks(
      run_, units.size() * folds, [](std::size_t) { return std::size_t{0}; },
      [&](std::size_t task, Run& task_run) {
        run_unit_fold(units[task / folds], task % folds, task_run, finished);
        return !task_run.stopped();
      });
}

void Search::run_unit_fold(Unit& unit, std::size_t fold, Run& run, const Finished& finished) {
  if (!open(unit, run)) return;
  std::vector<CostPoint> points;
  std::vector<std::vector<double>*> predictions;
  for (std::size_t i = 0; i < unit.points.size(); ++i) {
    const svm_parameter param = specification_.at(unit.points[i]);
    points.push_back({param.C, param.p});
    predictions.push_back(&unit.predictions[i]);
  }
  if (!unit.kernel->path->validate(fold, points, predictions, run)) return;
  run.services.shared_rows = nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (--unit.folds_left > 0) return;
  for (std::size_t i = 0; i < unit.points.size(); ++i) {
    finished(unit.points[i], unit.predictions[i]);
  }
  unit.predictions.clear();
  unit.kernel->unit_done();
}

// Estimates take draws of their own, so each point is a cross validation by itself.
void Search::run_with_estimates(std::vector<Unit>& units, const Finished& finished) {
  run_tasks(
      run_, units.size(), [](std::size_t) { return std::size_t{0}; },
      [&](std::size_t task, Run& task_run) {
        Unit& unit = units[task];
        if (!open(unit, task_run)) return false;
        task_run.services.shared_rows = unit.kernel->rows;
        task_run.services.draw = fresh_draws();
        const std::vector<double> predictions =
            cross_validate(specification_.problem, specification_.at(unit.points[0]),
                           specification_.folds, task_run);
        task_run.services.shared_rows = nullptr;
        if (task_run.stopped()) return false;
        const std::lock_guard<std::mutex> lock(mutex_);
        finished(unit.points[0], predictions);
        unit.kernel->unit_done();
        return true;
      });
}

}  // namespace svm::grid
