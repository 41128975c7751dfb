// The functions of LIBSVM's interface, all of them; those of svm_ext.h are in api/.  Each calls a
// room of the library and turns exceptions into LIBSVM's return values.
#include "svm.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>

#include "api/border.h"
#include "base/io/output_file.h"
#include "model/decisions.h"
#include "model/kept_predictor.h"
#include "model/model_file.h"
#include "model/model_memory.h"
#include "model/predictor.h"
#include "model/svm_type.h"

#if !defined(SVM_PREDICT_ONLY)
#include "api/training_calls.h"
#include "training/check.h"
#endif

using svm::guarded;

int libsvm_version = LIBSVM_VERSION;

#if !defined(SVM_PREDICT_ONLY)

svm_model* svm_train(const svm_problem* prob, const svm_parameter* param) {
  return svm::guarded_model("svm_train", [&] { return svm::CallRun(*param).train(*prob, *param); });
}

void svm_cross_validation(const svm_problem* prob, const svm_parameter* param, int nr_fold,
                          double* target) {
  svm::Targets targets(target, static_cast<std::size_t>(std::max(prob->l, 0)));
  guarded("svm_cross_validation", false, [&] {
    svm::CallRun run(*param);
    targets.cross_validate(*prob, *param, nr_fold, run);
    return true;
  });
}

const char* svm_check_parameter(const svm_problem* prob, const svm_parameter* param) {
  return guarded<const char*>("svm_check_parameter", "out of memory",
                              [&] { return svm::check_parameters(*prob, *param); });
}

#endif

int svm_save_model(const char* model_file_name, const svm_model* model) {
  return guarded("svm_save_model", -1, [&] {
    if (model == nullptr) throw std::invalid_argument("the model is null");
    svm::save_text(svm::OutputFile(model_file_name),
                   [&](const svm::TextSink& out) { svm::write_model(out, *model, {}); });
    return 0;
  });
}

svm_model* svm_load_model(const char* model_file_name) {
  return svm::guarded_model("svm_load_model", [&] { return svm::load_model(model_file_name); });
}

int svm_get_svm_type(const svm_model* model) { return model->param.svm_type; }

int svm_get_nr_class(const svm_model* model) { return model->nr_class; }

void svm_get_labels(const svm_model* model, int* label) {
  if (model->label != nullptr) std::copy_n(model->label, std::max(model->nr_class, 0), label);
}

void svm_get_sv_indices(const svm_model* model, int* sv_indices) {
  const int count = model->sv_indices == nullptr ? 0 : std::max(model->l, 0);
  std::copy_n(model->sv_indices, count, sv_indices);
}

int svm_get_nr_sv(const svm_model* model) { return model->l; }

double svm_get_svr_probability(const svm_model* model) {
  if (svm::is_regression(model->param.svm_type) && model->probA != nullptr) return model->probA[0];
  constexpr const char* kFunction = "svm_get_svr_probability";
  constexpr const char* kFault = "Model doesn't contain information for SVR probability inference";
  svm::set_last_error(kFunction, kFault);
  return guarded(kFunction, 0.0, [&] {
    svm::process_messages().warn(std::string(kFault) + "\n");
    return 0.0;
  });
}

int svm_check_probability_model(const svm_model* model) {
  return svm::is_regression(model->param.svm_type) ? model->probA != nullptr
                                                   : svm::has_probabilities(*model);
}

namespace {

// Calls use() with the predictor that is kept for the model, or with one of the model itself.
template <typename Use>
double predict(const char* function, const svm_model& model, const Use& use) {
  return guarded(function, std::numeric_limits<double>::quiet_NaN(), [&] {
    const svm::Predictor* const kept = svm::kept_predictor(model, svm::current_messages);
    if (kept != nullptr) return use(*kept);
    return use(svm::Predictor(model, svm::process_messages(), 0));
  });
}

}  // namespace

double svm_predict_values(const svm_model* model, const svm_node* x, double* dec_values) {
  return predict("svm_predict_values", *model,
                 [&](const svm::Predictor& predictor) { return predictor.predict(x, dec_values); });
}

double svm_predict(const svm_model* model, const svm_node* x) {
  return predict("svm_predict", *model,
                 [&](const svm::Predictor& predictor) { return predictor.predict(x); });
}

double svm_predict_probability(const svm_model* model, const svm_node* x, double* prob_estimates) {
  return predict("svm_predict_probability", *model, [&](const svm::Predictor& predictor) {
    return predictor.predict_probability(x, nullptr, prob_estimates);
  });
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

void svm_set_print_string_function(void (*print_func)(const char*)) {
  svm::set_print_function(print_func);
}
