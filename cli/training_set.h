// What the programs that train share about their data.
#ifndef SVM_CLI_TRAINING_SET_H_
#define SVM_CLI_TRAINING_SET_H_

#include <string>

#include "io/dataset.h"
#include "svm.h"

namespace svm::cli {

// Reads a data file for this kind of machine and kernel; warns if no row has a feature.
// Throws Failure.
Dataset read_training_set(const std::string& path, const svm_parameter& param);

// Makes a gamma of 0 the default, 1 / (number of features).
void set_default_gamma(svm_parameter& param, const Dataset& data);

}  // namespace svm::cli

#endif  // SVM_CLI_TRAINING_SET_H_
