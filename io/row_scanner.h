// Rows in their ordinary form, read as fast as possible.
#ifndef SVM_IO_ROW_SCANNER_H_
#define SVM_IO_ROW_SCANNER_H_

#include "io/row_parser.h"
#include "svm.h"

namespace svm {

// Knows only decimal numbers that doubles give exactly by one multiplication or division, indices
// without a sign, and lines without comments.  It gives up on everything else, so that it needs no
// messages: what it reads, RowParser reads the same way.
class RowScanner {
 public:
  explicit RowScanner(RowRules rules) : rules_(rules) {}

  // Reads the line at `text`, which ends with '\n' and has BlockReader::kPadding bytes behind it.
  // Writes the features from `nodes` on, moves `nodes` behind them and returns where the next line
  // begins.  Null where the line is for RowParser; then what was written means nothing.
  const char* scan(const char* text, double& label, svm_node*& nodes) const;

 private:
  RowRules rules_;
};

}  // namespace svm

#endif  // SVM_IO_ROW_SCANNER_H_
