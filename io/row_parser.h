// One line of a data file.  The grammar of svm-train, svm-predict and svm-scale.
#ifndef SVM_IO_ROW_PARSER_H_
#define SVM_IO_ROW_PARSER_H_

#include <cstddef>
#include <string_view>

#include "io/input_error.h"
#include "svm.h"

namespace svm {

// What a program asks of a row beyond the grammar.
struct RowRules {
  bool class_labels = false;      // labels must fit an int after truncation
  bool precomputed = false;       // indices 0, 1, 2 ... without gaps; Dataset checks serials too
  bool reject_subnormals = true;  // LIBSVM's trainers refuse the value 1e-310, its scaler does not
  bool cr_ends_label = false;     // "1\r" is a row without features: so for LIBSVM's scaler only
};

class RowParser {
 public:
  explicit RowParser(RowRules rules) : rules_(rules) {}

  // Parses one line without '\n' and returns the label.  Writes the features, no more than the line
  // has colons, from `nodes` on and moves `nodes` behind them.  Throws InputError naming
  // `line_number`.
  double parse(std::string_view line, std::size_t line_number, svm_node*& nodes) const;

 private:
  RowRules rules_;
};

}  // namespace svm

#endif  // SVM_IO_ROW_PARSER_H_
