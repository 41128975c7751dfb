// The C interface: checks, calls the rooms behind it, and turns exceptions into return values.  No
// algorithm lives here.
#include "svm.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>

#include "api/callbacks.h"
#include "api/training_calls.h"
#include "io/model_file.h"
#include "io/output_file.h"
#include "io/whole_file.h"
#include "model/model_memory.h"
#include "model/prediction.h"
#include "model/svm_type.h"
#include "solvers/run/messages.h"
#include "training/call.h"
#include "training/check.h"

int libsvm_version = LIBSVM_VERSION;

namespace {

// Runs `work`; an error is reported on standard error and `failure` returned.  What a function of
// the caller's threw goes on to the caller.
template <typename Result, typename Work>
Result guarded(const char* function, Result failure, Work work) {
  try {
    return work();
  } catch (const svm::CallerException& exception) {
    std::rethrow_exception(exception.thrown);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "ERROR: %s: out of memory\n", function);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ERROR: %s: %s\n", function, error.what());
  }
  return failure;
}

svm_model* train(const char* function, const svm_problem& problem, const svm_parameter& param,
                 const svm_options* options, svm_result* result) {
  return guarded<svm_model*>(function, nullptr, [&] {
    return svm::train_by_options(problem, param, options, result).release();
  });
}

bool cross_validate(const char* function, const svm_problem& problem, const svm_parameter& param,
                    int folds, const svm_options* options, double* target, svm_result* result) {
  svm::Targets targets(target, static_cast<std::size_t>(std::max(problem.l, 0)));
  return guarded(function, false, [&] {
    targets.write(svm::cross_validate_by_options(problem, param, folds, options, result));
    return true;
  });
}

}  // namespace

svm_model* svm_train(const svm_problem* prob, const svm_parameter* param) {
  return train("svm_train", *prob, *param, nullptr, nullptr);
}

svm_model* svm_train_ex(const svm_problem* prob, const svm_parameter* param,
                        const svm_options* options, svm_result* result) {
  return train("svm_train_ex", *prob, *param, options, result);
}

void svm_cross_validation(const svm_problem* prob, const svm_parameter* param, int nr_fold,
                          double* target) {
  cross_validate("svm_cross_validation", *prob, *param, nr_fold, nullptr, target, nullptr);
}

int svm_cross_validation_ex(const svm_problem* prob, const svm_parameter* param, int nr_fold,
                            const svm_options* options, double* target, svm_result* result) {
  const bool done =
      cross_validate("svm_cross_validation_ex", *prob, *param, nr_fold, options, target, result);
  return done ? 0 : -1;
}

void svm_init_options(svm_options* options, size_t size) {
  if (size < sizeof(options->size)) return;
  svm_options defaults = svm::default_options();
  defaults.size = size;
  std::memcpy(options, &defaults, std::min(size, sizeof(defaults)));
}

void(svm_default_options)(svm_options* options) {
  svm_init_options(options, offsetof(svm_options, reserved) + sizeof(options->reserved));
}

const char* svm_check_options(const svm_parameter* param, const svm_options* options) {
  return guarded<const char*>("svm_check_options", "out of memory",
                              [&] { return svm::check_options(param, options); });
}

const char* svm_list_solvers(void) {
  return guarded<const char*>("svm_list_solvers", "", [] { return svm::solver_list(); });
}

int svm_save_model(const char* model_file_name, const svm_model* model) {
  // As in LIBSVM, failure is told by the return value alone.
  try {
    svm::save_model(svm::OutputFile(model_file_name), *model);
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

svm_model* svm_load_model(const char* model_file_name) {
  std::string text;
  try {
    text = svm::read_whole_file(model_file_name);
  } catch (const std::exception&) {
    return nullptr;  // cannot be opened or read: the caller says so
  }
  return guarded<svm_model*>("svm_load_model", nullptr, [&]() -> svm_model* {
    try {
      return svm::parse_model(text).release();
    } catch (const svm::ModelError& error) {
      if (!error.legacy().empty()) std::fprintf(stderr, "%s\n", error.legacy().c_str());
      std::fprintf(stderr, "ERROR: fscanf failed to read model\n%s: %s\n", model_file_name,
                   error.what());
      return nullptr;
    }
  });
}

int svm_get_svm_type(const svm_model* model) { return model->param.svm_type; }

int svm_get_nr_class(const svm_model* model) { return model->nr_class; }

void svm_get_labels(const svm_model* model, int* label) {
  if (model->label != nullptr) std::copy_n(model->label, model->nr_class, label);
}

void svm_get_sv_indices(const svm_model* model, int* sv_indices) {
  if (model->sv_indices != nullptr) std::copy_n(model->sv_indices, model->l, sv_indices);
}

int svm_get_nr_sv(const svm_model* model) { return model->l; }

double svm_get_svr_probability(const svm_model* model) {
  if (svm::is_regression(model->param.svm_type) && model->probA != nullptr) return model->probA[0];
  std::fprintf(stderr, "Model doesn't contain information for SVR probability inference\n");
  return 0;
}

double svm_predict_values(const svm_model* model, const svm_node* x, double* dec_values) {
  return guarded("svm_predict_values", std::numeric_limits<double>::quiet_NaN(), [&] {
    return svm::Predictor(*model, svm::process_messages()).predict_values(x, dec_values);
  });
}

double svm_predict(const svm_model* model, const svm_node* x) {
  return guarded("svm_predict", std::numeric_limits<double>::quiet_NaN(),
                 [&] { return svm::Predictor(*model, svm::process_messages()).predict(x); });
}

double svm_predict_probability(const svm_model* model, const svm_node* x, double* prob_estimates) {
  return guarded("svm_predict_probability", std::numeric_limits<double>::quiet_NaN(), [&] {
    return svm::Predictor(*model, svm::process_messages()).predict_probability(x, prob_estimates);
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

const char* svm_check_parameter(const svm_problem* prob, const svm_parameter* param) {
  return guarded<const char*>("svm_check_parameter", "out of memory",
                              [&] { return svm::check_parameters(*prob, *param); });
}

int svm_check_probability_model(const svm_model* model) {
  const int type = model->param.svm_type;
  if (svm::is_classification(type)) return model->probA != nullptr && model->probB != nullptr;
  if (type == ONE_CLASS) return model->prob_density_marks != nullptr;
  return model->probA != nullptr;
}
