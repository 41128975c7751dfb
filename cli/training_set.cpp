#include "cli/training_set.h"

#include "cli/input.h"
#include "cli/main.h"
#include "model/svm_type.h"

namespace svm::cli {

Dataset read_training_set(const std::string& path, const svm_parameter& param) {
  const FilePtr file = open_input(path);
  RowRules rules;
  rules.class_labels = is_classification(param.svm_type);
  rules.precomputed = param.kernel_type == PRECOMPUTED;
  try {
    Dataset data(file.get(), rules);
    if (!data.has_features()) warn_of_no_features(path, data.first_line());
    return data;
  } catch (const InputError& error) {
    throw Failure(input_error_text(path, error));
  }
}

void set_default_gamma(svm_parameter& param, const Dataset& data) {
  if (param.gamma == 0 && data.max_index() > 0) param.gamma = 1.0 / data.max_index();
}

}  // namespace svm::cli
