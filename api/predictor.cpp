// Predictions of many rows, and prepared predictors.
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "api/border.h"
#include "base/simd/exact_arithmetic.h"
#include "base/simd/instruction_set.h"
#include "base/threads/pool.h"
#include "kernels/data_row.h"
#include "kernels/view_rows.h"
#include "model/model_memory.h"
#include "model/row_predictions.h"
#include "model/row_predictor.h"
#include "svm.h"

namespace {

// What a svm_predictor, which is never defined, points to.
struct Prepared {
  Prepared(svm::ModelPtr copy_of_model, const svm_model& borrowed)
      : copy(std::move(copy_of_model)),
        model(copy == nullptr ? borrowed : *copy),
        rows(
            svm::PackedModel(model, svm::Packing::kLabelsThenValues, svm::most_packed_bytes(model)),
            svm::current_messages()) {}

  svm::ModelPtr copy;  // null if the model is borrowed
  const svm_model& model;
  svm::RowPredictor rows;
};

const Prepared& prepared(const svm_predictor* predictor) {
  return *reinterpret_cast<const Prepared*>(predictor);
}

constexpr double kFailure = std::numeric_limits<double>::quiet_NaN();

double predict_row(const svm::RowPredictor& predictor, const svm::DataRow& x, double* values,
                   double* probabilities) {
  if (probabilities != nullptr) return predictor.predict_probability(x, values, probabilities);
  return values == nullptr ? predictor.predict(x) : predictor.predict_values(x, values);
}

}  // namespace

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

svm_predictor* svm_make_predictor(const svm_model* model, int copy) {
  return svm::guarded<svm_predictor*>("svm_make_predictor", nullptr, [&] {
    svm::check_instruction_set();
    svm::require_exact_arithmetic();
    svm::ModelPtr own;
    if (copy != 0) {
      own = svm::make_model(*model, svm::VectorOrigin::kOwn);
      svm::drop_class_weights(*own);
    }
    return reinterpret_cast<svm_predictor*>(
        std::make_unique<Prepared>(std::move(own), *model).release());
  });
}

double svm_predictor_predict(const svm_predictor* predictor, const svm_node* x, double* values,
                             double* probabilities) {
  return svm::guarded("svm_predictor_predict", kFailure, [&] {
    return predict_row(prepared(predictor).rows, x, values, probabilities);
  });
}

double svm_predictor_predict_dense(const svm_predictor* predictor, const void* x, size_t columns,
                                   int value_type, double* values, double* probabilities) {
  return svm::guarded("svm_predictor_predict_dense", kFailure, [&] {
    svm_problem_view view{};
    view.size = sizeof(view);
    view.rows = 1;
    view.columns = view.stride = columns;
    view.layout = SVM_DENSE;
    view.value_type = value_type;
    view.values = x;
    const svm::ViewRows rows(view);
    return predict_row(prepared(predictor).rows, rows.rows()[0], values, probabilities);
  });
}

int svm_predictor_predict_rows(const svm_predictor* predictor, const svm_problem_view* rows,
                               size_t threads, double* predictions, double* values,
                               double* probabilities) {
  return svm::guarded("svm_predictor_predict_rows", -1, [&] {
    svm::require_probabilities(prepared(predictor).model, probabilities != nullptr);
    const svm::ViewRows view(*rows);
    svm::ThreadPool pool(svm::threads_for_rows(threads, view.size()));
    svm::predict_rows(prepared(predictor).rows.packed(), view.rows(), view.size(), pool,
                      {predictions, values, probabilities});
    return 0;
  });
}

size_t svm_predictor_bytes(const svm_predictor* predictor) {
  const svm::ModelView& model = prepared(predictor).rows.packed().view;
  const std::size_t of_copy =
      prepared(predictor).copy == nullptr
          ? 0
          : svm::support_vector_bytes(model) + model.count * model.arrays() * sizeof(double);
  return sizeof(Prepared) + prepared(predictor).rows.packed().bytes() + of_copy;
}

void svm_free_predictor(svm_predictor* predictor) { delete reinterpret_cast<Prepared*>(predictor); }
