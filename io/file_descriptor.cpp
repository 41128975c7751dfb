#include "io/file_descriptor.h"

#include <cerrno>
#include <unistd.h>

namespace svm {

bool FileDescriptor::write_all(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(number_, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) return false;
  }
  return true;
}

bool FileDescriptor::sync() const {
  while (::fsync(number_) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EROFS;
  }
  return true;
}

bool FileDescriptor::close() noexcept {
  const int number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0 || errno == EINTR;
}

}  // namespace svm
