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
  throw std::system_error(error, std::generic_category(), path);
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

OutputFile::OutputFile(const std::string& path, TemporaryFiles* all)
    : path_(path), temporary_(all) {
  if (path.empty() || path.back() == '/') fail(path.empty() ? ENOENT : EISDIR, path);
  buffer_.reserve(kBuffer);
  struct stat existing;
  const bool exists = ::lstat(path.c_str(), &existing) == 0;
  if (!exists && errno != ENOENT) fail(errno, path);
  if (exists && !S_ISREG(existing.st_mode)) {
    open_through();
    return;
  }
  // A rename would replace a file that may not be written.
  if (exists && !FileDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC)).is_open()) {
    fail(errno, path);
  }
  try {
    file_ = temporary_.create(path);
  } catch (const std::system_error& error) {
    if (!exists || !folder_takes_no_file(error.code().value())) throw;
    open_through();
    return;
  }
  if (exists && !copy_attributes(file_.get(), existing)) {
    temporary_.remove();
    open_through();
  }
}

OutputFile::~OutputFile() {
  if (!temporary_.exists()) file_.write_all(buffer_);
}

void OutputFile::open_through() {
  file_ = FileDescriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
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
  flush();
  check(file_.close());
  if (temporary_.exists()) check(temporary_.rename_to(path_));
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
