#include "base/io/output_file.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/temp_dir.h"

namespace svm {
namespace {

using test::TempDir;

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777U;
}

TEST(OutputFile, AppearsOnCommit) {
  const TempDir dir;
  OutputFile out(dir.file("a"));
  out.write("one\n");
  out.write("two\n");
  EXPECT_FALSE(dir.exists("a"));
  EXPECT_EQ(dir.count(), 1U);
  out.commit();
  EXPECT_EQ(dir.read("a"), "one\ntwo\n");
  EXPECT_EQ(dir.count(), 1U);
}

// Errors that can be found in advance, without changing anything.
TEST(OutputFile, CanBeCheckedBefore) {
  const TempDir dir;
  dir.write("a", "before");
  ASSERT_EQ(::mkfifo(dir.file("pipe").c_str(), 0600), 0);  // opening it would wait
  ASSERT_EQ(::symlink("a", dir.file("link").c_str()), 0);
  for (const char* name : {"a", "new", "pipe", "link"}) {
    EXPECT_NO_THROW(check_output(dir.file(name))) << name;
  }
  EXPECT_NO_THROW(check_output("/dev/null"));
  EXPECT_EQ(dir.read("a"), "before");
  EXPECT_EQ(dir.count(), 3U);
  for (const std::string& path :
       {std::string(), dir.path(), dir.file(""), dir.file("no/a"), dir.file("a/b")}) {
    EXPECT_THROW(check_output(path), std::system_error) << path;
    EXPECT_THROW(OutputFile out(path), std::system_error) << path;
  }
  if (::geteuid() == 0) return;  // root may write anywhere
  ASSERT_EQ(::chmod(dir.file("a").c_str(), 0400), 0);
  EXPECT_THROW(check_output(dir.file("a")), std::system_error);
}

TEST(OutputFile, AbandonedLeavesTheTargetAlone) {
  const TempDir dir;
  dir.write("a", "before");
  {
    OutputFile out(dir.file("a"));
    out.write("after");
  }
  EXPECT_EQ(dir.read("a"), "before");
  EXPECT_EQ(dir.count(), 1U);
  { const OutputFile out(dir.file("b")); }
  EXPECT_EQ(dir.count(), 1U);
}

TEST(OutputFile, ReplacesWhatWasThereWithItsMode) {
  const TempDir dir;
  dir.write("a", "a longer text than the new one");
  ASSERT_EQ(::chmod(dir.file("a").c_str(), 0640), 0);
  OutputFile out(dir.file("a"));
  out.write("new");
  out.commit();
  EXPECT_EQ(dir.read("a"), "new");
  EXPECT_EQ(mode_of(dir.file("a")), 0640U);
}

TEST(OutputFile, NewFilesFollowTheUmask) {
  const TempDir dir;
  const mode_t before = ::umask(027);
  OutputFile out(dir.file("a"));
  out.commit();
  ::umask(before);
  EXPECT_EQ(mode_of(dir.file("a")), 0640U);
}

TEST(OutputFile, TwoWritersOfOneFileDoNotMeet) {
  const TempDir dir;
  OutputFile first(dir.file("a"));
  OutputFile second(dir.file("a"));
  first.write("first");
  second.write("second");
  second.commit();
  EXPECT_EQ(dir.read("a"), "second");
  first.commit();
  EXPECT_EQ(dir.read("a"), "first");
  EXPECT_EQ(dir.count(), 1U);
}

TEST(OutputFile, WritesThroughASymbolicLink) {
  const TempDir dir;
  dir.write("target", "before, and longer");
  std::filesystem::create_symlink("target", dir.file("link"));
  OutputFile out(dir.file("link"));
  out.write("after");
  out.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(dir.file("link")));
  EXPECT_EQ(dir.read("target"), "after");
  EXPECT_EQ(dir.count(), 2U);
}

TEST(OutputFile, WritesThroughAHardLink) {
  const TempDir dir;
  dir.write("a", "before, and longer");
  std::filesystem::create_hard_link(dir.file("a"), dir.file("b"));
  OutputFile out(dir.file("b"));
  out.write("after");
  out.commit();
  EXPECT_EQ(dir.read("a"), "after");
  EXPECT_EQ(std::filesystem::hard_link_count(dir.file("b")), 2U);
  EXPECT_EQ(dir.count(), 2U);
}

TEST(OutputFile, WritesThroughADevice) {
  OutputFile out("/dev/null");
  out.write("nothing");
  out.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, ReportsAFullDevice) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  OutputFile out("/dev/full");
  const auto fill = [&] {
    out.write("text");
    out.commit();
  };
  EXPECT_THROW(fill(), std::system_error);
}

TEST(OutputFile, RefusesWhatCannotBeWritten) {
  const TempDir dir;
  EXPECT_THROW(OutputFile(dir.file("no/such")), std::system_error);
  EXPECT_THROW(OutputFile(dir.path()), std::system_error);
  EXPECT_THROW(OutputFile(""), std::system_error);
  EXPECT_THROW(OutputFile(dir.file("new/")), std::system_error);
  EXPECT_EQ(dir.count(), 0U);
}

TEST(OutputFile, RefusesAFileThatMayNotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "nothing is forbidden to root";
  const TempDir dir;
  dir.write("a", "kept");
  ASSERT_EQ(::chmod(dir.file("a").c_str(), 0400), 0);
  EXPECT_THROW(OutputFile(dir.file("a")), std::system_error);
  EXPECT_EQ(dir.read("a"), "kept");
}

TEST(OutputFile, WritesThroughWhereTheFolderIsClosed) {
  if (::geteuid() == 0) GTEST_SKIP() << "nothing is forbidden to root";
  const TempDir dir;
  dir.write("a", "before, and longer");
  ASSERT_EQ(::chmod(dir.path().c_str(), 0500), 0);
  {
    OutputFile out(dir.file("a"));
    EXPECT_EQ(dir.count(), 1U);
    out.write("after");
    out.commit();
  }
  EXPECT_THROW(OutputFile(dir.file("b")), std::system_error);
  ASSERT_EQ(::chmod(dir.path().c_str(), 0700), 0);
  EXPECT_EQ(dir.read("a"), "after");
}

TEST(OutputFile, TakesTheLongestName) {
  const TempDir dir;
  const std::string name(255, 'n');
  OutputFile out(dir.file(name));
  out.write("text");
  out.commit();
  EXPECT_EQ(dir.read(name), "text");
}

TEST(OutputFile, FailedCommitKeepsNothing) {
  const TempDir dir;
  OutputFile out(dir.file("a"));
  out.write("text");
  // A folder of the same name prevents the rename.
  std::filesystem::create_directory(dir.file("a"));
  EXPECT_THROW(out.commit(), std::system_error);
  EXPECT_EQ(dir.count(), 1U);
}

TEST(OutputFile, AFolderThatVanishesIsAnError) {
  const TempDir dir;
  std::filesystem::create_directory(dir.file("folder"));
  OutputFile out(dir.file("folder/a"));
  out.write("text");
  std::filesystem::remove_all(dir.file("folder"));
  EXPECT_THROW(out.commit(), std::system_error);
  EXPECT_EQ(dir.count(), 0U);
}

}  // namespace
}  // namespace svm
