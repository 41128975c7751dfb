#include "base/threads/pool.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "base/platform/bits.h"
#include "base/platform/process.h"
#include "base/platform/text.h"

namespace svm {
namespace {

constexpr std::uint64_t kClaims =
    0xFFFFFFFFU;  // the half of the ticket that counts unclaimed chunks
constexpr std::uint64_t kNextLoop = kClaims + 1;
constexpr int kPausesPerLook = 16;
constexpr std::chrono::microseconds kSpinTime{20};

// Spins for a short while. Returns true as soon as ready() does, false otherwise.
template <typename Ready>
bool spin_until(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (ready()) return true;
      platform::pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<Mutex> lock(mutex_);
    stop_ = true;
    ++wake_number_;
  }
  wake_.notify_all();
  for (Thread& worker : workers_) worker.join();
}

// The caller's part of a loop that may be shared. The pool must be taken.
void ThreadPool::run(Call call, void* body, std::size_t count, std::size_t chunk) {
  start_workers();
  publish(call, body, count, chunk);
  wake_sleepers();
  Claim claimed;
  while (claim(claimed)) execute(claimed);
  wait_for_workers(chunks_.load(std::memory_order_relaxed));
  std::exception_ptr error;
  if (failed_.load(std::memory_order_relaxed)) {
    const std::lock_guard<Mutex> lock(mutex_);
    error = std::exchange(error_, nullptr);
  }
  taken_.store(false, std::memory_order_release);
  if (error) std::rethrow_exception(error);
}

// No claim is held at this point, and none can succeed before the ticket is written: as long as it
// counts no chunks, nobody trusts the rest of the description.
void ThreadPool::publish(Call call, void* body, std::size_t count, std::size_t chunk) {
  // The ticket cannot count more chunks than kClaims.
  chunk = std::max(chunk, static_cast<std::size_t>(count / kClaims) + 1);
  const std::size_t chunks = (count - 1) / chunk + 1;
  failed_.store(false, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  // Whoever reads one of these while its copy of the ticket is out of date also sees the new
  // ticket.
  call_.store(call, std::memory_order_release);
  body_.store(body, std::memory_order_release);
  count_.store(count, std::memory_order_release);
  chunk_.store(chunk, std::memory_order_release);
  chunks_.store(chunks, std::memory_order_release);
  const std::uint64_t last = ticket_.load(std::memory_order_relaxed);
  ticket_.store((last & ~kClaims) + kNextLoop + chunks);  // must precede the read of sleepers_
}

bool ThreadPool::claim(Claim& claimed) {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  while ((ticket & kClaims) != 0) {
    claimed.call = call_.load(std::memory_order_acquire);
    claimed.body = body_.load(std::memory_order_acquire);
    claimed.chunks = chunks_.load(std::memory_order_acquire);
    const std::size_t count = count_.load(std::memory_order_acquire);
    const std::size_t chunk = chunk_.load(std::memory_order_acquire);
    if (ticket_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
      claimed.begin = (claimed.chunks - static_cast<std::size_t>(ticket & kClaims)) * chunk;
      claimed.end = count - claimed.begin > chunk ? claimed.begin + chunk : count;
      return true;
    }
  }
  return false;
}

void ThreadPool::execute(const Claim& claimed) noexcept {
  if (!failed_.load(std::memory_order_relaxed)) {
    try {
      claimed.call(claimed.body, claimed.begin, claimed.end);
    } catch (...) {
      const std::lock_guard<Mutex> lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
    }
  }
  // After the last chunk the caller may leave the loop: nothing of it may be touched from here on.
  if (done_.fetch_add(1) + 1 == claimed.chunks && caller_sleeps_.load()) {
    const std::lock_guard<Mutex> lock(mutex_);
    finished_.notify_one();
  }
}

void ThreadPool::wait_for_workers(std::size_t chunks) {
  const auto finished = [&] { return done_.load() == chunks; };
  if (finished() || spin_until(finished)) return;
  std::unique_lock<Mutex> lock(mutex_);
  caller_sleeps_ = true;
  finished_.wait(lock, finished);
  caller_sleeps_ = false;
}

void ThreadPool::start_workers() {
  if (started_) return;
  started_ = true;
  // Workers block signals: the program's own threads may wait for them, or rely on interrupted
  // system calls.
  const platform::SignalsBlocked blocked;
  try {
    workers_.reserve(threads_ - 1);
    while (workers_.size() + 1 < threads_) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // the system grants no more threads
  } catch (const std::bad_alloc&) {
  }
}

void ThreadPool::wake_sleepers() {
  if (sleepers_.load() == 0) return;
  {
    const std::lock_guard<Mutex> lock(mutex_);
    sleepers_ = 0;
    ++wake_number_;
  }
  wake_.notify_all();
}

bool ThreadPool::has_work() const {
  return (ticket_.load() & kClaims) != 0 || stop_.load(std::memory_order_relaxed);
}

void ThreadPool::work() {
  Claim claimed;
  while (!stop_) {
    while (claim(claimed)) execute(claimed);
    if (!spin_until([this] { return has_work(); })) sleep_until_woken();
  }
}

// If a caller sees no sleeper, it has published its loop before the worker checks for one here.
void ThreadPool::sleep_until_woken() {
  std::unique_lock<Mutex> lock(mutex_);
  const std::uint64_t number = wake_number_;
  ++sleepers_;
  if (has_work()) {
    --sleepers_;
    return;
  }
  wake_.wait(lock, [&] { return wake_number_ != number; });
}

static_assert(kMaxThreads == 1024, "kThreadsFault says so");

std::string threads_fault() { return joined({kThreadsFault, ": '", threads_variable(), "'"}); }

const char* threads_variable() { return variable_value("SVM_NUM_THREADS"); }

unsigned default_threads() {
  const char* const text = threads_variable();
  if (text == nullptr) return processor_threads();
  const char* const end = text + std::strlen(text);
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end && number <= kMaxThreads ? number : 0;
}

unsigned processor_threads() {
  const unsigned most = std::min(platform::available_processors(), kMaxThreads);
  const char* text = variable_value("OMP_NUM_THREADS");
  if (text == nullptr) return most;
  constexpr const char* kSpaces = " \t";
  text += std::strspn(text, kSpaces);
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text, text + std::strlen(text), number);
  const char next = stop[std::strspn(stop, kSpaces)];  // a list such as "4,2" is for nested threads
  const bool valid = error == std::errc() && number > 0 && (next == '\0' || next == ',');
  return valid ? std::min(most, number) : most;
}

unsigned thread_count_of_call(std::size_t asked) {
  if (asked > kMaxThreads) {
    throw std::invalid_argument("threads > " + std::to_string(kMaxThreads));
  }
  if (asked > 0) return static_cast<unsigned>(asked);
  const unsigned number = default_threads();
  if (number == 0) throw std::invalid_argument(threads_fault());
  return number;
}

}  // namespace svm
