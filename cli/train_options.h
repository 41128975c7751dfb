// The command line of svm-train.
#ifndef SVM_CLI_TRAIN_OPTIONS_H_
#define SVM_CLI_TRAIN_OPTIONS_H_

#include <string>
#include <vector>

#include "cli/options.h"
#include "svm.h"

namespace svm::cli {

// Starts with LIBSVM's defaults.  Neither copied nor moved: param and options point into it after
// finish().
struct TrainSettings {
  TrainSettings();
  TrainSettings(const TrainSettings&) = delete;
  TrainSettings& operator=(const TrainSettings&) = delete;
  ~TrainSettings() = default;

  // Points param's class weights and the options' solver at what stands below.  Call it after
  // parsing.  Throws UsageError or Failure where options do not go together.
  void finish();

  bool cross_validation() const { return folds > 0; }

  svm_parameter param;             // gamma 0 stands for 1/max_index, set by the program
  std::vector<int> weight_labels;  // of -wi, in the order given
  std::vector<double> weights;
  int folds = 0;  // of cross validation, >= 2; 0 for none
  bool quiet = false;
  bool check = false;      // tell how good the model is
  bool compact = false;    // write a smaller model
  int feature_digits = 0;  // in the model file; 0: by the kind of model

  svm_options options;        // solver, limits
  std::string solver;         // empty where it was not given
  bool free_set_set = false;  // --free-set was given
  std::string init_file;      // model to start from; empty for none
  std::string weights_file;   // of the rows; empty for none
  std::string trace_file;     // empty for none
  bool progress = false;
};

// The table, with `settings` as the place where parsing stores.  `settings` must outlive it.
Program train_program(TrainSettings& settings);

}  // namespace svm::cli

#endif  // SVM_CLI_TRAIN_OPTIONS_H_
