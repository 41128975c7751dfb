// Predictions from a model itself, and its end and that of its parameters.
#include "model/prediction.h"

#include <cstddef>
#include <cstdlib>
#include <limits>

#include "api/border.h"
#include "kernels/view_rows.h"
#include "model/kept_predictor.h"
#include "model/model_memory.h"
#include "model/row_predictions.h"
#include "simd/exact_arithmetic.h"
#include "simd/instruction_set.h"
#include "svm.h"
#include "threads/pool.h"

namespace {

using svm::guarded;
using svm::process_messages;

// Calls use() with the predictor that is kept behind the model, or with one of the model itself.
template <typename Use>
double predict(const char* function, const svm_model& model, svm::Packing packing, const Use& use) {
  return guarded(function, std::numeric_limits<double>::quiet_NaN(), [&] {
    const svm::RowPredictor* const kept =
        svm::kept_predictor(model, packing, svm::current_messages);
    if (kept != nullptr) return use(*kept);
    return use(svm::Predictor(model, process_messages()));
  });
}

}  // namespace

double svm_predict_values(const svm_model* model, const svm_node* x, double* dec_values) {
  return predict("svm_predict_values", *model, svm::Packing::kValues,
                 [&](const auto& predictor) { return predictor.predict_values(x, dec_values); });
}

double svm_predict(const svm_model* model, const svm_node* x) {
  return predict("svm_predict", *model, svm::Packing::kLabelsThenValues,
                 [&](const auto& predictor) { return predictor.predict(x); });
}

double svm_predict_probability(const svm_model* model, const svm_node* x, double* prob_estimates) {
  return predict(
      "svm_predict_probability", *model, svm::Packing::kValues,
      [&](const auto& predictor) { return predictor.predict_probability(x, prob_estimates); });
}

void svm_free_model_content(svm_model* model_ptr) { svm::free_model_content(model_ptr); }

void svm_free_and_destroy_model(svm_model** model_ptr_ptr) {
  if (model_ptr_ptr == nullptr) return;
  svm::ModelDeleter()(*model_ptr_ptr);
  *model_ptr_ptr = nullptr;
}

void svm_destroy_param(svm_parameter* param) {
  std::free(param->weight_label);
  std::free(param->weight);
}

int svm_predict_rows(const svm_model* model, const svm_problem_view* rows, size_t threads,
                     double* predictions, double* values, double* probabilities) {
  return svm::guarded("svm_predict_rows", -1, [&] {
    svm::check_instruction_set();
    svm::require_exact_arithmetic();
    svm::require_probabilities(*model, probabilities != nullptr);
    const svm::ViewRows view(*rows);
    svm::ThreadPool pool(svm::threads_for_rows(threads, view.size()));
    svm::predict_rows(*model, view.rows(), view.size(), pool, {predictions, values, probabilities},
                      svm::current_messages);
    return 0;
  });
}
