// Captures warnings of the library.
#ifndef SVM_TESTS_WARNINGS_H_
#define SVM_TESTS_WARNINGS_H_

#include <string>
#include <utility>

#include "svm_ext.h"

namespace svm::test {

// Captures the warnings of the process during its lifetime.  Only one may exist at a time.
class Warnings {
 public:
  Warnings() {
    kept().clear();
    svm_set_warning_function([](const char* text) { kept() += text; });
  }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;
  ~Warnings() { svm_set_warning_function(nullptr); }

  // The warnings since the last call.
  std::string take() const { return std::exchange(kept(), {}); }

 private:
  static std::string& kept() {
    static std::string text;
    return text;
  }
};

}  // namespace svm::test

#endif  // SVM_TESTS_WARNINGS_H_
