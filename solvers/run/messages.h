// Where the library's messages go.
#ifndef SVM_SOLVERS_RUN_MESSAGES_H_
#define SVM_SOLVERS_RUN_MESSAGES_H_

#if !defined(SVM_NO_STDIO)
#include <cstdio>
#endif
#include <functional>
#include <string>
#include <utility>

#include "base/platform/caller_exception.h"

namespace svm {

// Prints messages and warnings by functions of the caller.
class Messages {
 public:
  using Function = std::function<void(const char*)>;
  // If `print_function` is empty, messages go to standard output; if `warn_function` is empty,
  // warnings are dropped.
  explicit Messages(Function print_function, Function warn_function = nullptr)
      : print_(std::move(print_function)), warn_(std::move(warn_function)) {}

  void print_to(Function function) { print_ = std::move(function); }
  // No text is printed from now on.
  void silence() { is_silent_ = true; }
  bool is_silent() const { return is_silent_; }
  // A function of this call, not of the process, gets notes as well.
  void warn_to(Function function) {
    warn_ = std::move(function);
    takes_notes_ = true;
  }

  // Prints `text`, and flushes standard output, so that progress is visible at once.
  void print(const std::string& text) const {
    if (is_silent_) return;
    if (print_) {
      print_(text.c_str());
      return;
    }
#if !defined(SVM_NO_STDIO)
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
#endif
  }
  // Prints what `text` returns, if anything is printed.
  template <typename Text, typename = decltype(std::declval<Text>()())>
  void print(Text text) const {
    if (!is_silent_) print(text());
  }

  // Passes on what LIBSVM writes to standard error.
  void warn(const std::string& text) const {
    if (warn_) warn_(text.c_str());
  }

  // Tells what LIBSVM does without a word.
  void note(const std::string& text) const {
    if (takes_notes_) warn("NOTE: " + text + "\n");
  }

 private:
  Function print_, warn_;
  bool takes_notes_ = false, is_silent_ = false;
};

// Wraps a caller's print function: what it throws becomes a CallerException.
template <typename Print>
Messages::Function to_caller(Print print) {
  return [print](const char* text) { call_caller([&] { print(text); }); };
}

}  // namespace svm

#endif  // SVM_SOLVERS_RUN_MESSAGES_H_
