#include "cli/threads_option.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cli/main.h"
#include "io/number_text.h"
#include "threads/pool.h"

namespace svm::cli {
namespace {

constexpr const char* kVariable = "SVM_NUM_THREADS";

}  // namespace

Option threads_option(int& threads) {
  Option option;
  option.name = "--threads";
  option.kind = ValueKind::kInt;
  option.value_name = "n";
  option.help =
      "predict on n threads; what is printed and written does not depend on it;\n"
      "the environment variable SVM_NUM_THREADS changes the default";
  option.fallback = "number of processors";
  option.range = "1 to " + std::to_string(kMaxThreads);
  option.lower = 1;
  option.upper = kMaxThreads;
  option.store = [&threads](const Option::Value& value) { threads = value.integer; };
  return option;
}

unsigned thread_count(int threads) {
  if (threads > 0) return static_cast<unsigned>(threads);
  const char* const text = std::getenv(kVariable);
  if (text == nullptr || *text == '\0') return std::min(available_processors(), kMaxThreads);
  const IntText number = parse_int(text);
  if (number.status != NumberStatus::kOk || text[number.length] != '\0' || number.value < 1 ||
      number.value > static_cast<long long>(kMaxThreads)) {
    throw Failure(std::string("environment variable ") + kVariable + ": '" + text +
                  "' is not a number from 1 to " + std::to_string(kMaxThreads));
  }
  return static_cast<unsigned>(number.value);
}

}  // namespace svm::cli
