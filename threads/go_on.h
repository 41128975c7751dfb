// Questions that long work asks now and then: is it still wanted?
#ifndef SVM_THREADS_GO_ON_H_
#define SVM_THREADS_GO_ON_H_

#include <atomic>
#include <exception>
#include <functional>

#include "threads/primitives.h"

namespace svm {

// Called on the thread that wants the work done.  False: it is not wanted any more.  Null: it is
// whatever happens.
using GoOn = std::function<bool()>;

// Thrown by what is made whole or not at all, where it is not wanted any more.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

inline void go_on_or_throw(const GoOn& go_on) {
  if (go_on && !go_on()) throw Interrupted();
}

// The question of a loop that several threads share.
class SharedGoOn {
 public:
  // Asks on the thread that makes it.  `go_on` must outlive it.
  explicit SharedGoOn(const GoOn& go_on) : go_on_(go_on) {}

  // For all threads; the others learn of the answer.  False for good.
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

#endif  // SVM_THREADS_GO_ON_H_
