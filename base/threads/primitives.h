// Threads and locks, or substitutes for them in a build without threads (SVM_NO_THREADS).
#ifndef SVM_BASE_THREADS_PRIMITIVES_H_
#define SVM_BASE_THREADS_PRIMITIVES_H_

#include <mutex>
#include <utility>

#if !defined(SVM_NO_THREADS)
#include <condition_variable>
#include <thread>
#endif

namespace svm {

#if !defined(SVM_NO_THREADS)

constexpr bool kHasThreads = true;
using Thread = std::thread;
using ThreadId = std::thread::id;
using Mutex = std::mutex;
using ConditionVariable = std::condition_variable;

using OnceFlag = std::once_flag;

inline ThreadId this_thread() { return std::this_thread::get_id(); }
inline void yield() { std::this_thread::yield(); }

template <typename Work>
void run_once(OnceFlag& flag, Work&& work) {
  std::call_once(flag, std::forward<Work>(work));
}

#else

// Every pool has one thread: no Thread is constructed, and nothing ever waits.
constexpr bool kHasThreads = false;
using ThreadId = int;
struct Thread {
  template <typename Work>
  explicit Thread(const Work&) {}
  void join() {}
};
struct Mutex {
  void lock() {}
  void unlock() {}
};
struct ConditionVariable {
  template <typename Lock>
  void wait(Lock&) {}
  template <typename Lock, typename Ready>
  void wait(Lock&, const Ready&) {}
  template <typename Lock, typename Time, typename Ready>
  bool wait_for(Lock&, const Time&, const Ready& ready) {
    return ready();
  }
  void notify_one() {}
  void notify_all() {}
};

struct OnceFlag {
  bool was_set = false;
};

inline ThreadId this_thread() { return 0; }
inline void yield() {}

template <typename Work>
void run_once(OnceFlag& flag, Work&& work) {
  if (flag.was_set) return;
  work();
  flag.was_set = true;  // stays unset if work() throws
}

#endif

}  // namespace svm

#endif  // SVM_BASE_THREADS_PRIMITIVES_H_
