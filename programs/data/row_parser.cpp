#include <cmath>
#include <limits>
#include <string>

#include "base/io/input_error.h"
#include "base/io/number_text.h"
#include "programs/data/row_reader.h"

namespace svm {
namespace {

using Part = InputError::Part;

// LIBSVM's separators. Its number conversion also skips other white space, so a '\r' may precede or
// follow a number, but does not end a label.
bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_space(char c) { return is_blank(c) || (c >= '\n' && c <= '\r'); }

template <typename Predicate>
std::size_t skip(std::string_view line, std::size_t at, Predicate predicate) {
  while (at < line.size() && predicate(line[at])) ++at;
  return at;
}

bool not_blank(char c) { return !is_blank(c); }
bool not_space(char c) { return !is_space(c); }

// A line with its number, for messages about a part of it.
class Line {
 public:
  Line(std::string_view text, std::size_t number) : text_(text), number_(number) {}

  // `begin` and `end` enclose the offending text.
  [[noreturn]] void fail(Part part, std::size_t begin, std::size_t end,
                         std::string_view rule) const {
    constexpr const char* kOldEnds = "; lines end as on old Macs, which tr '\\r' '\\n' changes";
    const std::size_t next = text_.find_first_not_of(" \t\r", text_.find('\r'));
    const bool is_whole_file = number_ == 1 && next != std::string_view::npos;
    throw InputError(number_, begin + 1, text_.substr(begin, end - begin),
                     std::string(rule) + (is_whole_file ? kOldEnds : ""), part);
  }
  [[noreturn]] void fail(Part part, std::string_view rule) const {
    throw InputError(number_, 0, {}, rule, part);
  }

