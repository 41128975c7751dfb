// Environment variables.
#ifndef SVM_PLATFORM_ENVIRONMENT_H_
#define SVM_PLATFORM_ENVIRONMENT_H_

#include <cstdlib>

namespace svm {

// The value of an environment variable; null if it is unset or empty.
inline const char* variable_value(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

}  // namespace svm

#endif  // SVM_PLATFORM_ENVIRONMENT_H_
