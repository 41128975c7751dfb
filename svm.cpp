// The C interface for training; the rest is in api/. It checks arguments, calls the rooms of the
// library and turns exceptions into return values. It contains no algorithm.
#include "svm.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "api/border.h"
#include "api/training_calls.h"
#include "model/compact.h"
#include "training/call.h"
#include "training/check.h"
#include "training/cross_validation.h"
#include "training/train.h"

namespace {

using svm::guarded;

// make_run() returns the run of the call.
template <typename MakeRun>
bool call_cross_validation(const char* function, const svm_problem& problem,
                           const svm_parameter& param, int folds, double* target,
                           const MakeRun& make_run) {
  svm::Targets targets(target, static_cast<std::size_t>(std::max(problem.l, 0)));
  return guarded(function, false, [&] {
    svm::CallRun run = make_run();
    const std::vector<double> predictions = svm::cross_validate(problem, param, folds, run);
    run.report();
    targets.write(predictions);
    return true;
  });
}

}  // namespace

svm_model* svm_train(const svm_problem* prob, const svm_parameter* param) {
  return guarded<svm_model*>("svm_train", nullptr, [&] {
    svm::CallRun run(*param);
    return svm::train(*prob, *param, run).release();
  });
}

svm_model* svm_train_ex(const svm_problem* prob, const svm_parameter* param,
                        const svm_options* options, svm_result* result) {
  return guarded<svm_model*>("svm_train_ex", nullptr, [&] {
    svm::CallRun run(*param, options, result);
    svm::ModelPtr model = svm::train(*prob, *param, run);
    run.report();
    return model.release();
  });
}

void svm_cross_validation(const svm_problem* prob, const svm_parameter* param, int nr_fold,
                          double* target) {
  call_cross_validation("svm_cross_validation", *prob, *param, nr_fold, target,
                        [&] { return svm::CallRun(*param); });
}

int svm_cross_validation_ex(const svm_problem* prob, const svm_parameter* param, int nr_fold,
                            const svm_options* options, double* target, svm_result* result) {
  const bool done = call_cross_validation("svm_cross_validation_ex", *prob, *param, nr_fold, target,
                                          [&] { return svm::CallRun(*param, options, result); });
  return done ? 0 : -1;
}

void svm_init_options(svm_options* options, size_t size) { svm::init_options(options, size); }

// The function sets no more members because its callers were compiled before there were more.
void(svm_default_options)(svm_options* options) {
  svm::init_options(options, offsetof(svm_options, reserved) + sizeof(options->reserved));
}

const char* svm_check_options(const svm_parameter* param, const svm_options* options) {
  return guarded<const char*>("svm_check_options", "out of memory",
                              [&] { return svm::check_options(param, options); });
}

const char* svm_list_solvers(void) {
  return guarded<const char*>("svm_list_solvers", "", [] { return svm::solver_list(); });
}

svm_model* svm_compact_model(const svm_model* model) {
  return guarded<svm_model*>("svm_compact_model", nullptr,
                             [&] { return svm::compact_model(*model).release(); });
}

const char* svm_check_parameter(const svm_problem* prob, const svm_parameter* param) {
  return guarded<const char*>("svm_check_parameter", "out of memory",
                              [&] { return svm::check_parameters(*prob, *param); });
}
