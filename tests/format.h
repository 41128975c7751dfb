// printf into a string.
#ifndef SVM_TESTS_FORMAT_H_
#define SVM_TESTS_FORMAT_H_

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <string>

namespace svm {

[[gnu::format(printf, 1, 2)]] inline std::string format(const char* pattern, ...) {
  std::va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

}  // namespace svm

#endif  // SVM_TESTS_FORMAT_H_
