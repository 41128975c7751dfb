// Waits with an end: if the condition never holds, a test fails instead of hanging.
#ifndef SVM_TESTS_WAITING_H_
#define SVM_TESTS_WAITING_H_

#include <chrono>
#include <thread>

namespace svm::test {

// Polls holds().  Returns false if it has not become true within a minute.
template <typename Condition>
bool comes_true(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace svm::test

#endif  // SVM_TESTS_WAITING_H_
