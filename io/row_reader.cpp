#include "io/row_reader.h"

#include <algorithm>
#include <string_view>

namespace svm {

std::size_t most_nodes(const char* text, std::size_t bytes) {
  // No row has less than two bytes, and no pair less than four.
  constexpr std::size_t kFew = std::size_t{1} << 20;
  if (bytes <= kFew) return bytes / 2 + 1;
  // Every row ends a line, and every pair has a colon.
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
  scanner_.go_to(text + length + 1);
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
