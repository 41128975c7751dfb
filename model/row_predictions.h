// Predictions of many rows by several threads.
#ifndef SVM_MODEL_ROW_PREDICTIONS_H_
#define SVM_MODEL_ROW_PREDICTIONS_H_

#include <cstddef>

#include "base/threads/pool.h"
#include "model/batch_prediction.h"
#include "svm.h"

namespace svm {

// True if the model has the estimates that svm_predict_probability() writes.
bool has_probabilities(const svm_model& model);
// Throws std::invalid_argument if they are wanted and the model has none.
void require_probabilities(const svm_model& model, bool are_wanted);

// The threads for so many rows of a call that was given `threads` (see svm_options).
unsigned threads_for_rows(std::size_t threads, std::size_t rows);

// Predicts by probability if there is an array for probabilities.  Throws as Predictor does.
// Nothing is printed.
void predict_rows(const PackedModel& model, DataRows rows, std::size_t count, ThreadPool& pool,
                  const PredictionArrays& to);

}  // namespace svm

#endif  // SVM_MODEL_ROW_PREDICTIONS_H_
