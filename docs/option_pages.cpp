// Makes man pages and docs/options.md from the programs' option tables.
#include "docs/option_pages.h"

#include <string_view>
#include <vector>

#include "programs/cli/options.h"
#include "svm_ext.h"

namespace svm::cli {
namespace {

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

std::string man_page(const Program& program, const PageText& text) {
  std::string out = ".TH " + upper_case(program.name) + " 1 \"\" \"csmo " + svm_version() +
                    "\" \"User Commands\"\n";
  out += ".SH NAME\n" + roff(program.name) + " \\- " + roff(text.summary) + "\n";
  out += ".SH SYNOPSIS\n.B " + roff(program.name) + "\n" + roff(program.usage) + "\n";
  out += ".SH DESCRIPTION\n";
  for (const std::string& line : lines_of(text.description)) {
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
  if (!text.examples.empty()) out += ".SH EXAMPLES\n";
  for (const Example& example : text.examples) {
    out += ".TP\n\\fB" + roff(example.command) + "\\fR\n" + roff(example.meaning) + "\n";
  }
  if (!text.related.empty()) out += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < text.related.size(); ++i) {
    out += ".BR " + roff(text.related[i]) + " (1)" + (i + 1 < text.related.size() ? ",\n" : "\n");
  }
  return out;
}

std::string markdown_section(const Program& program, const PageText& text) {
  std::string out = "## " + program.name + "\n\n    " + program.name + " " + program.usage +
                    "\n\n" + text.description + "\n\n";
  out += "| option | meaning | default | allowed |\n| --- | --- | --- | --- |\n";
  for (const Option& option : all_options(program)) {
    out += "| " + code_cell(syntax(option)) + " | " + cell(option.help) + " | " +
           cell(option.fallback) + " | " + cell(option.range) + " |\n";
  }
  return out;
}

}  // namespace svm::cli
