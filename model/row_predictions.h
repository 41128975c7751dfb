// Predictions of many rows by several threads.
#ifndef SVM_MODEL_ROW_PREDICTIONS_H_
#define SVM_MODEL_ROW_PREDICTIONS_H_

#include <cstddef>

#include "model/batch_prediction.h"
#include "svm.h"
#include "threads/pool.h"

namespace svm {

// True if the model has the estimates that svm_predict_probability() writes.
bool has_probabilities(const svm_model& model);

// Predicts by probability if there is an array for probabilities.  Throws as Predictor does.
// Nothing is printed.
void predict_rows(const svm_model& model, DataRows rows, std::size_t count, ThreadPool& pool,
                  const PredictionArrays& to);

}  // namespace svm

#endif  // SVM_MODEL_ROW_PREDICTIONS_H_
