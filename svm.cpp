// The C interface. It checks arguments, calls the rooms of the library and turns exceptions into
// return values. It contains no algorithm.
#include "svm.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

#include "api/border.h"
#include "api/training_calls.h"
#include "model/compact.h"
#include "model/kept_predictor.h"
#include "model/model_memory.h"
#include "model/prediction.h"
#include "training/call.h"
#include "training/check.h"
#include "training/cross_validation.h"
#include "training/train.h"

int libsvm_version = LIBSVM_VERSION;

namespace {

using svm::guarded;
using svm::process_messages;

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

// Calls use() with the predictor that is kept behind the model, or with one of the model itself.
template <typename Use>
double predict(const char* function, const svm_model& model, svm::Packing packing, const Use& use) {
  return guarded(function, std::numeric_limits<double>::quiet_NaN(), [&] {
    const svm::RowPredictor* const kept =
        svm::kept_predictor(model, packing, svm::current_messages);
    if (kept != nullptr) return use(*kept);
    return use(svm::Predictor(model, process_messages()));
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

double svm_predict_values(const svm_model* model, const svm_node* x, double* dec_values) {
  return predict("svm_predict_values", *model, svm::Packing::kValues,
                 [&](const auto& predictor) { return predictor.predict_values(x, dec_values); });
}

double svm_predict(const svm_model* model, const svm_node* x) {
  return predict("svm_predict", *model, svm::Packing::kLabelsThenValues,
                 [&](const auto& predictor) { return predictor.predict(x); });
}

double svm_predict_probability(const svm_model* model, const svm_node* x, double* prob_estimates) {
  return predict(
      "svm_predict_probability", *model, svm::Packing::kValues,
      [&](const auto& predictor) { return predictor.predict_probability(x, prob_estimates); });
}

void svm_free_model_content(svm_model* model_ptr) { svm::free_model_content(model_ptr); }

void svm_free_and_destroy_model(svm_model** model_ptr_ptr) {
  if (model_ptr_ptr == nullptr) return;
  svm::ModelDeleter()(*model_ptr_ptr);
  *model_ptr_ptr = nullptr;
}

void svm_destroy_param(svm_parameter* param) {
  std::free(param->weight_label);
  std::free(param->weight);
}

const char* svm_check_parameter(const svm_problem* prob, const svm_parameter* param) {
  return guarded<const char*>("svm_check_parameter", "out of memory",
                              [&] { return svm::check_parameters(*prob, *param); });
}
