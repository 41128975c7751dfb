#include "programs/cli/option_builders.h"

#include <string>
#include <utility>

#include "base/threads/pool.h"
#include "programs/cli/main.h"

namespace svm::cli {

Option value_option(ValueKind kind, const std::string& name, const std::string& value_name,
                    const std::string& help, const std::string& fallback,
                    const std::string& range) {
  Option option;
  option.name = name;
  option.kind = kind;
  option.value_name = value_name;
  option.help = help;
  option.fallback = fallback;
  option.range = range;
  return option;
}

Option real_option(const std::string& name, const std::string& value_name, const std::string& help,
                   const std::string& fallback, const std::string& range, double& target) {
  Option option = value_option(ValueKind::kReal, name, value_name, help, fallback, range);
  option.store = [&target](const Option::Value& value) { target = value.real; };
  return option;
}

Option file_option(const std::string& name, const std::string& value_name, const std::string& help,
                   std::string& target) {
  Option option = value_option(ValueKind::kText, name, value_name, help);
  option.file = true;
  option.store = [&target](const Option::Value& value) {
    if (value.text.empty()) throw BadValue("the file name is empty");
    target = value.text;
  };
  return option;
}

Option within(double lower, double upper, Option option) {
  option.lower = lower;
  option.upper = upper;
  return option;
}

Option with_choices(Option option, std::vector<std::string> choices) {
  option.choices = std::move(choices);
  return option;
}

Option folds_option(const std::string& help, const std::string& fallback, int& target) {
  constexpr int kLeastFolds = 2;
  Option option = value_option(ValueKind::kInt, "-v", "n", help, fallback,
                               ">= 2; more parts than rows leave out one row at a time");
  option.store = [&target](const Option::Value& value) {
    if (value.integer < kLeastFolds) {
      throw BadValue(std::to_string(value.integer) + " is too small",
                     "n-fold cross validation: n must >= 2\n");
    }
    target = value.integer;
  };
  return option;
}

Option threads_option(const std::string& what, std::size_t& threads) {
  return within(
      1, kMaxThreads,
      int_option("--threads", "n",
                 what + " on n threads; what is printed and written does not depend on it; "
                        "the environment variable SVM_NUM_THREADS changes the default",
                 "number of processors", "1 to " + std::to_string(kMaxThreads), threads));
}

unsigned thread_count(std::size_t threads) {
  if (threads > 0) return static_cast<unsigned>(threads);
  const unsigned number = default_threads();
  if (number == 0) throw Failure(threads_fault());
  return number;
}

}  // namespace svm::cli
