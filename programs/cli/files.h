// The programs' files: opening inputs, messages about them, and the model file that is written.
#ifndef SVM_PROGRAMS_CLI_FILES_H_
#define SVM_PROGRAMS_CLI_FILES_H_

#include <functional>
#include <string>
#include <vector>

#include "base/io/input_error.h"
#include "base/io/input_file.h"
#include "model/model_file.h"
#include "programs/cli/main.h"
#include "svm.h"

namespace svm::cli {

// Opens a file for reading. Throws Failure with `message`, the path, and the reason.
FilePtr open_for_reading(const std::string& path, const std::string& message);

// Opens a data file for reading. Throws Failure with LIBSVM's message.
FilePtr open_input(const std::string& path);

// Throws Failure if `output` is a regular file and one of `inputs`, perhaps by another name or
// links.
void spare_inputs(const std::string& output, const std::vector<std::string>& inputs);

// Throws Failure if two of the outputs, whose files need not exist, are one file. Empty names and
// streams do not count.
void separate_outputs(const std::vector<std::string>& outputs);

// Warns if no row of a data file has a feature, with what its first line seems to be; else if a
// part of the file was ignored (RowReader::ignored).
void warn_of_rows(const std::string& path, bool has_features, const std::string& first_line,
                  const std::string& ignored);

// The file name without its folders. Outputs are named after it.
std::string base_name(const std::string& path);

// LIBSVM's line about a malformed data file, followed by the fault and its position.
std::string input_error_text(const std::string& path, const InputError& error);

// Throws Failure if it is known that the file cannot be written, is one of `inputs`, or holds
// something other than a model. Called before a long training.
void check_model_output(const std::string& path, const std::vector<std::string>& inputs);

// The file for a model whose training was interrupted, which must not replace a finished one:
// another name, unless `path` is a device, a pipe or an open stream.
std::string partial_name(const std::string& path);

// Writes the model completely or not at all. Throws Failure with the reason if that fails, also if
// the file holds something other than a model.
void write_model_output(const std::string& path, const std::function<void(const TextSink&)>& write);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_FILES_H_
