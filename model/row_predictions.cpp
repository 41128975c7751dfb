#include "model/row_predictions.h"

#include <vector>

#include "model/batch_prediction.h"
#include "model/prediction.h"
#include "model/svm_type.h"

namespace svm {

bool has_probabilities(const svm_model& model) {
  if (model.param.svm_type == ONE_CLASS) return model.prob_density_marks != nullptr;
  return is_classification(model.param.svm_type) && model.probA != nullptr &&
         model.probB != nullptr;
}

void predict_rows(const svm_model& model, DataRows rows, std::size_t count, ThreadPool& pool,
                  const PredictionArrays& to) {
  const auto say_nothing = [](const char*) {};
  const BatchPredictor predictor(model, Messages(say_nothing, say_nothing), count);
  const std::size_t width = predictor.value_count();
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const auto predict = [&](std::size_t begin, std::size_t end) {
    const std::size_t part = end - begin;
    std::vector<double> own_values(to.values == nullptr ? part * width : 0);
    std::vector<double> own_predictions(to.predictions == nullptr ? part : 0);
    double* const values = to.values == nullptr ? own_values.data() : to.values + begin * width;
    double* const predictions =
        to.predictions == nullptr ? own_predictions.data() : to.predictions + begin;
    predictor.predict_values(rows + begin, part, values, predictions);
    if (to.probabilities == nullptr) return;
    predictor.predict_by_probability(values, part, predictions, to.probabilities + begin * classes);
  };
  pool.for_chunks(count, BatchPredictor::rows_at_a_time(count, pool.threads()), predict);
}

}  // namespace svm
