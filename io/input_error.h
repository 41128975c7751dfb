// What is wrong with an input file, and where.
#ifndef SVM_IO_INPUT_ERROR_H_
#define SVM_IO_INPUT_ERROR_H_

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace svm {

// "line 3, column 7: '1:abc': the value is not a number".  `line` and `column` count from 1 (column
// in bytes); column 0 means the line as a whole, line 0 the file as a whole.  `token` is the
// offending text, shown shortened and with control characters escaped; empty for none.
std::string describe_place(std::size_t line, std::size_t column, std::string_view token,
                           std::string_view rule);

class InputError : public std::runtime_error {
 public:
  // Which part of the file breaks the rule: svm-scale reports labels on their own.
  enum class Part { kFile, kLabel, kFeatures };

  // what() is describe_place() of the first four.  `legacy` is the line LIBSVM prints for this
  // case; empty means "Wrong input format at line <line>".
  InputError(std::size_t line, std::size_t column, std::string_view token, std::string_view rule,
             Part part = Part::kFeatures, std::string legacy = {});

  std::size_t line() const { return line_; }
  Part part() const { return part_; }
  const std::string& legacy() const { return legacy_; }

 private:
  std::size_t line_;
  Part part_;
  std::string legacy_;
};

}  // namespace svm

#endif  // SVM_IO_INPUT_ERROR_H_
