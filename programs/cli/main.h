// What main() of every program does around the program's own work: errors, signals, output files.
#ifndef SVM_PROGRAMS_CLI_MAIN_H_
#define SVM_PROGRAMS_CLI_MAIN_H_

#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "base/io/output_file.h"
#include "programs/cli/options.h"
#include "programs/platform/processes.h"

namespace svm::cli {

// An error whose message is printed to standard error as it is; the program then exits with this
// status.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, int status = 1)
      : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

// Returns what `open` returns; turns a std::system_error into a Failure with the reason after
// `line`.
template <typename Open>
auto opened(const std::string& line, Open open) {
  try {
    return open();
  } catch (const std::system_error& error) {
    throw Failure(line + "\n" + error.what());
  }
}

// Prints a warning of the library unchanged.
void print_warning(const char* text) noexcept;

// Prints why the last function of the library failed.
void print_last_error() noexcept;

// Prints the exception that is being handled to standard error. Returns the exit status.
int print_exception(const char* program) noexcept;

// Calls handle_signals(), lets print_warning() print the library's warnings, replaces closed
// standard streams, parses the command line and calls `run` with the file names. Returns the exit
// status. --help, --version and similar options print their text and give 0. A UsageError,
// including one thrown by `run`, prints its message and gives 1. Any other exception, or an error
// while writing standard output, prints its message on standard error and gives 1. If an
// InterruptMonitor has seen a SIGINT, the process ends by it, so that a shell's loop ends as well.
int run_program(const Program& program, int argc, const char* const* argv,
                const std::function<int(const std::vector<std::string>& files)>& run) noexcept;

// Is all that main() does, even if memory runs out before run_program() begins: makes the arguments
// UTF-8 and calls `run` with the settings, which the options of `table` fill, and the file names.
// Returns the exit status.
template <typename Settings, typename Run>
int main_of(const char* name, Program (*table)(Settings&), int& argc, char**& argv,
            const Run& run) noexcept {
  try {
    platform::use_utf8_arguments(argc, argv);
    Settings settings;
    return run_program(table(settings), argc, argv,
                       [&](const std::vector<std::string>& files) { return run(settings, files); });
  } catch (...) {
    return print_exception(name);
  }
}

// Call once, before any file is opened. Afterwards, signals that end a process first remove the
// temporary files of open_output(). Ignored signals (nohup, background jobs) stay ignored.
void handle_signals();

// Opens an output file that is written completely or not at all. Throws std::system_error.
OutputFile open_output(const std::string& path);

// During its lifetime or until end(), the first SIGINT is only recorded; a second one ends the
// process as usual. Requires handle_signals(). At most one may exist at a time.
class InterruptMonitor {
 public:
  InterruptMonitor();
  InterruptMonitor(const InterruptMonitor&) = delete;
  InterruptMonitor& operator=(const InterruptMonitor&) = delete;
  ~InterruptMonitor() { end(); }

  // True if a SIGINT has come since construction.
  bool seen() const;

  // Ends the monitoring and returns a last time whether a SIGINT came, so that none is missed.
  bool end();
};

}  // namespace svm::cli

#endif  // SVM_PROGRAMS_CLI_MAIN_H_
