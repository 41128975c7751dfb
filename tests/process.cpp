#include "tests/process.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <system_error>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

namespace svm::test {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void reset(int fd) {
    close();
    fd_ = fd;
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) fail("pipe");
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
};

// A child that does not read its input must not end this process.
class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
  }
  ~IgnoreBrokenPipe() { ::sigaction(SIGPIPE, &before_, nullptr); }
  IgnoreBrokenPipe(const IgnoreBrokenPipe&) = delete;
  IgnoreBrokenPipe& operator=(const IgnoreBrokenPipe&) = delete;

 private:
  struct sigaction before_ = {};
};

// Never returns.
[[noreturn]] void become(const std::vector<char*>& arguments, const std::string& folder,
                         const Pipe& in, const Pipe& out, const Pipe& err) {
  constexpr int kCannotRun = 127;
  constexpr unsigned kLongestRun = 240;  // seconds
  ::alarm(kLongestRun);
  ::signal(SIGPIPE, SIG_DFL);
  if (::dup2(in.read_end.get(), STDIN_FILENO) >= 0 &&
      ::dup2(out.write_end.get(), STDOUT_FILENO) >= 0 &&
      ::dup2(err.write_end.get(), STDERR_FILENO) >= 0 &&
      (folder.empty() || ::chdir(folder.c_str()) == 0)) {
    ::execv(arguments[0], arguments.data());
  }
  ::_exit(kCannotRun);
}

// Appends the available data of `fd` to `text`; closes `fd` at the end of the data.
void receive(Descriptor& fd, std::string& text) {
  std::array<char, 1 << 14> piece;
  const ssize_t got = ::read(fd.get(), piece.data(), piece.size());
  if (got > 0) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || errno != EINTR) {
    fd.close();
  }
}

void send(Descriptor& fd, const std::string& text, std::size_t& sent) {
  const ssize_t done = ::write(fd.get(), text.data() + sent, text.size() - sent);
  if (done >= 0) sent += static_cast<std::size_t>(done);
  const bool broken = done < 0 && errno != EINTR && errno != EAGAIN;
  if (broken || sent == text.size()) fd.close();
}

}  // namespace

ProcessResult run(const std::vector<std::string>& argv, const std::string& input,
                  const std::string& folder) {
  if (::access(argv.at(0).c_str(), X_OK) != 0) fail(argv[0].c_str());
  const IgnoreBrokenPipe guard;
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& argument : argv) {
    arguments.push_back(const_cast<char*>(argument.c_str()));  // execv does not change them
  }
  arguments.push_back(nullptr);

  Pipe in;
  Pipe out;
  Pipe err;
#ifdef __GLIBC__
  ::malloc_trim(0);  // what this process has freed would count as memory of the program
#endif
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) become(arguments, folder, in, out, err);
  in.read_end.close();
  out.write_end.close();
  err.write_end.close();

  ProcessResult result;
  std::size_t sent = 0;
  ::fcntl(in.write_end.get(), F_SETFL, O_NONBLOCK);
  if (input.empty()) in.write_end.close();
  while (in.write_end.get() >= 0 || out.read_end.get() >= 0 || err.read_end.get() >= 0) {
    std::array<pollfd, 3> waits = {{{in.write_end.get(), POLLOUT, 0},
                                    {out.read_end.get(), POLLIN, 0},
                                    {err.read_end.get(), POLLIN, 0}}};
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) fail("poll");
    if (waits[0].revents != 0) send(in.write_end, input, sent);
    if (waits[1].revents != 0) receive(out.read_end, result.out);
    if (waits[2].revents != 0) receive(err.read_end, result.err);
  }
  int status = 0;
  struct rusage usage = {};
  while (::wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) fail("wait4");
  }
  result.peak_memory = usage.ru_maxrss;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace svm::test
