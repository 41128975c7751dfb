// Threads that share the chunks of a loop.
#ifndef SVM_THREADS_POOL_H_
#define SVM_THREADS_POOL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "threads/primitives.h"

namespace svm {

// A loop is cut into chunks that the caller and the workers claim one after the other, in ascending
// order.  The caller never waits for a worker that has claimed nothing, so a worker that gets no
// processor costs nothing.  Made for loops from some 20 microseconds on: a dispatch allocates
// nothing, and a worker looks out for the next loop for a few microseconds before it sleeps.
//
// Results must not depend on who runs which chunk: that is the body's duty.
class ThreadPool {
 public:
  // `threads`, at least 1, counts the caller.  Workers start with the first loop that can use them;
  // where the system gives fewer threads, the pool makes do with them.
  explicit ThreadPool(unsigned threads) : threads_(kHasThreads && threads > 1 ? threads : 1) {}
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  unsigned threads() const { return threads_; }

  // Calls body(begin, end) for the chunks [0, chunk), [chunk, 2 chunk) ... of [0, count), on
  // several threads at once, and returns when all are done.  `chunk` is at least 1.  After an
  // exception no further chunk is begun; the first exception is rethrown.  May be called by any
  // thread; within a body, or while the pool works for another thread, the loop runs on the calling
  // thread alone.
  template <typename Body>
  void for_chunks(std::size_t count, std::size_t chunk, Body body) {
    if (threads_ == 1 || count <= chunk || !take()) {
      for (std::size_t begin = 0; begin < count;) {
        const std::size_t end = count - begin > chunk ? begin + chunk : count;
        body(begin, end);
        begin = end;
      }
      return;
    }
    run([](void* erased, std::size_t begin,
           std::size_t end) { (*static_cast<Body*>(erased))(begin, end); },
        &body, count, chunk);
  }

 private:
  using Call = void (*)(void* body, std::size_t begin, std::size_t end);

  struct Claim {
    Call call;
    void* body;
    std::size_t begin, end;
    std::size_t chunks;  // of the whole loop
  };

  bool take() {
    return !taken_.load(std::memory_order_relaxed) &&
           !taken_.exchange(true, std::memory_order_acquire);
  }
  void run(Call call, void* body, std::size_t count, std::size_t chunk);
  void publish(Call call, void* body, std::size_t count, std::size_t chunk);
  bool claim(Claim& claimed);
  void execute(const Claim& claimed) noexcept;
  void wait_for_workers(std::size_t chunks);
  void start_workers();
  void work();
  void sleep_until_woken();
  bool has_work() const;

  const unsigned threads_;
  std::atomic<bool> taken_{false};  // a loop is running; its caller owns what is below
  bool started_ = false;
  std::vector<Thread> workers_;

  // The loop.  A number of the loop in the upper half, chunks not yet claimed in the lower one: a
  // claim succeeds only if the loop is still the one whose description was read.
  std::atomic<std::uint64_t> ticket_{0};
  std::atomic<Call> call_{nullptr};
  std::atomic<void*> body_{nullptr};
  std::atomic<std::size_t> count_{0}, chunk_{0}, chunks_{0};
  std::atomic<std::size_t> done_{0};  // chunks
  std::atomic<bool> failed_{false};

  Mutex mutex_;
  std::exception_ptr error_;  // with mutex_
  ConditionVariable wake_, finished_;
  std::atomic<unsigned> sleepers_{0};  // workers that nobody has woken yet; grows with mutex_ only
  std::uint64_t wake_number_ = 0;      // with mutex_
  std::atomic<bool> caller_sleeps_{false};
  std::atomic<bool> stop_{false};
};

}  // namespace svm

#endif  // SVM_THREADS_POOL_H_
