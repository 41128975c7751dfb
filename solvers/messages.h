// Where the library's messages go.
#ifndef SVM_SOLVERS_MESSAGES_H_
#define SVM_SOLVERS_MESSAGES_H_

#include <functional>
#include <string>
#include <utility>

namespace svm {

// Passed down by the C interface; an empty function means standard output.
class Messages {
 public:
  using Function = std::function<void(const char*)>;
  explicit Messages(Function function) : print_(std::move(function)) {}

  // Sends `text` on, and flushes standard output, so that progress is seen at once.
  void print(const std::string& text) const;

 private:
  Function print_;
};

// printf into a string.
__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...);

// Warnings that LIBSVM sends to standard error whatever the print function is.
void warn(const std::string& text);

}  // namespace svm

#endif  // SVM_SOLVERS_MESSAGES_H_
