#include "io/row_reader.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace svm {

const char* RowReader::read_carefully(double& label, svm_node*& nodes) {
  const char* const text = next_;
  std::size_t length = 0;
  while (text[length] != '\n') ++length;
  label = parser_.parse(std::string_view(text, length), line_number_, row_);
  nodes = std::copy(row_.begin(), row_.end(), nodes);
  scanner_.go_to(text + length + 1);
  return text + length + 1;
}

bool FileRows::next() {
  if (at_ == end_) {
    if (!blocks_.next()) return false;
    at_ = blocks_.begin();
    end_ = blocks_.end();
    reader_.begin(at_);
    if (nodes_.size() < most_nodes(blocks_.size())) nodes_.resize(most_nodes(blocks_.size()));
  }
  svm_node* node = nodes_.data();
  at_ = reader_.read(label_, node);
  *node = {-1, 0};
  size_ = static_cast<std::size_t>(node - nodes_.data());
  return true;
}

}  // namespace svm
