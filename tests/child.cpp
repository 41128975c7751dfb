#include "tests/child.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/text.h"
#include "tests/waiting.h"

namespace svm::test {
namespace {

constexpr int kSmallPipe = 4096;
constexpr useconds_t kPause = 2000;    // microseconds between checks
constexpr unsigned kLongestRun = 120;  // seconds

// The end to read from and the end to write to.
using Ends = std::array<int, 2>;

// The ends of a new terminal of 80 columns; -1 for those that cannot be opened.
Ends open_terminal() {
  Ends ends = {::posix_openpt(O_RDWR | O_NOCTTY), -1};
  if (ends[0] < 0 || ::grantpt(ends[0]) != 0 || ::unlockpt(ends[0]) != 0) return ends;
  const char* const name = ::ptsname(ends[0]);
  if (name != nullptr) ends[1] = ::open(name, O_RDWR | O_NOCTTY);
  struct winsize size = {};
  size.ws_col = 80;
  ::ioctl(ends[0], TIOCSWINSZ, &size);
  return ends;
}

Ends open_ends(Child::Reads reads) {
  if (reads == Child::Reads::kTerminal) return open_terminal();
  Ends ends = {-1, -1};
  EXPECT_EQ(::pipe(ends.data()), 0);
  return ends;
}

void set_signals(int ignored) {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ}) {
    ::signal(signal, signal == ignored ? SIG_IGN : SIG_DFL);
  }
  const struct rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

}  // namespace

bool have_terminals() {
  const Ends ends = open_terminal();
  for (const int end : ends) {
    if (end >= 0) ::close(end);
  }
  return ends[1] >= 0;
}

int open_fifo(const std::string& path) {
  int file = -1;
  comes_true([&] { return (file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK)) >= 0; });
  if (file >= 0) ::fcntl(file, F_SETFL, O_WRONLY);
  return file;
}

Child::Child(std::vector<std::string> arguments, const std::string& folder, Reads reads,
             int ignored) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const Ends ends = open_ends(reads);
  const std::string other = folder + "/other-output";
  pid_ = ::fork();
  if (pid_ == 0) {
    set_signals(ignored);
    ::setpgid(0, 0);
    ::alarm(kLongestRun);
    const int error = reads == Reads::kTerminal
                          ? ends[1]
                          : ::open(other.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(error, STDERR_FILENO);
    ::close(ends[0]);
    if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  read_ = ends[0];
}

Child::~Child() {
  if (pid_ > 0) {
    send(SIGKILL);
    wait();
  }
  stop_reading();
}

bool Child::read_until(const std::string& part) {
  while (!contains(text_, part)) {
    if (!read_some()) return false;
  }
  return true;
}

std::string Child::read_all() {
  while (read_some()) {
  }
  return text_;
}

void Child::stop_reading() {
  if (read_ >= 0) ::close(read_);
  read_ = -1;
}

void Child::send(int signal) const { ::kill(pid_, signal); }

void Child::send_to_group(int signal) const { ::kill(-pid_, signal); }

int Child::send_until_end(int signal) {
  siginfo_t ended = {};
  while (ended.si_pid == 0) {
    send(signal);
    ::usleep(kPause);
    if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) break;
  }
  return wait();
}

int Child::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? 1000 * WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Child::make_pipe_small() const {
#ifdef F_SETPIPE_SZ
  return ::fcntl(read_, F_SETPIPE_SZ, kSmallPipe) == kSmallPipe;
#else
  return false;
#endif
}

bool Child::wait_until_pipe_is_full() const {
  return comes_true([this] {
    int held = 0;
    return ::ioctl(read_, FIONREAD, &held) == 0 && held >= kSmallPipe;
  });
}

bool Child::read_some() {
  std::array<char, 4096> piece;
  const ssize_t got = ::read(read_, piece.data(), piece.size());
  if (got <= 0) return got < 0 && errno == EINTR;  // a closed terminal gives EIO
  text_.append(piece.data(), static_cast<std::size_t>(got));
  return true;
}

}  // namespace svm::test
