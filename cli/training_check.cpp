#include "cli/training_check.h"

#include <stdexcept>
#include <string>

#include "cli/main.h"
#include "training/check.h"
#include "training/weights.h"

namespace svm::cli {

void check_training(const svm_problem& problem, const svm_parameter& param,
                    const svm_options& options) {
  const char* message = check_parameters(problem, param, options.row_weights);
  if (message == nullptr) message = svm_check_options(&param, &options);
  if (message == nullptr) {
    try {
      checked_weights(problem, param, options.row_weights);
    } catch (const std::invalid_argument& error) {
      throw Failure(std::string("ERROR: ") + error.what());
    }
    return;
  }
  std::string text = std::string("ERROR: ") + message;
  if (std::string(message) == "specified nu is infeasible") {
    text += "\nthe largest feasible nu for these classes is " +
            std::to_string(largest_feasible_nu(problem, options.row_weights));
  }
  throw Failure(text);
}

}  // namespace svm::cli
