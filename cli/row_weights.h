// Weights of the rows of a data file.
#ifndef SVM_CLI_ROW_WEIGHTS_H_
#define SVM_CLI_ROW_WEIGHTS_H_

#include <cstddef>
#include <string>
#include <vector>

namespace svm::cli {

// Reads a file with one number per line, for as many rows.  Throws Failure.
std::vector<double> read_row_weights(const std::string& path, std::size_t rows);

}  // namespace svm::cli

#endif  // SVM_CLI_ROW_WEIGHTS_H_
