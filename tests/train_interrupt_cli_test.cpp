// svm-train while it runs: Ctrl-C, and the progress line.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <initializer_list>
#include <signal.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

using TrainInterruptCli = TrainSolverCli;

class Child {
 public:
  // With `terminal`, standard error is one, and what comes from it is read; else standard output
  // is, through a pipe.
  Child(std::vector<std::string> arguments, const std::string& folder, bool terminal = false) {
    arguments.insert(arguments.begin(), SVM_BIN_DIR "/svm-train");
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::array<int, 2> ends{};
    if (terminal) {
      ends[0] = ::posix_openpt(O_RDWR | O_NOCTTY);
      EXPECT_EQ(::grantpt(ends[0]), 0);
      EXPECT_EQ(::unlockpt(ends[0]), 0);
      ends[1] = ::open(::ptsname(ends[0]), O_RDWR | O_NOCTTY);
    } else {
      EXPECT_EQ(::pipe(ends.data()), 0);
    }
    const std::string other = folder + "/other-output";
    pid_ = ::fork();
    if (pid_ == 0) {
      ::signal(SIGINT, SIG_DFL);
      const int rest = ::open(other.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ::dup2(terminal ? rest : ends[1], STDOUT_FILENO);
      ::dup2(terminal ? ends[1] : rest, STDERR_FILENO);
      ::close(ends[0]);
      if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    read_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      wait();
    }
    ::close(read_);
  }

  // Reads until `part` was seen; false at the end of what the child writes.
  bool read_until(const std::string& part) {
    while (!contains(text_, part)) {
      if (!read_some()) return false;
    }
    return true;
  }
  std::string read_all() {
    while (read_some()) {
    }
    return text_;
  }
  void interrupt() const { ::kill(pid_, SIGINT); }

  bool make_pipe_small() const {
#ifdef F_SETPIPE_SZ
    return ::fcntl(read_, F_SETPIPE_SZ, kSmallPipe) == kSmallPipe;
#else
    return false;
#endif
  }
  void wait_until_pipe_is_full() const {
    for (int held = 0; held < kSmallPipe; ::usleep(kPause)) {
      if (::ioctl(read_, FIONREAD, &held) != 0) return;
    }
  }
  // Sends one signal after another; two at once might arrive as one.
  int interrupt_until_end() {
    siginfo_t ended = {};
    while (ended.si_pid == 0) {
      interrupt();
      ::usleep(kPause);
      if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) break;
    }
    return wait();
  }

  // 128 + the signal's number where one ended it; 130 of the program's own is told as 130000.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFEXITED(status) ? 1000 * WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  bool read_some() {
    std::array<char, 4096> piece;
    const ssize_t got = ::read(read_, piece.data(), piece.size());
    if (got <= 0) return got < 0 && errno == EINTR;  // a closed terminal gives EIO
    text_.append(piece.data(), static_cast<std::size_t>(got));
    return true;
  }

  static constexpr int kSmallPipe = 4096;
  static constexpr useconds_t kPause = 2000;  // microseconds between looks

  pid_t pid_ = -1;
  int read_ = -1;
  std::string text_;
};

constexpr int kExit130 = 130000;
constexpr int kKilledByInterrupt = 128 + SIGINT;

// A problem that keeps the solver busy until LIBSVM's cap of iterations.
const std::vector<std::string> kEndless = {"-t", "0", "-c", "1e8", "-e", "1e-15"};

std::vector<std::string> endless(std::initializer_list<std::string> more) {
  std::vector<std::string> arguments = kEndless;
  arguments.insert(arguments.end(), more);
  return arguments;
}

TEST_F(TrainInterruptCli, CtrlCWritesTheModelOfTheMoment) {
  Child child(endless({"--trace", "trace.csv", "data", "model"}), folder_.path());
  ASSERT_TRUE(child.read_until("."));
  child.interrupt();
  EXPECT_TRUE(contains(child.read_all(), "Total nSV"));
  EXPECT_EQ(child.wait(), kExit130);
  EXPECT_TRUE(contains(folder_.read("other-output"),
                       "interrupted: the model of the current iterate is in model\n"));
  EXPECT_EQ(folder_.read("model").rfind("svm_type c_svc\n", 0), 0U);
  EXPECT_GE(lines_of(folder_.read("trace.csv")).size(), 3U);
  EXPECT_EQ(folder_.count(), 4U);  // data, model, trace.csv, other-output
}

TEST_F(TrainInterruptCli, CtrlCInCrossValidation) {
  Child child(endless({"-v", "3", "data"}), folder_.path());
  ASSERT_TRUE(child.read_until("."));
  child.interrupt();
  EXPECT_FALSE(contains(child.read_all(), "Accuracy"));
  EXPECT_EQ(child.wait(), kExit130);
  EXPECT_TRUE(contains(folder_.read("other-output"), "interrupted: "));
}

// Data from a pipe that never ends: the first Ctrl-C is enough.
TEST_F(TrainInterruptCli, CtrlCWhileReadingEndsAtOnce) {
  ASSERT_EQ(::mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  Child child({"pipe", "model"}, folder_.path());
  const int writer = ::open(folder_.file("pipe").c_str(), O_WRONLY);  // waits for the reader
  ASSERT_GE(writer, 0);
  child.interrupt();
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
  ::close(writer);
  EXPECT_FALSE(folder_.exists("model"));
}

// Nobody reads the marks that the child writes, so that it waits for ever once the pipe is full: it
// cannot come to the end by itself.  The trace leaves nothing behind.
TEST_F(TrainInterruptCli, ASecondCtrlCKills) {
  Child child(endless({"--trace", "trace.csv", "data", "model"}), folder_.path());
  if (!child.make_pipe_small()) GTEST_SKIP() << "pipes have a fixed size here";
  child.wait_until_pipe_is_full();
  EXPECT_EQ(folder_.count(), 3U);  // data, other-output, the trace under a temporary name
  EXPECT_EQ(child.interrupt_until_end(), kKilledByInterrupt);
  EXPECT_EQ(folder_.count(), 2U);
}

TEST_F(TrainInterruptCli, TheProgressLineOnATerminal) {
  Child child(endless({"--progress", "--max-iter", "100000", "data", "model"}), folder_.path(),
              true);
  EXPECT_TRUE(child.read_until("problem 1, iteration 0, objective 0, violation 2"));
  const std::string text = child.read_all();
  EXPECT_EQ(child.wait(), 0);
  // Erased before the end, but for what is printed after.
  EXPECT_TRUE(contains(text, " \r")) << text;
}

}  // namespace
}  // namespace svm::test
