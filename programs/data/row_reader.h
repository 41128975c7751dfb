// Reads the rows of files: text in blocks, ordinary rows by the fast scanner, others by the parser.
#ifndef SVM_PROGRAMS_DATA_ROW_READER_H_
#define SVM_PROGRAMS_DATA_ROW_READER_H_

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/io/input_error.h"
#include "base/io/row_scanner.h"
#include "base/platform/raw_array.h"
#include "svm.h"

namespace svm {

// Reads a text file in large blocks that end at the end of a line. The file is read once from front
// to back, so pipes work. Lines may have any length.
class BlockReader {
 public:
  // Default number of bytes per read; small enough to stay in the processor's cache.
  static constexpr std::size_t kPiece = std::size_t{1} << 18;

  // Reads `file` from its current position, `piece` > 0 bytes at a time. The caller keeps
  // ownership.
  explicit BlockReader(std::FILE* file, std::size_t piece = kPiece) : file_(file), piece_(piece) {}

  // Advances to the next block. Returns false at the end of the file. Throws std::system_error if
  // reading fails, and std::bad_alloc.
  bool next();

  // The current block: one or more lines, each terminated by '\n', which is added to the last line
  // of the file if it lacks one. kPadding bytes after the block may be read. Valid until next().
  static constexpr std::size_t kPadding = 64;
  const char* begin() const { return buffer_.data(); }
  const char* end() const { return buffer_.data() + block_; }
  std::size_t size() const { return block_; }

 private:
  std::FILE* file_;
  const std::size_t piece_;
  RawArray<char> buffer_;
  std::size_t block_ = 0;  // size of the block, which starts the buffer
  std::size_t held_ = 0;   // bytes in the buffer
  bool at_end_ = false;
};

// An upper bound on the nodes of the rows in `bytes` bytes of text, including their terminating
// nodes. Exact for large texts, which may be a single long line.
std::size_t most_nodes(const char* text, std::size_t bytes);

// The beginning of the line at `text`, which ends with '\n': as much as messages need.
std::string start_of_line(const char* text);

// Parses lines. Defines the grammar of svm-train, svm-predict and svm-scale.
class RowParser {
 public:
  explicit RowParser(RowRules rules) : rules_(rules) {}

  // Parses one line without its '\n' and returns the label. Writes the features to `nodes` and
  // advances it; there are at most as many as the line has colons. Throws InputError with
  // `line_number`.
  double parse(std::string_view line, std::size_t line_number, svm_node*& nodes);

  // The first text, with its place, that was ignored because no colon follows; empty if there was
  // none or all were comments, which begin with '#'.
  const std::string& ignored() const { return ignored_; }

 private:
  RowRules rules_;
  std::string ignored_;
};

class RowReader {
  static_assert(BlockReader::kPadding >= RowScanner::kPadding, "rows of blocks can be scanned");

 public:
  explicit RowReader(RowRules rules) : scanner_(rules), parser_(rules) {}

  // Moves to the line at `text`, the first one of a block.
  void begin(const char* text) {
    scanner_.seek(text);
    next_ = text;
  }

  // Reads a line and returns the start of the next one. Writes the features without a terminating
  // node to `nodes` and advances it; most_nodes() tells the room needed. Throws InputError.
  const char* read(double& label, svm_node*& nodes) {
    ++line_number_;
    const char* const next = scanner_.scan(label, nodes);
    next_ = next != nullptr ? next : read_carefully(label, nodes);
    return next_;
  }

  const std::string& ignored() const { return parser_.ignored(); }

  // Number of the last line read, counted from 1.
  std::size_t line_number() const { return line_number_; }

 private:
  const char* read_carefully(double& label, svm_node*& nodes);

  RowScanner scanner_;
  RowParser parser_;
  const char* next_ = nullptr;
  std::size_t line_number_ = 0;
};

// Reads the rows of a file one at a time.
class FileRows {
 public:
  // Reads `file` from its current position, `piece` bytes at a time. The caller keeps ownership.
  FileRows(std::FILE* file, RowRules rules, std::size_t piece = BlockReader::kPiece)
      : blocks_(file, piece), reader_(rules) {}

  // Advances to the next row. Returns false at the end of the file. Throws InputError,
  // std::system_error and std::bad_alloc.
  bool next();

  double label() const { return label_; }
  // The features, terminated by index -1; valid until next().
  const svm_node* nodes() const { return nodes_.data(); }
  std::size_t size() const { return size_; }  // number of features
  std::size_t line_number() const { return reader_.line_number(); }
  const std::string& ignored() const { return reader_.ignored(); }
  const std::string& first_line() const {
    return first_line_;
  }  // first characters of the file's first line

 private:
  BlockReader blocks_;
  RowReader reader_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  double label_ = 0;
  std::string first_line_;
  RawArray<svm_node> nodes_;  // large enough for all rows of a block
  std::size_t size_ = 0;
};

}  // namespace svm

#endif  // SVM_PROGRAMS_DATA_ROW_READER_H_
