// Handlers for Ctrl-C and the signals that end a process.
#ifndef SVM_PLATFORM_SIGNALS_H_
#define SVM_PLATFORM_SIGNALS_H_

#include <cstdint>

namespace svm::platform {

// Installs handlers for Ctrl-C and for all signals that end a process by default, except those for
// faults of the program itself. The handler calls clean_up() and then ends the process as the
// signal would have. On Ctrl-C it calls interrupt() first and does nothing more if that returns
// true. Signals that are ignored (nohup, background jobs) stay ignored.
//
// Both functions may be called at any point of the program and on any thread (on Windows, on one of
// the system's own): they must be async-signal-safe.
void handle_termination(bool (*interrupt)(), void (*clean_up)());

// Sleeps for about a millisecond. Async-signal-safe.
void sleep_briefly() noexcept;

// Blocks all signals for the constructing thread, and for threads that it starts, during the
// object's lifetime. Does nothing on Windows, where handlers run on threads of their own.
class SignalsBlocked {
 public:
  SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked();

 private:
  static constexpr int kWords = 16;
  std::uint64_t before_[kWords];  // the system's set of signals blocked before
};

}  // namespace svm::platform

#endif  // SVM_PLATFORM_SIGNALS_H_
