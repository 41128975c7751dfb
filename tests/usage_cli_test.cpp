// Where the message about a wrong command line stands.
#include <string>

#include <gtest/gtest.h>

#include "tests/child.h"
#include "tests/process.h"
#include "tests/temp_dir.h"
#include "tests/text.h"

namespace svm::test {
namespace {

constexpr int kExit1 = 1000;  // as Child::wait() has it

class UsageCli : public testing::TestWithParam<const char*> {
 protected:
  const std::string program_ = std::string(SVM_BIN_DIR "/") + GetParam();
  const std::string message_ = std::string(GetParam()) + ": option --help: takes no value\n";
  const TempDir folder_;
};

std::string without_returns(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\r') out += c;  // the terminal's
  }
  return out;
}

TEST_P(UsageCli, TheMessageIsNoPartOfTheHelp) {
  const ProcessResult piped = run({program_, "--help=x"}, {}, folder_.path());
  EXPECT_EQ(piped.status, 1);
  EXPECT_EQ(piped.err, message_);
  EXPECT_EQ(piped.out, run({program_, "--help"}).out);
}

class UsageOnATerminal : public UsageCli {
 protected:
  void SetUp() override {
    if (!have_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  }
};

TEST_P(UsageOnATerminal, TheMessageComesLast) {
  Child child({program_, "--help=x"}, folder_.path(), Child::Reads::kTerminal);
  EXPECT_EQ(without_returns(child.read_all()),
            message_ + run({program_, "--help"}).out + "\n" + message_);
  EXPECT_EQ(child.wait(), kExit1);
}

// A redirected message does not come twice, nor does one above help that is redirected.
TEST_P(UsageOnATerminal, ElsewhereItComesOnce) {
  for (const std::string redirection : {"2> file", "> file"}) {
    Child child({"/bin/sh", "-c", "exec \"$0\" --help=x " + redirection, program_}, folder_.path(),
                Child::Reads::kTerminal);
    const std::string shown = without_returns(child.read_all());
    EXPECT_EQ(redirection == "> file" ? shown : folder_.read("file"), message_);
    EXPECT_EQ(child.wait(), kExit1);
  }
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
