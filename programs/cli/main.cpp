#include "programs/cli/main.h"

#include <atomic>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>

#include "base/io/number_text.h"
#include "base/platform/files.h"
#include "base/platform/process.h"
#include "programs/platform/processes.h"
#include "svm_ext.h"

namespace svm::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kEndedByInterrupt = 130;  // as a shell reports it

void print_error(const char* program, const char* what) noexcept {
  std::fprintf(stderr, "%s: %s\n", program, what);
}

// The width of the help text: that of the terminal if there is one.
std::size_t help_columns() {
  constexpr std::size_t kUsual = 80;
  if (!platform::is_terminal(platform::Stream::kOutput)) return kUsual;
  const char* const variable = variable_value("COLUMNS");
  const long long wanted = variable == nullptr ? 0 : parse_int(variable).value;
  if (wanted > 0) return static_cast<std::size_t>(wanted);
  const unsigned columns = platform::terminal_columns(platform::Stream::kOutput);
  return columns > 0 ? columns : kUsual;
}

void print_help(const Program& program) {
  std::fputs(help_text(program, help_columns()).c_str(), stdout);
}

int parse_and_run(const Program& program, int argc, const char* const* argv,
                  const std::function<int(const std::vector<std::string>&)>& run) {
  try {
    const ParsedLine line = parse_command_line(program, argc, argv);
    for (const std::string& warning : line.warnings) {
      std::fprintf(stderr, "%s\n", warning.c_str());
    }
    switch (line.request) {
      case Request::kHelp:
        print_help(program);
        return 0;
      case Request::kVersion:
        std::fputs(version_text(program).c_str(), stdout);
        return 0;
      case Request::kText:
        std::fputs(line.text.c_str(), stdout);
        return 0;
      case Request::kRun:
        break;
    }
    return run(line.files);
  } catch (const UsageError& error) {
    const std::string message = error.what();
    if (message.empty()) {
      print_help(program);
    } else {
      std::fprintf(stderr, "%s\n%s --help shows all options\n", message.c_str(),
                   program.name.c_str());
    }
    return kFailure;
  }
}

enum class State { kNone, kBegun, kInterrupted };

// Globals, because signal handlers take no arguments. Any thread of a training may ask whether
// there was an interrupt.
TemporaryFiles temporary_files;
std::atomic<State> state{State::kNone};
static_assert(std::atomic<State>::is_always_lock_free);

bool note_interrupt() {
  State begun = State::kBegun;
  return state.compare_exchange_strong(begun, State::kInterrupted);
}

void remove_temporary_files() { temporary_files.remove_all(); }

}  // namespace

void print_warning(const char* text) noexcept { std::fputs(text, stderr); }

void print_last_error() noexcept { std::fprintf(stderr, "ERROR: %s\n", svm_last_error()); }

int print_exception(const char* program) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return failure.status();
  } catch (const std::bad_alloc&) {
    print_error(program, "out of memory");
  } catch (const std::exception& error) {
    print_error(program, error.what());
  } catch (...) {
    print_error(program, "unknown error");
  }
  return kFailure;
}

int run_program(const Program& program, int argc, const char* const* argv,
                const std::function<int(const std::vector<std::string>& files)>& run) noexcept {
  handle_signals();
  svm_set_warning_function(print_warning);
  std::optional<platform::StandardStreams> streams;
  int status = kFailure;
  try {
    streams.emplace();
    status = parse_and_run(program, argc, argv, run);
  } catch (...) {
    status = print_exception(program.name.c_str());
  }
  const bool write_failed = std::ferror(stdout) != 0;
  if (std::fflush(stdout) != 0 || write_failed) {
    print_error(program.name.c_str(), "cannot write standard output");
    if (status == 0) status = kFailure;
  }
  if (state != State::kInterrupted) return status;
  platform::end_by_interrupt();
  return kEndedByInterrupt;
}

void handle_signals() { platform::handle_termination(note_interrupt, remove_temporary_files); }

OutputFile open_output(const std::string& path) {
  if (path == platform::kStandardOutput) std::fflush(stdout);  // what was printed comes first
  return OutputFile(path, &temporary_files);
}

InterruptMonitor::InterruptMonitor() { state = State::kBegun; }

bool InterruptMonitor::end() {
  State begun = State::kBegun;
  return !state.compare_exchange_strong(begun, State::kNone) && begun == State::kInterrupted;
}

bool InterruptMonitor::seen() const { return state == State::kInterrupted; }

}  // namespace svm::cli
