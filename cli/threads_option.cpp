#include "cli/threads_option.h"

#include <string>

#include "cli/main.h"
#include "cli/option_builders.h"
#include "threads/thread_count.h"

namespace svm::cli {

Option threads_option(const std::string& what, std::size_t& threads) {
  Option option =
      value_option(ValueKind::kInt, "--threads", "n",
                   what +
                       " on n threads; what is printed and written does not depend on it; "
                       "the environment variable SVM_NUM_THREADS changes the default",
                   "number of processors", "1 to " + std::to_string(kMaxThreads));
  option.lower = 1;
  option.upper = kMaxThreads;
  option.store = [&threads](const Option::Value& value) {
    threads = static_cast<std::size_t>(value.integer);
  };
  return option;
}

unsigned thread_count(std::size_t threads) {
  if (threads > 0) return static_cast<unsigned>(threads);
  const unsigned number = default_threads();
  if (number == 0) throw Failure(std::string(kThreadsFault) + ": '" + threads_variable() + "'");
  return number;
}

}  // namespace svm::cli
