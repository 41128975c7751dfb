#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <system_error>
#include <unistd.h>

#include <sys/ioctl.h>

#include "programs/platform/processes.h"

namespace svm::platform {
namespace {

int number_of(Stream stream) {
  constexpr int kNumbers[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  return kNumbers[static_cast<int>(stream)];
}

// The signals that end a process by default, except those for faults of the program itself and
// those that only some systems have.
constexpr int kEndingSignals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM,
                                  SIGUSR1, SIGUSR2, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ};

// Both are set once, before the handlers that read them are installed.
bool (*on_interrupt)() = nullptr;
void (*on_end)() = nullptr;

extern "C" {
static void end_by_signal(int number) {
  if (number == SIGINT && on_interrupt()) return;
  on_end();
  std::signal(number, SIG_DFL);
  std::raise(number);
  sigset_t itself;
  ::sigemptyset(&itself);
  ::sigaddset(&itself, number);
  ::pthread_sigmask(SIG_UNBLOCK, &itself, nullptr);
  ::_exit(128 + number);  // process 1 of a container is not ended by its own signals
}
}

// Quotes a text as one word for the shell.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string read_rest(std::FILE* file) {
  std::string text;
  std::array<char, 1 << 14> block;
  for (std::size_t count = 0; (count = std::fread(block.data(), 1, block.size(), file)) > 0;) {
    text.append(block.data(), count);
  }
  return text;
}

}  // namespace

void handle_termination(bool (*interrupt)(), void (*clean_up)()) {
  on_interrupt = interrupt;
  on_end = clean_up;
  struct sigaction action = {};
  action.sa_handler = end_by_signal;
  action.sa_flags = SA_RESTART;  // writing to a pipe is resumed
  ::sigfillset(&action.sa_mask);
  for (const int number : kEndingSignals) {
    struct sigaction before = {};
    if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    ::sigaction(number, &action, nullptr);
  }
}

void end_by_interrupt() { end_by_signal(SIGINT); }

bool is_terminal(Stream stream) { return ::isatty(number_of(stream)) != 0; }

unsigned terminal_columns(Stream stream) {
#if defined(TIOCGWINSZ)
  struct winsize size = {};
  if (::ioctl(number_of(stream), TIOCGWINSZ, &size) == 0) return size.ws_col;
#endif
  return 0;
}

// Opens a folder in place of each closed stream: like the stream, it refuses reading and writing,
// and no file that is opened later can get its number.
StandardStreams::StandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    if (::open("/", O_RDONLY) != stream) {
      throw std::system_error(errno, std::generic_category(), "a standard stream is closed");
    }
  }
}

StandardStreams::~StandardStreams() = default;

void use_utf8_arguments(int&, char**&) {}

std::optional<std::string> output_of(const std::string& path, const std::string& input) {
  // The child inherits this nameless file.
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> source(std::tmpfile(), close);
  if (source == nullptr || std::fputs(input.c_str(), source.get()) < 0) return std::nullopt;
  if (std::fflush(source.get()) != 0) return std::nullopt;
  std::rewind(source.get());  // on some systems the child shares this file's position
  const std::string name = "/dev/fd/" + std::to_string(::fileno(source.get()));
  const auto end = [](std::FILE* pipe) { ::pclose(pipe); };
  std::unique_ptr<std::FILE, decltype(end)> output(
      ::popen((shell_word(path) + " <" + name + " 2>/dev/null").c_str(), "r"), end);
  if (output == nullptr) return std::nullopt;
  std::string text = read_rest(output.get());
  if (::pclose(output.release()) != 0) return std::nullopt;
  return text;
}

}  // namespace svm::platform
