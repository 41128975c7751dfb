#include "training/cost_path.h"

#include <cmath>
#include <utility>

#include "kernels/engines/near_rows.h"
#include "model/batch_prediction.h"
#include "model/svm_type.h"
#include "solvers/registry.h"
#include "training/batches.h"
#include "training/binary.h"
#include "training/models.h"
#include "training/sharing.h"
#include "training/tasks.h"

namespace svm {
namespace {

// They are sums over rows of the problem, and finite.
bool may_share_rows(const std::vector<DecisionFunction>& decisions) {
  for (const DecisionFunction& decision : decisions) {
    if (!decision.own_row.empty()) return false;
    for (const double coefficient : decision.coefficients) {
      if (!std::isfinite(coefficient)) return false;
    }
  }
  return true;
}

// An engine for a problem that is solved at several points, by one thread at a time.  Null where
// the solver needs none.
std::shared_ptr<const RowEngine> engine_for_path(const svm_problem& problem,
                                                 const svm_parameter& param, Run& run) {
  if (works_on_examples(run)) return nullptr;
  std::shared_ptr<const RowEngine> engine = make_engine(problem, param, run);
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  constexpr double kCheapValue = 1;  // nanoseconds: computed as fast as fetched
  if (rows > NearRows::kMostExamples || engine->value_cost() < kCheapValue) return engine;
  return std::make_shared<NearRows>(std::move(engine), rows);
}

}  // namespace

// One fold of a call.
struct CostPath::Fold {
  Fold(const svm_problem& problem, const Folds& folds, std::size_t fold, const svm_parameter& param,
       const std::vector<CostPoint>& all_points)
      : others(rows_of_others(problem, folds, fold)),
        training_set(others.problem()),
        points(all_points),
        params(all_points.size(), param),
        decisions(all_points.size()) {
    for (std::size_t c = 0; c < points.size(); ++c) {
      params[c].C = points[c].cost;
      params[c].p = points[c].tube;
    }
    if (is_classification(param.svm_type)) classes = group_classes(training_set);
  }

