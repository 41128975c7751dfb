// The check before a training, with the program's words.
#ifndef SVM_CLI_TRAINING_CHECK_H_
#define SVM_CLI_TRAINING_CHECK_H_

#include "svm.h"

namespace svm::cli {

// Throws Failure where parameters, options and problem do not go together.
void check_training(const svm_problem& problem, const svm_parameter& param,
                    const svm_options& options);

}  // namespace svm::cli

#endif  // SVM_CLI_TRAINING_CHECK_H_
