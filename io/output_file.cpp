#include "io/output_file.h"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

#include "io/file_attributes.h"

namespace svm {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

[[noreturn]] void fail(int error, const std::string& path) {
  throw std::system_error(error, std::generic_category(), path);
}

bool folder_takes_no_file(int error) { return error == EACCES || error == EPERM || error == EROFS; }

// Puts on the disk which files the folder of `path` has.  True also where a folder that takes files
// cannot be read.
bool sync_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return !file.is_open() || file.sync();
}

}  // namespace

OutputFile::OutputFile(const std::string& path, TemporaryFiles* all)
    : path_(path), temporary_(all) {
  if (path.empty() || path.back() == '/') fail(path.empty() ? ENOENT : EISDIR, path);
  buffer_.reserve(kBuffer);
  struct stat existing;
  const bool exists = ::lstat(path.c_str(), &existing) == 0;
  if (!exists && errno != ENOENT) fail(errno, path);
  if (exists && (!S_ISREG(existing.st_mode) || existing.st_nlink > 1)) {
    open_through();
    return;
  }
  // A rename would replace a file that may not be written.
  const FileDescriptor old(exists ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : -1);
  if (exists && !old.is_open()) fail(errno, path);
  try {
    file_ = temporary_.create(path, exists ? 0600 : 0666);  // nobody's until it has attributes
  } catch (const std::system_error& error) {
    if (!exists || !folder_takes_no_file(error.code().value())) throw;
    open_through();
    return;
  }
  if (exists && !copy_attributes(old, file_)) {
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
  if (temporary_.exists()) check(file_.sync());
  check(file_.close());
  if (!temporary_.exists()) return;
  check(temporary_.rename_to(path_));
  check(sync_folder(path_));
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
