// Predictions of rows that a training left out, by the kernel rows that the trainings share.
#ifndef SVM_GRID_SHARED_PREDICTION_H_
#define SVM_GRID_SHARED_PREDICTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/engines/row_store.h"
#include "model/model_view.h"
#include "solvers/run/run.h"
#include "training/machines.h"

namespace svm {

// The training form of kernel values differs from that of predictions in its last bits, and rows
// are rounded to float.  So a prediction is taken only where each decision value is so far from 0
// that rounding cannot have changed its sign.
//
// `models` are classifiers, or of one class, and have the same support vectors, which are rows of
// the data set that `shared` is of.  `rows` are numbers in that data set.  predictions[m][i] is set
// if row i is certain for every model; returns which rows are not.  If the run is stopped, no row
// is certain.
std::vector<std::size_t> predict_by_shared_rows(const std::vector<SupportVectors>& models,
                                                const std::vector<std::uint32_t>& rows,
                                                RowStore<float>& shared, Run& run,
                                                const std::vector<double*>& predictions);

// Are there so few decision functions that this is faster than a prediction from the features?
bool is_worth_sharing(const ModelView& model);

}  // namespace svm

#endif  // SVM_GRID_SHARED_PREDICTION_H_
