#include "base/io/input_error.h"

#include <cstddef>
#include <utility>

namespace svm {
namespace {

constexpr std::size_t kLongestToken = 40;  // maximum number of bytes shown

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Escapes control characters, which would garble a terminal or hide the fault (a stray '\r').
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

struct Compression {
  std::string_view start;  // of a file
  const char *undo, *print;
};

constexpr Compression kCompressions[] = {{"\x1F\x8B", "gzip -d", "zcat"},
                                         {"\xFD\x37zXZ", "xz -d", "xz -dc"},
                                         {"BZh", "bzip2 -d", "bzcat"},
                                         {"\x28\xB5\x2F\xFD", "zstd -d", "zstdcat"},
                                         {"PK\x03\x04", "unzip", "unzip -p"}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

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

std::string encoding_fault(std::string_view text) {
  for (const Compression& each : kCompressions) {
    if (text.substr(0, each.start.size()) != each.start) continue;
    return std::string("the file is compressed; ") + each.undo + " decompresses it, and " +
           each.print + " FILE | ... /dev/stdin reads it";
  }
  const auto is_zero = [text](std::size_t i) { return i < text.size() && text[i] == '\0'; };
  const bool has_mark = text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF";
  const bool is_utf16 = has_mark || (is_zero(0) && is_zero(2)) || (is_zero(1) && is_zero(3));
  return is_utf16 ? "the file is UTF-16; it must be ASCII or UTF-8" : "";
}

std::string other_format(std::string_view line) {
  if (line.find(':') != std::string_view::npos) return "";
  if (line.find(',') != std::string_view::npos) return "comma-separated values (CSV)";
  if (line.find(';') != std::string_view::npos) return "values separated by semicolons (CSV)";
  const std::size_t begin = line.find_first_not_of(" \t\r");
  const std::size_t blank = line.find_first_of(" \t", begin);
  if (begin == std::string_view::npos || blank == std::string_view::npos) return "";
  if (line.find_first_not_of(" \t\r", blank) == std::string_view::npos) return "";
  const bool has_tab = line.find('\t', begin) != std::string_view::npos;
  return has_tab ? "tab-separated values (TSV)" : "values without their indices";
}

bool is_like_header(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\"'");
  return begin != std::string_view::npos && is_letter(line[begin]) && !other_format(line).empty();
}

}  // namespace svm
