// Numbers to text and back, independent of the process's locale.
#ifndef SVM_IO_NUMBER_TEXT_H_
#define SVM_IO_NUMBER_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace svm {

enum class NumberStatus {
  kOk,
  kNotANumber,  // no number at the start of the text
  kOverflow,    // too large for a double (or for the integer type)
  kUnderflow    // not 0, but below the smallest normal double; value is what strtod gives
};

struct RealText {
  NumberStatus status;
  double value;        // correctly rounded, as strtod in the C locale
  std::size_t length;  // characters used, from the start of the text
};

// Parses the longest number at the start of `text`, as strtod does in the C locale but for leading
// white space, which is no part of a number here: an optional sign, decimal or 0x-hexadecimal
// digits, "inf", "infinity", "nan", "nan(...)" in any case.
RealText parse_real(std::string_view text);

struct IntText {
  NumberStatus status;
  long long value;
  std::size_t length;
};

// The same for base 10 integers, as strtoll.
IntText parse_int(std::string_view text);

// Appends `value` as printf's "%.<precision>g" prints it in the C locale.
void append_real(std::string& out, double value, int precision);
void append_int(std::string& out, long long value);

// The same into memory of the caller, with room for kLongestReal or kLongestInt characters.
// Returns the end of the text.  `precision` is from 1 to kMostDigits.
constexpr std::size_t kLongestReal = 32;
constexpr std::size_t kLongestInt = 24;
constexpr int kMostDigits = 17;
char* write_real(char* out, double value, int precision);
char* write_int(char* out, long long value);

}  // namespace svm

#endif  // SVM_IO_NUMBER_TEXT_H_
