// Files that are no svmlight text, and what they seem to be: for messages.
#ifndef SVM_IO_FOREIGN_TEXT_H_
#define SVM_IO_FOREIGN_TEXT_H_

#include <string>
#include <string_view>

namespace svm {

// What rows look like, as the end of a message.
inline constexpr const char* kRowForm = "rows have the form: label index:value index:value ...";

// Why a file that begins with `text` is no text in a known encoding, and what to do about it: it is
// compressed, or UTF-16.  Empty if it does not begin like one of these.
std::string encoding_fault(std::string_view text);

// What the line of a data file, which is not empty, seems to be instead of a row: "comma-separated
// values".  Empty if nothing speaks for it, as in a line with a colon.
std::string other_format(std::string_view line);

// True if the line seems to be the names of a table's columns.
bool is_like_header(std::string_view line);

}  // namespace svm

#endif  // SVM_IO_FOREIGN_TEXT_H_
