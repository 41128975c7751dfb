// Trains with classes in ascending order of their labels, as scikit-learn has them.
#include "api/border.h"
#include "api/training_calls.h"
#include "api/views.h"
#include "python/native/csmo.h"

svm_model* csmo_train(const svm_problem_view* view, const svm_parameter* param,
                      const svm_options* options, svm_result* result) {
  return svm::guarded<svm_model*>("csmo_train", nullptr, [&] {
    const svm::ViewProblem rows(*view, *param, options);
    constexpr bool kSortedClasses = true;
    svm::ModelPtr model =
        svm::train_by_options(rows.problem(), *param, options, result, kSortedClasses);
    svm::drop_class_weights(*model);  // the model must not refer to the caller's memory
    return model.release();
  });
}
