// Files from strangers, as SECURITY.md promises: a program is given an address space in proportion
// to its files, and succeeds or says what is wrong.
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/process.h"
#include "tests/temp_dir.h"

namespace svm::test {
namespace {

using Line = std::vector<std::string>;

const Line kPredict = {"svm-predict", "-q", "data", "model", "out"};
const Line kTrain = {"svm-train", "-q", "data", "out"};
const Line kScale = {"svm-scale", "data"};
const Line kRestore = {"svm-scale", "-r", "ranges", "data"};
const Line kResume = {"svm-grid", "-log2c", "0,1,1", "-log2g", "0,1,1",   "-v",      "2",
                      "-gnuplot", "null",   "-out",  "out",    "-resume", "results", "data"};

class HostileFiles : public testing::Test {
 protected:
  static constexpr std::size_t kProgram = std::size_t{64} << 20U, kPerByte = 200;

  void SetUp() override {
    if (!kMemoryIsTold) GTEST_SKIP() << kMemoryIsUnknown;
    if (run({"/bin/sh", "-c", "ulimit -v 1000000"}).status != 0) {
      GTEST_SKIP() << "the shell cannot limit an address space";
    }
    folder_.write("data", "1 1:1\n2 1:2\n1 1:3\n2 1:4\n");
    folder_.write("model", model(2, 2, "rho 0\nlabel 1 2\nnr_sv 1 1\nSV\n1 1:1 \n-1 1:2 \n"));
    folder_.write("ranges", "x\n-1 1\n1 0 1\n");
    folder_.write("results", "");
  }

  static std::string model(int classes, int vectors, const std::string& rest,
                           const std::string& kernel = "rbf\ngamma 1") {
    return "svm_type c_svc\nkernel_type " + kernel + "\nnr_class " + std::to_string(classes) +
           "\ntotal_sv " + std::to_string(vectors) + "\n" + rest;
  }

  // Runs the program on one thread, because each thread has a stack in the address space.
  ProcessResult run_limited(Line line) const {
    std::size_t bytes = 0;
    for (const char* const name : {"data", "model", "ranges", "results"}) {
      bytes += folder_.read(name).size();
    }
    const std::string limit = std::to_string((kProgram + kPerByte * bytes) / 1024);
    line[0].insert(0, SVM_BIN_DIR "/");
    Line shell = {"/bin/sh", "-c",
                  "ulimit -v " + limit + " && SVM_NUM_THREADS=1 exec \"$@\" >printed", "sh"};
    shell.insert(shell.end(), line.begin(), line.end());
    return run(shell, {}, folder_.path());
  }

  void expect_success(const Line& line) const {
    std::filesystem::remove(folder_.file("out"));
    const ProcessResult result = run_limited(line);
    EXPECT_EQ(result.status, 0) << testing::PrintToString(line) << result.err;
  }

  // Expects a message with the place, no signal, and no output file.
  void expect_refusal(const Line& line, const std::string& message) const {
    const ProcessResult result = run_limited(line);
    EXPECT_TRUE(result.status == 1 || result.status == 255) << line[0] << ": " << result.status;
    EXPECT_NE(result.err.find(message + "\n"), std::string::npos) << line[0] << ": " << result.err;
    EXPECT_FALSE(folder_.exists("out")) << line[0];
  }

