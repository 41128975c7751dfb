// What only programs need of the operating system. Texts are UTF-8.
#ifndef SVM_PROGRAMS_PLATFORM_PROCESSES_H_
#define SVM_PROGRAMS_PLATFORM_PROCESSES_H_

#include <optional>
#include <string>

namespace svm::platform {

// Replaces the arguments of main() by their UTF-8 form, which differs from what main() gets on
// Windows only.
void use_utf8_arguments(int& argc, char**& argv);

// Installs handlers for Ctrl-C and for all signals that end a process by default, except those for
// faults of the program itself. The handler calls clean_up() and then ends the process as the
// signal would have. On Ctrl-C it calls interrupt() first and does nothing more if that returns
// true. Signals that are ignored (nohup, background jobs) stay ignored.
//
// Both functions may be called at any point of the program and on any thread (on Windows, on one of
// the system's own): they must be async-signal-safe.
void handle_termination(bool (*interrupt)(), void (*clean_up)());

// Ends the process as SIGINT would have. On Windows, where no loop looks at that, it returns.
// Requires handle_termination().
void end_by_interrupt();

// Runs the program at `path` with the text `input` as its standard input. Returns its standard
// output, or nothing if it cannot be run or fails. Its standard error is discarded.
std::optional<std::string> output_of(const std::string& path, const std::string& input);

// The three standard streams.
enum class Stream { kInput, kOutput, kError };

bool is_terminal(Stream stream);

// Width of the terminal in characters; 0 if the stream is not a terminal or the width is unknown.
unsigned terminal_columns(Stream stream);

// Prepares the standard streams during its lifetime. A closed stream is replaced by one that
// refuses reading and writing: otherwise the next file to be opened would take its number and
// receive what is printed. On Windows, the streams transfer bytes unchanged, and a console uses
// UTF-8.
class StandardStreams {
 public:
  StandardStreams();  // throws std::system_error
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;
  ~StandardStreams();  // NOLINT(performance-trivially-destructible): not trivial on Windows
};

}  // namespace svm::platform

#endif  // SVM_PROGRAMS_PLATFORM_PROCESSES_H_
