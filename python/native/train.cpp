// Training with classes in ascending order of their labels, for scikit-learn's conventions.
#include "api/errors.h"
#include "api/training_calls.h"
#include "api/view_problem.h"
#include "python/native/csmo.h"

svm_model* csmo_train(const svm_problem_view* view, const svm_parameter* param,
                      const svm_options* options, svm_result* result) {
  return svm::guarded<svm_model*>("csmo_train", nullptr, [&] {
    const svm::ViewProblem rows(*view, *param, options);
    constexpr bool kSortedClasses = true;
    svm::ModelPtr model =
        svm::train_by_options(rows.problem(), *param, options, result, kSortedClasses);
    svm::drop_class_weights(*model);  // nothing of it is the caller's
    return model.release();
  });
}
