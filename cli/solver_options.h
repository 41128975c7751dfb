// Options of svm-train that LIBSVM does not have: the solver, what it is told and what it shows.
#ifndef SVM_CLI_SOLVER_OPTIONS_H_
#define SVM_CLI_SOLVER_OPTIONS_H_

#include <vector>

#include "cli/options.h"
#include "cli/train_options.h"

namespace svm::cli {

// With `settings` as the place where parsing stores.  It must outlive them.
std::vector<Option> solver_options(TrainSettings& settings);

}  // namespace svm::cli

#endif  // SVM_CLI_SOLVER_OPTIONS_H_
