// Predictors.
#include <cstddef>
#include <memory>
#include <utility>

#include "api/border.h"
#include "base/simd/exact_arithmetic.h"
#include "base/simd/instruction_set.h"
#include "base/threads/pool.h"
#include "base/threads/thread_count.h"
#include "kernels/caller_rows.h"
#include "kernels/data_row.h"
#include "model/model_memory.h"
#include "model/row_predictions.h"
#include "model/row_predictor.h"
#include "svm_ext.h"

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

void predict_row(const svm::RowPredictor& predictor, const svm::DataRow& x,
                 const svm::PredictionArrays& to) {
  double prediction = 0;
  if (to.probabilities != nullptr) {
    prediction = predictor.predict_probability(x, to.values, to.probabilities);
  } else {
    prediction =
        to.values == nullptr ? predictor.predict(x) : predictor.predict_values(x, to.values);
  }
  if (to.predictions != nullptr) *to.predictions = prediction;
}

}  // namespace

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

int svm_predict_rows(const svm_predictor* predictor, const svm_rows* rows, size_t threads,
                     double* predictions, double* values, double* probabilities) {
  return svm::guarded("svm_predict_rows", -1, [&] {
    const Prepared& model = prepared(predictor);
    const svm::PredictionArrays to = {predictions, values, probabilities};
    svm::require_probabilities(model.model, probabilities != nullptr);
    const svm::CallerRows given(*rows, model.model.param.kernel_type);
    if (given.size() == 1 && threads <= svm::kMaxThreads) {
      predict_row(model.rows, given.rows()[0], to);
      return 0;
    }
    const unsigned most = svm::threads_for_rows(threads, given.size());
    svm::ThreadPool pool(static_cast<unsigned>(given.threads(most)));
    svm::predict_rows(model.rows.packed(), given.rows(), given.size(), pool, to);
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
