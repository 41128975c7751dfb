// What main() of every program does around its work.
#ifndef SVM_CLI_MAIN_H_
#define SVM_CLI_MAIN_H_

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/options.h"

namespace svm::cli {

// A message for standard error, printed as it stands, after which the program exits with status 1.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The exit status after Ctrl-C: as a shell reports a program that SIGINT ended.
constexpr int kInterrupted = 130;

// Prints a warning of the library as it stands.
void print_warning(const char* text) noexcept;

// Prints why a function of the library failed.
void print_last_error() noexcept;

// Calls handle_signals(), has print_warning() print the library's warnings, keeps files from taking
// the places of closed standard streams, parses the command line and calls `run` with the file
// names; returns the exit status.  --help, --version and options like them print their text and
// give 0.  A UsageError, also one thrown by `run`, prints its message and gives 1.  Any other
// exception, and standard output that could not be written, gives one line on standard error and 1.
int run_program(const Program& program, int argc, const char* const* argv,
                const std::function<int(const std::vector<std::string>& files)>& run) noexcept;

}  // namespace svm::cli

#endif  // SVM_CLI_MAIN_H_
