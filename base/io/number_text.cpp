#include "base/io/number_text.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>

#include "base/platform/float_chars.h"
#include "base/platform/text.h"

namespace svm {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with(std::string_view text, std::string_view lower_word) {
  if (text.size() < lower_word.size()) return false;
  for (std::size_t i = 0; i < lower_word.size(); ++i) {
    if (lower(text[i]) != lower_word[i]) return false;
  }
  return true;
}

// Length of the "(...)" that may follow "nan"; 0 if it is malformed.
std::size_t nan_payload_length(std::string_view text) {
  if (text.empty() || text[0] != '(') return 0;
  std::size_t i = 1;
  while (i < text.size() && (is_digit(text[i]) ||
                             (lower(text[i]) >= 'a' && lower(text[i]) <= 'z') || text[i] == '_')) {
    ++i;
  }
  return i < text.size() && text[i] == ')' ? i + 1 : 0;
}

bool starts_number(std::string_view digits, bool (*is_digit_of_base)(char)) {
  if (digits.empty()) return false;
  if (is_digit_of_base(digits[0])) return true;
  return digits[0] == '.' && digits.size() > 1 && is_digit_of_base(digits[1]);
}

// What the digits say about the size of the number without computing it.
struct Magnitude {
  bool zero;   // every digit is 0
  bool large;  // at least 1
};

// `digits` is a complete unsigned number of the given base.
Magnitude magnitude(std::string_view digits, bool hexadecimal) {
  const char exponent_letter = hexadecimal ? 'p' : 'e';
  const long long step = hexadecimal ? 4 : 1;  // change of the exponent per digit
  bool point = false;
  bool zero = true;
  long long leading = 0;  // exponent of the first non-zero digit
  std::size_t i = 0;
  for (; i < digits.size() && lower(digits[i]) != exponent_letter; ++i) {
    if (digits[i] == '.') {
      point = true;
    } else if (zero && digits[i] == '0') {
      if (point) leading -= step;
    } else {
      if (zero && point) leading -= step;
      if (!zero && !point) leading += step;
      zero = false;
    }
  }
  if (zero) return {true, false};
  if (i < digits.size()) {
    // An exponent that exceeds long long saturates, which is enough to decide.
    const IntText exponent = parse_int(digits.substr(i + 1));
    if (exponent.status == NumberStatus::kOverflow) return {false, exponent.value > 0};
    return {false, exponent.value >= -leading};
  }
  return {false, leading >= 0};
}

}  // namespace

RealText parse_real(std::string_view text) {
  std::size_t sign_length = 0;
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    sign_length = 1;
    negative = text[0] == '-';
  }
  std::string_view digits = text.substr(sign_length);
  const double sign = negative ? -1.0 : 1.0;

  if (starts_with(digits, "inf")) {
    const std::size_t length = starts_with(digits, "infinity") ? 8 : 3;
    return {NumberStatus::kOk, sign * std::numeric_limits<double>::infinity(),
            sign_length + length};
  }
  if (starts_with(digits, "nan")) {
    return {NumberStatus::kOk, std::copysign(std::numeric_limits<double>::quiet_NaN(), sign),
            sign_length + 3 + nan_payload_length(digits.substr(3))};
  }

  bool hexadecimal = false;
  std::size_t prefix_length = sign_length;
  if (starts_with(digits, "0x") && starts_number(digits.substr(2), is_hex_digit)) {
    hexadecimal = true;
    prefix_length += 2;
    digits.remove_prefix(2);
  } else if (!starts_number(digits, is_digit)) {
    return {NumberStatus::kNotANumber, 0, 0};
  }

  double value = 0;
  const std::from_chars_result parsed =
      read_float(digits.data(), digits.data() + digits.size(), value,
                 hexadecimal ? NumberForm::kHexadecimal : NumberForm::kDecimal);
  const auto used = static_cast<std::size_t>(parsed.ptr - digits.data());
  const std::size_t length = prefix_length + used;
  if (parsed.ec == std::errc::invalid_argument) return {NumberStatus::kNotANumber, 0, 0};

  const bool normal = parsed.ec == std::errc() && std::isfinite(value) &&
                      value >= std::numeric_limits<double>::min();
  if (normal) return {NumberStatus::kOk, sign * value, length};

  const Magnitude size = magnitude(digits.substr(0, used), hexadecimal);
  if (size.zero) return {NumberStatus::kOk, sign * 0.0, length};
  if (size.large) {
    return {NumberStatus::kOverflow, sign * std::numeric_limits<double>::infinity(), length};
  }
  if (parsed.ec != std::errc()) value = 0;
  return {NumberStatus::kUnderflow, sign * value, length};
}

IntText parse_int(std::string_view text) {
  // std::from_chars does not accept '+'.
  const std::size_t plus = !text.empty() && text[0] == '+' ? 1 : 0;
  if (plus == 1 && text.size() > 1 && text[1] == '-') return {NumberStatus::kNotANumber, 0, 0};
  long long value = 0;
  const std::from_chars_result parsed =
      std::from_chars(text.data() + plus, text.data() + text.size(), value);
  if (parsed.ec == std::errc::invalid_argument) return {NumberStatus::kNotANumber, 0, 0};
  const auto length = static_cast<std::size_t>(parsed.ptr - text.data());
  if (parsed.ec == std::errc::result_out_of_range) {
    return {NumberStatus::kOverflow,
            text[0] == '-' ? std::numeric_limits<long long>::min()
                           : std::numeric_limits<long long>::max(),
            length};
  }
  return {NumberStatus::kOk, value, length};
}

}  // namespace svm
