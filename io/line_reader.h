// Reads a text file line by line in one pass, so that pipes work and lines may have any length.
#ifndef SVM_IO_LINE_READER_H_
#define SVM_IO_LINE_READER_H_

#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

namespace svm {

class LineReader {
 public:
  // `file` stays the caller's and is read from its current position.
  explicit LineReader(std::FILE* file);

  // Sets `line` to the next line without its '\n' (a '\r' stays); the view is valid until the next
  // call.  False at the end of the file.  Throws std::system_error when reading fails.
  bool next(std::string_view& line);

  // Number of the line last returned, from 1.
  std::size_t line_number() const { return line_number_; }

 private:
  std::FILE* file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // unread bytes are buffer_[begin_, end_)
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::size_t line_number_ = 0;
};

}  // namespace svm

#endif  // SVM_IO_LINE_READER_H_
