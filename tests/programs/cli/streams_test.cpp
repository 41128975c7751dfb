// The programs with closed standard streams, whose numbers no file may take, and with a full disk.
#include <ostream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train_solver_cli.h"

namespace svm::test {
namespace {

struct Line {
  std::string command;
  std::vector<std::string> files;  // files that it writes
  bool prints;
};
void PrintTo(const Line& line, std::ostream* out) { *out << line.command; }

class StreamsCli : public TrainSolverCli {
 protected:
  StreamsCli() { EXPECT_EQ(train({"-q", "-b", "1", "data", "known"}).status, 0); }

  // Runs a command line of one of the programs in a shell.
  ProcessResult shell(const std::string& line) const {
    return run({"/bin/sh", "-c", "PATH=$0; exec " + line, SVM_BIN_DIR}, {}, folder_.path());
  }

  // A file's text; a trace without its seconds.
  std::string text_of(const std::string& name) const {
    if (name != "trace") return folder_.read(name);
    std::string text;
    for (const std::string& row : lines_of(folder_.read(name))) {
      const std::size_t comma = row.find(',');
      text += row.substr(0, comma) + row.substr(row.find(',', comma + 1)) + '\n';
    }
    return text;
  }
};

class ClosedStreams : public StreamsCli, public testing::WithParamInterface<Line> {};

TEST_P(ClosedStreams, TakeNothingFromFiles) {
  const Line& line = GetParam();
  const std::string data = folder_.read("data");
  const ProcessResult ordinary = shell(line.command);
  ASSERT_EQ(ordinary.status, 0) << ordinary.err;
  EXPECT_NE(ordinary.out.empty(), line.prints);
  std::vector<std::string> expected;
  for (const std::string& name : line.files) expected.push_back(text_of(name));
  for (const std::string closed : {"<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"}) {
    SCOPED_TRACE(closed);
    const ProcessResult result = shell(line.command + " " + closed);
    const bool fails = line.prints && contains(" " + closed, " >&-");
    EXPECT_EQ(result.status, fails ? 1 : 0);
    if (closed == ">&-" && fails) {
      EXPECT_TRUE(contains(result.err, "cannot write standard output")) << result.err;
    }
    for (std::size_t i = 0; i < line.files.size(); ++i) {
      EXPECT_EQ(text_of(line.files[i]), expected[i]) << line.files[i];
    }
    EXPECT_EQ(folder_.read("data"), data);
  }
}

// Every command writes to standard error.
INSTANTIATE_TEST_SUITE_P(
    All, ClosedStreams,
    testing::Values(Line{"svm-train -c 1x -q --trace trace data model", {"trace", "model"}, false},
                    Line{"svm-train -c 1x --trace trace data model", {"trace", "model"}, true},
                    Line{
                        "svm-train -w7 1x -v 2 -q --threads 1 --trace trace data", {"trace"}, true},
                    Line{"svm-predict -b 0x -q data known out", {"out"}, false},
                    Line{"svm-predict -b 0x data known out", {"out"}, true},
                    Line{"svm-scale -l 0x -s range data", {"range"}, true},
                    Line{"svm-grid -m 1x -log2c 0,0,1 -log2g null -v 2 data", {"data.out"}, true}));

TEST_F(StreamsCli, AFullDeviceIsAnError) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  for (const std::string line :
       {"svm-train -q data /dev/full", "svm-train -q --trace /dev/full data model",
        "svm-predict -q data known /dev/full", "svm-predict data known out > /dev/full",
        "svm-scale -s /dev/full data", "svm-scale data > /dev/full",
        "svm-grid -log2c 0,0,1 -log2g null -v 2 -out /dev/full data"}) {
    const ProcessResult result = shell(line);
    EXPECT_EQ(result.status, 1) << line;
    EXPECT_TRUE(contains(result.err, "No space left on device") ||
                contains(result.err, "cannot write standard output"))
        << line << ": " << result.err;
  }
}

TEST_F(StreamsCli, AClosedOneIsNoFile) {
  const std::string data = folder_.read("data");
  const ProcessResult result = shell("svm-predict -q data known /dev/stdout >&-");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(first_line(result.err), "can't open output file /dev/stdout");
  EXPECT_EQ(folder_.read("data"), data);
  for (const std::string name : {"svm-train", "svm-scale", "svm-grid"}) {
    const ProcessResult closed = shell(name + " - <&-");
    EXPECT_EQ(closed.status, 1) << name;
    EXPECT_TRUE(contains(closed.err, "Bad file descriptor")) << closed.err;
  }
}

TEST_F(StreamsCli, OutputToADashContinuesWhatWasPrinted) {
  folder_.write("file", "first\n");
  EXPECT_EQ(shell("svm-predict data known - >>file").status, 0);
  EXPECT_EQ(shell("svm-predict -q data known - >>file").status, 0);
  const ProcessResult plain = shell("svm-predict data known out");
  const std::string predictions = folder_.read("out");
  EXPECT_EQ(folder_.read("file"), "first\n" + predictions + plain.out + predictions);
}

}  // namespace
}  // namespace svm::test
