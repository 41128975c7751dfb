// Predictions of rows that a training left out, by the kernel rows that the trainings share.
#ifndef SVM_TRAINING_SHARED_PREDICTION_H_
#define SVM_TRAINING_SHARED_PREDICTION_H_

#include <vector>

#include "kernels/data_row.h"
#include "kernels/engines/shared_rows.h"
#include "solvers/run/run.h"
#include "svm.h"

namespace svm {

// The training form of kernel values differs from that of predictions in its last bits, and rows
// are rounded to float.  So a prediction is taken only where each decision value is so far from 0
// that rounding cannot have changed its sign.
//
// `models` are classifiers, or of one class, with the same support vectors, which point to rows of
// `shared`, as those in `rows` do.  predictions[m][i] is set where row i is certain for every
// model; returns which rows are not.  Where the run is stopped, no row is certain.
std::vector<std::size_t> predict_by_shared_rows(const std::vector<const svm_model*>& models,
                                                const std::vector<DataRow>& rows,
                                                SharedRows& shared, Run& run,
                                                const std::vector<double*>& predictions);

// Are there so few decision functions that this is faster than a prediction from the features?
bool is_worth_sharing(const svm_model& model);

}  // namespace svm

#endif  // SVM_TRAINING_SHARED_PREDICTION_H_
