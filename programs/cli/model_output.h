// The model file that a program writes.
#ifndef SVM_PROGRAMS_CLI_MODEL_OUTPUT_H_
#define SVM_PROGRAMS_CLI_MODEL_OUTPUT_H_

#include <string>

#include "model/model_file.h"
#include "svm.h"

namespace svm::cli {

// Throws Failure if it is known that the file cannot be written. Called before a long training.
void check_model_output(const std::string& path);

// Writes the model completely or not at all. Throws Failure with the reason if that fails.
void write_model_output(const std::string& path, const svm_model& model,
                        const ModelDigits& digits = {});

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_MODEL_OUTPUT_H_
