// The process: its environment variables, processors, memory, number and signals.
#ifndef SVM_BASE_PLATFORM_PROCESS_H_
#define SVM_BASE_PLATFORM_PROCESS_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/platform/text.h"

namespace svm {

// The value of an environment variable; null if it is unset or empty.
inline const char* variable_value(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

// Says what is wrong with the value of a variable that is set: `fault` goes on behind the value.
inline std::string variable_fault(const char* name, std::string_view fault) {
  return joined({"environment variable ", name, ": '", variable_value(name), "' ", fault});
}

}  // namespace svm

namespace svm::platform {

// Number of processors that this process may use, by its affinity and by the quota that its control
// groups had at the first call; at least 1.
unsigned available_processors();

// The least quota, in processors, rounded up, of Linux's control groups and of those around them;
// UINT_MAX if they have none. `groups` is a text as in /proc/self/cgroup, and `root` the folder
// that has the groups of version 2, or a folder for each hierarchy. Not on Windows.
unsigned quota_processors(std::string_view groups, const std::string& root);

// Allocates memory that std::free() releases; null if there is none left. Large blocks are put on
// huge pages if the system has them, which makes touching them for the first time many times
// faster.
void* allocate(std::size_t bytes);

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
