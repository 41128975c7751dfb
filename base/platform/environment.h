// Environment variables.
#ifndef SVM_BASE_PLATFORM_ENVIRONMENT_H_
#define SVM_BASE_PLATFORM_ENVIRONMENT_H_

#include <cstdlib>
#include <string>
#include <string_view>

#include "base/platform/text.h"

namespace svm {

// The value of an environment variable; null if it is unset or empty.
inline const char* variable_value(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

// Says what is wrong with the value of a variable that is set: `fault` goes on behind the value.
inline std::string variable_fault(const char* name, std::string_view fault) {
  return joined({"environment variable ", name, ": '", variable_value(name), "' ", fault});
}

}  // namespace svm

#endif  // SVM_BASE_PLATFORM_ENVIRONMENT_H_
