// Threads and locks, or substitutes for them in a build without threads (SVM_NO_THREADS).
#ifndef SVM_BASE_THREADS_PRIMITIVES_H_
#define SVM_BASE_THREADS_PRIMITIVES_H_

#include <atomic>
#include <mutex>

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

inline ThreadId this_thread() { return std::this_thread::get_id(); }
inline void yield() { std::this_thread::yield(); }

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
  bool try_lock() { return true; }
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

inline ThreadId this_thread() { return 0; }
inline void yield() {}

#endif

struct OnceFlag {
  std::atomic<bool> is_set{false};
  Mutex mutex;
};

// If work() throws, the next caller tries again.  The C library's functions under std::call_once
// would abort if memory ran out while they pass on an exception.
template <typename Work>
void run_once(OnceFlag& flag, const Work& work) {
  if (flag.is_set) return;
  const std::lock_guard<Mutex> lock(flag.mutex);
  if (flag.is_set) return;
  work();
  flag.is_set = true;
}

}  // namespace svm

#endif  // SVM_BASE_THREADS_PRIMITIVES_H_
