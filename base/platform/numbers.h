// Values that stand for "no number" and "no index".
#ifndef SVM_BASE_PLATFORM_NUMBERS_H_
#define SVM_BASE_PLATFORM_NUMBERS_H_

#include <cstddef>
#include <limits>

namespace svm {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The index that stands for none.
constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

}  // namespace svm

#endif  // SVM_BASE_PLATFORM_NUMBERS_H_
