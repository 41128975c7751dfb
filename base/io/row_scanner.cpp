#include "base/io/row_scanner.h"

#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "base/io/number_text.h"
#include "base/platform/bits.h"
#include "base/platform/float_chars.h"
#include "base/platform/text.h"
#include "base/simd/text_block.h"

namespace svm {
namespace {

using std::uint64_t;

// Index of the first marked byte.
int first(uint64_t marks) { return platform::trailing_zeros(marks) / 8; }

// The number formed by the first `count` characters, 1 <= count <= 8.
uint64_t number(uint64_t word, int count) {
  uint64_t digits = (word ^ repeat('0')) << static_cast<unsigned>(64 - 8 * count);
  digits = (digits * 10 + (digits >> 8U)) & 0x00FF00FF00FF00FFU;
  digits = (digits * 100 + (digits >> 16U)) & 0x0000FFFF0000FFFFU;
  return (digits * 10000 + (digits >> 32U)) & 0xFFFFFFFFU;
}

constexpr int kWordDigits = 19;  // that fit into 64 bits in any case

constexpr int kMostTens = static_cast<int>(kTens.size()) - 1;
constexpr uint64_t kExactIntegers = uint64_t{1} << DBL_MANT_DIG;

// Appends the digits at `text` to `mantissa` and adds their number to `count`. Stops if there may
// be more than kWordDigits.
const char* take_digits(const char* text, uint64_t& mantissa, int& count) {
  for (;;) {
    const uint64_t word = load_word(text);
    const uint64_t marks = not_digits(word);
    const int length = marks == 0 ? kWordCharacters : first(marks);
    if (length == 0) return text;
    count += length;
    if (count > kWordDigits) return text;
    mantissa = mantissa * kWholeTens[static_cast<std::size_t>(length)] + number(word, length);
    text += length;
    if (length < kWordCharacters) return text;
  }
}

// Reads a decimal number; null if the scanner cannot convert it. The value is that of strtod: an
// integer below 2^53 and a power of ten up to 22 are exact, so one operation rounds once.
const char* take_real(const char* text, double& value) {
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
  if (digits > kWordDigits) {
    while (is_digit(*at) || *at == '.') ++at;  // from_chars will find a second point
  }
  if (*at == 'e' || *at == 'E') {
    ++at;
    const bool down = *at == '-';
    if (down || *at == '+') ++at;
    const uint64_t word = load_word(at);
    const uint64_t marks = not_digits(word);
    const int length = marks == 0 ? kWordCharacters : first(marks);
    if (length == 0 || length > 4) return nullptr;
    const int written = static_cast<int>(number(word, length));
    exponent += down ? -written : written;
    at += length;
  }
  if (FLT_EVAL_METHOD == 0 && digits <= kWordDigits && mantissa <= kExactIntegers &&
      exponent >= -kMostTens && exponent <= kMostTens) {
    value = static_cast<double>(mantissa);
    if (exponent < 0) {
      value /= kTens[static_cast<std::size_t>(-exponent)];
    } else {
      value *= kTens[static_cast<std::size_t>(exponent)];
    }
  } else {
    const std::from_chars_result parsed = read_float(unsigned_text, at, value);
    if (parsed.ec != std::errc() || parsed.ptr != at) return nullptr;
    if (!(value >= DBL_MIN && value <= DBL_MAX))
      return nullptr;  // 0, or too small for some programs
  }
  if (negative) value = -value;
  return at;
}

// Steps from one character that is not a digit to the next.
class Marks {
 public:
  Marks(const char* piece, uint64_t marks) : piece_(piece), marks_(marks) {}

  // There must be one, that is, the line end must not have been passed.
  const char* next() {
    while (marks_ == 0) {
      piece_ += kBlockCharacters;
      marks_ = mark_not_digits(piece_);
    }
    const char* const out = piece_ + platform::trailing_zeros(marks_);
    marks_ &= marks_ - 1;
    return out;
  }

  void seek(const char* text) {
    piece_ = text;
    marks_ = mark_not_digits(text);
  }

  const char* piece() const { return piece_; }
  uint64_t marks() const { return marks_; }

