// Predicts held-out rows from the kernel rows that trainings share.
#ifndef SVM_PROGRAMS_GRID_SHARED_PREDICTION_H_
#define SVM_PROGRAMS_GRID_SHARED_PREDICTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/engines/row_store.h"
#include "model/model_view.h"
#include "solvers/run/run.h"
#include "training/machines.h"

namespace svm {

// Kernel values of trainings differ from those of predictions in the last bits, and rows are
// rounded to float.  Therefore a prediction counts only if each decision value is so far from 0
// that rounding cannot have changed its sign.
//
// `models` are of classification or one-class and have the same support vectors, which are rows of
// the data set of `shared`.  `rows` are row numbers in that data set.  Sets predictions[m][i] if
// row i is certain for every model, and returns the indices i of the others.  If the run is
// stopped, no row is certain.
std::vector<std::size_t> predict_by_shared_rows(const std::vector<SupportVectors>& models,
                                                const std::vector<std::uint32_t>& rows,
                                                RowStore& shared, Run& run,
                                                const std::vector<double*>& predictions);

// True if there are so few decision functions that this is faster than predicting from features.
bool is_worth_sharing(const ModelView& model);

}  // namespace svm

#endif  // SVM_PROGRAMS_GRID_SHARED_PREDICTION_H_
