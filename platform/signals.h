// Signals that end a process, and Ctrl-C.
#ifndef SVM_PLATFORM_SIGNALS_H_
#define SVM_PLATFORM_SIGNALS_H_

#include <cstdint>

namespace svm::platform {

// From now on, whatever ends the process unless it is handled, but for faults of the program
// itself, ends it all the same after a call of clean_up().  On Ctrl-C `interrupt` is asked before:
// where it returns true, that is all.  What is ignored (nohup, background jobs) stays ignored.
//
// Both are called at any point of the program, on any thread, on Windows on one of the system's:
// they must be async-signal-safe.
void handle_ending(bool (*interrupt)(), void (*clean_up)());

// Waits about a millisecond.  Async-signal-safe.
void doze() noexcept;

// While it exists, the thread that made it is not interrupted by signals, nor are threads that this
// one starts.  Nothing to do on Windows, where handlers have threads of their own.
class SignalsBlocked {
 public:
  SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked();

 private:
  static constexpr int kWords = 16;
  std::uint64_t before_[kWords];  // the system's record of what was blocked
};

}  // namespace svm::platform

#endif  // SVM_PLATFORM_SIGNALS_H_