  Subset others;
  svm_problem training_set;
  Classes classes;  // of a classification
  const std::vector<CostPoint>& points;
  std::vector<svm_parameter> params;                     // of each point
  std::vector<std::vector<DecisionFunction>> decisions;  // of each point and pair
  std::vector<State>* states = nullptr;
};

CostPath::CostPath(const svm_problem& problem, const svm_parameter& param, const Folds& folds,
                   std::shared_ptr<SharedRows> rows, bool warm_start)
    : problem_(problem),
      param_(param),
      folds_(folds),
      rows_(std::move(rows)),
      warm_start_(warm_start),
      states_(folds.size()) {}

bool CostPath::validate(std::size_t number, const std::vector<CostPoint>& points,
                        const std::vector<std::vector<double>*>& predictions, Run& run) {
  run.services.shared_rows = rows_;
  Fold fold(problem_, folds_, number, param_, points);
  fold.states = &states_[number];
  if (is_classification(param_.svm_type)) {
    train_pairs(fold, run);
  } else {
    train_single(fold, run);
  }
  if (run.stopped()) return false;
  return predict(fold, number, predictions, run);
}

// A larger C changes nothing where no coefficient is at the bound: not the optimum, and where none
// ever was, no bit.
bool CostPath::stays(const Fold& fold, std::size_t point, std::size_t pair) const {
  if (param_.svm_type != C_SVC && param_.svm_type != EPSILON_SVR) return false;
  const CostPoint &before = fold.points[point - 1], &now = fold.points[point];
  const DecisionFunction& decision = fold.decisions[point - 1][pair];
  return before.tube == now.tube && before.cost <= now.cost &&
         (decision.same_with_larger_cost || (warm_start_ && !decision.has_bounded));
}

void CostPath::train_pairs(Fold& fold, Run& run) {
  const Classes& classes = fold.classes;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for_each_pair(classes.size(),
                [&](std::size_t, std::size_t a, std::size_t b) { pairs.emplace_back(a, b); });
  std::vector<std::vector<double>> costs;
  for (std::size_t c = 0; c < fold.points.size(); ++c) {
    fold.decisions[c].resize(pairs.size());
    costs.push_back(class_costs(classes, fold.params[c], run.services.messages));
  }
  fold.states->resize(pairs.size());
  run_tasks(
      run, pairs.size(), [](std::size_t) { return std::size_t{0}; },
      [&](std::size_t number, Run& pair_run) {
        const auto [a, b] = pairs[number];
        Subset rows = rows_of_pair(fold.training_set, classes, a, b);
        const svm_problem pair = rows.problem();
        const std::shared_ptr<const RowEngine> engine = engine_for_path(pair, param_, pair_run);
        State& state = (*fold.states)[number];
        for (std::size_t c = 0; c < fold.points.size() && !pair_run.stopped(); ++c) {
          if (c > 0 && stays(fold, c, number)) {
            fold.decisions[c][number] = fold.decisions[c - 1][number];
            continue;
          }
          ReusedState reused{engine, nullptr};
          if (warm_start_ && !state.start.coefficients.empty() &&
              state.point.cost <= fold.points[c].cost) {
            if (state.solves_larger_costs) {
              state.start.bound_positive = costs[c][a];
              state.start.bound_negative = costs[c][b];
            }
            reused.start = &state.start;
          }
          DecisionFunction decision =
              train_binary(pair, fold.params[c], costs[c][a], costs[c][b], pair_run, reused);
          if (warm_start_) {
            const bool nu = param_.svm_type == NU_SVC;  // its bounds are not known beforehand
            state.start = {decision.coefficients, nu ? 0 : costs[c][a], nu ? 0 : costs[c][b],
                           std::move(decision.kernel_sums)};
            state.point = fold.points[c];
            state.solves_larger_costs = !nu && !decision.has_bounded;
          }
          decision.kernel_sums = {};
          fold.decisions[c][number] = std::move(decision);
        }
        return true;
      });
}

void CostPath::train_single(Fold& fold, Run& run) {
  const std::shared_ptr<const RowEngine> engine = engine_for_path(fold.training_set, param_, run);
  fold.states->resize(1);
  State& state = fold.states->front();
  for (std::size_t c = 0; c < fold.points.size() && !run.stopped(); ++c) {
    const CostPoint& point = fold.points[c];
    if (c > 0 && stays(fold, c, 0)) {
      fold.decisions[c].push_back(fold.decisions[c - 1][0]);
      continue;
    }
    ReusedState reused{engine, nullptr};
    if (warm_start_ && !state.start.coefficients.empty() && state.point.cost <= point.cost &&
        state.point.tube == point.tube) {
      if (state.solves_larger_costs) {
        state.start.bound_positive = state.start.bound_negative = point.cost;
      }
      reused.start = &state.start;
    }
    DecisionFunction decision = train_binary(fold.training_set, fold.params[c], 0, 0, run, reused);
    if (warm_start_) {
      const double bound = param_.svm_type == ONE_CLASS ? 1 : point.cost;
      state.start = {decision.coefficients, bound, bound, std::move(decision.kernel_sums)};
      state.point = point;
      state.solves_larger_costs = param_.svm_type == EPSILON_SVR && !decision.has_bounded;
    }
    decision.kernel_sums = {};
    fold.decisions[c].push_back(std::move(decision));
  }
}

bool CostPath::predict(const Fold& fold, std::size_t number,
                       const std::vector<std::vector<double>*>& predictions, Run& run) const {
  const bool classification = is_classification(param_.svm_type);
  const std::vector<const svm_node*> held_out = rows_of_fold(problem_, folds_, number);
  const std::size_t count = held_out.size();
  const std::size_t points = fold.points.size();
  bool together = param_.kernel_type == RBF && points > 1;
  for (std::size_t c = 0; c < points && together; ++c) together = may_share_rows(fold.decisions[c]);
  if (classification && fold.classes.size() < 2) together = false;

  const auto mark = [&](std::size_t c, std::vector<char>& used) {
    if (classification) {
      mark_used(fold.classes, fold.decisions[c], used);
    } else {
      mark_used(fold.decisions[c][0], used);
    }
  };
  const auto make = [&](std::size_t c, const std::vector<char>& used) {
    return classification
               ? make_classifier(fold.training_set, fold.params[c], fold.classes, fold.decisions[c],
                                 used)
               : make_single(fold.training_set, fold.params[c], fold.decisions[c][0], used);
  };
  std::vector<std::vector<double>> values(points, std::vector<double>(count));
  std::vector<char> used(fold.others.size(), 0);
  if (together) {
    for (std::size_t c = 0; c < points; ++c) mark(c, used);
    std::vector<ModelPtr> models;
    std::vector<const svm_model*> views;
    std::vector<double*> targets;
    for (std::size_t c = 0; c < points; ++c) {
      models.push_back(make(c, used));
      views.push_back(models.back().get());
      targets.push_back(values[c].data());
    }
    const BatchPredictor predictor(views, run.services.messages, count);
    for_batches(run, count, [&](std::size_t begin, std::size_t end) {
      predictor.predict_by_each(held_out.data() + begin, end - begin, targets.data());
      for (double*& target : targets) target += end - begin;
    });
  } else {
    for (std::size_t c = 0; c < points; ++c) {
      used.assign(used.size(), 0);
      mark(c, used);
      const ModelPtr model = make(c, used);
      const BatchPredictor predictor(*model, run.services.messages, count);
      for_batches(run, count, [&](std::size_t begin, std::size_t end) {
        predictor.predict(held_out.data() + begin, end - begin, false, values[c].data() + begin,
                          nullptr);
      });
    }
  }
  if (run.stopped()) return false;
  for (std::size_t c = 0; c < points; ++c) {
    for (std::size_t k = 0; k < count; ++k) {
      (*predictions[c])[folds_.order[folds_.start[number] + k]] = values[c][k];
    }
  }
  return true;
}

}  // namespace svm
