// Reads a text file in large pieces that end where a line ends.  One pass, so that pipes work;
// lines may have any length.
#ifndef SVM_IO_BLOCK_READER_H_
#define SVM_IO_BLOCK_READER_H_

#include <cstddef>
#include <cstdio>

#include "io/raw_array.h"

namespace svm {

class BlockReader {
 public:
  // Read at once, where not said otherwise; small enough to stay in the processor's cache.
  static constexpr std::size_t kPiece = std::size_t{1} << 18;

  // `file` stays the caller's and is read from its current position, `piece` > 0 bytes at once.
  explicit BlockReader(std::FILE* file, std::size_t piece = kPiece) : file_(file), piece_(piece) {}

  // Goes to the next block; false at the end of the file.  Throws std::system_error when reading
  // fails, and std::bad_alloc.
  bool next();

  // The block: at least one line, each ended by '\n', which the last line of the file gets if it
  // lacks one.  kPadding bytes behind it may be read.  Valid until next().
  static constexpr std::size_t kPadding = 64;
  const char* begin() const { return buffer_.data(); }
  const char* end() const { return buffer_.data() + block_; }
  std::size_t size() const { return block_; }

 private:
  std::FILE* file_;
  const std::size_t piece_;
  RawArray<char> buffer_;
  std::size_t block_ = 0;  // bytes of the block, from the beginning of the buffer
  std::size_t held_ = 0;   // bytes in the buffer
  bool at_end_ = false;
};

}  // namespace svm

#endif  // SVM_IO_BLOCK_READER_H_
