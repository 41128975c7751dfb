#include "io/block_reader.h"

#include <cerrno>
#include <cstring>
#include <system_error>

namespace svm {
namespace {

// Behind the bytes read: a line end, if the file lacks its last, and the padding.
constexpr std::size_t kBehind = 1 + BlockReader::kPadding;

}  // namespace

bool BlockReader::next() {
  held_ -= block_;
  if (held_ > 0) std::memmove(buffer_.data(), buffer_.data() + block_, held_);
  block_ = 0;
  while (!at_end_) {
    if (held_ + piece_ + kBehind > buffer_.size()) buffer_.resize(2 * held_ + piece_ + kBehind);
    errno = 0;
    const std::size_t got = std::fread(buffer_.data() + held_, 1, piece_, file_);
    if (got < piece_) {
      if (std::ferror(file_) != 0) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "reading");
      }
      at_end_ = true;
    }
    const std::size_t searched = held_;
    held_ += got;
    std::size_t end = held_;
    while (end > searched && buffer_.data()[end - 1] != '\n') --end;
    if (end > searched) {
      block_ = end;
      return true;
    }
  }
  if (held_ == 0) return false;
  buffer_.data()[held_++] = '\n';
  block_ = held_;
  return true;
}

}  // namespace svm
