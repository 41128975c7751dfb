// Predictors.
#include "model/predictor.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "api/border.h"
#include "base/simd/instruction_set.h"
#include "base/threads/pool.h"
#include "kernels/caller_rows.h"
#include "kernels/data_row.h"
#include "model/model_memory.h"
#include "svm_ext.h"

namespace {

// What a svm_predictor, which is never defined, points to.
struct Prepared {
  Prepared(svm::ModelPtr copy_of_model, const svm_model& borrowed)
      : copy(std::move(copy_of_model)),
        model(copy == nullptr ? borrowed : *copy),
        predictor(model, svm::current_messages(), kTimes * svm::support_vector_bytes(model)) {
    predictor.pack();
  }

  svm::ModelPtr copy;  // null if the model is borrowed
  const svm_model& model;
  svm::Predictor predictor;

 private:
  // Doubles for all features need less than so many times the bytes of the support vectors if at
  // least an eighth of the values are given; the weights of many linear functions may need much
  // more.
  static constexpr std::size_t kTimes = 4;
};

const Prepared& prepared(const svm_predictor* predictor) {
  return *reinterpret_cast<const Prepared*>(predictor);
}

}  // namespace

unsigned svm::threads_for_rows(std::size_t threads, std::size_t rows) {
  const std::size_t most = (rows + Predictor::kRows - 1) / Predictor::kRows;
  const std::size_t wanted = thread_count_of_call(threads);
  return static_cast<unsigned>(std::min(wanted, std::max<std::size_t>(most, 1)));
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

int svm_predict_rows(const svm_predictor* predictor, const svm_rows* rows, size_t threads,
                     double* predictions, double* values, double* probabilities) {
  return svm::guarded("svm_predict_rows", -1, [&] {
    const Prepared& model = prepared(predictor);
    if (probabilities != nullptr && !svm::has_probabilities(model.model)) {
      throw std::invalid_argument("the model has no probability estimates");
    }
    const svm::CallerRows given(*rows, model.model.param.kernel_type);
    const svm::PredictionArrays to = {predictions, values, probabilities};
    if (given.size() == 1 && threads <= svm::kMaxThreads) {
      model.predictor.predict(given.rows(), 1, probabilities != nullptr, to);
      return 0;
    }
    const unsigned most = svm::threads_for_rows(threads, given.size());
    svm::ThreadPool pool(static_cast<unsigned>(given.threads(most)));
    model.predictor.predict(given.rows(), given.size(), probabilities != nullptr, pool, to);
    return 0;
  });
}

size_t svm_predictor_bytes(const svm_predictor* predictor) {
  const svm::ModelView& model = prepared(predictor).predictor.model();
  const std::size_t of_copy =
      prepared(predictor).copy == nullptr
          ? 0
          : svm::support_vector_bytes(model) + model.count * model.arrays() * sizeof(double);
  return sizeof(Prepared) + prepared(predictor).predictor.bytes() + of_copy;
}

void svm_free_predictor(svm_predictor* predictor) { delete reinterpret_cast<Prepared*>(predictor); }
