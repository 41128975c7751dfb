// Makes the help and the version text from a program's option table.
#include <algorithm>

#include "programs/cli/option_builders.h"
#include "programs/cli/options.h"
#include "svm_ext.h"

namespace svm::cli {
namespace {

constexpr std::size_t kFewestColumns = 40;
constexpr std::size_t kWidestSyntax =
    20;  // options with longer ones have their help on the next line

// The help with the default at the end: after a sentence, or on its own line after a list.
std::string help_with_default(const Option& option) {
  if (option.fallback.empty()) return option.help;
  const bool is_list = option.help.find('\n') != std::string::npos;
  return option.help + (is_list ? "\n" : " ") + "(default " + option.fallback + ")";
}

// Breaks `text` into lines of at most `room` characters, unless a word is longer. All lines but the
// first are indented to the text after the last gap of two blanks, that is, to the meaning of a
// list's entry.
std::vector<std::string> wrapped(std::string text, std::size_t room) {
  const std::size_t gap = text.rfind("  ");
  const std::string indent(gap == std::string::npos ? 0 : std::min(gap + 2, room / 2), ' ');
  std::vector<std::string> lines;
  while (text.size() > room) {
    std::size_t blank = text.rfind(' ', room);
    const std::size_t first = text.find_first_not_of(' ');
    if (blank == std::string::npos || blank < first) blank = text.find(' ', first);
    if (blank == std::string::npos) break;
    lines.push_back(text.substr(0, text.find_last_not_of(' ', blank) + 1));
    text = indent + text.substr(text.find_first_not_of(' ', blank));
  }
  lines.push_back(text);
  return lines;
}

std::string libsvm_version_text() {
  const int minor = LIBSVM_VERSION % 100;
  return std::to_string(LIBSVM_VERSION / 100) + (minor < 10 ? ".0" : ".") + std::to_string(minor);
}

}  // namespace

std::vector<Option> all_options(const Program& program) {
  std::vector<Option> options = program.options;
  const ValueKind kind = ValueKind::kNone;
  options.push_back(value_option(kind, "--help", "", "print this help and exit"));
  options.push_back(value_option(kind, "--version", "", "print the version and exit"));
  return options;
}

std::string shown_name(const Option& option) { return option.name + (option.suffix ? "i" : ""); }

std::string syntax(const Option& option) {
  return option.value_name.empty() ? shown_name(option)
                                   : shown_name(option) + " " + option.value_name;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string version_text(const Program& program) {
  return program.name + " " + svm_version() + " (LIBSVM " + libsvm_version_text() + " interface)\n";
}

std::string help_text(const Program& program, std::size_t columns) {
  const std::vector<Option> options = all_options(program);
  std::size_t width = 0;
  for (const Option& option : options) {
    const std::size_t length = syntax(option).size();
    if (length <= kWidestSyntax) width = std::max(width, length);
  }
  const std::string margin(width + 4, ' ');
  const std::size_t room = std::max(columns, kFewestColumns) - 1 - margin.size();
  std::string out = "Usage: " + program.name + " " + program.usage + "\n\noptions:\n";
  for (const Option& option : options) {
    const std::string head = syntax(option);
    out += "  " + head;
    if (head.size() <= width) {
      out += std::string(width - head.size() + 2, ' ');
    } else {
      out += "\n" + margin;
    }
    const std::vector<std::string> lines = lines_of(help_with_default(option));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string indent = i > 0 ? "  " : "";  // for list entries
      const std::vector<std::string> pieces = wrapped(indent + lines[i], room);
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        out += (i + k > 0 ? margin : "") + pieces[k] + "\n";
      }
    }
  }
  return out;
}

}  // namespace svm::cli
