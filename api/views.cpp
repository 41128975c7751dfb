// The functions of the C interface that take rows where the caller has them.
#include <cstddef>
#include <stdexcept>
#include <string>

#include "api/errors.h"
#include "kernels/view_rows.h"
#include "model/row_predictions.h"
#include "svm.h"
#include "threads/pool.h"
#include "threads/thread_count.h"

int svm_predict_rows(const svm_model* model, const svm_problem_view* rows, size_t threads,
                     double* predictions, double* values, double* probabilities) {
  return svm::guarded("svm_predict_rows", -1, [&] {
    if (probabilities != nullptr && !svm::has_probabilities(*model)) {
      throw std::invalid_argument("the model has no probability estimates");
    }
    svm::ThreadPool pool(svm::thread_count_of_call(threads));
    const svm::ViewRows view(*rows);
    svm::predict_rows(*model, view.data(), view.size(), pool, {predictions, values, probabilities});
    return 0;
  });
}
