// Functions of the operating system that the library uses, except for files.
#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <poll.h>
#include <string>
#include <string_view>
#include <unistd.h>

#include "base/platform/files.h"
#include "base/platform/process.h"

#if defined(__linux__)
#include <sched.h>
#endif
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace svm::platform {

namespace {

// The text of a small file; empty if it cannot be read.
std::string text_of(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_stream(path), &std::fclose);
  if (file == nullptr) return {};
  std::string text(std::size_t{1} << 14, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

// The quota of one control group. Version 2 writes "max 100000" or "200000 100000" into one file,
// version 1 writes the two numbers, of which the first may be -1, into two.
unsigned group_quota(const std::string& folder) {
  const auto part = [&folder](const char* name) { return text_of(folder + name); };
  std::string text = part("/cpu.max");
  if (text.empty()) text = part("/cpu.cfs_quota_us") + part("/cpu.cfs_period_us");
  char* rest = nullptr;
  const long long quota = std::strtoll(text.c_str(), &rest, 10);
  const long long period = std::strtoll(rest, nullptr, 10);
  if (quota <= 0 || period <= 0) return UINT_MAX;
  return static_cast<unsigned>(std::min<long long>((quota - 1) / period + 1, UINT_MAX));
}

}  // namespace

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

// A line of `groups` is "number:controllers:path", without controllers for version 2. A container
// may see paths of its host, of which it has only the last folder, as its root.
unsigned quota_processors(std::string_view groups, const std::string& root) {
  unsigned least = UINT_MAX;
  while (!groups.empty()) {
    const std::string_view line = groups.substr(0, groups.find('\n'));
    groups.remove_prefix(std::min(groups.size(), line.size() + 1));
    const std::size_t begin = line.find(':') + 1, end = line.find(':', begin);
    if (begin == 0 || end == std::string_view::npos) continue;
    const std::string controllers(line.substr(begin, end - begin));
    const bool second = controllers.empty();
    if (!second && joined({",", controllers, ","}).find(",cpu,") == std::string::npos) continue;
    const char* const own = second ? "unified" : "cpu";
    for (const char* name : {controllers.c_str(), own}) {
      const std::string top = joined({root, "/", name});
      std::string group(line.substr(end + 1));
      if (group == "/") group.clear();
      for (;; group.erase(group.rfind('/'))) {
        least = std::min(least, group_quota(top + group));
        if (group.find('/') == std::string::npos) break;
      }
      if (controllers == own) break;
    }
  }
  return least;
}

unsigned available_processors() {
  long count = 0;
  unsigned quota = UINT_MAX;
#if defined(__linux__)
  static const unsigned first_quota =
      quota_processors(text_of("/proc/self/cgroup"), "/sys/fs/cgroup");
  quota = first_quota;
  cpu_set_t sets[8] = {};  // for the 8192 processors that a system may have
  if (::sched_getaffinity(0, sizeof(sets), sets) == 0) count = CPU_COUNT_S(sizeof(sets), sets);
#endif
  if (count <= 0) count = ::sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? std::min(static_cast<unsigned>(count), quota) : 1;
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
