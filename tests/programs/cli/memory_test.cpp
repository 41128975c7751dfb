// The memory of the programs for a row with very many features: once its text and once its nodes.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm.h"
#include "tests/process.h"
#include "tests/temp_dir.h"

namespace svm::test {
namespace {

constexpr int kFeatures = 1500000;
constexpr long kKiB = 1024;
constexpr long kNodes = kFeatures * long{sizeof(svm_node)} / kKiB;

class LongRow : public testing::Test {
 protected:
  void SetUp() override {
    if (!kMemoryIsTold) GTEST_SKIP() << kMemoryIsUnknown;
    folder_.write("model",
                  "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\n"
                  "nr_sv 1 1\nSV\n0.5 1:1 \n-0.5 1:-1 \n");
  }
  // Writes a row that begins with `first`.  Returns the size of its text in KiB.
  long write_data(const std::string& first) const {
    std::string text = first;
    for (int i = 2; i <= kFeatures; ++i) text += " " + std::to_string(i) + ":1";
    text += '\n';
    folder_.write("data", text);
    return static_cast<long>(text.size()) / kKiB;
  }
  // The memory of a run in KiB, without that of the program itself.
  long memory_for(std::vector<std::string> line) const {
    line[0].insert(0, SVM_BIN_DIR "/");
    const ProcessResult result = run(line, {}, folder_.path());
    EXPECT_EQ(result.status, 0) << result.err;
    constexpr long kProgram = 20000;
    return result.peak_memory - kProgram;
  }
  const TempDir folder_;
};

TEST_F(LongRow, IsPredicted) {
  // A row in ordinary form, and one with a number that needs the careful parser.
  for (const std::string first : {"1 1:1", "1 1:0x1"}) {
    const long text = write_data(first);
    EXPECT_LT(memory_for({"svm-predict", "-q", "data", "model", "out"}), text + kNodes) << first;
    EXPECT_EQ(folder_.read("out"), "1\n");
  }
}

TEST_F(LongRow, IsTrainedOn) {
  const long text = write_data("1 1:1");
  EXPECT_LT(memory_for({"svm-train", "-q", "data", "/dev/null"}), text + kNodes);
}

TEST_F(LongRow, IsScaled) {
  const long text = write_data("1 1:1");
  constexpr long kRanges = kFeatures * 3L * long{sizeof(double)} / kKiB;
  EXPECT_LT(memory_for({"svm-scale", "-s", "range", "data"}), text + kNodes + kRanges);
}

// Rows with few values.  If their indices are large, that must not cost memory for each index.
class FewValues : public testing::Test {
 protected:
  static constexpr int kValues = 3;

  void SetUp() override {
    if (!kMemoryIsTold) GTEST_SKIP() << kMemoryIsUnknown;
  }
  // The pairs of a row.  Each index exceeds the previous one by up to `range`.
  std::string pairs(unsigned range) {
    std::string text;
    for (unsigned k = 0; k < kValues; ++k) {
      text += ' ' + std::to_string(1 + k * range + random_() % range) + ":0." +
              std::to_string(1 + random_() % 999);
    }
    return text + " \n";
  }
  long peak(std::vector<std::string> line) const {
    line[0].insert(0, SVM_BIN_DIR "/");
    const ProcessResult result = run(line, {}, folder_.path());
    EXPECT_EQ(result.status, 0) << result.err;
    return result.peak_memory;
  }
  std::mt19937 random_{1};
  const TempDir folder_;
};

TEST_F(FewValues, AreTrainedOn) {
  constexpr long kRows = 8192, kBytesPerValue = 200, kMore = 4096;
  for (const unsigned range : {300000U, 3000000U}) {
    std::string text;
    for (int i = 0; i < kRows; ++i) text += (i % 2 == 0 ? "+1" : "-1") + pairs(range);
    folder_.write("data", text);
    const auto peak_of = [&](const std::string& solver) {
      return peak({"svm-train", "-q", "-a", solver, "-m", "10", "-e", "0.5", "data", "/dev/null"});
    };
    EXPECT_LT(peak_of("csmo"), peak_of("smo") + kRows * kValues * kBytesPerValue / kKiB + kMore)
        << range;
  }
}

TEST_F(FewValues, ArePredicted) {
  constexpr int kVectors = 30000, kRows = 20;
  constexpr long kBytesPerValue = 40, kMore = 2048;
  const auto peak_of = [&](unsigned range) {
    std::string model = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv " +
                        std::to_string(kVectors) + "\nrho 0\nlabel 1 -1\nnr_sv 1 " +
                        std::to_string(kVectors - 1) + "\nSV\n";
    for (int s = 0; s < kVectors; ++s) model += (s == 0 ? "0.5" : "-0.5") + pairs(range);
    std::string rows;
    for (int i = 0; i < kRows; ++i) rows += "1" + pairs(range);
    folder_.write("model", model);
    folder_.write("data", rows);
    return peak({"svm-predict", "-q", "--threads", "1", "data", "model", "/dev/null"});
  };
  EXPECT_LT(peak_of(300000), peak_of(1000) + kVectors * kValues * kBytesPerValue / kKiB + kMore);
}

}  // namespace
}  // namespace svm::test
