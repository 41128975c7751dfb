// The position of the message about a wrong command line.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/child.h"
#include "tests/process.h"
#include "tests/temp_dir.h"
#include "tests/text.h"

namespace svm::test {
namespace {

constexpr int kExit1 = 1000;  // as Child::wait() reports it

class UsageCli : public testing::TestWithParam<const char*> {
 protected:
  const std::string program_ = std::string(SVM_BIN_DIR "/") + GetParam();
  const std::string message_ = std::string(GetParam()) + ": option --help: takes no value\n" +
                               GetParam() + " --help shows all options\n";
  const TempDir folder_;
};

std::string without_returns(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\r') out += c;  // added by the terminal
  }
  return out;
}

TEST_P(UsageCli, TheMessageStandsAlone) {
  const ProcessResult piped = run({program_, "--help=x"}, {}, folder_.path());
  EXPECT_EQ(piped.status, 1);
  EXPECT_EQ(piped.err, message_);
  EXPECT_EQ(piped.out, "");
}

// LIBSVM ignores the file, and the option that was meant before it.
TEST_P(UsageCli, AFileTooManyIsAnError) {
  const ProcessResult result = run({program_, "a", "b", "c", "d"}, {}, folder_.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err.rfind(std::string(GetParam()) + ": unexpected argument '", 0), 0U)
      << result.err;
  EXPECT_EQ(folder_.count(), 0U);
}

class UsageOnATerminal : public UsageCli {
 protected:
  void SetUp() override {
    if (!have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  }
};

TEST_P(UsageOnATerminal, TheMessageStandsAlone) {
  Child child({program_, "--help=x"}, folder_.path(), Child::Reads::kTerminal);
  EXPECT_EQ(without_returns(child.read_all()), message_);
  EXPECT_EQ(child.wait(), kExit1);
}

TEST_P(UsageOnATerminal, TheHelpIsAsWideAsTheTerminal) {
  const auto widest = [this](const std::string& before) {
    Child child({"/bin/sh", "-c", before + " exec \"$0\" --help", program_}, folder_.path(),
                Child::Reads::kTerminal);
    std::size_t width = 0;
    for (const std::string& line : lines_of(without_returns(child.read_all()))) {
      if (line.rfind("Usage", 0) != 0) width = std::max(width, line.size());
    }
    EXPECT_EQ(child.wait(), 0);
    return width;
  };
  const std::size_t wide = widest("unset COLUMNS; stty cols 200 <&2;");
  EXPECT_LT(wide, 200U);
  EXPECT_LT(widest("unset COLUMNS; stty cols 50 <&2;"), 50U);
  EXPECT_LT(widest("COLUMNS=60; export COLUMNS; stty cols 200 <&2;"), 60U);
  EXPECT_GT(wide, 60U);
}

TEST_P(UsageOnATerminal, ABareCallHasNoMessage) {
  Child child({program_}, folder_.path(), Child::Reads::kTerminal);
  const std::string help = run({program_}).out;
  EXPECT_NE(help, "");
  EXPECT_EQ(without_returns(child.read_all()), help);
}

const auto kPrograms = testing::Values("svm-train", "svm-predict", "svm-scale", "svm-grid");
INSTANTIATE_TEST_SUITE_P(All, UsageCli, kPrograms);
INSTANTIATE_TEST_SUITE_P(All, UsageOnATerminal, kPrograms);

}  // namespace
}  // namespace svm::test
