// Writes numbers as printf does. If the value times a power of ten is far enough from the middle of
// two integers, as in most data, one multiplication gives the digits; std::to_chars does the rest.
#include <algorithm>
#include <array>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/io/number_text.h"
#include "base/platform/float_chars.h"

namespace svm {
namespace {

using std::uint64_t;

constexpr std::array<char, 200> two_digits() {
  std::array<char, 200> out{};
  for (std::size_t i = 0; i < 100; ++i) {
    out[2 * i] = static_cast<char>('0' + i / 10);
    out[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return out;
}

constexpr std::array<char, 200> kPairs = two_digits();

void put_pair(char* out, uint64_t number) { std::memcpy(out, kPairs.data() + 2 * number, 2); }

// Writes exactly `count` digits, with leading zeros.
void put_digits(char* out, uint64_t number, int count) {
  while (count >= 2) {
    count -= 2;
    put_pair(out + count, number % 100);
    number /= 100;
  }
  if (count == 1) *out = static_cast<char>('0' + number % 10);
}

int count_digits(uint64_t number) {  // below 10^17
  int count = 1;
  while (count < kMostDigits && number >= kWholeTens[static_cast<std::size_t>(count)]) ++count;
  return count;
}

// The leading `precision` digits of a number, rounded, and the power of ten of the first one.
struct Decimal {
  uint64_t digits;
  int exponent;
};

// Returns false if doubles do not settle the digits. `value` is positive and finite.
bool to_decimal(double value, int precision, Decimal& out) {
  if (precision > DBL_DIG || !(value >= 1e-22 && value < 1e15)) return false;
  // floor(log10(2^ilogb(value))) is the power of ten of the first digit, or one less.
  int ten = (std::ilogb(value) * 78913) >> 18;
  for (;; ++ten) {
    const int power = precision - 1 - ten;
    if (power < 0 || power >= static_cast<int>(kTens.size())) return false;
    const double scaled = value * kTens[static_cast<std::size_t>(power)];  // rounded once
    const uint64_t limit = kWholeTens[static_cast<std::size_t>(precision)];
    if (scaled >= static_cast<double>(limit)) continue;
    const auto whole = static_cast<uint64_t>(scaled);
    const double above_half = scaled - static_cast<double>(whole) - 0.5;
    if (std::fabs(above_half) <= scaled * DBL_EPSILON) return false;
    out = {above_half > 0 ? whole + 1 : whole, ten};
    if (out.digits == limit) out = {limit / 10, ten + 1};
    return true;
  }
}

// "%g": the shorter of 0.00123 and 1.23e-03, without trailing zeros.
char* put_decimal(char* out, const Decimal& number, int precision) {
  char digits[kMostDigits + 1];
  put_digits(digits, number.digits, precision);
  int used = precision;
  while (used > 1 && digits[used - 1] == '0') --used;
  const auto length = [](int count) { return static_cast<std::size_t>(count); };

  if (number.exponent >= -4 && number.exponent < 0) {
    std::memcpy(out, "0.000", 5);
    out += 1 - number.exponent;
    std::memcpy(out, digits, length(used));
    return out + used;
  }
  const bool plain = number.exponent >= 0 && number.exponent < precision;
  const int before_point = plain ? number.exponent + 1 : 1;
  std::memcpy(out, digits, length(before_point));
  out += before_point;
  if (used > before_point) {
    *out++ = '.';
    std::memcpy(out, digits + before_point, length(used - before_point));
    out += used - before_point;
  }
  if (plain) return out;
  // to_decimal() never gives a three-digit exponent.
  *out++ = 'e';
  *out++ = number.exponent < 0 ? '-' : '+';
  put_pair(out, static_cast<uint64_t>(std::abs(number.exponent)));
  return out + 2;
}

char* put_unsigned(char* out, uint64_t number) {  // below 10^17
  if (number < 10) {
    *out = static_cast<char>('0' + number);
    return out + 1;
  }
  const int count = count_digits(number);
  put_digits(out, number, count);
  return out + count;
}

}  // namespace

char* write_real(char* out, double value, int precision) {
  if (std::isnan(value)) {
    const std::string_view text = std::signbit(value) ? "-nan" : "nan";
    return std::copy(text.begin(), text.end(), out);
  }
  if (std::signbit(value)) {
    *out++ = '-';
    value = -value;
  }
  // Integers with no more than `precision` digits.
  if (value < 1e15) {
    const auto whole = static_cast<uint64_t>(value);
    if (static_cast<double>(whole) == value &&
        whole < kWholeTens[static_cast<std::size_t>(precision)]) {
      return put_unsigned(out, whole);
    }
  }
  Decimal number{};
  if (to_decimal(value, precision, number)) return put_decimal(out, number, precision);
  return write_float(out, out + kLongestReal - 1, value, precision).ptr;
}

char* write_int(char* out, long long value) {
  constexpr long long kLimit = 100000000000000000;
  if (value <= -kLimit || value >= kLimit) return std::to_chars(out, out + kLongestInt, value).ptr;
  if (value < 0) {
    *out++ = '-';
    value = -value;
  }
  return put_unsigned(out, static_cast<uint64_t>(value));
}

void append_real(std::string& out, double value, int precision) {
  char text[kLongestReal];
  out.append(text, write_real(text, value, precision));
}

void append_int(std::string& out, long long value) {
  char text[kLongestInt];
  out.append(text, write_int(text, value));
}

}  // namespace svm
