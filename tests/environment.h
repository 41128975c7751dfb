// Environment variables for the time of a test.
#ifndef SVM_TESTS_ENVIRONMENT_H_
#define SVM_TESTS_ENVIRONMENT_H_

#include <cstdlib>
#include <string>

namespace svm::test {

// Sets a variable while it lives.
class Setting {
 public:
  Setting(const char* variable, const std::string& value) : variable_(variable) {
    const char* old = std::getenv(variable);
    was_set_ = old != nullptr;
    if (was_set_) old_ = old;
    ::setenv(variable, value.c_str(), 1);
  }
  ~Setting() {
    if (was_set_) {
      ::setenv(variable_, old_.c_str(), 1);
    } else {
      ::unsetenv(variable_);
    }
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* variable_;
  bool was_set_ = false;
  std::string old_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_ENVIRONMENT_H_
