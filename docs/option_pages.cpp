// Makes man pages and docs/options.md from the programs' option tables.
#include "docs/option_pages.h"

#include <string_view>
#include <utility>
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

// An environment variable.
struct Variable {
  const char* name;
  const char* programs;  // those whose man pages have it; empty: of tests and measurements
  const char* values;
};

constexpr const char *kTrainers = "svm-train svm-grid",
                     *kThreaded = "svm-train svm-grid svm-predict";

constexpr Variable kVariables[] = {
    {"LIBSVM_SOLVER", kTrainers,
     "solver of calls that name none, svm_train of LIBSVM's clients included; unset: smo"},
    {"SVM_NUM_THREADS", kThreaded,
     "number of threads, 1 to 1024; unset: as many as the computer's processors and limits allow"},
    {"OMP_NUM_THREADS", kThreaded,
     "the most threads if SVM_NUM_THREADS is unset; of a list the first number; what OpenMP does "
     "not know is ignored"},
    {"LIBSVM_PACKED_MODELS", "the library",
     "off, or the most whole megabytes for what svm_predict keeps of a model; unset: twice the "
     "bytes of its support vectors"},
    {"TERM", "svm-train svm-grid svm-predict svm-scale",
     "dumb turns off the line that shows how far a program is"},
    {"COLUMNS", "svm-train svm-grid svm-predict svm-scale", "the width of what --help prints"},
    {"SVM_INSTRUCTION_SET", "",
     "plain, avx2 or avx512; on aarch64 plain or neon; unset: the best that the processor has"},
    {"SVM_ENGINE", "",
     "plain, bits, integers, dense or columns, and for csmo floats or bytes; unset: the data "
     "decide"}};

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
      ".SH EXIT STATUS\n0 on success, 1 if something went wrong, 130 if Ctrl\\-C (SIGINT) ended "
      "the "
      "run.\n";
  if (program.name == "svm-scale") {
    out += "255, as with LIBSVM, if labels or the ranges of \\-r cannot be read.\n";
  }
  bool is_first = true;
  for (const Variable& each : kVariables) {
    if (std::string_view(each.programs).find(program.name) == std::string_view::npos) continue;
    if (std::exchange(is_first, false)) out += ".SH ENVIRONMENT\n";
    out += ".TP\n.B " + roff(each.name) + "\n" + roff(each.values) + "\n";
  }
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

std::string markdown_variables() {
  std::string out =
      "\n## Environment variables\n\n"
      "The programs read `TERM` and `COLUMNS`, and the library reads the others at every call. "
      "Invalid\n"
      "values end the programs, and the functions of `svm_ext.h` that train; LIBSVM's functions "
      "ignore\n"
      "them with a warning.\n\n"
      "| variable | for | values |\n| --- | --- | --- |\n";
  for (const Variable& each : kVariables) {
    const bool is_of_tests = *each.programs == '\0';
    out += "| `" + std::string(each.name) + "` | " +
           (is_of_tests ? "tests and measurements" : "users") + " | " + cell(each.values) + " |\n";
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
