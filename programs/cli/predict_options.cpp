#include "programs/cli/predict_options.h"

#include "programs/cli/option_builders.h"

namespace svm::cli {

Program predict_program(PredictSettings& settings) {
  Program program;
  program.name = "svm-predict";
  program.summary = "predict with a support vector machine";
  program.usage = "[options] test_file model_file output_file";
  program.description =
      "Predicts every row of test_file with a model that svm-train wrote, and writes one line\n"
      "per row to output_file. Labels in test_file are used to print the accuracy or the error;\n"
      "if they are not known, any number will do. As test_file or model_file, - is standard\n"
      "input, and as output_file, standard output.\n"
      "\n"
      "With -b 1 a classifier writes a first line \"labels ...\" and then the label and one\n"
      "probability per class.";
  program.examples = {
      {"svm-predict test train.model predictions", "Predict the rows of test."},
      {"svm-predict -b 1 test train.model probabilities",
       "Write the probability of each class; the model is of svm-train -b 1."},
  };
  program.related = {"svm-train", "svm-scale"};
  program.options = {with_choices(int_option("-b", "probability",
                                             "1: write probability estimates, if the model has "
                                             "them; 0: do not",
                                             "0", "0 or 1", settings.probability),
                                  {"0", "1"}),
                     flag_option("-q", "print no results on standard output", settings.quiet),
                     threads_option("predict", settings.threads)};
  program.min_files = 3;
  program.max_files = 3;
  program.input_files = 2;
  program.unknown_option = "Unknown option: -%c";
  return program;
}

}  // namespace svm::cli