 private:
  std::string_view text_;
  std::size_t number_;
};

bool fits_int_when_truncated(double value) {
  constexpr double kBelow = static_cast<double>(std::numeric_limits<int>::min()) - 1;
  constexpr double kAbove = static_cast<double>(std::numeric_limits<int>::max()) + 1;
  return value > kBelow && value < kAbove;
}

const char* label_fault(std::string_view word, const RealText& label) {
  if (label.status == NumberStatus::kNotANumber) {
    if (word.substr(0, 3) == "\xEF\xBB\xBF") {
      return "the label is not a number: the file begins with a byte order mark";
    }
    return "the label is not a number";
  }
  if (label.length < word.size()) {
    if (is_space(word[label.length])) {
      return "the label must be followed by a blank, a tab or the end of the line";
    }
    return "the label is not a number: text follows its digits";
  }
  if (label.status == NumberStatus::kOverflow) return "the label is too large";
  if (std::isnan(label.value)) return "the label must not be NaN";
  if (std::isinf(label.value)) return "the label must be finite";
  return nullptr;
}

// The fault of a label, followed by the format that the line seems to have.
std::string with_format(const char* fault, std::string_view line, std::size_t line_number) {
  if (line[line.find_first_not_of(" \t\r\n\v\f")] == '#') {
    return std::string(fault) + "; the line looks like a comment, which this format lacks";
  }
  if (line_number == 1 && is_like_header(line)) {
    return std::string(fault) + "; the line looks like a header, names of columns; " + kRowForm;
  }
  const std::string format = other_format(line);
  if (format.empty()) return fault;
  return std::string(fault) + "; the line looks like " + format + "; " + kRowForm;
}

constexpr const char* kMissing =
    "the value is missing; svm-convert (tools/convert.py) makes such a file of a table";

const char* value_fault(const RealText& value, bool reject_subnormals) {
  if (value.status == NumberStatus::kNotANumber) return "the value is not a number";
  if (value.status == NumberStatus::kOverflow) return "the value is too large";
  if (value.status == NumberStatus::kUnderflow && reject_subnormals) {
    return "the value is too close to zero (below 2.2250738585072014e-308)";
  }
  if (std::isnan(value.value)) return "the value must not be NaN";
  if (std::isinf(value.value)) return "the value must be finite";
  return nullptr;
}

}  // namespace

double RowParser::parse(std::string_view text, std::size_t line_number, svm_node*& nodes) {
  const Line line(text, line_number);

  const std::size_t label_token = skip(text, 0, is_blank);
  const std::size_t label_begin = skip(text, label_token, is_space);
  std::size_t at = skip(text, label_begin, rules_.cr_ends_label ? not_space : not_blank);
  if (label_begin == text.size()) line.fail(Part::kLabel, "the line is empty");
  const std::string_view label_word = text.substr(label_begin, at - label_begin);
  // White space other than blank and tab belongs to the word that LIBSVM takes for the label.
  const bool label_cut_off =
      !rules_.cr_ends_label && skip(text, label_token, not_blank) < label_begin;
  const RealText label = parse_real(label_word);
  if (line_number == 1 && label.length < label_word.size()) {
    const std::string fault = encoding_fault(text);
    if (!fault.empty()) line.fail(Part::kLabel, fault);
  }
  if (label_cut_off) {
    line.fail(Part::kLabel, label_token, at, "the label is not a number: white space only");
  }
  if (const char* const fault = label_fault(label_word, label)) {
    const bool is_number =
        label.status != NumberStatus::kNotANumber && label.length == label_word.size();
    line.fail(Part::kLabel, label_begin, at,
              is_number ? fault : with_format(fault, text, line_number));
  }
  if (rules_.class_labels && !fits_int_when_truncated(label.value)) {
    line.fail(Part::kLabel, label_begin, at, "the class label does not fit an int");
  }

  int last_index = -1;
  for (;;) {
    const std::size_t begin = skip(text, at, is_space);
    const auto word_end = [&] { return skip(text, begin, not_space); };
    // Text without a colon ends the row, as a comment would.
    if (text.find(':', at) == std::string_view::npos) {
      if (begin < text.size() && text[begin] != '#' && ignored_.empty()) {
        ignored_ = describe_place(line_number, begin + 1, text.substr(begin, word_end() - begin),
                                  "without a colon, the rest of the row is ignored");
      }
      break;
    }
    const IntText index = parse_int(text.substr(begin));
    if (index.status == NumberStatus::kNotANumber) {
      const bool is_ranking = text.substr(begin, 4) == "qid:";
      line.fail(Part::kFeatures, begin, word_end(),
                is_ranking ? "qid: is of ranking data, which this format lacks; remove it"
                           : "expected index:value");
    }
    const std::size_t colon = begin + index.length;
    if (colon >= text.size() || text[colon] != ':') {
      line.fail(Part::kFeatures, begin, word_end(), "the index must be followed by ':'");
    }
    std::size_t value_begin = skip(text, colon + 1, is_blank);
    const std::size_t pair_end = skip(text, value_begin, not_blank);
    const auto fail = [&](std::string_view rule) {
      line.fail(Part::kFeatures, begin, pair_end, rule);
    };
    if (index.value < 0) fail("the index is negative");
    if (index.status == NumberStatus::kOverflow || index.value > std::numeric_limits<int>::max()) {
      fail("the index does not fit an int");
    }
    if (index.value <= last_index) {
      fail("the index does not come after " + std::to_string(last_index) + "; indices must ascend");
    }
    if (rules_.precomputed && index.value != last_index + 1LL) {
      fail("with a precomputed kernel indices must be 0, 1, 2 ... without gaps; expected " +
           std::to_string(last_index + 1LL));
    }

    value_begin = skip(text.substr(0, pair_end), value_begin, is_space);
    if (value_begin == pair_end) fail("the value is missing");
    const std::string_view word = text.substr(value_begin, pair_end - value_begin);
    if (index.value > 0 && (word == "?" || word == "NA")) fail(kMissing);
    const RealText value = parse_real(word);
    if (const char* const fault = value_fault(value, rules_.reject_subnormals)) fail(fault);
    const std::size_t value_end = value_begin + value.length;
    // LIBSVM drops the text from a '\r' or '\v' to the next blank; here it is an error.
    const std::size_t rest = skip(text.substr(0, pair_end), value_end, is_space);
    if (rest < pair_end) {
      fail(rest == value_end ? "the value is not a number: text follows its digits"
                             : "pairs must be separated by blanks or tabs");
    }

    last_index = static_cast<int>(index.value);
    *nodes++ = {last_index, value.value};
    at = pair_end;
  }
  if (rules_.precomputed && last_index < 0) {
    line.fail(Part::kFeatures, "with a precomputed kernel a row must begin with index 0");
  }
  return label.value;
}

}  // namespace svm
