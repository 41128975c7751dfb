// One line of a data file.  The grammar of svm-train, svm-predict and svm-scale.
#ifndef SVM_IO_ROW_PARSER_H_
#define SVM_IO_ROW_PARSER_H_

#include <cstddef>
#include <string_view>
#include <vector>

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

  // Parses one line without '\n'.  Replaces `nodes` by the row, without the closing node of index
  // -1, and returns the label.  Throws InputError naming `line_number`.
  double parse(std::string_view line, std::size_t line_number, std::vector<svm_node>& nodes) const;

 private:
  RowRules rules_;
};

}  // namespace svm

#endif  // SVM_IO_ROW_PARSER_H_
