// svm-scale as a process.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/child.h"
#include "tests/process.h"
#include "tests/temp_dir.h"
#include "tests/text.h"

namespace svm {
namespace {

using test::ProcessResult;
using test::TempDir;

class ScaleProgram : public testing::Test {
 protected:
  ProcessResult scale(const std::vector<std::string>& arguments, const std::string& input = {}) {
    std::vector<std::string> argv = {std::string(SVM_BIN_DIR) + "/svm-scale"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return test::run(argv, input, dir_.path());
  }

  // Expects this status and error text, and no output.
  void expect_failure(const ProcessResult& result, int status, const std::string& err) {
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.err, err);
    EXPECT_EQ(result.out, "");
  }

  ProcessResult scale_text(const std::string& text, std::vector<std::string> options = {}) {
    dir_.write("d", text);
    options.emplace_back("d");
    return scale(options);
  }

  TempDir dir_;
};

TEST_F(ScaleProgram, ScalesToTheDefaultLimits) {
  const ProcessResult result = scale_text("1 1:1 2:5 3:7\n-1 1:2 3:7\n1.5 1:3 2:1 3:7\n");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "1 1:-1 2:1 \n-1 2:-1 \n1.5 1:1 2:-0.6 \n");
  EXPECT_EQ(result.err, "");
}

TEST_F(ScaleProgram, TakesLimits) {
  const ProcessResult result =
      scale_text("1 1:1\n3 1:3\n2 1:2\n", {"-l", "0", "-u", "4", "-y", "-1", "1"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "-1 \n1 1:4 \n0 1:2 \n");
}

TEST_F(ScaleProgram, ReadsAPipe) {
  dir_.write("d", "1 1:1\n2 1:2");
  const ProcessResult from_file = scale({"d"});
  const ProcessResult from_pipe = scale({"-"}, "1 1:1\n2 1:2");
  EXPECT_EQ(from_pipe.status, 0) << from_pipe.err;
  EXPECT_EQ(from_pipe.out, "1 1:-1 \n2 1:1 \n");
  EXPECT_EQ(from_pipe.out, from_file.out);
}

TEST_F(ScaleProgram, SavesAndRestores) {
  ProcessResult result = scale_text("1 1:1 2:5\n2 1:3\n", {"-y", "0", "1", "-s", "r"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "0 1:-1 2:1 \n1 1:1 2:-1 \n");
  EXPECT_EQ(dir_.read("r"), "y\n0 1\n1 2\nx\n-1 1\n1 1 3\n2 0 5\n");
  EXPECT_EQ(dir_.count(), 2U);

  result = scale_text("1.5 1:2 3:1\n2 3:2 4:6\n9 1:5 3:3\n", {"-l", "5", "-u", "6", "-r", "r"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "0.5 2:-1 \n1 1:-2 2:-1 \n8 1:3 2:-1 \n");
  EXPECT_EQ(result.err,
            "WARNING: feature index 3 appeared in file d was not seen in the scaling factor file "
            "r. The feature is scaled to 0.\n"
            "WARNING: feature index 4 appeared in file d was not seen in the scaling factor file "
            "r. The feature is scaled to 0.\n");
}

TEST_F(ScaleProgram, WarnsWhenDataBecomeDense) {
  const ProcessResult result = scale_text("1 1:1\n2 2:1\n3 3:1\n");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "1 1:1 2:-1 3:-1 \n2 1:-1 2:1 3:-1 \n3 1:-1 2:-1 3:1 \n");
  EXPECT_EQ(result.err,
            "WARNING: original #nonzeros 3\n"
            "       > new      #nonzeros 9\n"
            "If feature values are non-negative and sparse, use -l 0 rather than the default "
            "-l -1\n");
}

TEST_F(ScaleProgram, WarnsOfIndexZero) {
  const ProcessResult result = scale_text("1 0:1 1:1\n2 0:2 1:2\n3 1:3\n", {"-s", "r"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "1 0:-1 1:-1 \n2 0:1 \n3 1:1 \n");
  EXPECT_EQ(result.err,
            "WARNING: minimal feature index is 0, but indices should start from 1\n"
            "WARNING: scaling factors with indices smaller than 1 are not stored to the file "
            "r.\n");
  EXPECT_EQ(dir_.read("r"), "x\n-1 1\n1 1 3\n");
}

TEST_F(ScaleProgram, AcceptsWhatLibsvmsScalerAccepts) {
  const ProcessResult result = scale_text("1\r\n2 1:1e-310 \r\n\t3 1: 2 # note\r\n");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "1 1:-1 \n2 1:-1 \n3 1:1 \n");
}

TEST_F(ScaleProgram, SparseDataWithHugeIndices) {
  std::string text;
  for (int i = 1; i <= 1000; ++i) text += "1 " + std::to_string(2000000000 + i) + ":1\n";
  const ProcessResult result = scale_text(text, {"-l", "0"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out.substr(0, 15), "1 2000000001:1 ");
}

TEST_F(ScaleProgram, RefusesContradictions) {
  dir_.write("d", "1 1:1\n");
  const std::string limits = "inconsistent lower/upper specification\n";
  expect_failure(scale({"-l", "1", "-u", "1", "d"}), 1, limits);
  expect_failure(scale({"-y", "1", "0", "d"}), 1, limits);
  expect_failure(scale({"-l", "3", "-r", "a", "-s", "b", "d"}), 1, limits);
  expect_failure(scale({"-r", "a", "-s", "b", "d"}), 1, "cannot use -r and -s simultaneously\n");
  EXPECT_EQ(dir_.count(), 1U);
}

TEST_F(ScaleProgram, NamesTheHelpWhenMisused) {
  const std::vector<std::vector<std::string>> misuses = {{"-l"},     {"-y", "1"},      {"-l", "1"},
                                                         {"a", "b"}, {"-x", "1", "a"}, {"-s"}};
  for (const std::vector<std::string>& arguments : misuses) {
    const ProcessResult result = scale(arguments);
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("\nsvm-scale --help shows all options\n"), std::string::npos);
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(scale({}).out.substr(0, 16), "Usage: svm-scale");
  EXPECT_EQ(scale({"-x", "1", "a"}).err.substr(0, 15), "unknown option\n");
}

TEST_F(ScaleProgram, NamesFilesItCannotOpen) {
  dir_.write("d", "1 1:1\n");
  expect_failure(scale({"none"}), 1, "can't open file none\nnone: No such file or directory\n");
  expect_failure(scale({"-r", "none", "d"}), 1,
                 "can't open file none\nnone: No such file or directory\n");
  expect_failure(scale({"-s", "no/file", "d"}), 1,
                 "can't open file no/file\nno/file: No such file or directory\n");
  EXPECT_EQ(scale({"."}).status, 1);
}

// The range file is checked before data are read: standard input stays open and empty.
TEST_F(ScaleProgram, ChecksTheRangeFileFirst) {
  expect_failure(scale({"-s", "no/file", "missing"}), 1,
                 "can't open file no/file\nno/file: No such file or directory\n");
}

TEST_F(ScaleProgram, WarnsOfRowsWithoutFeatures) {
  const ProcessResult result = scale_text("1\t2\t3\n-1\t4\t5\n");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "1 \n-1 \n");
  EXPECT_EQ(result.err,
            "WARNING: d: no row has a feature; the first line looks like tab-separated values "
            "(TSV); rows have the form: label index:value index:value ...; svm-convert "
            "(tools/convert.py) makes such a "
            "file of a table\n");
}

TEST_F(ScaleProgram, RefusesBadLabels) {
  dir_.write("r", "kept");
  const std::vector<std::string> save = {"-s", "r"};
  const std::string legacy = "ERROR: failed to read labels\n";
  expect_failure(scale_text("1 1:1\n\n", save), 255, legacy + "d: line 2: the line is empty\n");
  expect_failure(scale_text("1 1:1\nx 1:1\n", save), 255,
                 legacy + "d: line 2, column 1: 'x': the label is not a number\n");
  expect_failure(scale_text("nan 1:1\n", save), 255,
                 legacy + "d: line 1, column 1: 'nan': the label must not be NaN\n");
  EXPECT_EQ(dir_.read("r"), "kept");
  EXPECT_EQ(dir_.count(), 2U);
}

TEST_F(ScaleProgram, RefusesBadFeatures) {
  dir_.write("r", "kept");
  const std::vector<std::string> save = {"-s", "r"};
  expect_failure(scale_text("1 1:1\n1 1:1 x:2\n", save), 1,
                 "Wrong input format at line 2\n"
                 "d: line 2, column 7: 'x:2': expected index:value\n");
  expect_failure(scale_text("1 2:1 1:1\n", save), 1,
                 "Wrong input format at line 1\n"
                 "d: line 1, column 7: '1:1': the index does not come after 2; indices must "
                 "ascend\n");
  expect_failure(scale_text("1 1:inf\n", save), 1,
                 "Wrong input format at line 1\n"
                 "d: line 1, column 3: '1:inf': the value must be finite\n");
  expect_failure(scale_text("1 -3:1\n", save), 1,
                 "Wrong input format at line 1\n"
                 "d: line 1, column 3: '-3:1': the index is negative\n");
  expect_failure(scale_text("", save), 1, "d: the file is empty\n");
  EXPECT_EQ(dir_.read("r"), "kept");
  EXPECT_EQ(dir_.count(), 2U);
}

TEST_F(ScaleProgram, RefusesBadRangeFiles) {
  dir_.write("r", "x\n0 1\n1 2\n");
  expect_failure(scale_text("1 1:1\n", {"-r", "r"}), 255,
                 "ERROR: failed to read scaling parameters\n"
                 "r: line 4, column 1: the file ends where the maximum is expected\n");
  dir_.write("r", "1 1:1\n");
  expect_failure(scale_text("1 1:1\n", {"-r", "r"}), 255,
                 "ERROR: failed to read scaling parameters\n"
                 "r: line 1, column 1: '1': the file must begin with a line x or y\n");
  dir_.write("r", "BZh91AY ...");
  expect_failure(scale_text("1 1:1\n", {"-r", "r"}), 255,
                 "ERROR: failed to read scaling parameters\n"
                 "r: the file is compressed; bzip2 -d decompresses it, and bzcat FILE | ... "
                 "/dev/stdin reads it\n");
}

TEST_F(ScaleProgram, SparesItsInput) {
  const std::string text = "1 1:1\n2 1:2\n";
  expect_failure(scale_text(text, {"-s", "d"}), 1, "can't write d: it is the input file d\n");
  EXPECT_EQ(dir_.read("d"), text);
  const ProcessResult appended =
      test::run({"/bin/sh", "-c", "exec \"$0\" d >>d", SVM_BIN_DIR "/svm-scale"}, {}, dir_.path());
  if (std::filesystem::exists("/proc/self/fd")) {
    EXPECT_EQ(appended.status, 1);
    EXPECT_EQ(dir_.read("d"), text);
  }
}

TEST_F(ScaleProgram, SaysThatPartsOfRowsAreIgnored) {
  const ProcessResult result = scale_text("1 1:1\n2 1:2 3.-0.2\n", {});
  EXPECT_EQ(result.out, "1 1:-1 \n2 1:1 \n");
  EXPECT_EQ(result.err,
            "WARNING: d: line 2, column 7: '3.-0.2': without a colon, the rest of the row is "
            "ignored\n");
}

TEST_F(ScaleProgram, ScalesTheLargestRange) {
  EXPECT_EQ(scale_text("1 1:1e308\n2 1:-1e308\n1 1:-5e307\n2 1:1\n", {}).out,
            "1 1:1 \n2 1:-1 \n1 1:-0.5 \n2 \n");
}

TEST_F(ScaleProgram, NamesAFeatureThatTheRangeFileLacks) {
  if (!test::have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  dir_.write("ranges", "x\n-1 1\n1 0 1\n");
  dir_.write("d", "1 1:1 9:2\n");
  test::Child child({SVM_BIN_DIR "/svm-scale", "-r", "ranges", "d"}, dir_.path(),
                    test::Child::Reads::kTerminal);
  const std::string text = child.read_all();
  EXPECT_TRUE(test::contains(text, "NOTE: feature 9 is left out, because it is not in ranges"))
      << text;
  EXPECT_EQ(scale_text("1 1:1 9:2\n", {"-r", "ranges"}).err, "");
}

}  // namespace
}  // namespace svm
