// Polling from within long computations, to end those whose result is no longer wanted.
#ifndef SVM_BASE_THREADS_GO_ON_H_
#define SVM_BASE_THREADS_GO_ON_H_

#include <atomic>
#include <exception>
#include <functional>

#include "base/threads/primitives.h"

namespace svm {

// Returns false if the work is no longer wanted. Called on the thread that wants it. A null
// function means that the work is always wanted.
using GoOn = std::function<bool()>;

// Thrown by functions that either complete or fail, if their result is no longer wanted.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

inline void go_on_or_throw(const GoOn& go_on) {
  if (go_on && !go_on()) throw Interrupted();
}

// A GoOn for loops that several threads share.
class SharedGoOn {
 public:
  // Only the thread that constructs this object calls `go_on`, which must outlive it.
  explicit SharedGoOn(const GoOn& go_on) : go_on_(go_on) {}

  // May be called by all threads; those other than the constructing one see its latest answer. Once
  // false, it stays false.
  bool operator()() const {
    if (go_on_ && !stopped_ && this_thread() == owner_ && !go_on_()) stopped_ = true;
    return !stopped_;
  }
  bool is_stopped() const { return stopped_; }

 private:
  const GoOn& go_on_;
  const ThreadId owner_ = this_thread();
  mutable std::atomic<bool> stopped_{false};
};

}  // namespace svm

#endif  // SVM_BASE_THREADS_GO_ON_H_
