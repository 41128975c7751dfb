#include "training/cross_validation.h"

#include <cstddef>
#include <limits>
#include <stdexcept>

#include "base/platform/text.h"
#include "model/svm_type.h"
#include "solvers/run/messages.h"
#include "training/folds.h"
#include "training/machines.h"
#include "training/sharing.h"
#include "training/tasks.h"
#include "training/train.h"
#include "training/weights.h"

namespace svm {

std::vector<double> cross_validate(const Problem& problem, const svm_parameter& param, int folds,
                                   Run& run) {
  std::vector<double> predictions =
      predict_by_folds(with_weights(problem, param, run.options.row_weights), param, folds, run);
  print_notes(param, run);
  return predictions;
}

std::vector<double> predict_by_folds(const Problem& problem, const svm_parameter& param, int folds,
                                     Run& run) {
  const Folds plan = make_folds(problem, param, folds, run);
  const std::size_t fold_count = plan.size();
  std::vector<double> predictions(problem.size(), std::numeric_limits<double>::quiet_NaN());
  const bool by_probability = is_classification(param.svm_type) && param.probability != 0;
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
    const std::vector<std::uint32_t> held_out = rows_of_fold(problem, plan, f);
    const DataRows held_out_rows = problem.x.select(held_out.data());
    std::vector<double> values(held_out.size());
    const SupportVectors vectors(training_set, trained);
    const Predictor predictor(vectors.view(), fold_run.services.messages,
                              Predictor::most_bytes_for(held_out.size()));
    const bool done =
        for_batches(fold_run, held_out.size(), [&](std::size_t begin, std::size_t end) {
          predictor.predict(held_out_rows + begin, end - begin, by_probability,
                            {values.data() + begin});
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
