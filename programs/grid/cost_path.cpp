#include "programs/grid/cost_path.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/platform/index_range.h"
#include "model/predictor.h"
#include "model/svm_type.h"
#include "programs/grid/shared_prediction.h"
#include "solvers/registry.h"
#include "training/binary.h"
#include "training/cross_validation.h"
#include "training/sharing.h"
#include "training/tasks.h"

namespace svm {
namespace {

// True if the machines are finite sums over rows of the problem.
bool may_share_rows(const std::vector<Machine>& machines) {
  for (const Machine& machine : machines) {
    if (machine.own_row != nullptr) return false;
    for (const double coefficient : machine.coefficients) {
      if (!std::isfinite(coefficient)) return false;
    }
  }
  return true;
}

std::vector<ModelView> views_of(const std::vector<SupportVectors>& models) {
  std::vector<ModelView> views;
  views.reserve(models.size());
  for (const SupportVectors& model : models) views.push_back(model.view());
  return views;
}

// True if kernel values as in training are as good as those of predictions.
bool is_exact_enough(const Problem& problem, const KernelFunction& kernel) {
  if (kernel.type == PRECOMPUTED) return false;  // need not be symmetric
  if (kernel.type != RBF) return true;           // both have the same form
  double largest = 0;
  for (int t = 0; t < problem.l; ++t) {
    const DataRow row = problem.x[static_cast<std::size_t>(t)];
    const double norm = dot(row, row);
    if (!std::isfinite(norm)) return false;
    largest = std::max(largest, norm);
  }
  return !kernel.is_rounded(largest);
}

}  // namespace

// A fold of one call of validate().
struct CostPath::Fold {
  Fold(const Problem& problem, const Folds& folds, std::size_t fold, const svm_parameter& param,
       const std::vector<CostPoint>& all_points, bool sorted_classes)
      : number(fold),
        others(rows_of_others(problem, folds, fold)),
        training_set(others.problem()),
        points(all_points),
        params(all_points.size(), param),
        machines(all_points.size()) {
    for (std::size_t c = 0; c < points.size(); ++c) {
      params[c].C = points[c].cost;
      params[c].p = points[c].tube;
    }
    if (is_classification(param.svm_type)) {
      classes = group_classes(training_set, sorted_classes);
    }
  }

