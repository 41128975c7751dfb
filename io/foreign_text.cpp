#include "io/foreign_text.h"

#include <cstddef>

namespace svm {
namespace {

struct Encoding {
  std::string_view start;
  const char* fault;
};

// The first bytes of files, and how to read them.
constexpr Encoding kEncodings[] = {
    {"\x1F\x8B",
     "the file is compressed; gzip -d decompresses it, and zcat FILE | ... /dev/stdin reads it"},
    {"\xFD"
     "7zXZ",
     "the file is compressed; xz -d decompresses it, and xz -dc FILE | ... /dev/stdin reads it"},
    {"BZh",
     "the file is compressed; bzip2 -d decompresses it, and bzcat FILE | ... /dev/stdin reads it"},
    {"\x28\xB5\x2F\xFD",
     "the file is compressed; zstd -d decompresses it, and zstdcat FILE | ... /dev/stdin reads it"},
    {"PK\x03\x04",
     "the file is a zip archive; unzip unpacks it, and unzip -p FILE | ... /dev/stdin reads it"},
    {"\xFF\xFE", "the file is UTF-16; it must be ASCII or UTF-8"},
    {"\xFE\xFF", "the file is UTF-16; it must be ASCII or UTF-8"},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::string encoding_fault(std::string_view text) {
  for (const Encoding& encoding : kEncodings) {
    if (text.substr(0, encoding.start.size()) == encoding.start) return encoding.fault;
  }
  return "";
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
  const std::size_t begin = line.find_first_not_of(" \t\"'#");
  return begin != std::string_view::npos && is_letter(line[begin]) && !other_format(line).empty();
}

}  // namespace svm
