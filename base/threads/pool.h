// A pool of threads that share the chunks of a loop, and the default number of threads.
#ifndef SVM_BASE_THREADS_POOL_H_
#define SVM_BASE_THREADS_POOL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/threads/primitives.h"

namespace svm {

// A loop is cut into chunks, which the caller and the workers claim in ascending order. The caller
// never waits for a worker that has not claimed a chunk, so a worker that gets no processor time
// delays nothing. The pool is meant for loops of 20 microseconds and more: a dispatch allocates
// nothing, and an idle worker spins for a few microseconds before it sleeps.
//
// The body must make sure that results do not depend on which thread runs which chunk.
class ThreadPool {
 public:
  // `threads` >= 1 includes the caller. Workers are started by the first loop that can use them; if
  // the system grants fewer threads, the pool works with those.
  explicit ThreadPool(unsigned threads) : threads_(kHasThreads && threads > 1 ? threads : 1) {}
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  unsigned threads() const { return threads_; }

  // Calls body(begin, end) for the chunks [0, chunk), [chunk, 2 chunk) ... of [0, count), on
  // several threads at once, and returns when all are done. `chunk` is at least 1. After an
  // exception no further chunk is started; the first exception is rethrown. May be called by any
  // thread. If it is called from within a body, or while the pool runs a loop of another thread,
  // the loop runs on the calling thread alone.
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
    std::size_t chunks;  // chunks in the whole loop
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
  void wake_sleepers();
  void work();
  void sleep_until_woken();
  bool has_work() const;

  const unsigned threads_;
  std::atomic<bool> taken_{false};  // a loop is running; its caller owns what follows
  bool started_ = false;
  std::vector<Thread> workers_;

  // The current loop. The upper half of the ticket is the number of the loop, the lower half the
  // number of chunks not yet claimed: a claim succeeds only if the loop is still the one whose
  // description was read.
  std::atomic<std::uint64_t> ticket_{0};
  std::atomic<Call> call_{nullptr};
  std::atomic<void*> body_{nullptr};
  std::atomic<std::size_t> count_{0}, chunk_{0}, chunks_{0};
  std::atomic<std::size_t> done_{0};  // completed chunks
  std::atomic<bool> failed_{false};

  Mutex mutex_;
  std::exception_ptr error_;  // guarded by mutex_
  ConditionVariable wake_, finished_;
  std::atomic<unsigned> sleepers_{0};  // workers not yet woken; increased under mutex_ only
  std::uint64_t wake_number_ = 0;      // guarded by mutex_
  std::atomic<bool> caller_sleeps_{false};
  std::atomic<bool> stop_{false};
};

// A loop on the threads of `pool`, or on the calling thread alone if that is null.
template <typename Body>
void for_chunks(ThreadPool* pool, std::size_t count, std::size_t chunk, Body body) {
  ThreadPool alone(1);
  (pool != nullptr ? *pool : alone).for_chunks(count, chunk, std::move(body));
}

// Upper limit of all numbers of threads that a user chooses.
constexpr unsigned kMaxThreads = 1024;

// Value of the environment variable SVM_NUM_THREADS, or processor_threads() if it is unset. 0 if
// the variable is not a number from 1 to kMaxThreads.
unsigned default_threads();

// The number of processors that this process may use, at most kMaxThreads and at most the first
// number of the variable OMP_NUM_THREADS, which belongs to OpenMP: an invalid value counts as none.
unsigned processor_threads();

// The error message for a default_threads() of 0, and the same with the variable's value.
constexpr const char* kThreadsFault =
    "environment variable SVM_NUM_THREADS is not a whole number from 1 to 1024";
std::string threads_fault();
const char* threads_variable();  // null if it is unset or empty

// Converts a caller's number of threads, of which 0 means default_threads(). Throws
// std::invalid_argument if it is too large or the environment variable is invalid.
unsigned thread_count_of_call(std::size_t asked);

}  // namespace svm

#endif  // SVM_BASE_THREADS_POOL_H_
