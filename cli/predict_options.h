// The command line of svm-predict.
#ifndef SVM_CLI_PREDICT_OPTIONS_H_
#define SVM_CLI_PREDICT_OPTIONS_H_

#include <cstddef>

#include "cli/options.h"

namespace svm::cli {

struct PredictSettings {
  bool probability = false;
  bool quiet = false;
  std::size_t threads = 0;  // 0: see thread_count()
};

// The table, with `settings` as the place where parsing stores.  `settings` must outlive it.
Program predict_program(PredictSettings& settings);

}  // namespace svm::cli

#endif  // SVM_CLI_PREDICT_OPTIONS_H_
