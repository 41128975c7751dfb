// Only one search at a time may write to a results file.
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "programs/grid/results.h"
#include "tests/temp_dir.h"
#include "tests/text.h"

namespace svm::grid {
namespace {

bool no_locks(const platform::File& /*file*/) {
  errno = ENOLCK;
  return false;
}

class LineFileLock : public testing::Test {
 protected:
  // The refusal that a further search gets; empty if it could begin.
  static std::string refusal(const std::string& out) {
    std::string early;
    try {
      LineFile::check_unused(out);
    } catch (const std::runtime_error& error) {
      early = error.what();
    }
    try {
      const LineFile second(out, true);
      EXPECT_EQ(second.lock_fault(), "");
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), early);
    }
    return early;
  }

  const test::TempDir folder_;
  const std::string out_ = folder_.file("a.out");
};

TEST_F(LineFileLock, RefusesASecondSearchAndLeavesTheFileAlone) {
  LineFile::check_unused(out_);
  EXPECT_EQ(folder_.count(), 0U);
  {
    LineFile first(out_, false);
    EXPECT_EQ(first.lock_fault(), "");
    first.append("a line\n");
    EXPECT_EQ(refusal(out_), out_ +
                                 ": in use by another search\n"
                                 "Wait for its end, or give another -out file");
    EXPECT_THROW(LineFile(out_, false), std::runtime_error);
    EXPECT_EQ(folder_.read("a.out"), "a line\n");
    EXPECT_EQ(refusal(folder_.file("b.out")), "");
    EXPECT_EQ(folder_.count(), 2U);  // no file but the results
  }
  EXPECT_EQ(refusal(out_), "");
  EXPECT_EQ(folder_.read("a.out"), "a line\n");
}

TEST_F(LineFileLock, LinksLeadToOneFile) {
  std::filesystem::create_directory(folder_.file("sub"));
  std::filesystem::create_symlink("../a.out", folder_.file("sub/link"));
  std::filesystem::create_symlink("link", folder_.file("sub/link of link"));
  std::filesystem::create_symlink(out_, folder_.file("absolute"));
  for (int exists = 0; exists < 2; ++exists) {
    const LineFile file(folder_.file("sub/link of link"), false);
    for (const char* name : {"a.out", "sub/../a.out", "sub/link", "absolute"}) {
      EXPECT_NE(refusal(folder_.file(name)), "") << name;
    }
  }
}

TEST_F(LineFileLock, DevicesNeedNone) {
  const LineFile first("/dev/null", false);
  EXPECT_EQ(first.lock_fault(), "");
  EXPECT_EQ(refusal("/dev/null"), "");
}

TEST_F(LineFileLock, AFileSystemWithoutLocksIsNoRefusal) {
  LineFile first(out_, false, no_locks);
  first.append("a line\n");
  EXPECT_EQ(folder_.read("a.out"), "a line\n");
  EXPECT_EQ(first.lock_fault().rfind(out_ + ": ", 0), 0U) << first.lock_fault();
  EXPECT_GT(first.lock_fault().size(), out_.size() + 2);
}

TEST_F(LineFileLock, HasOneOwnerAtATime) {
  std::atomic<int> owners{0}, turns{0};
  std::array<std::thread, 4> threads;
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int i = 0; i < 100; ++i) {
        try {
          const LineFile file(out_, true);
          ++turns;
          EXPECT_EQ(++owners, 1);
          std::this_thread::yield();
          --owners;
        } catch (const std::runtime_error&) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(turns, 0);
}

TEST_F(LineFileLock, AFileGoesOnAfterItsLastCompleteLine) {
  folder_.write("a.out", "one\ntwo\nthr");
  LineFile(out_, true).append("four\n");
  EXPECT_EQ(folder_.read("a.out"), "one\ntwo\nfour\n");
  LineFile(out_, false).append("1\n");
  EXPECT_EQ(folder_.read("a.out"), "1\n");
}

}  // namespace
}  // namespace svm::grid
