// Predictions of many rows by several threads.
#ifndef SVM_MODEL_ROW_PREDICTIONS_H_
#define SVM_MODEL_ROW_PREDICTIONS_H_

#include <cstddef>

#include "kernels/data_row.h"
#include "svm.h"
#include "threads/pool.h"

namespace svm {

// Where predictions are written, row after row.  Null arrays are not written.
struct PredictionArrays {
  double* predictions;
  double* values;         // value_count() for each row
  double* probabilities;  // nr_class for each row; predictions are then by probability
};

// True if the model has the estimates that svm_predict_probability() writes.
bool has_probabilities(const svm_model& model);

// Throws as Predictor does.  Nothing is printed.
void predict_rows(const svm_model& model, DataRows rows, std::size_t count, ThreadPool& pool,
                  const PredictionArrays& to);

}  // namespace svm

#endif  // SVM_MODEL_ROW_PREDICTIONS_H_
