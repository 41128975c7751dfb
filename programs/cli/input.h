// Opening the programs' input files, and messages about them.
#ifndef SVM_PROGRAMS_CLI_INPUT_H_
#define SVM_PROGRAMS_CLI_INPUT_H_

#include <string>
#include <vector>

#include "base/io/input_error.h"
#include "base/io/input_file.h"
#include "programs/cli/main.h"

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

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_INPUT_H_
