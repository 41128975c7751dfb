#include "base/io/text_cursor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/io/input_error.h"
#include "base/io/number_text.h"

namespace svm {

std::string_view TextCursor::word(std::size_t longest) {
  while (at_ < text_.size() && is_text_space(text_[at_])) ++at_;
  const std::size_t begin = at_;
  while (at_ < text_.size() && at_ - begin < longest && !is_text_space(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

bool TextCursor::line(std::string_view& out) {
  if (at_ >= text_.size()) return false;
  const std::size_t stop = std::min(text_.find('\n', at_), text_.size());
  out = text_.substr(at_, stop - at_);
  at_ = stop < text_.size() ? stop + 1 : stop;
  return true;
}

std::string_view TextCursor::word_of(const std::string& name) {
  const std::string_view text = word();
  if (text.empty()) fail_here("the file ends where " + name + " is expected");
  return text;
}

int TextCursor::integer(std::string_view what) {
  const std::string name(what);
  const std::string_view text = word_of(name);
  const IntText parsed = parse_int(text);
  if (parsed.status == NumberStatus::kNotANumber || parsed.length != text.size()) {
    fail(text, name + " is not an integer");
  }
  if (parsed.status != NumberStatus::kOk || parsed.value < std::numeric_limits<int>::min() ||
      parsed.value > std::numeric_limits<int>::max()) {
    fail(text, name + " does not fit an int");
  }
  return static_cast<int>(parsed.value);
}

double TextCursor::real(std::string_view what, bool finite) {
  const std::string name(what);
  const std::string_view text = word_of(name);
  const RealText parsed = parse_real(text);
  if (parsed.status == NumberStatus::kNotANumber || parsed.length != text.size()) {
    fail(text, name + " is not a number");
  }
  if (parsed.status == NumberStatus::kOverflow) fail(text, name + " is too large");
  if (finite && !std::isfinite(parsed.value)) fail(text, name + " must be finite");
  return parsed.value;
}

void TextCursor::fail(std::string_view part, const std::string& rule,
                      const std::string& legacy) const {
  const auto begin = static_cast<std::size_t>(part.data() - text_.data());
  const std::string_view before = text_.substr(0, begin);
  const std::size_t line_end = before.rfind('\n');
  const std::size_t line_begin = line_end == std::string_view::npos ? 0 : line_end + 1;
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  throw InputError(lines + 1, begin - line_begin + 1, part, rule, InputError::Part::kFile, legacy);
}

void TextCursor::fail_here(const std::string& rule) const { fail(text_.substr(at_, 0), rule); }

}  // namespace svm
