#include "programs/grid/search.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <utility>

#include "base/platform/index_range.h"
#include "solvers/registry.h"
#include "training/cross_validation.h"
#include "training/random.h"
#include "training/sharing.h"
#include "training/tasks.h"
#include "training/train.h"

namespace svm::grid {
namespace {

// Up to this number of rows, and always in a judged search, all points of a gamma are evaluated
// together.
constexpr std::size_t kSmall = 20000;
// Gammas of a judged search at a time: many, so that threads have work in each round, but no more
// than can share the memory if kernel rows are kept.
constexpr std::size_t kGammasAtOnce = 4, kGammasInMemory = 2;
constexpr std::size_t kRowsOfGammas = 160000;  // of all these gammas, at most
constexpr double kSharedPart = 0.75;           // part of the memory that is for shared kernel rows

// The bound of a draw whose remainders give draws with other bounds.
constexpr std::uint32_t kWholeDraw = std::uint32_t{1} << 31U;

}  // namespace

int FirstDraws::at(std::size_t place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (draws_.size() <= place) {
    draws_.push_back(source_(kWholeDraw));
  }
  return draws_[place];
}

svm_parameter SearchSpecification::at(const Point& point) const {
  svm_parameter result = param;
  const PointValues values = point.values();
  if (axes.c) result.C = values.cost;
  if (axes.g) result.gamma = values.gamma;
  if (axes.p) result.p = values.tube;
  return result;
}

// What the points of one gamma share. Exists from the first to the last of them.
struct Search::Kernel {
  svm_parameter param;
  std::shared_ptr<RowStore> rows;
  std::unique_ptr<CostPath> path;
  std::size_t units = 0, units_left = 0;
  std::vector<std::size_t> done_of_fold;  // units whose fold is done
  bool is_last = false;                   // its rows stay, for a training of all rows

