// The command line of svm-train.
#ifndef SVM_CLI_TRAIN_OPTIONS_H_
#define SVM_CLI_TRAIN_OPTIONS_H_

#include <vector>

#include "cli/options.h"
#include "svm.h"

namespace svm::cli {

// Starts with LIBSVM's defaults.  Neither copied nor moved: param points into it after finish().
struct TrainSettings {
  TrainSettings();
  TrainSettings(const TrainSettings&) = delete;
  TrainSettings& operator=(const TrainSettings&) = delete;
  ~TrainSettings() = default;

  // Points param's class weights at the vectors below.  Call it after parsing.
  void finish();

  svm_parameter param;             // gamma 0 stands for 1/max_index, set by the program
  std::vector<int> weight_labels;  // of -wi, in the order given
  std::vector<double> weights;
  bool cross_validation = false;
  int folds = 0;  // >= 2 with cross_validation
  bool quiet = false;
};

// The table, with `settings` as the place where parsing stores.  `settings` must outlive it.
Program train_program(TrainSettings& settings);

}  // namespace svm::cli

#endif  // SVM_CLI_TRAIN_OPTIONS_H_
