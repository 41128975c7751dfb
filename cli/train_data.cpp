#include "cli/train_data.h"

#include "cli/input.h"
#include "cli/main.h"
#include "training/check.h"

namespace svm::cli {

bool is_classification(const svm_parameter& param) {
  return param.svm_type == C_SVC || param.svm_type == NU_SVC;
}

bool is_regression(const svm_parameter& param) {
  return param.svm_type == EPSILON_SVR || param.svm_type == NU_SVR;
}

Dataset read_training_data(const std::string& path, const svm_parameter& param) {
  const FilePtr file = open_input(path);
  RowRules rules;
  rules.class_labels = is_classification(param);
  rules.precomputed = param.kernel_type == PRECOMPUTED;
  try {
    return Dataset(file.get(), rules);
  } catch (const InputError& error) {
    throw Failure(input_error_text(path, error));
  }
}

void check_training(const svm_problem& problem, const svm_parameter& param,
                    const svm_options& options) {
  const char* message = svm_check_parameter(&problem, &param);
  if (message == nullptr) message = svm_check_options(&param, &options);
  if (message == nullptr) return;
  std::string text = std::string("ERROR: ") + message;
  if (std::string(message) == "specified nu is infeasible") {
    text += "\nthe largest feasible nu for these classes is " +
            std::to_string(largest_feasible_nu(problem));
  }
  throw Failure(text);
}

}  // namespace svm::cli
