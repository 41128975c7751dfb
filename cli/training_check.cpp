#include "cli/training_check.h"

#include <string>

#include "cli/main.h"
#include "training/check.h"

namespace svm::cli {

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
