// Option tables. Parsing, range checks, --help, and the man pages, options.md and command line
// completion in docs/ all use the same records.
#ifndef SVM_PROGRAMS_CLI_OPTIONS_H_
#define SVM_PROGRAMS_CLI_OPTIONS_H_

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace svm::cli {

// kTwoReals is for short options only.
enum class ValueKind { kNone, kInt, kReal, kText, kTwoReals };

// An option. Like in LIBSVM, only the letter of a short option counts: "-cost 5" is "-c 5".
struct Option {
  std::string name;        // "-s", "--help"; "-w" with `suffix` matches -w1, -w-1 ...
  ValueKind kind;          // of the following value; long options also accept --name=value
  std::string value_name;  // shown in the help, for example "type"
  std::string help;        // paragraphs separated by newlines; a list has one per entry
  std::string fallback;    // the default as text, shown after the help; empty for none
  std::string range;       // in words, for the documentation; empty for none
  // Inclusive bounds of one number, checked by the parser.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool suffix = false;               // the letter is followed by an integer (-w1)
  std::vector<std::string> choices;  // values that a shell offers
  bool file = false;                 // the value is a file name, which a shell completes
  bool optional = false;  // the value may be left out before an option or the last argument
  // For long options without a value: print this text and exit, as --help does.
  std::function<std::string()> text;

  struct Value {
    int integer = 0;
    double real = 0;    // kReal, or the first number of kTwoReals
    double second = 0;  // the second number of kTwoReals
    std::string text;   // the value as written
    int suffix = 0;
  };
  // Stores the parsed value. May throw BadValue.
  std::function<void(const Value&)> store;
};

// docs/page_texts.cpp has what the man pages say beside this.
struct Program {
  std::string name;             // "svm-train"
  std::string usage;            // "[options] training_set_file [model_file]"
  std::vector<Option> options;  // except --help and --version, which every program has
  std::size_t min_files = 1;    // number of positional arguments
  std::size_t max_files = 1;
  std::size_t input_files = 1;  // how many of them, at the beginning, are read
  std::string unknown_option;   // LIBSVM's message, in which "%c" is replaced by the letter
  std::map<std::string, std::string, std::less<>> messages;  // of certain unknown options instead
};

// The command line is wrong: what() (one or more lines) and a hint how to get the help are to be
// printed to standard error, and the exit status is 1. An empty what() means a call without
// arguments: the help itself is printed to standard output, as by LIBSVM.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value is not valid for its option. what() says why; parsing turns it into a UsageError that
// adds the names of the program and the option, after `heading`, which may be a line.
struct BadValue : std::runtime_error {
  explicit BadValue(const std::string& why, std::string before = "")
      : std::runtime_error(why), heading(std::move(before)) {}
  std::string heading;
};

// What the command line asks for.
enum class Request { kRun, kHelp, kVersion, kText };

struct ParsedLine {
  Request request = Request::kRun;
  std::string text;                   // for kText
  std::vector<std::string> files;     // at most max_files; a standard stream instead of "-"
  std::vector<std::string> warnings;  // one line each, about ignored text after a number
};

// Parses the arguments and calls `store` of each option in their order. Numbers are read as by atoi
// and atof (the longest number at the start of the text), but text that does not start with a
// number is an error, and so are NaN, infinity and integers that do not fit an int. Throws
// UsageError.
ParsedLine parse_command_line(const Program& program, int argc, const char* const* argv);

// The options of the table, then --help and --version.
std::vector<Option> all_options(const Program& program);
// The name as documents show it: "-wi" if a number follows the letter.
std::string shown_name(const Option& option);
// The shown name and the name of the value, such as "-c cost".
std::string syntax(const Option& option);
std::vector<std::string> lines_of(const std::string& text);
// "svm-train 1.0.0 (LIBSVM 3.37 interface)\n"
std::string version_text(const Program& program);
// Breaks lines at `columns` - 1 characters, but not within words; `columns` below 40 count as 40.
std::string help_text(const Program& program, std::size_t columns);

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_OPTIONS_H_
