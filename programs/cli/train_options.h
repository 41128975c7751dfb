// The command line of svm-train.
#ifndef SVM_PROGRAMS_CLI_TRAIN_OPTIONS_H_
#define SVM_PROGRAMS_CLI_TRAIN_OPTIONS_H_

#include <string>
#include <vector>

#include "programs/cli/options.h"
#include "svm_ext.h"

namespace svm::cli {

// Initialised to LIBSVM's defaults. Neither copyable nor movable, because after finish() param and
// options point into it.
struct TrainSettings {
  TrainSettings();
  TrainSettings(const TrainSettings&) = delete;
  TrainSettings& operator=(const TrainSettings&) = delete;
  ~TrainSettings() = default;

  // Sets the pointers in param and options to the members below. Call it after parsing. Throws
  // UsageError or Failure if options contradict each other.
  void finish();

  bool cross_validation() const { return folds > 0; }
  bool forest() const { return cells > 0 || trees > 0; }

  svm_parameter param;             // gamma 0 means 1/max_index, which the program sets
  std::vector<int> weight_labels;  // labels of -wi, in the order of the options
  std::vector<double> weights;
  int folds = 0;  // >= 2: folds of cross validation; 0: none
  bool quiet = false;
  bool check = false;    // report how good the model is
  bool compact = false;  // reduce the model before writing it
  bool counts = false;   // print the numbers of steps
  int cells = 0;         // the most rows of a leaf; with trees 0: no forest
  int trees = 0;
  bool out_of_core = false;  // the rows stay in their file
  int feature_digits = 0;    // in the model file; 0: depends on the kind of model

  svm_options options;        // solver, limits
  std::string solver;         // empty if not given
  bool free_set_set = false;  // --free-set was given
  std::string init_file;      // the model to start from; empty for none
  std::string weights_file;   // weights of the rows; empty for none
  std::string trace_file;     // empty for none
  std::string metric;         // the file of a metric to be learned, "off", or empty for the default
  std::string known_metric;   // the file of a metric to be used; empty for none
  bool learns_metric() const { return !metric.empty() && metric != "off"; }
};

// The option table. Parsing stores in `settings`, which must outlive the table.
Program train_program(TrainSettings& settings);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_TRAIN_OPTIONS_H_
