#include "training/train.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/svm_type.h"
#include "training/binary.h"
#include "training/classes.h"
#include "training/init.h"
#include "training/machines.h"
#include "training/probability.h"
#include "training/sharing.h"
#include "training/tasks.h"
#include "training/weights.h"

namespace svm {
namespace {

// After a stop, estimates would be fitted to machines that were not trained.
bool estimates_are_missing(const Run& run) {
  if (run.interrupted()) {
    run.services.messages.warn(
        "WARNING: training was stopped; the model has no probability estimates\n");
  }
  return run.interrupted();
}

// Where the binary problems start; none if all start as usual.
using Starts = std::vector<StartPoint>;

const StartPoint* start_of(const Starts& starts, std::size_t number) {
  return starts.empty() ? nullptr : &starts[number];
}

// Regression and one-class: a single machine.
TrainedMachines train_single(const Problem& problem, const Starts& starts,
                             const svm_parameter& param, Run& run) {
  const bool needs_width = param.probability != 0 && param.svm_type != ONE_CLASS;
  TrainedMachines trained = {param, {}, std::vector<Machine>(1)};
  std::optional<double> width;
  run_tasks(
      run, needs_width ? 2 : 1, [&](std::size_t task) { return task == 0 ? 0 : problem.size(); },
      [&](std::size_t task, Run& task_run) {
        if (task == 0) {
          trained.machines[0] = train_binary(problem, param, {0, 0, problem.weights}, task_run,
                                             {nullptr, start_of(starts, 0)});
        } else {
          width = regression_error_width(problem, param, task_run);
        }
        return !task_run.interrupted();
      });
  if (param.probability != 0 && param.svm_type == ONE_CLASS) {
    std::vector<double> marks;
    if (!run.interrupted()) {
      marks = one_class_marks(problem, SupportVectors(problem, trained).view(), run);
    }
    if (!estimates_are_missing(run)) trained.marks = std::move(marks);
  } else if (needs_width && !estimates_are_missing(run) && width) {
    trained.slopes = {*width};
  }
  return trained;
}

// The machines of all pairs, and their sigmoids if probabilities are asked for.
void train_pairs(const Problem& problem, const Starts& starts, TrainedMachines& trained, Run& run) {
  const svm_parameter& param = trained.param;
  const Classes& classes = trained.classes;
  const std::vector<double> costs = class_costs(classes, param, run.services.messages);
  const bool probability = param.probability != 0;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for_each_pair(classes.size(),
                [&](std::size_t, std::size_t a, std::size_t b) { pairs.emplace_back(a, b); });
  trained.machines.resize(pairs.size());
  trained.slopes.resize(probability ? std::max<std::size_t>(pairs.size(), 1) : 0);
  trained.offsets.resize(trained.slopes.size());
  const auto count_pair_draws = [&](std::size_t number) {
    const auto [a, b] = pairs[number];
    return probability ? classes.count[a] + classes.count[b] : 0;
  };
  // All pairs of a class together ask for little more than one row over all data; the folds of a
  // probability fit ask for the same values again and again.
  const std::size_t uses = probability ? 5 : 2;
  if (!pairs.empty()) {
    share_rows(problem.x, problem.x.numbers(problem.size()), param,
               pairs.size() > 1 || probability ? uses : 1, run);
  }
  run_tasks(run, pairs.size(), count_pair_draws, [&](std::size_t number, Run& pair_run) {
    const auto [a, b] = pairs[number];
    pair_run.poll();
    const Subset pair_rows = rows_of_pair(problem, classes, a, b);
    pair_run.poll();
    const Problem pair = pair_rows.problem();
    const Costs pair_costs = {costs[a], costs[b], pair.weights};
    const auto estimate = [&](Run& task_run) {
      if (task_run.interrupted()) return;
      const Sigmoid sigmoid = pair_sigmoid(pair, param, pair_costs, task_run);
      trained.slopes[number] = sigmoid.slope;
      trained.offsets[number] = sigmoid.offset;
    };
    run_tasks(
        pair_run, probability ? 2 : 1,
        [&](std::size_t task) { return task == 0 ? count_pair_draws(number) : 0; },
        [&](std::size_t task, Run& task_run) {
          if (probability && task == 0) {
            estimate(task_run);
          } else {
            trained.machines[number] = train_binary(pair, param, pair_costs, task_run,
                                                    {nullptr, start_of(starts, number)});
          }
          return true;
        });
    return true;
  });
}

std::size_t count_support_vectors(const Problem& problem, const TrainedMachines& trained) {
  std::size_t count = 0;
  for (const char is_used : used_rows(problem, trained)) count += is_used != 0 ? 1 : 0;
  for (const Machine& machine : trained.machines) count += machine.own_row.empty() ? 0 : 1;
  return count;
}

// One-vs-one.
TrainedMachines train_classifier(const Problem& problem, const Starts& starts,
                                 const svm_parameter& param, Run& run) {
  TrainedMachines trained = {param, group_classes(problem, run.options.sorted_classes), {}};
  if (trained.classes.size() == 1) {
    run.services.messages.print(
        "WARNING: training data in only one class. See README for details.\n");
  }
  train_pairs(problem, starts, trained, run);
  run.services.messages.print(
      "Total nSV = " + std::to_string(count_support_vectors(problem, trained)) + "\n");
  if (param.probability != 0 && estimates_are_missing(run)) trained.slopes = trained.offsets = {};
  return trained;
}

TrainedMachines train_from(const Problem& problem, const Starts& starts, const svm_parameter& param,
                           Run& run) {
  switch (param.svm_type) {
    case ONE_CLASS:
    case EPSILON_SVR:
    case NU_SVR:
      return train_single(problem, starts, param, run);
    default:
      return train_classifier(problem, starts, param, run);
  }
}

ModelPtr train_model(const Problem& problem, const Starts& starts, const svm_parameter& param,
                     Run& run) {
  const TrainedMachines trained = train_from(problem, starts, param, run);
  return SupportVectors(problem, trained).to_model();
}

}  // namespace

std::size_t count_draws(const Problem& problem, const svm_parameter& param) {
  if (param.probability == 0 || param.svm_type == ONE_CLASS) return 0;
  if (is_regression(param.svm_type)) return problem.size();
  // Every row is in a pair with each other class.
  return (group_classes(problem).size() - 1) * problem.size();
}

ModelPtr train(const Problem& rows, const svm_parameter& param, Run& run) {
  if (rows.l < 1) throw std::invalid_argument("there are no rows to train on");
  const Problem problem = with_weights(rows, param, run.options.row_weights);
  Starts starts;
  if (run.options.init != nullptr) {
    starts = start_points(problem, param, *run.options.init, run.options.sorted_classes);
  }
  if (!has_zero_weight(problem)) return train_model(problem, starts, param, run);
  // All rows of a precomputed kernel are checked here, so that a message has their numbers.
  share_rows(problem.x, problem.x.numbers(problem.size()), param, 1, run);
  const Subset counted = positive_rows(problem);
  return train_model(counted.problem(), starts, param, run);
}

TrainedMachines train_machines(const Problem& problem, const svm_parameter& param, Run& run) {
  return train_from(problem, {}, param, run);
}

}  // namespace svm
