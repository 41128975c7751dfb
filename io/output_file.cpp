#include "io/output_file.h"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

namespace svm {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

[[noreturn]] void fail(int error, const std::string& path) {
  throw std::system_error(error != 0 ? error : EIO, std::generic_category(), path);
}

// A name in the folder of `path`, hidden and never longer than a folder allows.
std::string temporary_name(const std::string& path, int attempt) {
  constexpr std::size_t kLongestName = 200;
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  std::string out = path.substr(0, name) + "." + path.substr(name, kLongestName) + "." +
                    std::to_string(static_cast<long long>(::getpid()));
  if (attempt > 0) out += "." + std::to_string(attempt);
  return out + ".tmp";
}

// Creates a temporary file for `path` and sets `name`; -1 and errno on failure.
int create_temporary(const std::string& path, std::string& name) {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string candidate = temporary_name(path, attempt);
    const int fd = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      name = std::move(candidate);
      return fd;
    }
    if (errno != EEXIST) return -1;
  }
  return -1;
}

bool folder_takes_no_file(int error) { return error == EACCES || error == EPERM || error == EROFS; }

// Gives the temporary file owner and permissions of the file it will replace.  False where that is
// not possible.
bool copy_attributes(int fd, const struct stat& existing) {
  struct stat created;
  if (::fstat(fd, &created) != 0) return false;
  if ((created.st_uid != existing.st_uid || created.st_gid != existing.st_gid) &&
      ::fchown(fd, existing.st_uid, existing.st_gid) != 0) {
    return false;
  }
  return ::fchmod(fd, existing.st_mode & 0777U) == 0;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path.empty() || path.back() == '/') fail(path.empty() ? ENOENT : EISDIR, path);
  struct stat existing;
  const bool exists = ::lstat(path.c_str(), &existing) == 0;
  if (!exists && errno != ENOENT) fail(errno, path);
  if (exists && !S_ISREG(existing.st_mode)) {
    open_through();
    return;
  }
  if (exists) {
    // A rename would replace a file that may not be written.
    const int probe = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (probe < 0) fail(errno, path);
    ::close(probe);
  }
  const int fd = create_temporary(path, temporary_);
  if (fd < 0) {
    const int error = errno;
    if (!exists || !folder_takes_no_file(error)) fail(error, path);
    open_through();
    return;
  }
  if (exists && !copy_attributes(fd, existing)) {
    ::close(fd);
    discard();
    open_through();
    return;
  }
  attach(fd);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::open_through() {
  const int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) fail(errno, path_);
  attach(fd);
}

void OutputFile::attach(int fd) {
  file_ = ::fdopen(fd, "wb");
  if (file_ == nullptr) {
    const int error = errno;
    ::close(fd);
    discard();
    fail(error, path_);
  }
  try {
    buffer_.resize(kBuffer);
  } catch (...) {
    discard();
    throw;
  }
  std::setvbuf(file_, buffer_.data(), _IOFBF, buffer_.size());
}

void OutputFile::write(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(errno, path_);
}

void OutputFile::commit() {
  errno = 0;
  bool failed = std::fflush(file_) != 0 || std::ferror(file_) != 0;
  int error = errno;
  std::FILE* const file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0 && !failed) {
    failed = true;
    error = errno;
  }
  if (!failed && !temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    failed = true;
    error = errno;
  }
  if (failed) {
    discard();
    fail(error, path_);
  }
  temporary_.clear();
}

void OutputFile::discard() noexcept {
  if (file_ != nullptr) std::fclose(file_);
  file_ = nullptr;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

}  // namespace svm
