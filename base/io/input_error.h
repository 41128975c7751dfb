// Errors in input files: the fault, its position, and what the file seems to be instead.
#ifndef SVM_BASE_IO_INPUT_ERROR_H_
#define SVM_BASE_IO_INPUT_ERROR_H_

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace svm {

// Makes a text such as "line 3, column 7: '1:abc': the value is not a number". `line` and `column`
// (in bytes) count from 1; column 0 refers to the whole line, line 0 to the whole file. `token` is
// the offending text, of which long parts are cut and control characters escaped; empty means none.
std::string describe_place(std::size_t line, std::size_t column, std::string_view token,
                           std::string_view rule);

class InputError : public std::runtime_error {
 public:
  // The part of the file that breaks the rule: svm-scale reports labels separately.
  enum class Part { kFile, kLabel, kFeatures };

  // what() is describe_place() of the first four arguments. `legacy` is the line that LIBSVM prints
  // in this case; empty means "Wrong input format at line <line>".
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

// Recognising files of other formats ----------------------------------------------------------

// What rows look like and what makes them, as the end of a message.
inline constexpr const char* kRowForm =
    "rows have the form: label index:value index:value ...; svm-convert (tools/convert.py) "
    "makes such a file of a table";

// If `text`, the beginning of a file, looks compressed or like UTF-16, says so and what to do about
// it. Empty otherwise.
std::string encoding_fault(std::string_view text);

// What a non-empty line of a data file seems to be if not a row, for example "comma-separated
// values". Empty if nothing suggests another format, as in a line with a colon.
std::string other_format(std::string_view line);

// True if the line looks like the column names of a table.
bool is_like_header(std::string_view line);

}  // namespace svm

#endif  // SVM_BASE_IO_INPUT_ERROR_H_
