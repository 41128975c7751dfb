#include "base/io/temporary_file.h"

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "base/platform/process.h"

namespace svm {
namespace {

// A hidden name in the folder of `path`, never longer than a folder allows.
std::string temporary_name(const std::string& path, int attempt) {
  constexpr std::size_t kLongestName = 200;
  const std::size_t name = platform::name_begin(path);
  std::string out = path.substr(0, name) + "." + path.substr(name, kLongestName) + "." +
                    std::to_string(platform::process_id());
  if (attempt > 0) out += "." + std::to_string(attempt);
  return out + ".tmp";
}

}  // namespace

// Makes remove_all() wait as long as it exists. Blocks signals as well, since a handler on this
// thread would wait for itself.
class TemporaryFiles::Change {
 public:
  explicit Change(TemporaryFiles* all) : all_(all) {
    if (all_ == nullptr) return;
    blocked_.emplace();
    all_->lock();
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() {
    if (all_ != nullptr) all_->locked_.store(false, std::memory_order_release);
  }

 private:
  TemporaryFiles* const all_;
  std::optional<platform::SignalsBlocked> blocked_;  // released after the lock
};

// Spins, because a signal handler must not lock a mutex.
void TemporaryFiles::lock() noexcept {
  static_assert(std::atomic<bool>::is_always_lock_free);
  while (locked_.exchange(true, std::memory_order_acquire)) platform::sleep_briefly();
}

void TemporaryFiles::remove_all() noexcept {
  lock();
  for (const TemporaryFile* file = first_; file != nullptr; file = file->next_) {
    platform::remove(file->name_.c_str());
  }
}

platform::File TemporaryFile::create(const std::string& path, unsigned permissions) {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string name = temporary_name(path, attempt);
    const TemporaryFiles::Change change(all_);
    platform::File file = platform::open_new(name, permissions);
    if (file.is_open()) {
      name_ = std::move(name);
      if (all_ != nullptr) next_ = std::exchange(all_->first_, this);
      return file;
    }
    if (errno != EEXIST) break;
  }
  throw std::system_error(errno, std::generic_category(), path);
}

bool TemporaryFile::rename_to(const std::string& path) {
  const TemporaryFiles::Change change(all_);
  if (!platform::replace(name_, path)) return false;
  forget();
  return true;
}

void TemporaryFile::remove() noexcept {
  if (!exists()) return;
  const TemporaryFiles::Change change(all_);
  platform::remove(name_.c_str());
  forget();
}

void TemporaryFile::forget() {
  if (all_ != nullptr) {
    TemporaryFile** at = &all_->first_;
    while (*at != this) at = &(*at)->next_;
    *at = next_;
  }
  name_.clear();
}

}  // namespace svm
