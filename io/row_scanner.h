// Rows in their ordinary form, read as fast as possible.
#ifndef SVM_IO_ROW_SCANNER_H_
#define SVM_IO_ROW_SCANNER_H_

#include <cstddef>
#include <cstdint>

#include "io/row_parser.h"
#include "simd/text_block.h"
#include "svm.h"

namespace svm {

// Knows only decimal numbers that doubles give exactly by one multiplication or division, indices
// without a sign, and lines without comments.  It gives up on everything else, so that it needs no
// messages: what it reads, RowParser reads the same way.
class RowScanner {
 public:
  explicit RowScanner(RowRules rules) : rules_(rules) {}

  // Goes to the line at `text`.  Every line from there on ends with '\n' and has kPadding bytes
  // behind it.
  static constexpr std::size_t kPadding = kBlockCharacters;
  void go_to(const char* text);

  // Reads a line and goes to the next one, whose beginning it returns.  Writes the features from
  // `nodes` on and moves `nodes` behind them.  Null where the line is for RowParser; then what was
  // written means nothing, and go_to() must come next.
  const char* scan(double& label, svm_node*& nodes);

  // The same for `count` > 0 labels, as a model's coefficients, one blank apart.
  const char* scan(double* labels, std::size_t count, svm_node*& nodes);

 private:
  RowRules rules_;
  const char* line_ = nullptr;
  // Where the characters other than digits are: bit i of marks_ stands for piece_[i].  Those that
  // were looked at are cleared.
  const char* piece_ = nullptr;
  std::uint64_t marks_ = 0;
};

}  // namespace svm

#endif  // SVM_IO_ROW_SCANNER_H_
