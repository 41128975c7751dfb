// The data on which svm-train and svm-grid train, and checks before training.
#ifndef SVM_PROGRAMS_CLI_TRAINING_SET_H_
#define SVM_PROGRAMS_CLI_TRAINING_SET_H_

#include <cstddef>
#include <string>
#include <vector>

#include "programs/cli/train_options.h"
#include "programs/data/dataset.h"
#include "svm_ext.h"
#include "training/forest/train_forest.h"

namespace svm::cli {

// What a data file for this type of SVM and kernel must keep to.
RowRules training_rules(const svm_parameter& param);

// Reads a data file for this type of SVM and kernel. Warns if no row has a feature. Throws Failure.
Dataset read_training_set(const std::string& path, const svm_parameter& param);

// Replaces a gamma of 0 by the default, 1 / (number of features).
void set_default_gamma(svm_parameter& param, int features);

// Reads a file of `rows` weights, one per line. Throws Failure.
std::vector<double> read_row_weights(const std::string& path, std::size_t rows);

// The forest that is asked for.
ForestPlan plan_of(const TrainSettings& settings);

// Throws Failure if parameters, options and problem do not fit together.
void check_training(const svm_problem& problem, const svm_parameter& param,
                    const svm_options& options);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_TRAINING_SET_H_
