// Makes three texts from a program's option table: help, man page and docs/options.md.
#include <algorithm>
#include <string_view>
#include <utility>

#include "programs/cli/options.h"
#include "svm_ext.h"

namespace svm::cli {
namespace {

constexpr std::size_t kFewestColumns = 40;
constexpr std::size_t kWidestSyntax =
    20;  // options with longer ones have their help on the next line

std::vector<Option> all_options(const Program& program) {
  std::vector<Option> options = program.options;
  const auto flag = [](std::string name, std::string help) {
    Option option;
    option.name = std::move(name);
    option.kind = ValueKind::kNone;
    option.help = std::move(help);
    return option;
  };
  options.push_back(flag("--help", "print this help and exit"));
  options.push_back(flag("--version", "print the version and exit"));
  return options;
}

std::string shown_name(const Option& option) { return option.name + (option.suffix ? "i" : ""); }

// An option with the name of its value, such as "-c cost".
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

// Escapes text for roff: ASCII stays ASCII, and no line looks like a request.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && c == '.') out += "\\&";
    switch (c) {
      case '-':
        out += "\\-";
        break;
      case '\\':
        out += "\\e";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '\'':
        out += "\\(aq";
        break;
      default:
        out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string upper_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// Escapes text for a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    if (c == '\n') {
      out += "<br>";
    } else {
      out += c;
    }
  }
  return out;
}

std::string code_cell(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

}  // namespace

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

std::string man_page(const Program& program) {
  std::string out = ".TH " + upper_case(program.name) + " 1 \"\" \"csmo " + svm_version() +
                    "\" \"User Commands\"\n";
  out += ".SH NAME\n" + roff(program.name) + " \\- " + roff(program.summary) + "\n";
  out += ".SH SYNOPSIS\n.B " + roff(program.name) + "\n" + roff(program.usage) + "\n";
  out += ".SH DESCRIPTION\n";
  for (const std::string& line : lines_of(program.description)) {
    out += line.empty() ? ".PP\n" : roff(line) + "\n";
  }
  out += ".SH OPTIONS\n";
  for (const Option& option : all_options(program)) {
    out += ".TP\n\\fB" + roff(shown_name(option)) + "\\fR";
    if (!option.value_name.empty()) out += " \\fI" + roff(option.value_name) + "\\fR";
    out += '\n';
    const std::vector<std::string> lines = lines_of(option.help);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out += (i > 0 ? ".br\n" : "") + roff(lines[i]) + "\n";
    if (!option.range.empty()) out += ".br\nAllowed: " + roff(option.range) + ".\n";
    if (!option.fallback.empty()) out += ".br\nDefault: " + roff(option.fallback) + ".\n";
  }
  out +=
      ".SH EXIT STATUS\n0 on success, 130 if Ctrl\\-C (SIGINT) ended the run, another number if "
      "something went wrong.\n";
  if (!program.examples.empty()) out += ".SH EXAMPLES\n";
  for (const Example& example : program.examples) {
    out += ".TP\n\\fB" + roff(example.command) + "\\fR\n" + roff(example.meaning) + "\n";
  }
  if (!program.related.empty()) out += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < program.related.size(); ++i) {
    out += ".BR " + roff(program.related[i]) + " (1)" +
           (i + 1 < program.related.size() ? ",\n" : "\n");
  }
  return out;
}

std::string markdown_section(const Program& program) {
  std::string out = "## " + program.name + "\n\n    " + program.name + " " + program.usage +
                    "\n\n" + program.description + "\n\n";
  out += "| option | meaning | default | allowed |\n| --- | --- | --- | --- |\n";
  for (const Option& option : all_options(program)) {
    out += "| " + code_cell(syntax(option)) + " | " + cell(option.help) + " | " +
           cell(option.fallback) + " | " + cell(option.range) + " |\n";
  }
  return out;
}

}  // namespace svm::cli
