#include "base/io/output_file.h"

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "base/platform/process.h"

namespace svm {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

[[noreturn]] void fail(int error, const std::string& path) {
  throw std::system_error(error, std::generic_category(), path);
}

bool folder_takes_no_file(int error) { return error == EACCES || error == EPERM || error == EROFS; }

std::string folder_of(const std::string& path) {
  const std::size_t name = platform::name_begin(path);
  return name == 0 ? "." : path.substr(0, name);
}

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

void check_output(const std::string& path) {
  if (platform::name_begin(path) == path.size()) fail(path.empty() ? ENOENT : EISDIR, path);
  const std::optional<platform::FileFacts> existing = platform::facts_of(path, true);
  if (!existing && errno != ENOENT) fail(errno, path);
  if (existing && existing->kind == platform::FileFacts::Kind::kFolder) fail(EISDIR, path);
  if (!platform::is_writable(existing ? path : folder_of(path))) fail(errno, path);
}

OutputFile::OutputFile(const std::string& path, TemporaryFiles* all)
    : path_(path), temporary_(all) {
  if (platform::name_begin(path) == path.size()) fail(path.empty() ? ENOENT : EISDIR, path);
  buffer_.reserve(kBuffer);
  const std::optional<platform::FileFacts> existing = platform::facts_of(path, false);
  const bool exists = existing.has_value();
  if (!exists && errno != ENOENT) fail(errno, path);
  if (exists &&
      (existing->kind != platform::FileFacts::Kind::kRegular || existing->has_hard_links)) {
    open_through();
    return;
  }
  // A rename would replace even a file without write permission.
  const platform::File old = exists ? platform::open_existing(path) : platform::File();
  if (exists && !old.is_open()) fail(errno, path);
  try {
    file_ = temporary_.create(path, exists ? 0600 : 0666);  // private until it has its attributes
  } catch (const std::system_error& error) {
    if (!exists || !folder_takes_no_file(error.code().value())) throw;
    open_through();
    return;
  }
  if (exists && !platform::copy_attributes(old, file_)) {
    temporary_.remove();
    open_through();
  }
}

OutputFile::~OutputFile() {
  if (!temporary_.exists()) file_.write_all(buffer_);
}

void OutputFile::open_through() {
  file_ = platform::open_truncated(path_);
  if (!file_.is_open()) fail(errno, path_);
}

void OutputFile::write(std::string_view text) {
  if (buffer_.size() + text.size() > kBuffer) flush();
  if (text.size() < kBuffer) {
    buffer_ += text;
  } else {
    check(file_.write_all(text));
  }
}

void OutputFile::commit() {
  const std::string folder = folder_of(path_);  // memory must not run out after the file appeared
  flush();
  if (temporary_.exists()) check(file_.sync());
  check(file_.close());
  if (!temporary_.exists()) return;
  check(temporary_.rename_to(path_));
  check(platform::sync_folder(folder));
}

void OutputFile::flush() {
  check(file_.write_all(buffer_));
  buffer_.clear();
}

void OutputFile::check(bool done) {
  if (done) return;
  const int error = errno;
  file_.close();
  temporary_.remove();
  fail(error, path_);
}

}  // namespace svm
