// The programs when a signal ends them: output files stay as they were, and nothing else is left.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/child.h"
#include "tests/train_solver_cli.h"
#include "tests/waiting.h"

namespace svm::test {
namespace {

std::string program(const std::string& name) { return SVM_BIN_DIR "/" + name; }

class SignalsCli : public TrainSolverCli {
 protected:
  SignalsCli() { folder_.write("out", kPrecious); }
  static constexpr const char* kPrecious = "svm_type precious";

  // svm-predict writes to the file out while it waits for rows from `pipe`.
  Child predict_from_pipe(int ignored = 0) const {
    EXPECT_EQ(train({"-q", "data", "model"}).status, 0);
    EXPECT_EQ(::mkfifo(folder_.file("pipe").c_str(), 0600), 0);
    return Child({program("svm-predict"), "-q", "pipe", "model", "out"}, folder_.path(),
                 Child::Reads::kOutput, ignored);
  }
  using Pipe = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  Pipe open_pipe() const {
    return Pipe(::fdopen(open_fifo(folder_.file("pipe")), "w"), &std::fclose);
  }
  bool count_reaches(std::size_t count) const {
    return comes_true([&] { return folder_.count() >= count; });
  }
};

class EndingSignal : public SignalsCli, public testing::WithParamInterface<int> {};

TEST_P(EndingSignal, LeavesNoTemporaryFileOfPredictions) {
  Child child = predict_from_pipe();
  const Pipe pipe = open_pipe();
  ASSERT_TRUE(count_reaches(6));  // data, model, out, other-output, pipe and the temporary file
  child.send(GetParam());
  EXPECT_EQ(child.wait(), 128 + GetParam());
  EXPECT_EQ(folder_.count(), 5U);
  EXPECT_EQ(folder_.read("out"), kPrecious);
}

INSTANTIATE_TEST_SUITE_P(All, EndingSignal,
                         testing::Values(SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGXCPU));

// As with nohup.
TEST_F(SignalsCli, WhatIsIgnoredStaysIgnored) {
  Child child = predict_from_pipe(SIGHUP);
  {
    const Pipe pipe = open_pipe();
    ASSERT_TRUE(count_reaches(6));
    child.send(SIGHUP);
    ASSERT_NE(pipe, nullptr);
    ASSERT_GE(std::fputs(folder_.read("data").c_str(), pipe.get()), 0);
  }
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(lines_of(folder_.read("out")).size(), lines_of(folder_.read("data")).size());
  EXPECT_EQ(folder_.count(), 5U);
}

TEST_F(SignalsCli, ATraceGoesWithABrokenPipe) {
  Child child(
      {program("svm-train"), "-t", "0", "-c", "1e8", "-e", "1e-15", "--trace", "out", "data"},
      folder_.path());
  ASSERT_TRUE(child.read_until("."));
  EXPECT_EQ(folder_.count(), 4U);  // data, out, other-output and the temporary file
  child.stop_reading();
  EXPECT_EQ(child.wait(), 128 + SIGPIPE);
  EXPECT_EQ(folder_.count(), 3U);
  EXPECT_EQ(folder_.read("out"), kPrecious);
}

// The first process of a container, which a signal without a handler does not end.
TEST_F(SignalsCli, EndTheFirstProcess) {
  const std::string shell = "exec unshare --user --pid --fork ";
  if (run({"/bin/sh", "-c", shell + "true"}).status != 0) GTEST_SKIP() << "no containers here";
  const ProcessResult result =
      run({"/bin/sh", "-c", "ulimit -f 1; " + shell + "\"$0\" -q data out", program("svm-train")},
          {}, folder_.path());
  EXPECT_EQ(result.status, 128 + SIGXFSZ);
  EXPECT_EQ(folder_.read("out"), kPrecious);
  EXPECT_EQ(folder_.count(), 2U);
}

// Every kind of output file, larger than the limit of file sizes: a signal comes while it is
// written.
class LimitedFiles : public SignalsCli, public testing::WithParamInterface<const char*> {
 protected:
  LimitedFiles() {
    EXPECT_EQ(train({"-q", "data", "model"}).status, 0);
    folder_.write("wide", wide_rows());
    folder_.write("out.png", "precious");
    std::filesystem::permissions(folder_.write("plot", "#!/bin/sh\necho picture\n"),
                                 std::filesystem::perms::owner_all);
  }
  // Runs the parameter, a command line, after `settings` in a shell.
  ProcessResult run_limited(const std::string& settings) const {
    const std::string script =
        "PATH=$0; " + settings + " ulimit -c 0; ulimit -f 1; exec " + GetParam();
    ProcessResult result = run({"/bin/sh", "-c", script, SVM_BIN_DIR}, {}, folder_.path());
    EXPECT_EQ(folder_.count(), 6U) << "data, model, wide, out, out.png, plot";
    EXPECT_EQ(folder_.read("out"), kPrecious);
    EXPECT_EQ(folder_.read("out.png"), "precious");
    return result;
  }

 private:
  static std::string wide_rows() {
    std::string text;
    for (const char* const label : {"1", "-1"}) {
      text += label;
      for (int i = 1; i < 500; ++i) text += " " + std::to_string(i) + ":" + label;
      text += '\n';
    }
    return text;
  }
};

TEST_P(LimitedFiles, EndByTheSignal) { EXPECT_EQ(run_limited("").status, 128 + SIGXFSZ); }

TEST_P(LimitedFiles, AreAnErrorWhereTheSignalIsIgnored) {
  const ProcessResult result = run_limited("trap '' XFSZ;");
  // A failing picture must not cost the answer of a search.
  const bool is_picture = contains(GetParam(), "-png");
  EXPECT_EQ(result.status, is_picture ? 0 : 1);
  const char* const reason = is_picture ? "gnuplot failed" : "too large";
  EXPECT_TRUE(contains(result.err, reason)) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, LimitedFiles,
    testing::Values(
        "svm-train -q data out", "svm-train -q --trace out -e 1e-9 -c 1e6 data /dev/null",
        "svm-predict -q data model out", "svm-scale -s out wide",
        "svm-grid -q -log2c 0,2,2 -log2g 0,2,2 -v 2 -gnuplot ./plot -out null -png out.png "
        "data"));

}  // namespace
}  // namespace svm::test