  std::size_t number;
  const Subset others;
  const Problem training_set;
  Classes classes;  // empty unless it is a classification
  const std::vector<CostPoint>& points;
  std::vector<svm_parameter> params;  // by point
  // By point and part.  Machines of points before `from` are freed, except those of the last one.
  std::vector<std::vector<Machine>> machines;
  std::size_t from = 0, to = 0;  // the current points are from ... to - 1
  std::vector<State>* states = nullptr;
};

// A binary problem of a fold: two classes, or the whole training set.
struct CostPath::Part {
  std::size_t number = 0;
  std::size_t a = 0, b = 0;                          // classes
  std::vector<double> cost_positive, cost_negative;  // C of both labels at each point
};

CostPath::CostPath(const Problem& problem, const svm_parameter& param, const Folds& folds,
                   std::shared_ptr<RowStore> rows, bool warm_start, Responses responses)
    : problem_(problem),
      param_(param),
      folds_(folds),
      rows_(std::move(rows)),
      warm_start_(warm_start),
      responses_(responses),
      rows_decide_(rows_ != nullptr && responses.values == 0 && !is_regression(param.svm_type) &&
                   is_exact_enough(problem, KernelFunction(param))),
      states_(folds.size()) {}

bool CostPath::validate(std::size_t number, const std::vector<CostPoint>& points,
                        const std::vector<std::vector<double>*>& predictions, Run& run,
                        bool is_apart) {
  run.services.shared_rows = rows_;
  Fold fold(problem_, folds_, number, param_, points, run.options.sorted_classes);
  const std::vector<Part> parts = parts_of(fold, run);
  if (responses_.values > 0 && responses_.values != parts.size()) {
    throw std::invalid_argument("the models of fold " + std::to_string(number) + ", from 0, have " +
                                std::to_string(parts.size()) + " decision values for a row, not " +
                                std::to_string(responses_.values));
  }
  std::vector<State> own_states;
  fold.states = is_apart ? &own_states : &states_[number];
  fold.states->resize(parts.size());
  const std::size_t step = points_at_once(fold);
  for (; fold.from < points.size(); fold.from = fold.to) {
    fold.to = std::min(fold.from + step, points.size());
    for (std::size_t c = fold.from; c < fold.to; ++c) fold.machines[c].resize(parts.size());
    if (is_classification(param_.svm_type)) {
      run_tasks(run, parts.size(), no_shuffles, [&](std::size_t part, Run& part_run) {
        train_part(fold, parts[part], part_run);
        return true;
      });
    } else {
      train_part(fold, parts[0], run);
    }
    if (run.interrupted() || !predict(fold, predictions, run)) return false;
    const std::size_t kept = fold.to - 1;  // see stays()
    for (std::size_t c = fold.from > 0 ? fold.from - 1 : 0; c < kept; ++c) fold.machines[c] = {};
  }
  return true;
}

// Limits the memory for coefficients.  At each point, an example has one for each of the other
// classes, both in the machines and in the model.
std::size_t CostPath::points_at_once(const Fold& fold) const {
  constexpr double kPartOfMemory = 0.15;
  const std::size_t of_an_example = std::max(fold.classes.size(), std::size_t{2}) - 1;
  const double of_a_point =
      2.0 * sizeof(double) * static_cast<double>(of_an_example * fold.others.size());
  const double fit = kPartOfMemory * cache_bytes(param_) / of_a_point;
  const std::size_t points = fold.points.size();
  if (fit >= static_cast<double>(points)) return points;
  const std::size_t most = std::max(static_cast<std::size_t>(fit), std::size_t{1});
  const std::size_t parts = (points + most - 1) / most;
  return (points + parts - 1) / parts;
}

std::vector<CostPath::Part> CostPath::parts_of(const Fold& fold, Run& run) const {
  const std::size_t points = fold.points.size();
  std::vector<Part> parts;
  if (!is_classification(param_.svm_type)) {
    parts.emplace_back();
    for (const CostPoint& point : fold.points) parts[0].cost_positive.push_back(point.cost);
    if (param_.svm_type == ONE_CLASS) parts[0].cost_positive.assign(points, 1);
    parts[0].cost_negative = parts[0].cost_positive;
    return parts;
  }
  for_each_pair(fold.classes.size(), [&](std::size_t pair, std::size_t a, std::size_t b) {
    parts.push_back({pair, a, b, {}, {}});
  });
  for (std::size_t c = 0; c < points; ++c) {
    const std::vector<double> costs =
        class_costs(fold.classes, fold.params[c], run.services.messages);
    for (Part& part : parts) {
      part.cost_positive.push_back(costs[part.a]);
      part.cost_negative.push_back(costs[part.b]);
    }
  }
  return parts;
}

// True if the solution at the point before is one at this point.  If C grows, it stays optimal if
// no coefficient is bounded, and stays the same to the bit if none ever was.
bool CostPath::has_solution(const Fold& fold, std::size_t point, std::size_t part) const {
  if (param_.svm_type != C_SVC && param_.svm_type != EPSILON_SVR) return false;
  const CostPoint &before = fold.points[point - 1], &now = fold.points[point];
  const Machine& machine = fold.machines[point - 1][part];
  return before.tube == now.tube && before.cost <= now.cost &&
         (machine.same_with_larger_cost || (warm_start_ && !machine.has_bounded));
}

void CostPath::train_part(Fold& fold, const Part& part, Run& run) {
  const Subset rows = is_classification(param_.svm_type)
                          ? rows_of_pair(fold.training_set, fold.classes, part.a, part.b)
                          : fold.others;
  const Problem problem = rows.problem();
  std::shared_ptr<const RowEngine> engine;  // null if the solver works on the rows
  if (!works_on_examples(run)) engine = problem_engine(problem, param_, run);
  for (std::size_t c = fold.from; c < fold.to && !run.interrupted(); ++c) {
    Machine& machine = fold.machines[c][part.number];
    if (c > 0 && has_solution(fold, c, part.number)) {
      machine = fold.machines[c - 1][part.number];
    } else {
      train(fold, part, problem, engine, c, run);
    }
  }
}

// Trains at a point; with a warm start, from the solution at another C or, at the first C, from
// the bounds if the solution is likely to be near them.
void CostPath::train(Fold& fold, const Part& part, const Problem& problem,
                     const std::shared_ptr<const RowEngine>& engine, std::size_t point, Run& run) {
  State& state = (*fold.states)[part.number];
  const double bound = part.cost_positive[point];
  const UpperBounds bounds{bound, part.cost_negative[point]};
  std::optional<StartPoint> start;
  if (warm_start_) start = find_start(state, fold, part, point);
  if (warm_start_ && !start && param_.svm_type == C_SVC && problem.weights == nullptr) {
    start = start_at_bounds(*engine, problem, bounds, run);
    if (start->coefficients.empty()) start.reset();
  }
  const svm_parameter& param = fold.params[point];
  Machine& machine = fold.machines[point][part.number];
  std::vector<double> kernel_sums;
  machine = train_binary(problem, param, bounds, run,
                         {engine, start ? &*start : nullptr, nullptr, false, &kernel_sums});
  if (warm_start_ && !run.interrupted()) {
    const bool carried = start && start->has_sums_for(bound);
    remember(state, fold, part, point, machine, std::move(kernel_sums),
             carried ? start->first_bound() : bound);
  }
}

// The solution at a smaller C of the same p.
std::optional<StartPoint> CostPath::find_start(const State& state, const Fold& fold,
                                               const Part& part, std::size_t point) const {
  const CostPoint& now = fold.points[point];
  if (state.start.coefficients.empty() || state.point.tube != now.tube ||
      state.point.cost > now.cost) {
    return std::nullopt;
  }
  StartPoint start = state.start;
  if (state.solves_larger_costs) {
    start.bound_positive = part.cost_positive[point];
    start.bound_negative = part.cost_negative[point];
  }
  return start;
}

void CostPath::remember(State& state, const Fold& fold, const Part& part, std::size_t point,
                        const Machine& machine, std::vector<double> kernel_sums,
                        double sums_bound) const {
  const bool nu = param_.svm_type == NU_SVC;  // whose bounds are not known in advance
  state.start = {machine.coefficients, nu ? 0 : part.cost_positive[point],
                 nu ? 0 : part.cost_negative[point], std::move(kernel_sums), sums_bound};
  state.point = fold.points[point];
  state.solves_larger_costs =
      (param_.svm_type == C_SVC || param_.svm_type == EPSILON_SVR) && !machine.has_bounded;
}

// Gives the machines of the current points the same support vectors, those of all.  Empty if that
// is not possible or of no use.
std::vector<SupportVectors> CostPath::common_vectors(const Fold& fold) const {
  if (!rows_decide_ && !(param_.kernel_type == RBF && fold.to - fold.from > 1)) return {};
  if (is_classification(param_.svm_type) && fold.classes.size() < 2) return {};
  std::vector<char> used(fold.others.size(), 0);
  for (std::size_t c = fold.from; c < fold.to; ++c) {
    if (!may_share_rows(fold.machines[c])) return {};
    mark_used(fold.classes, fold.machines[c], used);
  }
  std::vector<SupportVectors> models;
  for (std::size_t c = fold.from; c < fold.to; ++c) {
    models.emplace_back(fold.training_set.x, fold.params[c], fold.classes, fold.machines[c], used);
  }
  return models;
}

// The rows of the problem to which the machines of a fold respond.
std::vector<std::size_t> CostPath::tested_by(const Fold& fold) const {
  if (responses_.every_fold) return folds_.order;
  const auto begin = folds_.order.begin();
  return {begin + static_cast<std::ptrdiff_t>(folds_.start[fold.number]),
          begin + static_cast<std::ptrdiff_t>(folds_.start[fold.number + 1])};
}

// Sets the responses to the i-th row at the k-th current point, from predictions[k][i * width] on.
// Returns false if the run was stopped.
bool CostPath::predict_by_features(const Fold& fold, const std::vector<SupportVectors>& united,
                                   const std::vector<std::uint32_t>& rows,
                                   std::vector<std::vector<double>>& predictions, Run& run) const {
  const std::size_t count = rows.size();
  const DataRows data = problem_.x.select(rows.data());
  const std::size_t width = responses_.width();
  if (param_.kernel_type == RBF && united.size() > 1) {
    std::vector<double*> targets;
    targets.reserve(predictions.size());
    for (std::vector<double>& values : predictions) targets.push_back(values.data());
    const Predictor predictor(views_of(united), run.services.messages,
                              Predictor::most_bytes_for(count));
    return for_batches(run, count, [&](std::size_t begin, std::size_t end) {
      predictor.predict_by_each(data + begin, end - begin, responses_.values > 0, targets.data());
      for (double*& target : targets) target += (end - begin) * width;
    });
  }
  for (std::size_t c = fold.from; c < fold.to && !run.interrupted(); ++c) {
    std::vector<char> used(fold.others.size(), 0);
    mark_used(fold.classes, fold.machines[c], used);
    const SupportVectors model(fold.training_set.x, fold.params[c], fold.classes, fold.machines[c],
                               used);
    const Predictor predictor(model.view(), run.services.messages,
                              Predictor::most_bytes_for(count));
    for_batches(run, count, [&](std::size_t begin, std::size_t end) {
      double* const to = predictions[c - fold.from].data() + begin * width;
      predictor.predict(
          data + begin, end - begin, false,
          responses_.values > 0 ? PredictionArrays{nullptr, to} : PredictionArrays{to});
    });
  }
  return !run.interrupted();
}

// Predicts by the kernel rows of the trainings if that is certain, else by the features.
bool CostPath::predict(const Fold& fold, const std::vector<std::vector<double>*>& predictions,
                       Run& run) const {
  const std::vector<std::size_t> tested = tested_by(fold);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(tested.size());
  for (const std::size_t t : tested) numbers.push_back(problem_.x.number(t));
  const std::vector<SupportVectors> united = common_vectors(fold);
  const std::size_t points = fold.to - fold.from, width = responses_.width();
  std::vector<double>* const* const wanted = predictions.data() + fold.from;
  const auto write = [&](std::size_t c, std::size_t i, const double* from) {
    const std::size_t place = responses_.place(fold.number, tested[i], problem_.size());
    std::copy_n(from, width, wanted[c]->begin() + static_cast<std::ptrdiff_t>(place));
  };
  std::vector<std::size_t> left = index_range(0, tested.size());
  std::vector<std::vector<double>> values(points, std::vector<double>(tested.size() * width));
  if (rows_decide_ && !united.empty() && is_worth_sharing(united[0].view())) {
    std::vector<double*> targets;
    targets.reserve(values.size());
    for (std::vector<double>& each : values) targets.push_back(each.data());
    left = predict_by_shared_rows(united, numbers, *rows_, run, targets);
    for (std::size_t c = 0; c < points; ++c) {
      for (std::size_t i = 0; i < tested.size(); ++i) write(c, i, &values[c][i]);
    }
  }
  std::vector<std::uint32_t> rows;
  rows.reserve(left.size());
  for (const std::size_t i : left) rows.push_back(numbers[i]);
  if (!rows.empty() && !predict_by_features(fold, united, rows, values, run)) return false;
  for (std::size_t c = 0; c < points; ++c) {
    for (std::size_t k = 0; k < left.size(); ++k) write(c, left[k], &values[c][k * width]);
  }
  return !run.interrupted();
}

}  // namespace svm
