// The functions of the C interface that use rows in the caller's memory.
#include "api/views.h"

#include <climits>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "api/border.h"
#include "api/training_calls.h"
#include "kernels/view_rows.h"
#include "model/svm_type.h"
#include "svm.h"
#include "training/call.h"
#include "training/check.h"
#include "training/train.h"
#include "training/weights.h"

namespace svm {
namespace {

// Checks that LIBSVM's svm_check_parameter lacks.
const char* check_numbers(const svm_parameter& param) {
  const int kernel = param.kernel_type;
  if (has_gamma(kernel) && !std::isfinite(param.gamma)) return "gamma is not finite";
  if (has_coef0(kernel) && !std::isfinite(param.coef0)) return "coef0 is not finite";
  if (param.nr_weight < 0) return "nr_weight < 0";
  return nullptr;
}

}  // namespace

ViewProblem::ViewProblem(const svm_problem_view& view, const svm_parameter& param,
                         const svm_options* options)
    : rows_(view), problem_(static_cast<int>(rows_.size()), view.y, rows_.rows()) {
  if (rows_.size() == 0) throw std::invalid_argument("there are no rows to train on");
  if (view.y == nullptr) throw std::invalid_argument("svm_problem_view: y is null");
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (std::isfinite(view.y[i])) continue;
    throw std::invalid_argument("svm_problem_view: y is not finite in row " + std::to_string(i) +
                                ", from 0");
  }
  const double* const weights = checked_weights(problem_, param, row_weights_of(options));
  const char* fault = check_parameters(problem_, param, weights);
  if (fault == nullptr) fault = check_numbers(param);
  if (fault != nullptr) throw std::invalid_argument(fault);
}

}  // namespace svm

svm_model* svm_train_view(const svm_problem_view* view, const svm_parameter* param,
                          const svm_options* options, svm_result* result) {
  return svm::guarded<svm_model*>("svm_train_view", nullptr, [&] {
    const svm::ViewProblem rows(*view, *param, options);
    svm::CallRun run(*param, options, result);
    svm::ModelPtr model = svm::train(rows.problem(), *param, run);
    run.report();
    svm::drop_class_weights(*model);  // the model must not refer to the caller's memory
    return model.release();
  });
}

int svm_cross_validation_view(const svm_problem_view* view, const svm_parameter* param, int nr_fold,
                              const svm_options* options, double* target, svm_result* result) {
  const bool rows_are_known = view->size == sizeof(*view) && view->rows <= INT_MAX;
  svm::Targets targets(target, rows_are_known ? view->rows : 0);
  return svm::guarded("svm_cross_validation_view", -1, [&] {
    const svm::ViewProblem rows(*view, *param, options);
    svm::CallRun run(*param, options, result);
    targets.cross_validate(rows.problem(), *param, nr_fold, run);
    return 0;
  });
}
