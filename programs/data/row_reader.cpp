#include "programs/data/row_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace svm {
namespace {

// Bytes needed after the text: a line end, if the file lacks its last one, and the padding.
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

std::size_t most_nodes(const char* text, std::size_t bytes) {
  // A row takes at least two bytes and an index:value pair at least four.
  constexpr std::size_t kFew = std::size_t{1} << 20;
  if (bytes <= kFew) return bytes / 2 + 1;
  // Every row ends with a line end, and every pair has a colon.
  return static_cast<std::size_t>(
      std::count_if(text, text + bytes, [](char c) { return c == '\n' || c == ':'; }));
}

std::string start_of_line(const char* text) {
  constexpr std::size_t kMost = 200;
  std::size_t length = 0;
  while (length < kMost && text[length] != '\n') ++length;
  return std::string(text, length);
}

const char* RowReader::read_carefully(double& label, svm_node*& nodes) {
  const char* const text = next_;
  std::size_t length = 0;
  while (text[length] != '\n') ++length;
  label = parser_.parse(std::string_view(text, length), line_number_, nodes);
  scanner_.seek(text + length + 1);
  return text + length + 1;
}

bool FileRows::next() {
  if (at_ == end_) {
    if (!blocks_.next()) return false;
    at_ = blocks_.begin();
    end_ = blocks_.end();
    reader_.begin(at_);
    if (line_number() == 0) first_line_ = start_of_line(at_);
    const std::size_t most = most_nodes(at_, blocks_.size());
    if (nodes_.size() < most) nodes_.resize(most);
  }
  svm_node* node = nodes_.data();
  at_ = reader_.read(label_, node);
  *node = {-1, 0};
  size_ = static_cast<std::size_t>(node - nodes_.data());
  return true;
}

}  // namespace svm
