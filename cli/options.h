// The table of a program's options.  Parsing, --help, range checks, the man page,
// docs/options.md and the completion of command lines all come from the same records.
#ifndef SVM_CLI_OPTIONS_H_
#define SVM_CLI_OPTIONS_H_

#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace svm::cli {

enum class ValueKind { kNone, kInt, kReal, kText, kTwoReals };

// One option.  A short option is chosen by its letter alone, as in LIBSVM: "-cost 5" is "-c 5".
struct Option {
  std::string name;        // "-s", "--help"; "-w" with `suffix` stands for -w1, -w-1 ...
  ValueKind kind;          // of the value that follows; long options also take --name=value
  std::string value_name;  // "type", for the help
  std::string help;        // one or more paragraphs, parted by newlines: a list has one per entry
  std::string fallback;    // default as text, shown behind the help; empty for none
  std::string range;       // in words, for the documentation; empty for none
  double lower = -std::numeric_limits<double>::infinity();  // checked on parsing, inclusive
  double upper = std::numeric_limits<double>::infinity();
  bool suffix = false;               // short options: the letter is followed by an integer (-w1)
  std::vector<std::string> choices;  // values that a shell offers
  bool file = false;                 // the value names a file, which a shell offers as well
  // Long options without a value: print this text and exit, as --help does.
  std::function<std::string()> text;

  struct Value {
    int integer = 0;
    double real = 0;    // kReal, and the first of kTwoReals
    double second = 0;  // the second of kTwoReals
    std::string text;   // the value as it was written
    int suffix = 0;
  };
  // Receives the parsed value.  May throw BadValue.
  std::function<void(const Value&)> store;
};

struct Example {
  std::string command;  // one line
  std::string meaning;  // what it does, in a sentence
};

struct Program {
  std::string name;                  // "svm-train"
  std::string summary;               // one line for the man page
  std::string usage;                 // "[options] training_set_file [model_file]"
  std::string description;           // paragraphs for the man page
  std::vector<Example> examples;     // for the man page
  std::vector<std::string> related;  // other programs, for the man page's "see also"
  std::vector<Option> options;       // without --help and --version, which every program has
  std::size_t min_files = 1;         // positional arguments
  std::size_t max_files = 1;
  std::string unknown_option;  // LIBSVM's message; "%c" in it stands for the letter
};

// The command line is wrong: print what() (one or more lines) and how to get the help to standard
// error, and exit with status 1.  If what() is empty, which is for a bare call, the help itself
// goes to standard output instead, as LIBSVM's does.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An option cannot take its value.  what() says why; parsing makes a UsageError of it, with the
// names of the program and the option before it, on a line after `heading`, if there is one.
class BadValue : public std::runtime_error {
 public:
  explicit BadValue(const std::string& why, std::string heading = "")
      : std::runtime_error(why), heading_(std::move(heading)) {}

  const std::string& heading() const { return heading_; }

 private:
  std::string heading_;
};

// What the command line asks for besides running.
enum class Request { kRun, kHelp, kVersion, kText };

struct ParsedLine {
  Request request = Request::kRun;
  std::string text;                   // for kText
  std::vector<std::string> files;     // at most max_files
  std::vector<std::string> warnings;  // one line each: text after a number that was ignored
};

// Parses, calling `store` of each option met, in order.  Numbers are read as atoi and atof read
// them (the longest number at the start), but text without a number is an error, as are NaN,
// infinity and integers that do not fit an int.  Throws UsageError.
ParsedLine parse_command_line(const Program& program, int argc, const char* const* argv);

// "svm-train 1.0.0 (LIBSVM 3.37 interface)\n"
std::string version_text(const Program& program);
// Lines have less than `columns` characters, unless a word is longer; few columns count as 40.
std::string help_text(const Program& program, std::size_t columns);
std::string man_page(const Program& program);          // roff, section 1
std::string markdown_section(const Program& program);  // for docs/options.md
std::string bash_completion(const Program& program);   // a script that bash reads

}  // namespace svm::cli

#endif  // SVM_CLI_OPTIONS_H_
