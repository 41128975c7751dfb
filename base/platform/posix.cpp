// Functions of the operating system that the library uses, except for files.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <unistd.h>

#include "base/platform/process.h"

#if defined(__linux__)
#include <sched.h>
#endif
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace svm::platform {

void sleep_briefly() noexcept { ::poll(nullptr, 0, 1); }

SignalsBlocked::SignalsBlocked() {
  static_assert(sizeof(sigset_t) <= sizeof(before_));
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::memcpy(before_, &before, sizeof(before));
}

SignalsBlocked::~SignalsBlocked() {
  sigset_t before;
  std::memcpy(&before, before_, sizeof(before));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

unsigned available_processors() {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) {
    const int count = CPU_COUNT(&set);
    if (count > 0) return static_cast<unsigned>(count);
  }
#endif
  const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<unsigned>(count) : 1;
}

void* allocate(std::size_t bytes) {
  constexpr std::size_t kLargePage = std::size_t{1} << 21;
  if (bytes < 2 * kLargePage) return std::malloc(bytes);
  const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  if (whole < bytes) return nullptr;
  void* const memory = std::aligned_alloc(kLargePage, whole);
#ifdef MADV_HUGEPAGE
  if (memory != nullptr) ::madvise(memory, whole, MADV_HUGEPAGE);  // a wish; may fail
#endif
  return memory;
}

long long process_id() { return ::getpid(); }

}  // namespace svm::platform
