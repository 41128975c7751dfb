// Parses one line of a data file. Defines the grammar of svm-train, svm-predict and svm-scale.
#ifndef SVM_PROGRAMS_DATA_ROW_PARSER_H_
#define SVM_PROGRAMS_DATA_ROW_PARSER_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "base/io/input_error.h"
#include "base/io/row_scanner.h"
#include "svm.h"

namespace svm {

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

}  // namespace svm

#endif  // SVM_PROGRAMS_DATA_ROW_PARSER_H_
