#include "cli/main.h"

#include <cstdio>
#include <exception>
#include <new>
#include <optional>

#include "cli/interrupt.h"
#include "platform/terminal.h"
#include "svm.h"

namespace svm::cli {
namespace {

constexpr int kFailure = 1;

void print_error(const Program& program, const char* what) noexcept {
  std::fprintf(stderr, "%s: %s\n", program.name.c_str(), what);
}

void print_usage(const Program& program, const std::string& message) {
  if (!message.empty()) std::fprintf(stderr, "%s\n", message.c_str());
  std::fputs(help_text(program).c_str(), stdout);
  // On a screen the help is so long that the message leaves it.
  const bool on_screen = platform::is_terminal(platform::Stream::kOutput) &&
                         platform::is_terminal(platform::Stream::kError);
  if (message.empty() || !on_screen) return;
  std::fflush(stdout);
  std::fprintf(stderr, "\n%s\n", message.c_str());
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
        std::fputs(help_text(program).c_str(), stdout);
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
    print_usage(program, error.what());
    return kFailure;
  }
}

}  // namespace

void print_warning(const char* text) noexcept { std::fputs(text, stderr); }

void print_last_error() noexcept { std::fprintf(stderr, "ERROR: %s\n", svm_last_error()); }

int run_program(const Program& program, int argc, const char* const* argv,
                const std::function<int(const std::vector<std::string>& files)>& run) noexcept {
  handle_signals();
  svm_set_warning_function(print_warning);
  std::optional<platform::StandardStreams> streams;
  int status = kFailure;
  try {
    streams.emplace();
    status = parse_and_run(program, argc, argv, run);
  } catch (const Failure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
  } catch (const std::bad_alloc&) {
    print_error(program, "out of memory");
  } catch (const std::exception& error) {
    print_error(program, error.what());
  } catch (...) {
    print_error(program, "unknown error");
  }
  const bool write_failed = std::ferror(stdout) != 0;
  if (std::fflush(stdout) != 0 || write_failed) {
    print_error(program, "cannot write standard output");
    if (status == 0) status = kFailure;
  }
  return status;
}

}  // namespace svm::cli
