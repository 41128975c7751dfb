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
  program.usage = "[options] data_file";
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
