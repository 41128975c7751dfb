// The model file that a program writes.
#ifndef SVM_PROGRAMS_CLI_MODEL_OUTPUT_H_
#define SVM_PROGRAMS_CLI_MODEL_OUTPUT_H_

#include <string>
#include <vector>

#include "model/model_file.h"
#include "svm.h"

namespace svm::cli {

// Throws Failure if it is known that the file cannot be written, is one of `inputs`, or holds
// something other than a model. Called before a long training.
void check_model_output(const std::string& path, const std::vector<std::string>& inputs);

// The file for a model whose training was interrupted, which must not replace a finished one:
// another name, unless `path` is a device, a pipe or an open stream.
std::string partial_name(const std::string& path);

// Writes the model completely or not at all. Throws Failure with the reason if that fails, also if
// the file holds something other than a model.
void write_model_output(const std::string& path, const svm_model& model,
                        const ModelDigits& digits = {});

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_MODEL_OUTPUT_H_
