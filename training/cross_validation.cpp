#include "training/cross_validation.h"

#include <cstddef>
#include <limits>
#include <stdexcept>

#include "base/platform/text.h"
#include "model/svm_type.h"
#include "solvers/run/messages.h"
#include "training/check.h"
#include "training/random.h"
#include "training/sharing.h"
#include "training/tasks.h"
#include "training/train.h"

namespace svm {
namespace {

// Shuffles every class and cuts it into `folds` parts.
Folds stratified_folds(const Problem& problem, std::size_t folds, Run& run) {
  Classes classes = group_classes(problem);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    run.poll();
    shuffle(classes.order.data() + classes.start[c], classes.count[c], run);
  }
  Folds result;
  result.start.push_back(0);
  for (std::size_t f = 0; f < folds; ++f) {
    run.poll();
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const std::size_t begin = classes.start[c] + f * classes.count[c] / folds;
      const std::size_t end = classes.start[c] + (f + 1) * classes.count[c] / folds;
      for (std::size_t k = begin; k < end; ++k) result.order.push_back(classes.order[k]);
    }
    result.start.push_back(result.order.size());
  }
  return result;
}

}  // namespace

Folds plain_folds(std::size_t rows, std::size_t folds, Run& run) {
  Folds result{random_order(rows, run), {}};
  for (std::size_t f = 0; f <= folds; ++f) result.start.push_back(f * rows / folds);
  return result;
}

Folds folds_of(const std::vector<std::vector<std::size_t>>& members) {
  Folds folds;
  folds.start.push_back(0);
  for (const std::vector<std::size_t>& rows : members) {
    if (rows.empty()) continue;
    folds.order.insert(folds.order.end(), rows.begin(), rows.end());
    folds.start.push_back(folds.order.size());
  }
  return folds;
}

Subset rows_of_others(const Problem& problem, const Folds& folds, std::size_t f) {
  Subset others(problem);
  others.reserve(folds.order.size());
  for (std::size_t k = 0; k < folds.order.size(); ++k) {
    if (k >= folds.start[f] && k < folds.start[f + 1]) continue;
    const std::size_t t = folds.order[k];
    if (problem.weights == nullptr || problem.weights[t] > 0) others.add(t);
  }
  return others;
}

std::vector<std::uint32_t> rows_by_class_and_fold(const Problem& problem,
                                                  const svm_parameter& param, const Folds& folds) {
  if (param.kernel_type == PRECOMPUTED) return problem.x.numbers(problem.size());
  const Subset by_fold(problem, folds.order);
  const Problem ordered = by_fold.problem();
  std::vector<std::uint32_t> numbers = ordered.x.numbers(ordered.size());
  if (!is_classification(param.svm_type)) return numbers;
  const Classes classes = group_classes(ordered);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = ordered.x.number(classes.order[k]);
  return numbers;
}

Folds make_folds(const Problem& problem, const svm_parameter& param, int folds, Run& run) {
  if (folds < 2) throw std::invalid_argument("cross validation needs 2 folds or more");
  if (folds > problem.l) {
    run.services.messages.warn(joined(
        {"WARNING: # folds (", std::to_string(folds), ") > # data (", std::to_string(problem.l),
         "). Will use # folds = # data instead (i.e., leave-one-out cross validation)\n"}));
    folds = problem.l;
  }
  if (problem.l < 2) throw std::invalid_argument("cross validation needs 2 rows or more");
  const std::size_t rows = problem.size();
  const std::size_t fold_count = static_cast<std::size_t>(folds);
  if (!is_classification(param.svm_type) || fold_count == rows) {
    return plain_folds(rows, fold_count, run);
  }
  Folds plan = stratified_folds(problem, fold_count, run);
  // Every class ends in the last fold, and a class of several rows begins before it.
  if (plan.start[fold_count - 1] == 0) {
    throw std::invalid_argument(
        "cross validation with fewer folds than rows needs a class of 2 rows or more");
  }
  return plan;
}

std::vector<double> cross_validate(const Problem& problem, const svm_parameter& param, int folds,
                                   Run& run) {
  std::vector<double> predictions =
      predict_by_folds(with_weights(problem, param, run.options.row_weights), param, folds, run);
  print_notes(param, run);
  return predictions;
}

bool predict_fold(const Problem& problem, const Folds& folds, std::size_t f,
                  const SupportVectors& vectors, bool by_value, Run& run,
                  std::vector<double>& results) {
  std::vector<std::uint32_t> held_out;
  for (std::size_t k = folds.start[f]; k < folds.start[f + 1]; ++k) {
    held_out.push_back(problem.x.number(folds.order[k]));
  }
  const DataRows rows = problem.x.select(held_out.data());
  std::vector<double> found(held_out.size());
  const Predictor predictor(vectors.view(), run.services.messages,
                            Predictor::most_bytes_for(held_out.size()), held_out.size());
  const bool done = for_batches(run, held_out.size(), [&](std::size_t begin, std::size_t end) {
    PredictionArrays to{};
    (by_value ? to.values : to.predictions) = found.data() + begin;
    predictor.predict(rows + begin, end - begin, !by_value, to);
  });
  for (std::size_t k = 0; done && k < found.size(); ++k) {
    results[folds.order[folds.start[f] + k]] = found[k];
  }
  return done;
}

std::vector<double> predict_by_folds(const Problem& problem, const svm_parameter& param, int folds,
                                     Run& run) {
  const Folds plan = make_folds(problem, param, folds, run);
  const std::size_t fold_count = plan.size();
  std::vector<double> predictions(problem.size(), std::numeric_limits<double>::quiet_NaN());
  const auto shuffles_of_fold = [&](std::size_t f) -> std::vector<std::size_t> {
    if (param.probability == 0) return {};
    const Subset others = rows_of_others(problem, plan, f);
    return shuffles_of_training(others.problem(), param);
  };
  share_rows(problem.x, rows_by_class_and_fold(problem, param, plan), param, fold_count, run);
  run_tasks(run, fold_count, shuffles_of_fold, [&](std::size_t f, Run& fold_run) {
    const Subset others = rows_of_others(problem, plan, f);
    if (!fold_run.poll()) return false;
    if (others.size() == 0) {
      throw std::invalid_argument(
          joined({"all rows outside of fold ", std::to_string(f + 1), " have weight 0"}));
    }
    const Problem training_set = others.problem();
    const TrainedMachines trained = train_machines(training_set, param, fold_run);
    if (fold_run.interrupted()) return false;
    const SupportVectors vectors(training_set, trained);
    return predict_fold(problem, plan, f, vectors, false, fold_run, predictions);
  });
  return predictions;
}

}  // namespace svm
