// The functions of the C interface that take rows where the caller has them.
#include <climits>
#include <cstddef>
#include <stdexcept>

#include "api/errors.h"
#include "api/training_calls.h"
#include "api/view_problem.h"
#include "kernels/view_rows.h"
#include "model/row_predictions.h"
#include "simd/exact_arithmetic.h"
#include "svm.h"
#include "threads/pool.h"
#include "threads/thread_count.h"

svm_model* svm_train_view(const svm_problem_view* view, const svm_parameter* param,
                          const svm_options* options, svm_result* result) {
  return svm::guarded<svm_model*>("svm_train_view", nullptr, [&] {
    const svm::ViewProblem rows(*view, *param, options);
    svm::ModelPtr model = svm::train_by_options(rows.problem(), *param, options, result);
    svm::drop_class_weights(*model);  // nothing of it is the caller's
    return model.release();
  });
}

int svm_cross_validation_view(const svm_problem_view* view, const svm_parameter* param, int nr_fold,
                              const svm_options* options, double* target, svm_result* result) {
  const bool rows_are_known = view->size == sizeof(*view) && view->rows <= INT_MAX;
  svm::Targets targets(target, rows_are_known ? view->rows : 0);
  return svm::guarded("svm_cross_validation_view", -1, [&] {
    const svm::ViewProblem rows(*view, *param, options);
    targets.write(svm::cross_validate_by_options(rows.problem(), *param, nr_fold, options, result));
    return 0;
  });
}

int svm_predict_rows(const svm_model* model, const svm_problem_view* rows, size_t threads,
                     double* predictions, double* values, double* probabilities) {
  return svm::guarded("svm_predict_rows", -1, [&] {
    svm::require_exact_arithmetic();
    if (probabilities != nullptr && !svm::has_probabilities(*model)) {
      throw std::invalid_argument("the model has no probability estimates");
    }
    svm::ThreadPool pool(svm::thread_count_of_call(threads));
    const svm::ViewRows view(*rows);
    svm::predict_rows(*model, view.data(), view.size(), pool, {predictions, values, probabilities});
    return 0;
  });
}