  const TempDir folder_;
};

constexpr int kMost = 2147483647;

TEST_F(HostileFiles, AModelClaimsMoreThanItHolds) {
  struct Case {
    std::string text, message;
  };
  const Case cases[] = {
      {model(2, kMost, "rho 0\nlabel 1 2\nnr_sv 1 2147483646\nSV\n"),
       "model: line 10, column 1: total_sv announces 2147483647 support vectors, more than the "
       "file holds"},
      {model(50000, 2, "rho 0 0\nSV\n"),
       "model: line 6, column 1: 'rho': 1249975000 values are expected, more than the file holds"},
      {model(kMost, 2, "label 1 2\nSV\n"),
       "model: line 6, column 1: 'label': 2147483647 values are expected, more than the file "
       "holds"},
      {model(kMost, 2, "probA 1 2\nSV\n"),
       "model: line 6, column 1: 'probA': 2305843005992468481 values are expected, more than the "
       "file holds"}};
  for (const Case& each : cases) {
    folder_.write("model", each.text);
    expect_refusal(kPredict, each.message);
  }
}

TEST_F(HostileFiles, TheLargestIndexStandsAlone) {
  folder_.write("data", "1 1:1\n2 2147483647:1\n1 2:1\n2 3:1\n");
  folder_.write("model",
                model(2, 2, "rho 0\nlabel 1 2\nnr_sv 1 1\nSV\n1 2147483647:1 \n-1 1:2 \n"));
  folder_.write("ranges", "x\n-1 1\n2147483647 0 1\n");
  for (const Line& line : {kPredict, kScale, kRestore, kResume, kTrain}) expect_success(line);
  for (const char* const solver : {"csmo", "dcd", "mdm", "pcg"}) {
    expect_success({"svm-train", "-q", "-t", "0", "-a", solver, "data", "out"});
  }
  expect_success({"svm-train", "-q", "-v", "2", "data"});
}

TEST_F(HostileFiles, AnIndexIsTooLarge) {
  folder_.write("data", "1 1:1\n2 2147483648:1\n");
  const std::string message = "line 2, column 3: '2147483648:1': the index does not fit an int";
  for (const Line& line : {kTrain, kScale, kPredict, kResume}) {
    expect_refusal(line, "data: " + message);
  }
  folder_.write("data", "1 1:1\n");
  folder_.write("ranges", "x\n-1 1\n2147483648 0 1\n");
  expect_refusal(kRestore, "ranges: line 3, column 1: '2147483648': the index does not fit an int");
}

TEST_F(HostileFiles, ASerialNumberIsTooLarge) {
  folder_.write("data", "1 0:2147483647 1:1\n");
  expect_refusal({"svm-train", "-q", "-t", "4", "data", "out"},
                 "data: line 1: '0:2147483647': the serial number must be an integer from 1 to the "
                 "largest index, 1");
}

// As many weights as features times pairs of classes would take 70 GB.
TEST_F(HostileFiles, AModelHasManyClassesAndFeatures) {
  constexpr int kClasses = 300, kFeatures = 200000;
  std::string rest = "rho", vector;
  for (int pair = 0; pair < kClasses * (kClasses - 1) / 2; ++pair) rest += " 0";
  rest += "\nlabel";
  for (int k = 0; k < kClasses; ++k) rest += " " + std::to_string(k);
  rest += "\nnr_sv 1";
  for (int k = 1; k < kClasses; ++k) rest += " 0";
  rest += "\nSV\n";
  for (int k = 1; k < kClasses; ++k) rest += "1 ";
  for (int index = 1; index <= kFeatures; ++index) rest += std::to_string(index) + ":1 ";
  for (const char* const kernel : {"linear", "rbf\ngamma 1"}) {
    folder_.write("model", model(kClasses, 1, rest + "\n", kernel));
    expect_success(kPredict);
  }
}

// As many values as features times rows would take 800 MB.
TEST_F(HostileFiles, RowsHaveNoFeatureInCommon) {
  constexpr int kRows = 10000, kStep = 200000;
  std::string rows, vectors;
  for (int i = 0; i < kRows; ++i) {
    const std::string pair = std::to_string(1 + i * kStep) + ":1\n";
    rows += (i % 2 == 0 ? "1 " : "2 ") + pair;
    vectors += "1 " + pair;
  }
  folder_.write("model", model(2, kRows, "rho 0\nlabel 1 2\nnr_sv 1 9999\nSV\n" + vectors));
  expect_success(kPredict);
  folder_.write("data", rows);
  expect_success({"svm-scale", "-l", "0", "data"});  // zeros stay zeros, which are not written
}

TEST_F(HostileFiles, ResultsRepeatALongPlan) {
  constexpr int kPoints = 8000, kPlan = 300000;
  std::string text = "# adaptive: " + std::string(kPlan, 'x') + "\n";
  for (int k = 0; k < kPoints; ++k) {
    text += "# log2c=" + std::to_string(k) + " log2g=1 skipped: why\n";
  }
  folder_.write("results", text);
  expect_success(kResume);
}

TEST_F(HostileFiles, MemoryEnds) {
  std::string rows;
  for (int i = 0; i < 1000000; ++i) rows += "1\n";
  folder_.write("data", rows);
  const ProcessResult result =
      run({"/bin/sh", "-c", "ulimit -v 20000 && exec \"$0\" -q data out", SVM_BIN_DIR "/svm-train"},
          {}, folder_.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "svm-train: out of memory\n");
  EXPECT_FALSE(folder_.exists("out"));
}

}  // namespace
}  // namespace svm::test
