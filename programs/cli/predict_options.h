// The command line of svm-predict.
#ifndef SVM_PROGRAMS_CLI_PREDICT_OPTIONS_H_
#define SVM_PROGRAMS_CLI_PREDICT_OPTIONS_H_

#include <cstddef>
#include <string>

#include "programs/cli/options.h"

namespace svm::cli {

struct PredictSettings {
  bool probability = false;
  bool quiet = false;
  std::size_t threads = 0;  // 0: see thread_count()
  std::string metric;       // file with weights of features; empty for none
};

// The option table. Parsing stores in `settings`, which must outlive the table.
Program predict_program(PredictSettings& settings);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_PREDICT_OPTIONS_H_
