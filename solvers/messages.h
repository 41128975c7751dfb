// Where the library's messages go.
#ifndef SVM_SOLVERS_MESSAGES_H_
#define SVM_SOLVERS_MESSAGES_H_

#include <functional>
#include <string>
#include <utility>

namespace svm {

// Passed down by the C interface.
class Messages {
 public:
  using Function = std::function<void(const char*)>;
  // An empty function means standard output, or standard error for the warnings.
  explicit Messages(Function print_function, Function warn_function = nullptr)
      : print_(std::move(print_function)), warn_(std::move(warn_function)) {}

  // Sends `text` on, and flushes standard output, so that progress is seen at once.
  void print(const std::string& text) const;

  // Warnings that LIBSVM sends to standard error whatever the print function is.
  void warn(const std::string& text) const;

 private:
  Function print_, warn_;
};

// printf into a string.
__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...);

}  // namespace svm

#endif  // SVM_SOLVERS_MESSAGES_H_
