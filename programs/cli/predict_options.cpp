#include "programs/cli/predict_options.h"

#include "programs/cli/option_builders.h"

namespace svm::cli {

Program predict_program(PredictSettings& settings) {
  Program program;
  program.name = "svm-predict";
  program.usage = "[options] test_file model_file output_file";
  program.options = {with_choices(int_option("-b", "probability",
                                             "1: write probability estimates, if the model has "
                                             "them; 0: do not",
                                             "0", "0 or 1", settings.probability),
                                  {"0", "1"}),
                     flag_option("-q", "print no results on standard output", settings.quiet),
                     file_option("--metric", "file",
                                 "multiply the features by the weights of this file, which "
                                 "svm-train --metric wrote with the model",
                                 settings.metric),
                     threads_option("predict", settings.threads)};
  program.min_files = 3;
  program.max_files = 3;
  program.input_files = 2;
  program.unknown_option = "Unknown option: -%c";
  return program;
}

}  // namespace svm::cli
