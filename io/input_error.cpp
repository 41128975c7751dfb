#include "io/input_error.h"

#include <utility>

namespace svm {
namespace {

constexpr std::size_t kLongestToken = 40;  // bytes shown of an offending text

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Control characters would garble a terminal or hide the fault (a stray '\r').
void append_escaped(std::string& out, std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      out += c;
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += "\\x";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
  }
}

}  // namespace

std::string describe_place(std::size_t line, std::size_t column, std::string_view token,
                           std::string_view rule) {
  std::string out;
  if (line > 0) {
    out += "line " + std::to_string(line);
    if (column > 0) out += ", column " + std::to_string(column);
    out += ": ";
  }
  if (!token.empty()) {
    std::size_t shown = token.size();
    if (shown > kLongestToken) {
      shown = kLongestToken;
      while (shown > 0 && continues_utf8(token[shown])) --shown;
    }
    out += '\'';
    append_escaped(out, token.substr(0, shown));
    out += shown < token.size() ? "...': " : "': ";
  }
  out += rule;
  return out;
}

InputError::InputError(std::size_t line, std::size_t column, std::string_view token,
                       std::string_view rule, Part part, std::string legacy)
    : std::runtime_error(describe_place(line, column, token, rule)),
      line_(line),
      part_(part),
      legacy_(std::move(legacy)) {}

}  // namespace svm
