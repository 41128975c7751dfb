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

// Options that store their value in `target`. A bool option takes no value and sets `target`.
Option int_option(const std::string& name, const std::string& value_name, const std::string& help,
                  const std::string& fallback, const std::string& range, int& target);
Option real_option(const std::string& name, const std::string& value_name, const std::string& help,
                   const std::string& fallback, const std::string& range, double& target);
Option flag_option(const std::string& name, const std::string& help, bool& target);

// An option that takes a file name, which must not be empty.
Option file_option(const std::string& name, const std::string& value_name, const std::string& help,
                   std::string& target);

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
