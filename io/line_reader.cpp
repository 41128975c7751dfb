#include "io/line_reader.h"

#include <cerrno>
#include <cstring>
#include <system_error>

namespace svm {
namespace {

constexpr std::size_t kFirstCapacity = std::size_t{1} << 16;

}  // namespace

LineReader::LineReader(std::FILE* file) : file_(file), buffer_(kFirstCapacity) {}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    if (searched < end_) {
      const char* const found =
          static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
      if (found != nullptr) {
        const auto stop = static_cast<std::size_t>(found - buffer_.data());
        line = std::string_view(buffer_.data() + begin_, stop - begin_);
        begin_ = stop + 1;
        ++line_number_;
        return true;
      }
    }
    if (at_end_) {
      if (begin_ == end_) return false;
      line = std::string_view(buffer_.data() + begin_, end_ - begin_);
      begin_ = end_;
      ++line_number_;
      return true;
    }
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    searched = end_;
    if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
    errno = 0;
    const std::size_t got = std::fread(buffer_.data() + end_, 1, buffer_.size() - end_, file_);
    end_ += got;
    if (got == 0) {
      if (std::ferror(file_) != 0) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "reading");
      }
      at_end_ = true;
    }
  }
}

}  // namespace svm
