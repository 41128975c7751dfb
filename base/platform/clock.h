// The clock for time limits and all measured times.
#ifndef SVM_BASE_PLATFORM_CLOCK_H_
#define SVM_BASE_PLATFORM_CLOCK_H_

#include <chrono>

namespace svm {

using Clock = std::chrono::steady_clock;

constexpr double kSecondsPerNanosecond = 1e-9;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace svm

#endif  // SVM_BASE_PLATFORM_CLOCK_H_
