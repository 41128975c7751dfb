#include "training/train.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/platform/float_chars.h"
#include "base/platform/text.h"
#include "model/svm_type.h"
#include "training/binary.h"
#include "training/check.h"
#include "training/machines.h"
#include "training/probability.h"
#include "training/problem.h"
#include "training/sharing.h"
#include "training/start_point.h"
#include "training/tasks.h"

namespace svm {
namespace {

// Returns true, after a warning, if the run was stopped: estimates would be fitted to untrained
// machines.
bool estimates_are_missing(const Run& run) {
  if (run.interrupted()) {
    run.services.messages.warn(
        "WARNING: training was stopped; the model has no probability estimates\n");
  }
  return run.interrupted();
}

// Small class pairs are handed out together, about kRowsTogether rows at a time, as long as that
// makes at least kLeastTasks tasks.
constexpr std::size_t kRowsTogether = 512, kLeastTasks = 32;

std::size_t pairs_together(std::size_t rows, std::size_t classes, std::size_t pairs) {
  const std::size_t rows_of_pair = 2 * rows / std::max<std::size_t>(classes, 1) + 1;
  return std::max<std::size_t>(1, std::min(kRowsTogether / rows_of_pair, pairs / kLeastTasks));
}

// Trains one machine, and tells how that ended.
MachineRecord train_machine(const Problem& problem, const svm_parameter& param,
                            const UpperBounds& costs, Run& run, const ReusedState& reused,
                            Machine& machine) {
  Record& record = run.record;
  const long long before = record.iterations;
  const int status_before = std::exchange(record.status, SVM_CONVERGED);
  machine = train_binary(problem, param, costs, run, reused);
  const int status = std::exchange(record.status, status_before);
  record.note(status);
  return {record.iterations - before, status};
}

// True if the sigmoid falls with the decision value, or contradicts its sign in more than half of
// the rows whose values the machine knows.
bool is_turned_round(const std::vector<double>& kernel_sums, double rho, const Sigmoid& sigmoid) {
  std::size_t against = 0;
  for (const double sum : kernel_sums) {
    const double value = sum - rho;
    if ((value > 0) != (value * sigmoid.slope + sigmoid.offset < 0)) ++against;
  }
  return sigmoid.slope > 0 || 2 * against > kernel_sums.size();
}

const StartPoint* start_of(const std::vector<StartPoint>& starts, std::size_t machine) {
  return starts.empty() ? nullptr : &starts[machine];
}

// Trains the machine of a regression or of one class.
TrainedMachines train_single(const Problem& problem, const svm_parameter& param, Run& run,
                             const std::vector<StartPoint>& starts) {
  const bool needs_width = param.probability != 0 && param.svm_type != ONE_CLASS;
  TrainedMachines trained = {param, {}, std::vector<Machine>(1), std::vector<MachineRecord>(1)};
  std::optional<double> width;
  run_tasks(
      run, needs_width ? 2 : 1,
      [&](std::size_t task) {
        return task == 0 ? no_shuffles(0) : shuffles_of_training(problem, param);
      },
      [&](std::size_t task, Run& task_run) {
        if (task == 0) {
          trained.records[0] = train_machine(problem, param, {}, task_run,
                                             {nullptr, start_of(starts, 0)}, trained.machines[0]);
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

}  // namespace

void print_notes(const svm_parameter& param, const Run& run) {
  if (run.interrupted()) return;
  const auto note = [&run](const std::string& text) { run.services.messages.note(text); };
  // Nobody reads the weights of the other types, which may be uninitialised.
  bool has_weights = param.svm_type != C_SVC && param.nr_weight > 0;
  if (param.svm_type == NU_SVC && has_weights) {
    has_weights = std::any_of(param.weight, param.weight + param.nr_weight,
                              [](double weight) { return weight != 1; });
  }
  if (has_weights) note("class weights have an effect on C-SVC only");
  if ((run.record.notes & kAsymmetric) != 0) {
    note("the precomputed kernel matrix is not symmetric, so that no result can be relied on");
  }
  if (run.record.far_violation > 0) {
    const char* const advice =
        ": the result is far from the optimum; scale the features (svm-scale), or try -a csmo";
    note(joined({"smo ended at a KKT violation of ", general_text(run.record.far_violation),
                 ", where the tolerance is ", general_text(param.eps), advice}));
  }
  if ((run.record.notes & kMostlyOutliers) != 0) {
    note(
        "nu is below 1 / rows, and most rows of the training are outliers: a larger nu or a "
        "smaller tolerance may help");
  }
  if ((run.record.notes & kTurnedRound) != 0) {
    note(
        "probability estimates are turned round: the class that decision values predict often "
        "has the smaller probability; there may be too few rows for them");
  }
}

std::vector<std::size_t> shuffles_of_training(const Problem& problem, const svm_parameter& param) {
  if (param.probability == 0 || param.svm_type == ONE_CLASS) return {};
  if (is_regression(param.svm_type)) return {problem.size()};
  const Classes classes = group_classes(problem);
  std::vector<std::size_t> sizes;
  for_each_pair(classes.size(), [&](std::size_t, std::size_t a, std::size_t b) {
    sizes.push_back(classes.count[a] + classes.count[b]);
  });
  return sizes;
}

ModelPtr train(const Problem& rows, const svm_parameter& param, Run& run) {
  if (rows.l < 1) throw std::invalid_argument("there are no rows to train on");
  const Problem problem = with_weights(rows, param, run.options.row_weights);
  std::vector<StartPoint> starts;
  if (run.options.init != nullptr) {
    starts = start_points(problem, param, *run.options.init, run.options.sorted_classes);
  }
  std::optional<Subset> positive;
  if (has_zero_weight(problem)) {
    // All rows of a precomputed kernel are checked here, so that messages have their numbers.
    share_rows(problem.x, problem.x.numbers(problem.size()), param, 1, run);
    positive.emplace(positive_rows(problem));
  }
  const Problem training_set = positive ? positive->problem() : problem;
  TrainedMachines trained = train_machines(training_set, param, run, starts);
  run.machines = std::move(trained.records);
  print_notes(param, run);
  return SupportVectors(training_set, trained).to_model();
}

TrainedMachines train_machines(const Problem& problem, const svm_parameter& param, Run& run,
                               const std::vector<StartPoint>& starts) {
  if (!is_classification(param.svm_type)) return train_single(problem, param, run, starts);
  TrainedMachines trained = {param, group_classes(problem, run.options.sorted_classes), {}, {}};
  const Classes& classes = trained.classes;
  if (classes.size() == 1) {
    run.services.messages.print(
        "WARNING: training data in only one class. See README for details.\n");
  }
  const std::vector<double> costs = class_costs(classes, param, run.services.messages);
  const char* const fault = param.svm_type == C_SVC ? cost_fault(costs) : nullptr;
  if (fault != nullptr) throw std::invalid_argument(fault);
  const bool probability = param.probability != 0;
  const std::size_t pairs = pair_count(classes.size());
  trained.machines.resize(pairs);
  trained.records.resize(std::min(pairs, run.options.problem_room));
  trained.slopes.resize(probability ? std::max<std::size_t>(pairs, 1) : 0);
  trained.offsets.resize(trained.slopes.size());
  const auto shuffles_of_pair = [&](std::size_t number) {
    const auto [a, b] = pair_of(classes.size(), number);
    return probability ? std::vector<std::size_t>{classes.count[a] + classes.count[b]}
                       : no_shuffles(number);
  };
  // The pairs of a class use different stretches of its rows, so that sharing gains little; the
  // five folds of a probability fit use the same values five times.
  const std::size_t uses = probability ? 5 : 2;
  if (pairs > 0) {
    share_rows(problem.x, problem.x.numbers(problem.size()), param,
               pairs > 1 || probability ? uses : 1, run);
  }
  const std::unique_ptr<PairRows> shared_pairs = share_pairs(problem, classes, param, run);
  svm_parameter pair_param = param;
  if (shared_pairs) pair_param.cache_size -= static_cast<double>(shared_pairs->bytes()) / kMegabyte;
  const std::size_t together = pairs_together(problem.size(), classes.size(), pairs);
  const auto train_pair = [&](std::size_t number, Run& pair_run) {
    const auto [first, second] = pair_of(classes.size(), number);
    const std::size_t a = first, b = second;
    pair_run.poll();
    const Subset pair_rows = rows_of_pair(problem, classes, a, b);
    const Problem pair = pair_rows.problem();
    const UpperBounds pair_costs = {costs[a], costs[b]};
    std::vector<double> kernel_sums;
    const auto shuffles_of_task = [&](std::size_t task) {
      return task == 0 ? shuffles_of_pair(number) : no_shuffles(task);
    };
    const auto run_task = [&](std::size_t task, Run& task_run) {
      if (!probability || task == 1) {
        ReusedState reused = {nullptr, start_of(starts, number)};
        const auto fill_rows = [&](const std::vector<std::uint32_t>& order, float* const* rows) {
          return shared_pairs->fill(
              a, b, [&task_run] { return task_run.poll(); }, order, rows);
        };
        if (shared_pairs) reused.fill_rows = std::cref(fill_rows);
        reused.puts_off = together == 1;  // small pairs need nearly all rows
        if (probability) reused.kernel_sums = &kernel_sums;
        const MachineRecord record =
            train_machine(pair, pair_param, pair_costs, task_run, reused, trained.machines[number]);
        if (number < trained.records.size()) trained.records[number] = record;
      } else if (!task_run.interrupted()) {
        const Sigmoid sigmoid = pair_sigmoid(pair, param, pair_costs, task_run);
        trained.slopes[number] = sigmoid.slope;
        trained.offsets[number] = sigmoid.offset;
      }
      return true;
    };
    run_tasks(pair_run, probability ? 2 : 1, std::cref(shuffles_of_task), std::cref(run_task));
    if (shared_pairs) shared_pairs->release(a, b);
    if (probability && !pair_run.interrupted()) {
      const Sigmoid sigmoid = {trained.slopes[number], trained.offsets[number]};
      if (is_turned_round(kernel_sums, trained.machines[number].rho, sigmoid)) {
        pair_run.record.notes |= kTurnedRound;
      }
    }
    return true;
  };
  run_tasks(run, pairs, shuffles_of_pair, train_pair, together);
  run.services.messages.print("Total nSV = " + std::to_string(support_vectors(problem, trained)) +
                              "\n");
  if (probability && estimates_are_missing(run)) trained.slopes = trained.offsets = {};
  return trained;
}

}  // namespace svm
