// Sets environment variables during a test.
#ifndef SVM_TESTS_ENVIRONMENT_H_
#define SVM_TESTS_ENVIRONMENT_H_

#include <cstdlib>
#include <string>

namespace svm::test {

// Sets a variable, or clears it (null), during its lifetime.
class Setting {
 public:
  Setting(const char* variable, const char* value) : variable_(variable) {
    const char* old = std::getenv(variable);
    was_set_ = old != nullptr;
    if (was_set_) old_ = old;
    set(value);
  }
  Setting(const char* variable, const std::string& value) : Setting(variable, value.c_str()) {}
  ~Setting() { set(was_set_ ? old_.c_str() : nullptr); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  void set(const char* value) const {
    if (value == nullptr) {
      ::unsetenv(variable_);
    } else {
      ::setenv(variable_, value, 1);
    }
  }

  const char* variable_;
  bool was_set_ = false;
  std::string old_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_ENVIRONMENT_H_