 private:
  const char* piece_;
  uint64_t marks_;
};

bool ends_number(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// True if [begin, end) fits into one word.
bool is_short(const char* begin, const char* end) {
  return static_cast<std::size_t>(end - begin - 1) < std::size_t{kWordCharacters};
}

uint64_t short_number(const char* begin, const char* end) {
  return number(load_word(begin), static_cast<int>(end - begin));
}

// Reads the number at `text` with take_real(). Returns the mark after it, or null.
const char* scan_long_real(const char* text, Marks& marks, double& value) {
  const char* const end = take_real(text, value);
  if (end == nullptr) return nullptr;
  marks.seek(end);
  return marks.next() == end ? end : nullptr;
}

// Reads the number at `text`. Returns the mark after it, or null.
const char* scan_real(const char* text, Marks& marks, double& value) {
  const char* end = marks.next();
  const bool has_sign = end == text && (*end == '-' || *end == '+');
  const char* const digits = text + (has_sign ? 1 : 0);
  if (has_sign) end = marks.next();
  const double sign = *text == '-' ? -1.0 : 1.0;
  if (is_short(digits, end)) {
    if (ends_number(*end)) {
      value = sign * static_cast<double>(short_number(digits, end));
      return end;
    }
    const char* const point = end;
    if (*point == '.') {
      end = marks.next();
      if (is_short(point + 1, end) && ends_number(*end)) {
        const auto decimals = static_cast<std::size_t>(end - point - 1);
        const uint64_t mantissa =
            short_number(digits, point) * kWholeTens[decimals] + short_number(point + 1, end);
        if (FLT_EVAL_METHOD == 0 && mantissa <= kExactIntegers) {
          value = sign * (static_cast<double>(mantissa) / kTens[decimals]);
          return end;
        }
      }
    }
  }
  return scan_long_real(text, marks, value);
}

// Reads the index between `text` and `end`. Returns false if it is longer than a word.
bool scan_index(const char* text, const char* end, int& index) {
  if (end - text == 1) {
    index = *text - '0';
  } else if (end - text == 2) {
    index = (text[0] - '0') * 10 + (text[1] - '0');
  } else if (is_short(text, end)) {
    index = static_cast<int>(short_number(text, end));
  } else {
    return false;
  }
  return true;
}

}  // namespace

void RowScanner::seek(const char* text) {
  line_ = text;
  piece_ = text;
  marks_ = mark_not_digits(text);
}

const char* RowScanner::scan(double& label, svm_node*& nodes) { return scan(&label, 1, nodes); }

const char* RowScanner::scan(double* labels, std::size_t count, svm_node*& nodes) {
  const bool precomputed = rules_.precomputed;
  Marks marks(piece_, marks_);
  const char* text = line_;
  const char* end = nullptr;  // the mark after the last number
  for (std::size_t i = 0; i < count; ++i, text = end + 1) {
    end = scan_real(text, marks, labels[i]);
    if (end == nullptr || !ends_number(*end) || (*end == '\n' && i + 1 < count)) return nullptr;
    if (rules_.class_labels && !(std::fabs(labels[i]) <= std::numeric_limits<int>::max())) {
      return nullptr;
    }
  }

  svm_node* node = nodes;
  int last_index = -1;
  while (*end != '\n') {
    text = end + 1;
    const char* const colon = marks.next();
    if (colon == text) {
      end = colon;
      if (ends_number(*end)) continue;
      if (*end != '\r' || end[1] != '\n' || node == nodes) return nullptr;
      end = marks.next();
      break;
    }
    if (*colon != ':' || !scan_index(text, colon, node->index)) return nullptr;
    if (node->index <= last_index || (precomputed && node->index != last_index + 1)) return nullptr;
    last_index = node->index;
    end = scan_real(colon + 1, marks, node->value);
    ++node;
    if (end == nullptr) return nullptr;
    if (ends_number(*end)) continue;
    if (*end != '\r' || end[1] != '\n') return nullptr;
    end = marks.next();
  }
  if (precomputed && node == nodes) return nullptr;
  nodes = node;
  piece_ = marks.piece();
  marks_ = marks.marks();
  line_ = end + 1;
  return line_;
}

}  // namespace svm
