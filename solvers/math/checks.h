// Invariants that only test builds check (CMake: SVM_CHECKS), as checking them is slow.
#ifndef SVM_SOLVERS_MATH_CHECKS_H_
#define SVM_SOLVERS_MATH_CHECKS_H_

#include <stdexcept>

namespace svm {

#ifdef SVM_CHECKS
inline constexpr bool kChecks = true;
#else
inline constexpr bool kChecks = false;
#endif

// Throws std::logic_error naming the invariant that does not hold.
inline void require(bool holds, const char* invariant) {
  if (!holds) throw std::logic_error(invariant);
}

}  // namespace svm

#endif  // SVM_SOLVERS_MATH_CHECKS_H_
