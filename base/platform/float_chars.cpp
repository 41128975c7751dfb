#include "base/platform/float_chars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "base/platform/text.h"

namespace svm {

std::string fixed_text(double value, int digits) {
  std::array<char, 331> text;  // 309 digits before the point
  return {text.data(), write_fixed(text.data(), text.data() + text.size(), value, digits).ptr};
}

std::string general_text(double value, int digits) {
  std::array<char, 32> text;
  return {text.data(), write_float(text.data(), text.data() + text.size(), value, digits).ptr};
}

}  // namespace svm

#if !defined(SVM_NO_STDIO)

namespace svm::c_library {
namespace {

// The decimal point of the locale, one or more characters.
std::string decimal_point() {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", 0.5);
  const std::string_view all = text.data();
  return std::string(all.substr(1, all.size() - 2));
}

// The number of characters that std::from_chars would consume at the start of `text`; 0 if there is
// no number.
std::size_t number_length(std::string_view text, bool hexadecimal) {
  const auto digits_from = [&](std::size_t at, bool (*is_one)(char)) {
    while (at < text.size() && is_one(text[at])) ++at;
    return at;
  };
  const auto is_one = hexadecimal ? is_hex_digit : is_digit;
  std::size_t end = digits_from(0, is_one);
  if (end < text.size() && text[end] == '.') {
    const std::size_t behind = digits_from(end + 1, is_one);
    if (behind == 1) return 0;
    end = behind;
  }
  if (end == 0 || end >= text.size()) return end;
  const char letter = hexadecimal ? 'p' : 'e';
  if (text[end] != letter && text[end] != letter - 'a' + 'A') return end;
  std::size_t exponent = end + 1;
  if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
  const std::size_t behind = digits_from(exponent, is_digit);
  return behind > exponent ? behind : end;
}

bool is_zero(std::string_view number) {
  for (const char c : number) {
    if (c == 'e' || c == 'E' || c == 'p' || c == 'P') break;
    if (c != '0' && c != '.') return false;
  }
  return true;
}

// The text of printf with a '.' in any locale. `format` must not produce anything else that depends
// on the locale.
std::string print(const char* format, int precision, double value) {
  const int length = std::snprintf(nullptr, 0, format, precision, value);
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format, precision, value);
  text.pop_back();
  const auto is_of_point = [](char c) {
    return !is_digit(c) && std::string_view("+-efinINa").find(c) == std::string_view::npos;
  };
  const auto begin = std::find_if(text.begin(), text.end(), is_of_point);
  const auto end = std::find_if_not(begin, text.end(), is_of_point);
  if (begin != end) text.replace(begin, end, 1, '.');
  return text;
}

std::to_chars_result put(char* first, char* last, const std::string& text) {
  if (static_cast<std::size_t>(last - first) < text.size()) {
    return {last, std::errc::value_too_large};
  }
  return {std::copy(text.begin(), text.end(), first), std::errc()};
}

double read(const std::string& text) {
  double value = 0;
  const std::size_t sign = text.front() == '-' ? 1 : 0;
  c_library::read_float(text.data() + sign, text.data() + text.size(), value, NumberForm::kDecimal);
  return sign != 0 ? -value : value;
}

// The next number away from zero with the same number of digits.
std::string next_decimal(std::string number) {
  std::size_t at = number.find('e');
  while (at-- > 0 && number[at] != '-') {
    if (number[at] == '.') continue;
    if (number[at] != '9') {
      ++number[at];
      return number;
    }
    number[at] = '0';
  }
  return {};  // would need one more digit before the point, which no power of two does
}

}  // namespace

std::from_chars_result read_float(const char* first, const char* last, double& value,
                                  NumberForm form) {
  const bool hexadecimal = form == NumberForm::kHexadecimal;
  const std::size_t length =
      number_length({first, static_cast<std::size_t>(last - first)}, hexadecimal);
  if (length == 0) return {first, std::errc::invalid_argument};
  std::string number = (hexadecimal ? "0x" : "") + std::string(first, length);
  const std::size_t point = number.find('.');
  if (point != std::string::npos) number.replace(point, 1, decimal_point());
  const double read = std::strtod(number.c_str(), nullptr);
  if (std::isinf(read) || (read == 0 && !is_zero({first, length}))) {
    return {first + length, std::errc::result_out_of_range};
  }
  value = read;
  return {first + length, std::errc()};
}

std::to_chars_result write_float(char* first, char* last, double value, int precision) {
  return put(first, last, print("%.*g", precision, value));
}

std::to_chars_result write_fixed(char* first, char* last, double value, int precision) {
  return put(first, last, print("%.*f", precision, value));
}

std::to_chars_result write_shortest(char* first, char* last, double value) {
  constexpr int kEnough = std::numeric_limits<double>::max_digits10 - 1;  // digits after the point
  for (int digits = 0; digits < kEnough; ++digits) {
    const std::string nearest = print("%.*e", digits, value);
    if (read(nearest) == value) return put(first, last, nearest);
    // Doubles are closer together below a power of two than above it: a number further away may
    // identify it there.
    const std::string above = next_decimal(nearest);
    if (!above.empty() && read(above) == value) return put(first, last, above);
  }
  return put(first, last, print("%.*e", kEnough, value));
}

}  // namespace svm::c_library

#endif
