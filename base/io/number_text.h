// Converts numbers to text and back, independently of the process's locale.
#ifndef SVM_BASE_IO_NUMBER_TEXT_H_
#define SVM_BASE_IO_NUMBER_TEXT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace svm {

enum class NumberStatus {
  kOk,
  kNotANumber,  // the text does not start with a number
  kOverflow,    // too large for a double or the integer type
  kUnderflow    // not 0, but below the smallest normal double; value is strtod's
};

struct RealText {
  NumberStatus status;
  double value;        // correctly rounded, as by strtod in the C locale
  std::size_t length;  // number of characters used
};

// Parses the longest number at the start of `text` as strtod does in the C locale, except that
// leading white space is not allowed: an optional sign, then decimal or 0x-hexadecimal digits, or
// "inf", "infinity", "nan", "nan(...)" in upper or lower case.
RealText parse_real(std::string_view text);

struct IntText {
  NumberStatus status;
  long long value;
  std::size_t length;
};

// Likewise for decimal integers, as strtoll does.
IntText parse_int(std::string_view text);

// Appends `value` as printf's "%.<precision>g" prints it in the C locale.
void append_real(std::string& out, double value, int precision);
void append_int(std::string& out, long long value);

// Write to the caller's memory, which must have room for kLongestReal or kLongestInt characters.
// Return the end of the text. `precision` is from 1 to kMostDigits.
constexpr std::size_t kLongestReal = 32;
constexpr std::size_t kLongestInt = 24;
constexpr int kMostDigits = 17;
char* write_real(char* out, double value, int precision);
char* write_int(char* out, long long value);

template <typename Number, std::size_t Count>
constexpr std::array<Number, Count> powers_of_ten() {
  std::array<Number, Count> powers{};
  Number power = 1;
  for (Number& entry : powers) {
    entry = power;
    power *= 10;
  }
  return powers;
}

// Exact powers of ten as doubles: 10^22 is the last one, as 5^22 is the last power of five below
// 2^53.
inline constexpr std::array<double, 23> kTens = powers_of_ten<double, 23>();

// As integers: all that fit into 64 bits.
inline constexpr std::array<std::uint64_t, 20> kWholeTens = powers_of_ten<std::uint64_t, 20>();

}  // namespace svm

#endif  // SVM_BASE_IO_NUMBER_TEXT_H_
