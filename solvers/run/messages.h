// Where the library's messages go.
#ifndef SVM_SOLVERS_RUN_MESSAGES_H_
#define SVM_SOLVERS_RUN_MESSAGES_H_

#include <exception>
#include <functional>
#include <string>
#include <utility>

namespace svm {

// What a function of the caller's threw, on its way through the library to the caller.  It is no
// std::exception, so that nothing in between takes it for an error of the library's own.
struct CallerException {
  std::exception_ptr thrown;
};

// Passed down by the C interface.
class Messages {
 public:
  using Function = std::function<void(const char*)>;
  // An empty function means standard output, or for warnings that they are dropped.
  explicit Messages(Function print_function, Function warn_function = nullptr)
      : print_(std::move(print_function)), warn_(std::move(warn_function)) {}

  void print_to(Function function) { print_ = std::move(function); }
  void warn_to(Function function) { warn_ = std::move(function); }

  // Sends `text` on, and flushes standard output, so that progress is seen at once.
  void print(const std::string& text) const;

  // What LIBSVM writes to standard error, whatever the print function is.
  void warn(const std::string& text) const {
    if (warn_) warn_(text.c_str());
  }

 private:
  Function print_, warn_;
};

// Messages to a function of the caller's.  What it throws becomes a CallerException.
template <typename Print>
Messages::Function to_caller(Print print) {
  return [print](const char* text) {
    try {
      print(text);
    } catch (...) {
      throw CallerException{std::current_exception()};
    }
  };
}

// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_MESSAGES_H_
