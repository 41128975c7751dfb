// Builds records for option tables.
#ifndef SVM_PROGRAMS_CLI_OPTION_BUILDERS_H_
#define SVM_PROGRAMS_CLI_OPTION_BUILDERS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "programs/cli/options.h"

namespace svm::cli {

// An option with a value; its `store` is not set yet.
Option value_option(ValueKind kind, const std::string& name, const std::string& value_name,
                    const std::string& help, const std::string& fallback = "",
                    const std::string& range = "");

// Options that store their value in `target`. A flag takes no value and sets `target` to 1.
template <typename Integer>
Option int_option(const std::string& name, const std::string& value_name, const std::string& help,
                  const std::string& fallback, const std::string& range, Integer& target) {
  Option option = value_option(ValueKind::kInt, name, value_name, help, fallback, range);
  option.store = [&target](const Option::Value& value) {
    target = static_cast<Integer>(value.integer);
  };
  return option;
}
Option real_option(const std::string& name, const std::string& value_name, const std::string& help,
                   const std::string& fallback, const std::string& range, double& target);
template <typename Integer>
Option flag_option(const std::string& name, const std::string& help, Integer& target) {
  Option option = value_option(ValueKind::kNone, name, "", help);
  option.store = [&target](const Option::Value&) { target = 1; };
  return option;
}

// An option that takes a file name, which must not be empty.
Option file_option(const std::string& name, const std::string& value_name, const std::string& help,
                   std::string& target);

// The same option with these bounds.
Option within(double lower, double upper, Option option);

// Adds values that a shell offers; the option may accept others as well.
Option with_choices(Option option, std::vector<std::string> choices);

// The option -v for cross validation; its value is at least 2.
Option folds_option(const std::string& help, const std::string& fallback, int& target);

// --threads. Stores its value in `threads`, which must outlive the option. `what` is done in
// parallel.
Option threads_option(const std::string& what, std::size_t& threads);

// `threads`, or the default number if it is 0. Throws Failure if the default is needed and
// SVM_NUM_THREADS is not a number of threads.
unsigned thread_count(std::size_t threads);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_OPTION_BUILDERS_H_
