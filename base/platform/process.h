// The number of this process, and what it does about signals.
#ifndef SVM_BASE_PLATFORM_PROCESS_H_
#define SVM_BASE_PLATFORM_PROCESS_H_

#include <cstdint>

namespace svm::platform {

long long process_id();

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

#endif  // SVM_BASE_PLATFORM_PROCESS_H_
