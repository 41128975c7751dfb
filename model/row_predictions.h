// Predictions of many rows by several threads.
#ifndef SVM_MODEL_ROW_PREDICTIONS_H_
#define SVM_MODEL_ROW_PREDICTIONS_H_

#include <cstddef>

#include "kernels/data_row.h"
#include "svm.h"
#include "threads/pool.h"

namespace svm {

// Where predictions go, row after row; what is null is not written.
struct PredictionArrays {
  double* predictions;
  double* values;         // as many as the model has decision values
  double* probabilities;  // as many as it has classes; they decide the predictions
};

// Has the model what svm_predict_probability() writes?
bool has_probabilities(const svm_model& model);

// Throws as Predictor does.  Nothing is printed.
void predict_rows(const svm_model& model, DataRows rows, std::size_t count, ThreadPool& pool,
                  const PredictionArrays& to);

}  // namespace svm

#endif  // SVM_MODEL_ROW_PREDICTIONS_H_
