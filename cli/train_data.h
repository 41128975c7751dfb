// What the programs that train share about their data.
#ifndef SVM_CLI_TRAIN_DATA_H_
#define SVM_CLI_TRAIN_DATA_H_

#include <string>

#include "cli/train_options.h"
#include "io/dataset.h"
#include "svm.h"

namespace svm::cli {

constexpr int kInterrupted = 130;  // exit status: as a shell reports a program that SIGINT ended

bool is_classification(const svm_parameter& param);
bool is_regression(const svm_parameter& param);

// Reads a data file for this kind of machine and kernel.  Throws Failure.
Dataset read_training_data(const std::string& path, const svm_parameter& param);

// Throws Failure where parameters, options and problem do not go together.
void check_training(const svm_problem& problem, const svm_parameter& param,
                    const svm_options& options);

}  // namespace svm::cli

#endif  // SVM_CLI_TRAIN_DATA_H_
