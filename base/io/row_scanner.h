// Reads ordinary rows as fast as possible, by rules that RowParser (programs/data/) shares.
#ifndef SVM_BASE_IO_ROW_SCANNER_H_
#define SVM_BASE_IO_ROW_SCANNER_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/text_block.h"
#include "svm.h"

namespace svm {

// What a program requires of rows in addition to the grammar.
struct RowRules {
  // Labels, truncated to integers, must fit an int.
  bool class_labels = false;
  // Indices are 0, 1, 2 ... without gaps; Dataset also checks serial numbers.
  bool precomputed = false;
  // Refuses values such as 1e-310, as LIBSVM's trainers do and its scaler does not.
  bool reject_subnormals = true;
  // "1\r" is a row without features, as for LIBSVM's scaler only.
  bool cr_ends_label = false;
};

// Accepts only lines without comments, indices of at most eight digits without a sign, and decimal
// numbers that one multiplication or division converts exactly. It gives up on everything else, so
// it needs no messages. What it accepts, RowParser reads the same way.
class RowScanner {
 public:
  explicit RowScanner(RowRules rules) : rules_(rules) {}

  // Moves to the line at `text`. Every line from there on must end with '\n' and be followed by
  // kPadding readable bytes.
  static constexpr std::size_t kPadding = kBlockCharacters;
  void seek(const char* text);

  // Reads a line, moves to the next one and returns its start. Writes the features to `nodes` and
  // advances it. Returns null if RowParser has to read the line; what was written is then
  // meaningless, and seek() must be called next.
  const char* scan(double& label, svm_node*& nodes);

  // Likewise for a line that starts with `count` > 0 numbers, such as coefficients, one blank
  // apart.
  const char* scan(double* labels, std::size_t count, svm_node*& nodes);

 private:
  RowRules rules_;
  const char* line_ = nullptr;
  // Positions of characters other than digits: bit i of marks_ stands for piece_[i]. Bits are
  // cleared once they have been handled.
  const char* piece_ = nullptr;
  std::uint64_t marks_ = 0;
};

}  // namespace svm

#endif  // SVM_BASE_IO_ROW_SCANNER_H_
