// Trains with classes in ascending order of their labels, as scikit-learn has them.
#include "training/train.h"

#include "api/border.h"
#include "api/training_calls.h"
#include "api/views.h"
#include "python/native/csmo.h"
#include "python/native/rows.h"

svm_model* csmo_train(const svm_problem_view* view, const svm_parameter* param,
                      const svm_options* options, const csmo_rows* rows, svm_result* result) {
  return svm::guarded<svm_model*>("csmo_train", nullptr, [&] {
    const svm::ViewProblem checked(*view, *param, options);
    svm::CallRun run(*param, options, result);
    run.options.sorted_classes = true;
    if (rows != nullptr && rows->suit(*param, run.options.solver)) {
      run.services.shared_rows = rows->rows;
    }
    svm::ModelPtr model = svm::train(checked.problem(), *param, run);
    run.report();
    svm::drop_class_weights(*model);  // the model must not refer to the caller's memory
    return model.release();
  });
}
