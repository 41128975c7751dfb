// svm-train while it runs: Ctrl-C.
#include <filesystem>
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

constexpr int kKilledByInterrupt = 128 + SIGINT;

TEST_F(TrainInterruptCli, CtrlCWritesTheModelOfTheMoment) {
  Child child(endless({"--trace", "trace.csv", "data", "model"}), folder_.path());
  ASSERT_TRUE(child.read_until("."));
  child.send(SIGINT);
  EXPECT_TRUE(contains(child.read_all(), "Total nSV"));
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
  EXPECT_TRUE(contains(folder_.read("other-output"),
                       "interrupted: the model of the current iterate is in model.partial; model "
                       "was not written\n"));
  EXPECT_EQ(folder_.read("model.partial").rfind("svm_type c_svc\n", 0), 0U);
  EXPECT_GE(lines_of(folder_.read("trace.csv")).size(), 3U);
  EXPECT_EQ(folder_.count(), 4U);  // data, model.partial, trace.csv, other-output
}

TEST_F(TrainInterruptCli, CtrlCLeavesAModelAsItWas) {
  ASSERT_EQ(train({"-q", "data", "model"}).status, 0);
  std::filesystem::create_symlink("model", folder_.file("link"));
  const std::string before = folder_.read("model");
  for (const char* const name : {"model", "link"}) {
    Child child(endless({"data", name}), folder_.path());
    ASSERT_TRUE(child.read_until("."));
    child.send(SIGINT);
    child.read_all();
    EXPECT_EQ(child.wait(), kKilledByInterrupt);
    EXPECT_EQ(folder_.read("model"), before);
    EXPECT_TRUE(folder_.exists(name + std::string(".partial")));
  }
}

TEST_F(TrainInterruptCli, CtrlCLeavesAMetricAsItWas) {
  Draws draws(3);
  Data noise;
  for (int i = 0; i < 6000; ++i) {
    std::vector<double> x;
    x.reserve(6);
    for (int k = 0; k < 6; ++k) x.push_back(draws.between(0, 1));
    noise.add(draws.below(2) == 0 ? 1 : -1, x);
  }
  folder_.write("noise", text_of(noise));
  folder_.write("weights", "of another model\n");
  Child child({kProgram, "-c", "1000", "-g", "3", "--metric", "weights", "noise", "model"},
              folder_.path());
  ASSERT_TRUE(child.read_until("metric: "));
  child.send(SIGINT);
  child.read_all();
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
  EXPECT_EQ(folder_.read("weights"), "of another model\n");
  EXPECT_TRUE(contains(folder_.read("other-output"),
                       "is in model.partial, for features with the weights of weights.partial; "
                       "model was not written\n"));
  const std::string last = lines_of(folder_.read("model.partial")).back();
  EXPECT_TRUE(contains(last, "metric ") && contains(last, " weights.partial")) << last;
  EXPECT_EQ(folder_.read("weights.partial").rfind("x\n0 1\n", 0), 0U);
}

// A loop of a shell ends also if the model cannot be kept.
TEST_F(TrainInterruptCli, CtrlCEndsWhatCannotWriteItsModel) {
  folder_.write("model.partial", "notes\n");
  Child child(endless({"data", "model"}), folder_.path());
  ASSERT_TRUE(child.read_until("."));
  child.send(SIGINT);
  child.read_all();
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
  EXPECT_TRUE(contains(folder_.read("other-output"), "can't save model to file model.partial\n"));
  EXPECT_EQ(folder_.read("model.partial"), "notes\n");
}

TEST_F(TrainInterruptCli, CtrlCWritesToStandardOutput) {
  Child child(endless({"data", "-"}), folder_.path());
  ASSERT_TRUE(child.read_until("."));
  child.send(SIGINT);
  EXPECT_TRUE(contains(child.read_all(), "svm_type c_svc\n"));
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
}

// bash goes on with a loop unless the program died of the signal.
TEST_F(TrainInterruptCli, CtrlCEndsALoopOfAShell) {
  if (!std::filesystem::exists("/bin/bash")) GTEST_SKIP() << "there is no bash";
  const std::string loop =
      "for name in a b c; do \"$0\" -t 0 -c 1e8 -e 1e-15 data $name; done; echo after";
  Child child({"/bin/bash", "-c", loop, kProgram}, folder_.path());
  ASSERT_TRUE(child.read_until("."));
  child.send_to_group(SIGINT);
  EXPECT_FALSE(contains(child.read_all(), "after"));
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
  EXPECT_TRUE(folder_.exists("a.partial"));
  EXPECT_FALSE(folder_.exists("b.partial"));
}

TEST_F(TrainInterruptCli, CtrlCInCrossValidation) {
  Child child(endless({"-v", "3", "data"}), folder_.path());
  ASSERT_TRUE(child.read_until("."));
  child.send(SIGINT);
  EXPECT_FALSE(contains(child.read_all(), "Accuracy"));
  EXPECT_EQ(child.wait(), kKilledByInterrupt);
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
