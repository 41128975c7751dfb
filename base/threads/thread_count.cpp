#include "base/threads/thread_count.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include "base/platform/process.h"
#include "base/platform/text.h"

namespace svm {

static_assert(kMaxThreads == 1024, "kThreadsFault says so");

std::string threads_fault() { return joined({kThreadsFault, ": '", threads_variable(), "'"}); }

const char* threads_variable() { return variable_value("SVM_NUM_THREADS"); }

unsigned default_threads() {
  const char* const text = threads_variable();
  if (text == nullptr) return processor_threads();
  const char* const end = text + std::strlen(text);
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end && number <= kMaxThreads ? number : 0;
}

unsigned processor_threads() {
  const unsigned most = std::min(platform::available_processors(), kMaxThreads);
  const char* text = variable_value("OMP_NUM_THREADS");
  if (text == nullptr) return most;
  constexpr const char* kSpaces = " \t";
  text += std::strspn(text, kSpaces);
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text, text + std::strlen(text), number);
  const char next = stop[std::strspn(stop, kSpaces)];  // a list such as "4,2" is for nested threads
  const bool valid = error == std::errc() && number > 0 && (next == '\0' || next == ',');
  return valid ? std::min(most, number) : most;
}

unsigned thread_count_of_call(std::size_t asked) {
  if (asked > kMaxThreads) {
    throw std::invalid_argument("threads > " + std::to_string(kMaxThreads));
  }
  if (asked > 0) return static_cast<unsigned>(asked);
  const unsigned number = default_threads();
  if (number == 0) throw std::invalid_argument(threads_fault());
  return number;
}

}  // namespace svm
