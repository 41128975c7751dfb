#include "programs/cli/scale_options.h"

#include "programs/cli/option_builders.h"

namespace svm::cli {
namespace {

Option target_option(ScaleSettings& settings) {
  Option option = value_option(ValueKind::kTwoReals, "-y", "lower upper",
                               "scale the labels too, to these limits", "", "lower < upper");
  option.store = [&settings](const Option::Value& value) {
    settings.scale_target = true;
    settings.y_lower = value.real;
    settings.y_upper = value.second;
  };
  return option;
}

Option range_file_option(const char* name, const char* help, std::string& target) {
  Option option = file_option(name, "file", help, target);
  option.range = "not both -s and -r";
  return option;
}

}  // namespace

Program scale_program(ScaleSettings& settings) {
  Program program;
  program.name = "svm-scale";
  program.summary = "scale the features of a data file";
  program.usage = "[options] data_file";
  program.description =
      "Maps every feature of data_file linearly so that its least and largest value become the\n"
      "limits, and prints the result on standard output. Features that do not vary are left\n"
      "out. As data_file, - is standard input.\n"
      "\n"
      "Scale test data as the training data was scaled: save the limits with -s when scaling\n"
      "the training data and restore them with -r for the test data.";
  program.examples = {
      {"svm-scale -s ranges train > train.scaled", "Scale to -1 and 1, and save the ranges."},
      {"svm-scale -r ranges test > test.scaled", "Scale other data in the same way."},
      {"svm-scale -l 0 counts > counts.scaled",
       "Scale to 0 and 1: zeros, which are left out, stay."},
  };
  program.related = {"svm-train", "svm-easy"};
  program.options = {
      real_option("-l", "lower", "lower limit of every feature", "-1", "lower < upper",
                  settings.lower),
      real_option("-u", "upper", "upper limit of every feature", "1", "lower < upper",
                  settings.upper),
      target_option(settings),
      range_file_option("-s", "save the limits and ranges to this file", settings.save_file),
      range_file_option("-r",
                        "scale with the limits and ranges of this file; -l and -u are ignored",
                        settings.restore_file),
  };
  program.min_files = 1;
  program.max_files = 1;
  program.unknown_option = "unknown option";
  return program;
}

}  // namespace svm::cli
