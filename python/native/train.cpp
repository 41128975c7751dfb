// Trains with classes in ascending order of their labels, as scikit-learn has them.
#include "api/border.h"
#include "api/training_calls.h"
#include "python/native/csmo.h"
#include "python/native/rows.h"

svm_model* csmo_train(const svm_rows* rows, const double* y, const svm_parameter* param,
                      const svm_options* options, const csmo_rows* kept, svm_result* result) {
  return svm::guarded<svm_model*>("csmo_train", nullptr, [&] {
    const svm::RowsProblem checked(*rows, y, *param, options);
    svm::CallRun run(*param, options, result);
    run.options.sorted_classes = true;
    if (kept != nullptr && kept->suit(*param, svm::kernel_precision(run.options))) {
      run.services.shared_rows = kept->rows;
    }
    return run.train_rows(checked, *param).release();
  });
}
