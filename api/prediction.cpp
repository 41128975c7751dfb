// Predictions of many rows from a model itself.
#include <cstddef>

#include "api/border.h"
#include "base/simd/exact_arithmetic.h"
#include "base/simd/instruction_set.h"
#include "base/threads/pool.h"
#include "kernels/view_rows.h"
#include "model/row_predictions.h"
#include "svm.h"

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
