#include "cli/scale_options.h"

namespace svm::cli {
namespace {

Option bound_option(const char* name, const char* value_name, const char* help,
                    const char* fallback, double& target) {
  Option option;
  option.name = name;
  option.kind = ValueKind::kReal;
  option.value_name = value_name;
  option.help = help;
  option.fallback = fallback;
  option.range = "lower < upper";
  option.store = [&target](const Option::Value& value) { target = value.real; };
  return option;
}

Option target_option(ScaleSettings& settings) {
  Option option;
  option.name = "-y";
  option.kind = ValueKind::kTwoReals;
  option.value_name = "lower upper";
  option.help = "scale the labels too, to these limits";
  option.range = "lower < upper";
  option.store = [&settings](const Option::Value& value) {
    settings.scale_target = true;
    settings.y_lower = value.real;
    settings.y_upper = value.second;
  };
  return option;
}

Option file_option(const char* name, const char* help, std::string& target) {
  Option option;
  option.name = name;
  option.kind = ValueKind::kText;
  option.value_name = "file";
  option.help = help;
  option.range = "not both -s and -r";
  option.store = [&target, name](const Option::Value& value) {
    if (value.text.empty()) {
      throw UsageError(std::string("svm-scale: option ") + name + ": the file name is empty");
    }
    target = value.text;
  };
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
      "out.\n"
      "\n"
      "Scale test data as the training data was scaled: save the limits with -s when scaling\n"
      "the training data and restore them with -r for the test data.";
  program.options = {
      bound_option("-l", "lower", "lower limit of every feature", "-1", settings.lower),
      bound_option("-u", "upper", "upper limit of every feature", "1", settings.upper),
      target_option(settings),
      file_option("-s", "save the limits and ranges to this file", settings.save_file),
      file_option("-r", "scale with the limits and ranges of this file; -l and -u are ignored",
                  settings.restore_file),
  };
  program.min_files = 1;
  program.max_files = 1;
  program.unknown_option = "unknown option";
  return program;
}

}  // namespace svm::cli
