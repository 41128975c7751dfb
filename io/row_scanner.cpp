#include "io/row_scanner.h"

#include <array>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>

namespace svm {
namespace {

using std::uint64_t;

constexpr int kWord = 8;  // characters looked at together

// Eight characters, the first one in the lowest bits.
uint64_t load(const char* text) {
  uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) word = __builtin_bswap64(word);
  return word;
}

constexpr uint64_t repeat(uint64_t byte) { return byte * 0x0101010101010101U; }

// The highest bit of every byte that is no digit.
uint64_t not_digits(uint64_t word) {
  const uint64_t value = word ^ repeat('0');
  return (((value & repeat(0x7F)) + repeat(0x76)) | value) & repeat(0x80);
}

// Place of the first byte marked.
int first(uint64_t marks) { return __builtin_ctzll(marks) / 8; }

// The number that the first `count` characters are, 1 <= count <= 8.
uint64_t number(uint64_t word, int count) {
  uint64_t digits = (word ^ repeat('0')) << static_cast<unsigned>(64 - 8 * count);
  digits = (digits * 10 + (digits >> 8U)) & 0x00FF00FF00FF00FFU;
  digits = (digits * 100 + (digits >> 16U)) & 0x0000FFFF0000FFFFU;
  return (digits * 10000 + (digits >> 32U)) & 0xFFFFFFFFU;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

constexpr int kMostDigits = 19;  // that surely fit 64 bits

constexpr std::array<uint64_t, kWord + 1> kPowers = {1,      10,      100,      1000,     10000,
                                                     100000, 1000000, 10000000, 100000000};

// Appends the digits at `text` to `mantissa` and adds their count to `count`; stops when there may
// be more than kMostDigits.
const char* take_digits(const char* text, uint64_t& mantissa, int& count) {
  for (;;) {
    const uint64_t word = load(text);
    const uint64_t marks = not_digits(word);
    const int length = marks == 0 ? kWord : first(marks);
    if (length == 0) return text;
    count += length;
    if (count > kMostDigits) return text;
    mantissa = mantissa * kPowers[static_cast<std::size_t>(length)] + number(word, length);
    text += length;
    if (length < kWord) return text;
  }
}

// Reads a decimal number; null where that is for others to do.  Its result is what strtod gives:
// an integer below 2^53 and a power of ten up to 22 are exact, so that one operation rounds once.
const char* take_real(const char* text, double& value) {
  constexpr std::array<double, 23> kTens = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int kMostTens = static_cast<int>(kTens.size()) - 1;
  constexpr uint64_t kExact = uint64_t{1} << DBL_MANT_DIG;

  const char* at = text;
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  const char* const unsigned_text = at;
  uint64_t mantissa = 0;
  int digits = 0;
  int exponent = 0;
  at = take_digits(at, mantissa, digits);
  if (*at == '.') {
    const int before = digits;
    at = take_digits(at + 1, mantissa, digits);
    exponent = before - digits;
  }
  if (digits == 0) return nullptr;
  if (digits > kMostDigits) {
    while (is_digit(*at) || *at == '.') ++at;  // a second point is for from_chars to find
  }
  if (*at == 'e' || *at == 'E') {
    ++at;
    const bool down = *at == '-';
    if (down || *at == '+') ++at;
    const uint64_t word = load(at);
    const uint64_t marks = not_digits(word);
    const int length = marks == 0 ? kWord : first(marks);
    if (length == 0 || length > 4) return nullptr;
    const int written = static_cast<int>(number(word, length));
    exponent += down ? -written : written;
    at += length;
  }
  if (FLT_EVAL_METHOD == 0 && digits <= kMostDigits && mantissa <= kExact &&
      exponent >= -kMostTens && exponent <= kMostTens) {
    value = static_cast<double>(mantissa);
    if (exponent < 0) {
      value /= kTens[static_cast<std::size_t>(-exponent)];
    } else {
      value *= kTens[static_cast<std::size_t>(exponent)];
    }
  } else {
    const std::from_chars_result parsed = std::from_chars(unsigned_text, at, value);
    if (parsed.ec != std::errc() || parsed.ptr != at) return nullptr;
    if (!(value >= DBL_MIN && value <= DBL_MAX)) return nullptr;  // too small for some, or 0
  }
  if (negative) value = -value;
  return at;
}

// Reads an index; null where there is none in ordinary form.
const char* take_index(const char* text, int& index) {
  uint64_t value = 0;
  int digits = 0;
  const char* const at = take_digits(text, value, digits);
  if (digits == 0 || digits > kMostDigits ||
      value > static_cast<uint64_t>(std::numeric_limits<int>::max())) {
    return nullptr;
  }
  index = static_cast<int>(value);
  return at;
}

}  // namespace

const char* RowScanner::scan(const char* text, double& label, svm_node*& nodes) const {
  const char* at = take_real(text, label);
  if (at == nullptr || (*at != '\n' && !is_blank(*at))) return nullptr;
  if (rules_.class_labels && !(std::fabs(label) <= std::numeric_limits<int>::max())) return nullptr;

  svm_node* node = nodes;
  int last_index = -1;
  for (;;) {
    while (is_blank(*at)) ++at;
    if (*at == '\n') break;
    if (*at == '\r' && at[1] == '\n' && node != nodes) {
      ++at;
      break;
    }
    int index = 0;
    double value = 0;
    // Mostly an index and a short integer, which one word holds.
    const uint64_t word = load(at);
    uint64_t marks = not_digits(word);
    const int index_length = marks == 0 ? 0 : first(marks);
    marks &= marks - 1;
    const int end = marks == 0 ? 0 : first(marks);
    if (index_length > 0 && end > index_length + 1 && at[index_length] == ':' &&
        (is_blank(at[end]) || at[end] == '\n')) {
      index = static_cast<int>(number(word, index_length));
      const auto from = static_cast<unsigned>(index_length + 1);
      value = static_cast<double>(number(word >> (8 * from), end - index_length - 1));
      at += end;
    } else {
      at = take_index(at, index);
      if (at == nullptr || *at != ':') return nullptr;
      at = take_real(at + 1, value);
      if (at == nullptr || !(is_blank(*at) || *at == '\n' || *at == '\r')) return nullptr;
    }
    if (index <= last_index || (rules_.precomputed && index != last_index + 1)) return nullptr;
    last_index = index;
    *node++ = {index, value};
  }
  if (rules_.precomputed && node == nodes) return nullptr;
  nodes = node;
  return at + 1;
}

}  // namespace svm
