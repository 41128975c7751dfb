// Builders of the records in the tables of options.
#ifndef SVM_CLI_OPTION_BUILDERS_H_
#define SVM_CLI_OPTION_BUILDERS_H_

#include <string>
#include <vector>

#include "cli/options.h"

namespace svm::cli {

// An option with a value, and nothing to receive it yet.
Option value_option(ValueKind kind, const std::string& name, const std::string& value_name,
                    const std::string& help, const std::string& fallback = "",
                    const std::string& range = "");

// Options that store their value as it is; those of `bool` have none, and set it.
Option int_option(const std::string& name, const std::string& value_name, const std::string& help,
                  const std::string& fallback, const std::string& range, int& target);
Option real_option(const std::string& name, const std::string& value_name, const std::string& help,
                   const std::string& fallback, const std::string& range, double& target);
Option flag_option(const std::string& name, const std::string& help, bool& target);

// The name of a file, which must not be empty.
Option file_option(const std::string& name, const std::string& value_name, const std::string& help,
                   std::string& target);

// The option, with values that a shell offers; what else it takes stays as it is.
Option with_choices(Option option, std::vector<std::string> choices);

// -v of cross validation, at least 2.
Option folds_option(const std::string& help, const std::string& fallback, int& target);

}  // namespace svm::cli

#endif  // SVM_CLI_OPTION_BUILDERS_H_