  void unit_done() {
    if (--units_left > 0) return;
    path.reset();
    if (!is_last) rows.reset();
  }
};

// Points that are evaluated together, fold by fold.
struct Search::Unit {
  std::shared_ptr<Kernel> kernel;
  std::vector<Point> points;
  std::size_t place = 0;  // number of units of the gamma before it
  std::vector<std::vector<double>> predictions;
  std::size_t folds_left = 0;
  std::vector<std::size_t> folds_of;  // number of finished folds of each point, if there is a judge
};

Search::Search(const SearchSpecification& specification, Folds folds, Run& run)
    : specification_(specification),
      run_(run),
      draws_(std::make_shared<FirstDraws>(run.services.draw)),
      folds_(std::move(folds)) {}

Search::Search(const SearchSpecification& specification, Run& run)
    : Search(specification, Folds(), run) {
  Run drawing(run.services.messages);
  drawing.services.draw = fresh_draws();
  folds_ = make_folds(specification_.problem, specification_.param, specification_.folds, drawing);
}

Search::~Search() = default;

Draw Search::fresh_draws() const {
  return remainders_of(
      [draws = draws_, place = std::size_t{0}]() mutable { return draws->at(place++); });
}

std::vector<Search::Unit> Search::make_units(const std::vector<Point>& points, bool is_judged) {
  std::vector<Unit> units;
  const bool is_small = specification_.problem.size() <= kSmall;
  for (std::vector<Point>& of_gamma : by_gamma(points)) {
    const auto kernel = std::make_shared<Kernel>();
    kernel->param = specification_.at(of_gamma.front());
    kernel->done_of_fold.assign(folds_.size(), 0);
    const bool together = (is_small || is_judged) && specification_.param.probability == 0;
    const std::size_t step = together ? of_gamma.size() : 1;
    for (std::size_t first = 0; first < of_gamma.size(); first += step) {
      Unit unit;
      unit.kernel = kernel;
      for (std::size_t i = first; i < first + step; ++i) unit.points.push_back(of_gamma[i]);
      unit.place = kernel->units++;
      unit.folds_left = folds_.size();
      ++kernel->units_left;
      units.push_back(std::move(unit));
    }
  }
  return units;
}

bool Search::evaluate(const std::vector<Point>& points, const Finished& finished, Adaptive* judge) {
  if (points.empty()) return !run_.interrupted();
  last_.reset();
  std::vector<Unit> units = make_units(points, judge != nullptr);
  last_ = units.back().kernel;
  last_->is_last = true;
  if (kernels_ == nullptr) {
    std::set<double> gammas;
    for (const Point& point : points) gammas.insert(point.values().gamma);
    kernels_ = std::make_unique<GammaKernels>(
        specification_.problem.x,
        rows_by_class_and_fold(specification_.problem, specification_.param, folds_), gammas.size(),
        kSharedPart * cache_bytes(specification_.param));
  }
  // This precedes the threads, because the first kernel decides how the memory is used.
  if (!open(units.front(), run_, false)) return false;
  if (judge != nullptr) {
    run_judged(units, finished, *judge);
  } else if (specification_.param.probability != 0) {
    run_with_estimates(units, finished);
  } else {
    const std::size_t folds = folds_.size();
    run_tasks(run_, units.size() * folds, no_shuffles, [&](std::size_t task, Run& task_run) {
      run_unit_fold(units[task / folds], task % folds, task_run, finished);
      return !task_run.interrupted();
    });
  }
  return !run_.interrupted();
}

// If it `keeps_rows`, it also computes all kernel rows of the gamma that can be kept, together with
// other threads that call this.  Returns false if the run was stopped meanwhile.
bool Search::open(Unit& unit, Run& run, bool keeps_rows) {
  Kernel& kernel = *unit.kernel;
  const GoOn go_on = [&run] { return run.poll(); };
  try {
    std::unique_lock<std::mutex> lock(mutex_);
    if (kernel.path == nullptr) {
      if (!works_on_examples(run_)) {
        std::shared_ptr<const RowEngine> engine = kernels_->engine(kernel.param, run_, go_on);
        const bool keeps = are_worth_keeping(*engine);
        kernel.rows = std::make_shared<RowStore>(std::move(engine), kernels_->order(),
                                                 kernels_->budget(), keeps, go_on);
        kernel.rows->set_extent(kernels_->extent());
      }
      kernel.path =
          std::make_unique<CostPath>(specification_.problem, kernel.param, folds_, kernel.rows,
                                     specification_.warm_start, specification_.responses);
    }
    if (unit.predictions.empty() && specification_.param.probability == 0) {
      const std::size_t size =
          specification_.responses.size(specification_.problem.size(), folds_.size());
      unit.predictions.assign(unit.points.size(),
                              std::vector<double>(size, std::numeric_limits<double>::quiet_NaN()));
    }
    lock.unlock();
    if (keeps_rows && kernel.rows != nullptr) kernel.rows->keep_all(go_on);
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

ModelPtr Search::train(const Point& point) {
  const svm_parameter param = specification_.at(point);
  run_.services.draw = fresh_draws();
  run_.services.shared_rows = kept_rows(param.gamma);
  ModelPtr model = svm::train(specification_.problem, param, run_);
  run_.services.shared_rows = nullptr;
  return model;
}

std::shared_ptr<RowStore> Search::kept_rows(double gamma) const {
  const bool are_kept = last_ != nullptr && last_->param.gamma == gamma && last_->rows != nullptr &&
                        last_->rows->has_all();
  return are_kept ? last_->rows : nullptr;
}

// Predicts a fold at some of the unit's points. Returns false if the run was stopped.
bool Search::train_step(Unit& unit, const Step& step, Run& run) {
  const std::vector<std::size_t>& places = step.points;
  if (!open(unit, run, true)) return false;
  std::vector<CostPoint> points;
  std::vector<std::vector<double>*> predictions;
  for (const std::size_t place : places) {
    const svm_parameter param = specification_.at(unit.points[place]);
    points.push_back({param.C, param.p});
    predictions.push_back(&unit.predictions[place]);
  }
  if (!unit.kernel->path->validate(step.fold, points, predictions, run, step.is_apart)) {
    return false;
  }
  run.services.shared_rows = nullptr;
  return true;
}

// Waits until the fold is done at the points of the gamma before the unit's, from whose solutions
// its trainings may start. Threads begin these first. Returns false if the run was stopped.
bool Search::wait_for_turn(const Unit& unit, std::size_t fold, Run& run) {
  constexpr std::chrono::milliseconds kBetweenPolls{20};
  std::unique_lock<std::mutex> lock(mutex_);
  const auto is_turn = [&] { return unit.kernel->done_of_fold[fold] == unit.place; };
  while (!turn_.wait_for(lock, kBetweenPolls, is_turn)) {
    lock.unlock();
    if (!run.poll()) return false;
    lock.lock();
  }
  return true;
}

void Search::run_unit_fold(Unit& unit, std::size_t fold, Run& run, const Finished& finished) {
  const Step all{fold, index_range(0, unit.points.size())};
  if (!wait_for_turn(unit, fold, run) || !train_step(unit, all, run)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (++unit.kernel->done_of_fold[fold] == unit.kernel->units) unit.kernel->path->finish(fold);
  turn_.notify_all();
  if (--unit.folds_left > 0) return;
  for (std::size_t i = 0; i < unit.points.size(); ++i) {
    finished(unit.points[i], unit.predictions[i]);
  }
  unit.predictions.clear();
  unit.kernel->unit_done();
}

void Search::run_judged(std::vector<Unit>& units, const Finished& finished, Adaptive& judge) {
  const std::shared_ptr<RowBudget> budget = kernels_->budget();
  const bool keeps_rows = budget != nullptr && budget->for_rows() > 0;
  const std::size_t rows = std::max<std::size_t>(specification_.problem.size(), 1);
  const std::size_t most = keeps_rows ? kGammasInMemory : kGammasAtOnce;
  const std::size_t at_once = std::clamp<std::size_t>(kRowsOfGammas / rows, 1, most);
  for (std::size_t first = 0; first < units.size(); first += at_once) {
    std::vector<Unit*> block;
    for (std::size_t u = first; u < std::min(first + at_once, units.size()); ++u) {
      units[u].folds_of.assign(units[u].points.size(), 0);
      block.push_back(&units[u]);
    }
    while (run_round(block, finished, judge)) {
    }
    for (Unit* const unit : block) {
      unit->predictions.clear();
      unit->kernel->unit_done();
    }
    if (run_.interrupted()) return;
  }
}

// Returns false if no unit wants to train more or the run was stopped.
bool Search::run_round(const std::vector<Unit*>& units, const Finished& finished, Adaptive& judge) {
  std::vector<std::pair<Unit*, Step>> steps;
  for (Unit* const unit : units) {
    for (Step& step : judge.next(unit->points)) steps.emplace_back(unit, std::move(step));
  }
  if (steps.empty()) return false;
  // Solvers work as in a full search, and in no more memory, even if the steps are few.
  const std::size_t parts = run_.services.parts;
  run_.services.parts = std::max(parts, kMostParts);
  run_tasks(run_, steps.size(), no_shuffles, [&](std::size_t task, Run& task_run) {
    const auto& [unit, step] = steps[task];
    return train_step(*unit, step, task_run);
  });
  run_.services.parts = parts;
  if (run_.interrupted()) return false;
  for (const auto& [unit, step] : steps) {
    const std::vector<std::size_t> rows(
        folds_.order.begin() + static_cast<std::ptrdiff_t>(folds_.start[step.fold]),
        folds_.order.begin() + static_cast<std::ptrdiff_t>(folds_.start[step.fold + 1]));
    for (const std::size_t place : step.points) {
      judge.fold_finished(unit->points[place], rows, unit->predictions[place]);
      if (++unit->folds_of[place] < folds_.size()) continue;
      finished(unit->points[place], unit->predictions[place]);
    }
  }
  return true;
}

// Probability estimates draw random numbers themselves, so each point is a separate cross
// validation.
void Search::run_with_estimates(std::vector<Unit>& units, const Finished& finished) {
  run_tasks(run_, units.size(), no_shuffles, [&](std::size_t task, Run& task_run) {
    Unit& unit = units[task];
    if (!open(unit, task_run, true)) return false;
    task_run.services.shared_rows = unit.kernel->rows;
    task_run.services.draw = fresh_draws();
    const std::vector<double> predictions = cross_validate(
        specification_.problem, specification_.at(unit.points[0]), specification_.folds, task_run);
    task_run.services.shared_rows = nullptr;
    if (task_run.interrupted()) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    finished(unit.points[0], predictions);
    unit.kernel->unit_done();
    return true;
  });
}

}  // namespace svm::grid
