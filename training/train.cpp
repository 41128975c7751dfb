#include "training/train.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model/svm_type.h"
#include "training/binary.h"
#include "training/classes.h"
#include "training/init.h"
#include "training/models.h"
#include "training/probability.h"
#include "training/sharing.h"
#include "training/subset.h"
#include "training/tasks.h"
#include "training/weights.h"

namespace svm {
namespace {

// After a stop, estimates would be fitted to machines that were not trained.
bool estimates_are_missing(const Run& run) {
  if (run.stopped()) {
    run.services.messages.warn(
        "WARNING: training was stopped; the model has no probability estimates\n");
  }
  return run.stopped();
}

// Rows with their weights, all above 0 (null where all are 1), and the starts of their binary
// problems (none where these start as usual).
struct TrainingRows {
  Problem problem;
  const double* weights;
  std::vector<StartPoint> starts;

  const StartPoint* start(std::size_t number) const {
    return starts.empty() ? nullptr : &starts[number];
  }
};

// Regression and one-class: a single decision function.
ModelPtr train_single(const TrainingRows& rows, const svm_parameter& param, Run& run) {
  const Problem& problem = rows.problem;
  const bool needs_width = param.probability != 0 && param.svm_type != ONE_CLASS;
  DecisionFunction decision;
  std::optional<double> width;
  run_tasks(
      run, needs_width ? 2 : 1,
      [&](std::size_t task) { return task == 0 ? 0 : static_cast<std::size_t>(problem.l); },
      [&](std::size_t task, Run& task_run) {
        if (task == 0) {
          decision = train_binary(problem, param, {0, 0, rows.weights}, task_run,
                                  {nullptr, rows.start(0)});
        } else {
          width = regression_error_width(problem, rows.weights, param, task_run);
        }
        return !task_run.stopped();
      });
  std::vector<char> used(decision.coefficients.size(), 0);
  mark_used(decision, used);
  ModelPtr model = make_single(problem, param, decision, used);
  if (param.probability != 0 && param.svm_type == ONE_CLASS) {
    std::vector<double> marks;
    if (!run.stopped()) marks = one_class_marks(problem, *model, run);
    if (!estimates_are_missing(run) && !marks.empty()) {
      model->prob_density_marks = malloc_copy(marks);
    }
  } else if (needs_width && !estimates_are_missing(run) && width) {
    model->probA = malloc_copy<double>({*width});
  }
  return model;
}

// Everything about the pairs that the model is made of.
struct PairwiseResult {
  std::vector<DecisionFunction> decisions;  // of pairs (0,1), (0,2) ... (k-2,k-1)
  std::vector<double> slopes, offsets;      // sigmoids, where probabilities are asked for
};

PairwiseResult train_pairs(const TrainingRows& rows, const svm_parameter& param,
                           const Classes& classes, Run& run) {
  const Problem& problem = rows.problem;
  const std::vector<double> costs = class_costs(classes, param, run.services.messages);
  const bool probability = param.probability != 0;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for_each_pair(classes.size(),
                [&](std::size_t, std::size_t a, std::size_t b) { pairs.emplace_back(a, b); });
  PairwiseResult result;
  result.decisions.resize(pairs.size());
  result.slopes.resize(probability ? pairs.size() : 0);
  result.offsets.resize(result.slopes.size());
  const auto count_pair_draws = [&](std::size_t number) {
    const auto [a, b] = pairs[number];
    return probability ? classes.count[a] + classes.count[b] : 0;
  };
  // All pairs of a class together ask for little more than one row over all data; the folds of a
  // probability fit ask for the same values again and again.
  const std::size_t uses = probability ? 5 : 2;
  if (!pairs.empty()) {
    share_rows(problem.x.copy(static_cast<std::size_t>(problem.l)), param,
               pairs.size() > 1 || probability ? uses : 1, run);
  }
  run_tasks(run, pairs.size(), count_pair_draws, [&](std::size_t number, Run& pair_run) {
    const auto [a, b] = pairs[number];
    pair_run.poll();
    Subset pair_rows = rows_of_pair(problem, rows.weights, classes, a, b);
    pair_run.poll();
    const Problem pair = pair_rows.problem();
    const Costs pair_costs = {costs[a], costs[b], pair_rows.weights()};
    const auto estimate = [&](Run& task_run) {
      if (task_run.stopped()) return;
      const Sigmoid sigmoid = pair_sigmoid(pair, param, pair_costs, task_run);
      result.slopes[number] = sigmoid.slope;
      result.offsets[number] = sigmoid.offset;
    };
    run_tasks(
        pair_run, probability ? 2 : 1,
        [&](std::size_t task) { return task == 0 ? count_pair_draws(number) : 0; },
        [&](std::size_t task, Run& task_run) {
          if (probability && task == 0) {
            estimate(task_run);
          } else {
            result.decisions[number] =
                train_binary(pair, param, pair_costs, task_run, {nullptr, rows.start(number)});
          }
          return true;
        });
    return true;
  });
  return result;
}

// One-vs-one.
ModelPtr train_classifier(const TrainingRows& rows, const svm_parameter& param, Run& run) {
  const Problem& problem = rows.problem;
  const Classes classes = group_classes(problem, run.options.sorted_classes);
  if (classes.size() == 1) {
    run.services.messages.print(
        "WARNING: training data in only one class. See README for details.\n");
  }
  const PairwiseResult pairs = train_pairs(rows, param, classes, run);

  std::vector<char> used(classes.order.size(), 0);
  mark_used(classes, pairs.decisions, used);
  ModelPtr model = make_classifier(problem, param, classes, pairs.decisions, used);
  run.services.messages.print(format("Total nSV = %d\n", model->l));
  if (param.probability != 0 && !estimates_are_missing(run)) {
    model->probA = malloc_copy(pairs.slopes);
    model->probB = malloc_copy(pairs.offsets);
  }
  return model;
}

ModelPtr train_rows(const TrainingRows& rows, const svm_parameter& param, Run& run) {
  switch (param.svm_type) {
    case ONE_CLASS:
    case EPSILON_SVR:
    case NU_SVR:
      return train_single(rows, param, run);
    default:
      return train_classifier(rows, param, run);
  }
}

}  // namespace

std::size_t count_draws(const Problem& problem, const svm_parameter& param) {
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  if (param.probability == 0 || param.svm_type == ONE_CLASS) return 0;
  if (is_regression(param.svm_type)) return rows;
  return (group_classes(problem).size() - 1) *
         rows;  // every row is in a pair with each other class
}

ModelPtr train(const Problem& problem, const svm_parameter& param, Run& run) {
  if (problem.l < 1) throw std::invalid_argument("there are no rows to train on");
  const double* const weights = checked_weights(problem, param, run.options.row_weights);
  std::vector<StartPoint> starts;
  if (run.options.init != nullptr) {
    starts = start_points(problem, weights, param, *run.options.init, run.options.sorted_classes);
  }
  if (!has_zero(weights, static_cast<std::size_t>(problem.l))) {
    return train_rows({problem, weights, std::move(starts)}, param, run);
  }
  // Of a precomputed kernel all rows are checked here, so that a message has their numbers.
  share_rows(problem.x.copy(static_cast<std::size_t>(problem.l)), param, 1, run);
  PositiveRows rows(problem, weights);
  ModelPtr model = train_rows({rows.problem(), rows.weights(), std::move(starts)}, param, run);
  if (model->sv_indices != nullptr) {
    rows.count_all(model->sv_indices, static_cast<std::size_t>(model->l));
  }
  return model;
}

ModelPtr train_part(const Problem& problem, const double* weights, const svm_parameter& param,
                    Run& run) {
  return train_rows({problem, weights, {}}, param, run);
}

}  // namespace svm
