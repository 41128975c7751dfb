// svm-train while it runs: Ctrl-C.
#include <signal.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/child.h"
#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

class TrainInterruptCli : public TrainSolverCli {
 protected:
  static constexpr const char* kProgram = SVM_BIN_DIR "/svm-train";
};

constexpr int kExit130 = 130000;
constexpr int kKilledByInterrupt = 128 + SIGINT;

TEST_F(TrainInterruptCli, CtrlCWritesTheModelOfTheMoment) {
  Child child(endless({"--trace", "trace.csv", "data", "model"}), folder_.path());
  ASSERT_TRUE(child.read_until("."));
  child.send(SIGINT);
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
  child.send(SIGINT);
  EXPECT_FALSE(contains(child.read_all(), "Accuracy"));
  EXPECT_EQ(child.wait(), kExit130);
  EXPECT_TRUE(contains(folder_.read("other-output"), "interrupted: "));
}

// Data from a pipe that never ends: the first Ctrl-C is enough.
TEST_F(TrainInterruptCli, CtrlCWhileReadingEndsAtOnce) {
  ASSERT_EQ(::mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  Child child({kProgram, "pipe", "model"}, folder_.path());
  const int writer = open_fifo(folder_.file("pipe"));
  ASSERT_GE(writer, 0);
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
  ::close(writer);
  EXPECT_FALSE(folder_.exists("model"));
}

// Nobody reads the child's output, so that it waits forever once the pipe is full and cannot end by
// itself.  The trace leaves nothing behind.
TEST_F(TrainInterruptCli, ASecondCtrlCKills) {
  Child child(endless({"--trace", "trace.csv", "data", "model"}), folder_.path());
  if (!child.make_pipe_small()) GTEST_SKIP() << "pipes have a fixed size here";
  ASSERT_TRUE(child.wait_until_pipe_is_full());
  EXPECT_EQ(folder_.count(), 3U);  // data, other-output, the trace under a temporary name
  EXPECT_EQ(child.send_until_end(SIGINT), kKilledByInterrupt);
  EXPECT_EQ(folder_.count(), 2U);
}

}  // namespace
}  // namespace svm::test
