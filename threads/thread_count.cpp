#include "threads/thread_count.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace svm {
namespace {

static_assert(kMaxThreads == 1024, "kThreadsFault says so");

unsigned available_processors() {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    const int count = CPU_COUNT(&set);
    if (count > 0) return static_cast<unsigned>(count);
  }
#endif
  return std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace

const char* threads_variable() {
  const char* const text = std::getenv("SVM_NUM_THREADS");
  return text == nullptr || *text == '\0' ? nullptr : text;
}

unsigned default_threads() {
  const char* const text = threads_variable();
  if (text == nullptr) return std::min(available_processors(), kMaxThreads);
  const char* const end = text + std::strlen(text);
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end && number <= kMaxThreads ? number : 0;
}

}  // namespace svm
