// The rows of a block of text: quickly where they are ordinary, else with all care.
#ifndef SVM_IO_ROW_READER_H_
#define SVM_IO_ROW_READER_H_

#include <cstddef>
#include <cstdio>
#include <string>

#include "io/block_reader.h"
#include "io/raw_array.h"
#include "io/row_parser.h"
#include "io/row_scanner.h"
#include "svm.h"

namespace svm {

// A number of nodes that suffices for the rows of `bytes` bytes of text, their closing nodes
// included.  For much text, which may be one long line, no more than there are.
std::size_t most_nodes(const char* text, std::size_t bytes);

// The line at `text`, which ends with '\n', as far as a message may look at it.
std::string start_of_line(const char* text);

class RowReader {
  static_assert(BlockReader::kPadding >= RowScanner::kPadding, "rows of blocks can be scanned");

 public:
  explicit RowReader(RowRules rules) : scanner_(rules), parser_(rules) {}

  // Goes to the line at `text`, the first one of a block.
  void begin(const char* text) {
    scanner_.go_to(text);
    next_ = text;
  }

  // Reads a line and returns where the next one begins.  Writes the features, without a closing
  // node, from `nodes` on and moves `nodes` behind them; most_nodes() says how much room that
  // needs.  Throws InputError.
  const char* read(double& label, svm_node*& nodes) {
    ++line_number_;
    const char* const next = scanner_.scan(label, nodes);
    next_ = next != nullptr ? next : read_carefully(label, nodes);
    return next_;
  }

  // Number of the line last read, from 1.
  std::size_t line_number() const { return line_number_; }

 private:
  const char* read_carefully(double& label, svm_node*& nodes);

  RowScanner scanner_;
  RowParser parser_;
  const char* next_ = nullptr;
  std::size_t line_number_ = 0;
};

// The rows of a file, one at a time.
class FileRows {
 public:
  // `file` stays the caller's and is read from its current position, `piece` bytes at once.
  FileRows(std::FILE* file, RowRules rules, std::size_t piece = BlockReader::kPiece)
      : blocks_(file, piece), reader_(rules) {}

  // Goes to the next row; false at the end of the file.  Throws InputError, std::system_error and
  // std::bad_alloc.
  bool next();

  double label() const { return label_; }
  // The features, ended by index -1; valid until next().
  const svm_node* nodes() const { return nodes_.data(); }
  std::size_t size() const { return size_; }  // number of features
  std::size_t line_number() const { return reader_.line_number(); }
  const std::string& first_line() const { return first_line_; }  // of the file, what is kept of it

 private:
  BlockReader blocks_;
  RowReader reader_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  double label_ = 0;
  std::string first_line_;
  RawArray<svm_node> nodes_;  // room for all rows of a block
  std::size_t size_ = 0;
};

}  // namespace svm

#endif  // SVM_IO_ROW_READER_H_
