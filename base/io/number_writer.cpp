// Writes numbers as printf does. If the value times a power of ten fits exact integers, as in most
// data, one multiplication gives the digits; std::to_chars does the rest.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/io/number_text.h"
#include "base/platform/float_chars.h"

namespace svm {
namespace {

using std::uint64_t;

struct Wide {
  uint64_t high;
  uint64_t low;
};

constexpr Wide multiply(uint64_t a, uint64_t b) {
  constexpr uint64_t kMask = 0xFFFFFFFFU;
  const uint64_t low = (a & kMask) * (b & kMask);
  const uint64_t left = (a >> 32U) * (b & kMask) + (low >> 32U);
  const uint64_t right = (a & kMask) * (b >> 32U) + (left & kMask);
  return {(a >> 32U) * (b >> 32U) + (left >> 32U) + (right >> 32U), (right << 32U) | (low & kMask)};
}

constexpr std::size_t kPowersOfFive = 56;  // all that fit into 128 bits

constexpr std::array<Wide, kPowersOfFive> powers_of_five() {
  std::array<Wide, kPowersOfFive> out{};
  Wide power{0, 1};
  for (std::size_t i = 0; i < kPowersOfFive; ++i) {
    out[i] = power;
    const Wide low = multiply(power.low, 5);
    power = {power.high * 5 + low.high, low.low};
  }
  return out;
}

constexpr std::array<char, 200> two_digits() {
  std::array<char, 200> out{};
  for (std::size_t i = 0; i < 100; ++i) {
    out[2 * i] = static_cast<char>('0' + i / 10);
    out[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return out;
}

constexpr std::array<Wide, kPowersOfFive> kFives = powers_of_five();
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

// A positive number truncated to an integer, and the remainder compared with one half.
struct Cut {
  uint64_t whole;
  int remainder;  // -1: less than one half, 0: equal, 1: greater
};

// mantissa * 5^power * 2^exponent, which must be below 2^63.
Cut scale(uint64_t mantissa, std::size_t power, int exponent) {
  const Wide low = multiply(mantissa, kFives[power].low);
  Wide high = multiply(mantissa, kFives[power].high);
  high.low += low.high;
  if (high.low < low.high) ++high.high;
  // The product now consists of the limbs high.high, high.low, low.low.
  if (exponent >= 0) return {low.low << static_cast<unsigned>(exponent), -1};
  auto shift = static_cast<unsigned>(-exponent);
  uint64_t limbs[4] = {low.low, high.low, high.high, 0};
  bool rest = false;  // whether a bit is set below the limb that is cut
  uint64_t* limb = limbs;
  for (; shift > 64; shift -= 64) {
    rest = rest || *limb != 0;
    ++limb;
    if (limb == limbs + 3) return {0, -1};
  }
  const uint64_t fraction = shift == 64 ? limb[0] : limb[0] << (64 - shift);
  const uint64_t whole = shift == 64 ? limb[1] : (limb[1] << (64 - shift)) | (limb[0] >> shift);
  constexpr uint64_t kHalf = uint64_t{1} << 63U;
  if (fraction == kHalf && !rest) return {whole, 0};
  return {whole, fraction >= kHalf ? 1 : -1};
}

// The leading `precision` digits of a number, rounded, and the power of ten of the first one.
struct Decimal {
  uint64_t digits;
  int exponent;
};

// Returns false if exact integers are not large enough. `value` is positive and finite.
bool to_decimal(double value, int precision, Decimal& out) {
  if (!(value >= 1e-35 && value < 1e17)) return false;
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  constexpr int kMantissaBits = 52;
  const uint64_t mantissa =
      (bits & ((uint64_t{1} << kMantissaBits) - 1)) | (uint64_t{1} << kMantissaBits);
  const int exponent = static_cast<int>(bits >> kMantissaBits) - 1023;  // of the leading bit

  // floor(exponent * log10(2)) is the power of ten of the first digit, or one less.
  int ten = (exponent * 78913) >> 18;
  for (;; ++ten) {
    const int power = precision - 1 - ten;
    if (power < 0) return false;
    const Cut cut =
        scale(mantissa, static_cast<std::size_t>(power), exponent - kMantissaBits + power);
    const uint64_t limit = kWholeTens[static_cast<std::size_t>(precision)];
    if (cut.whole >= limit) continue;
    out = {cut.whole, ten};
    if (cut.remainder > 0 || (cut.remainder == 0 && (cut.whole & 1U) != 0)) ++out.digits;
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
  if (precision >= 1 && precision <= kMostDigits) {
    char text[kLongestReal];
    out.append(text, write_real(text, value, precision));
    return;
  }
  if (std::isnan(value)) {
    out += std::signbit(value) ? "-nan" : "nan";
    return;
  }
  // A sign, a point, and a leading "0.000" or an exponent such as "e-308".
  constexpr std::size_t kBesideDigits = 16;
  const std::size_t before = out.size();
  out.resize(before + kBesideDigits + static_cast<std::size_t>(precision > 0 ? precision : 1));
  const std::to_chars_result written =
      write_float(out.data() + before, out.data() + out.size(), value, precision);
  out.resize(static_cast<std::size_t>(written.ptr - out.data()));
}

void append_int(std::string& out, long long value) {
  char text[kLongestInt];
  out.append(text, write_int(text, value));
}

}  // namespace svm
