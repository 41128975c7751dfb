// Exceptions of the caller's functions, on their way through the library back to the caller.
#ifndef SVM_BASE_PLATFORM_CALLER_EXCEPTION_H_
#define SVM_BASE_PLATFORM_CALLER_EXCEPTION_H_

#include <exception>

namespace svm {

// It is no std::exception, so that no handler takes it for an error of the library.
struct CallerException {
  std::exception_ptr thrown;
};

// Returns what `call` returns, which calls a function of the caller.  What it throws becomes a
// CallerException.
template <typename Call>
auto call_caller(const Call& call) {
  try {
    return call();
  } catch (...) {
    throw CallerException{std::current_exception()};
  }
}

}  // namespace svm

#endif  // SVM_BASE_PLATFORM_CALLER_EXCEPTION_H_
