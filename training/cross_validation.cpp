#include <limits>
#include <stdexcept>
#include <utility>

#include "model/batch_prediction.h"
#include "training/batches.h"
#include "training/classes.h"
#include "training/folds.h"
#include "training/random.h"
#include "training/sharing.h"
#include "training/subset.h"
#include "training/tasks.h"
#include "training/train.h"

namespace svm {
namespace {

// Every class is shuffled and cut into `folds` parts of its own.
Folds stratified_folds(const svm_problem& problem, std::size_t folds, Run& run) {
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

Folds plain_folds(std::size_t rows, std::size_t folds, Run& run) {
  Folds result{random_order(rows, run), {}};
  for (std::size_t f = 0; f <= folds; ++f) result.start.push_back(f * rows / folds);
  return result;
}

}  // namespace

Subset rows_of_others(const svm_problem& problem, const Folds& folds, std::size_t f) {
  Subset others;
  for (std::size_t k = 0; k < folds.order.size(); ++k) {
    if (k >= folds.start[f] && k < folds.start[f + 1]) continue;
    others.add(problem.x[folds.order[k]], problem.y[folds.order[k]]);
  }
  return others;
}

std::vector<const svm_node*> rows_of_fold(const svm_problem& problem, const Folds& folds,
                                          std::size_t f) {
  std::vector<const svm_node*> rows;
  for (std::size_t k = folds.start[f]; k < folds.start[f + 1]; ++k) {
    rows.push_back(problem.x[folds.order[k]]);
  }
  return rows;
}

Folds make_folds(const svm_problem& problem, const svm_parameter& param, int folds, Run& run) {
  if (folds < 2) throw std::invalid_argument("cross validation needs 2 folds or more");
  if (folds > problem.l) {
    run.services.messages.warn(
        format("WARNING: # folds (%d) > # data (%d). Will use # folds = # data instead (i.e., "
               "leave-one-out cross validation)\n",
               folds, problem.l));
    folds = problem.l;
  }
  if (problem.l < 2) throw std::invalid_argument("cross validation needs 2 rows or more");
  const std::size_t rows = static_cast<std::size_t>(problem.l);
  const std::size_t fold_count = static_cast<std::size_t>(folds);
  const bool classification = param.svm_type == C_SVC || param.svm_type == NU_SVC;
  if (!classification || fold_count == rows) return plain_folds(rows, fold_count, run);
  Folds plan = stratified_folds(problem, fold_count, run);
  // The last place of a class is in the last fold, and the first of several is not.
  if (plan.start[fold_count - 1] == 0) {
    throw std::invalid_argument(
        "cross validation with fewer folds than rows needs a class of 2 rows or more");
  }
  return plan;
}

std::vector<double> cross_validate(const svm_problem& problem, const svm_parameter& param,
                                   int folds, Run& run) {
  const Folds plan = make_folds(problem, param, folds, run);
  const std::size_t rows = static_cast<std::size_t>(problem.l), fold_count = plan.size();
  const bool classification = param.svm_type == C_SVC || param.svm_type == NU_SVC;
  std::vector<double> predictions(rows, std::numeric_limits<double>::quiet_NaN());
  const auto count_fold_draws = [&](std::size_t f) -> std::size_t {
    if (param.probability == 0) return 0;
    Subset others = rows_of_others(problem, plan, f);
    return count_draws(others.problem(), param);
  };
  run.options.init = nullptr;  // its rows are not those of a fold
  share_rows(problem, param, fold_count, run);
  run_tasks(run, fold_count, count_fold_draws, [&](std::size_t f, Run& fold_run) {
    Subset others = rows_of_others(problem, plan, f);
    if (!fold_run.poll()) return false;
    const svm_problem training_set = others.problem();
    const ModelPtr model = train(training_set, param, fold_run);
    if (fold_run.stopped()) return false;
    const std::vector<const svm_node*> held_out = rows_of_fold(problem, plan, f);
    std::vector<double> values(held_out.size());
    const BatchPredictor predictor(*model, fold_run.services.messages, held_out.size());
    const bool by_probability = classification && param.probability != 0;
    const bool done =
        for_batches(fold_run, held_out.size(), [&](std::size_t begin, std::size_t end) {
          predictor.predict(held_out.data() + begin, end - begin, by_probability,
                            values.data() + begin, nullptr);
        });
    if (!done) return false;
    for (std::size_t k = 0; k < held_out.size(); ++k) {
      predictions[plan.order[plan.start[f] + k]] = values[k];
    }
    return true;
  });
  return predictions;
}

}  // namespace svm
