#include "io/block_reader.h"

#include <cerrno>
#include <cstring>
#include <system_error>

namespace svm {
namespace {

// Small enough to stay in the processor's cache.
constexpr std::size_t kFirstCapacity = std::size_t{1} << 18;

// Behind the bytes read: a line end, if the file lacks its last, and the padding.
constexpr std::size_t kBehind = 1 + BlockReader::kPadding;

}  // namespace

BlockReader::BlockReader(std::FILE* file) : file_(file), buffer_(kFirstCapacity + kBehind) {}

bool BlockReader::next() {
  held_ -= block_;
  std::memmove(buffer_.data(), buffer_.data() + block_, held_);
  block_ = 0;
  while (!at_end_) {
    const std::size_t searched = held_;
    const std::size_t capacity = buffer_.size() - kBehind;
    errno = 0;
    const std::size_t got = std::fread(buffer_.data() + held_, 1, capacity - held_, file_);
    if (got < capacity - held_) {
      if (std::ferror(file_) != 0) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "reading");
      }
      at_end_ = true;
    }
    held_ += got;
    std::size_t end = held_;
    while (end > searched && buffer_[end - 1] != '\n') --end;
    if (end > searched) {
      block_ = end;
      return true;
    }
    if (!at_end_) buffer_.resize(2 * capacity + kBehind);
  }
  if (held_ == 0) return false;
  buffer_[held_++] = '\n';
  block_ = held_;
  return true;
}

}  // namespace svm
