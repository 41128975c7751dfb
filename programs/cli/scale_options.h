// The command line of svm-scale.
#ifndef SVM_PROGRAMS_CLI_SCALE_OPTIONS_H_
#define SVM_PROGRAMS_CLI_SCALE_OPTIONS_H_

#include <string>

#include "programs/cli/options.h"

namespace svm::cli {

struct ScaleSettings {
  double lower = -1;
  double upper = 1;
  bool scale_target = false;  // -y
  double y_lower = 0;
  double y_upper = 0;
  std::string save_file;     // empty for none
  std::string restore_file;  // empty for none
};

// The option table. Parsing stores in `settings`, which must outlive the table.
Program scale_program(ScaleSettings& settings);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_SCALE_OPTIONS_H_
