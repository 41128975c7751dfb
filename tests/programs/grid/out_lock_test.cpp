// Only one search at a time may use a results file.
#include "programs/grid/out_lock.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/temp_dir.h"
#include "tests/text.h"

namespace svm::grid {
namespace {

platform::Lock no_locks(const platform::File& /*file*/) { return platform::Lock::kUnknownHere; }

class OutLockTest : public testing::Test {
 protected:
  // The refusal that a further search gets; empty if it gets the lock.
  static std::string refusal(const std::string& out,
                             OutLock::LockFunction lock = platform::take_lock) {
    try {
      const OutLock second(out, "second", lock);
      EXPECT_EQ(second.failure(), "");
      return "";
    } catch (const OutIsLocked& error) {
      return error.what();
    }
  }
  // A lock file left by a process that has ended.
  static std::string text(const std::string& host, const std::string& process) {
    return "host " + host + "\nprocess " + process + "\nsince once\ncommand svm-grid data\n";
  }
  static std::string host() {
    char name[256] = {};
    ::gethostname(name, sizeof(name) - 1);
    return name;
  }

  const test::TempDir folder_;
  const std::string out_ = folder_.file("a.out");
};

TEST_F(OutLockTest, ASecondSearchIsToldOfTheFirst) {
  {
    const OutLock first(out_, "svm-grid -v 3 data");
    EXPECT_EQ(first.failure(), "");
    const std::string told = refusal(out_);
    EXPECT_EQ(told.rfind(out_ + ": in use by another search: process " +
                             std::to_string(::getpid()) + " on " + host() + ", since 20",
                         0),
              0U)
        << told;
    EXPECT_TRUE(test::contains(told,
                               ": svm-grid -v 3 data\nWait for its end, or give another "
                               "-out file"))
        << told;
    EXPECT_TRUE(folder_.exists("a.out.lock"));
    EXPECT_EQ(refusal(folder_.file("b.out")), "");
  }
  EXPECT_EQ(folder_.count(), 0U);
  EXPECT_EQ(refusal(out_), "");
  EXPECT_EQ(folder_.count(), 0U);
}

TEST_F(OutLockTest, ALeftOverFileIsUsedAgain) {
  for (const std::string& left :
       {std::string(), std::string("host a\nproc"), text("other", "1"), std::string(100000, 'x')}) {
    folder_.write("a.out.lock", left);
    {
      const OutLock lock(out_, "svm-grid");
      EXPECT_EQ(lock.failure(), "");
      EXPECT_TRUE(test::contains(refusal(out_), ": svm-grid\n"));
    }
    EXPECT_EQ(folder_.count(), 0U);
  }
}

TEST_F(OutLockTest, LinksLeadToOneFile) {
  std::filesystem::create_directory(folder_.file("sub"));
  std::filesystem::create_symlink("../a.out", folder_.file("sub/link"));
  std::filesystem::create_symlink("link", folder_.file("sub/link of link"));
  std::filesystem::create_symlink(out_, folder_.file("absolute"));
  for (const bool exists : {false, true}) {
    if (exists) folder_.write("a.out", "");
    const OutLock lock(folder_.file("sub/link of link"), "svm-grid");
    EXPECT_TRUE(folder_.exists("a.out.lock"));
    for (const char* name : {"a.out", "sub/../a.out", "sub/link", "absolute"}) {
      EXPECT_NE(refusal(folder_.file(name)), "") << name;
    }
  }
}

TEST_F(OutLockTest, OnlyFilesNeedOne) {
  for (const std::string& out : {folder_.path(), std::string("/dev/null")}) {
    const OutLock first(out, "first");
    EXPECT_EQ(first.failure(), "");
    EXPECT_EQ(refusal(out), "");
  }
  EXPECT_EQ(folder_.count(), 0U);
}

TEST_F(OutLockTest, AFailureIsNoRefusal) {
  const OutLock nowhere(folder_.file("missing/a.out"), "svm-grid");
  EXPECT_TRUE(test::contains(nowhere.failure(), "a.out.lock: No such file")) << nowhere.failure();
  std::filesystem::create_directory(folder_.file("a.out.lock"));
  const OutLock folder(out_, "svm-grid");
  EXPECT_NE(folder.failure(), "");
  std::filesystem::create_symlink("nothing", folder_.file("b.out.lock"));
  const OutLock link(folder_.file("b.out"), "svm-grid");
  EXPECT_NE(link.failure(), "");
  EXPECT_FALSE(folder_.exists("nothing"));
}

TEST_F(OutLockTest, WhatIsSaidFitsOnOneLine) {
  const OutLock lock(out_, "svm-grid a\nb\x1b[31m\x7f" + std::string(10000, 'x'));
  const std::string told = refusal(out_);
  EXPECT_TRUE(test::contains(told, ": svm-grid a b [31m xxx")) << told;
  EXPECT_TRUE(test::contains(told, "x\nWait")) << told;
}

TEST_F(OutLockTest, AFileRemovedByHandIsNotMissed) {
  auto first = std::make_unique<OutLock>(out_, "first");
  std::filesystem::remove(out_ + ".lock");
  const OutLock second(out_, "second");
  first.reset();
  EXPECT_TRUE(test::contains(refusal(out_), ": second\n"));
}

TEST_F(OutLockTest, ThereIsOneOwnerAtATime) {
  std::atomic<int> owners{0}, turns{0};
  std::array<std::thread, 4> threads;
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int i = 0; i < 100; ++i) {
        try {
          const OutLock lock(out_, "svm-grid");
          ++turns;
          EXPECT_EQ(++owners, 1);
          std::this_thread::yield();
          --owners;
        } catch (const OutIsLocked&) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(turns, 0);
  EXPECT_EQ(folder_.count(), 0U);
}

TEST_F(OutLockTest, WithoutLocksTheFileIsOne) {
  {
    const OutLock first(out_, "first", no_locks);
    EXPECT_EQ(first.failure(), "");
    const std::string told = refusal(out_, no_locks);
    EXPECT_TRUE(test::contains(told, ": first\n")) << told;
    EXPECT_TRUE(test::contains(
        told, ".\nIf that search is gone, remove " + out_ + ".lock: this file system has no locks"))
        << told;
  }
  EXPECT_EQ(folder_.count(), 0U);
  folder_.write("a.out.lock", text("other", "1"));
  EXPECT_TRUE(test::contains(refusal(out_, no_locks), "process 1 on other, since once"));
  folder_.write("a.out.lock", text(host(), std::to_string(::getpid())));
  EXPECT_NE(refusal(out_, no_locks), "");
  folder_.write("a.out.lock", text(host(), "999999999"));  // larger than on any system
  EXPECT_EQ(refusal(out_, no_locks), "");
  EXPECT_EQ(folder_.count(), 0U);
}

}  // namespace
}  // namespace svm::grid
