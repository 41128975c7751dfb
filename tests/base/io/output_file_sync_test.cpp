// Flushing of output files, here of a model, with an fsync() that records its calls and fails on
// request.
#include <cerrno>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "svm.h"
#include "tests/model_texts.h"
#include "tests/temp_dir.h"
#include "tests/text.h"

namespace svm {
namespace {

using test::kOneLabel;
using test::TempDir;

struct Disk {
  const TempDir folder;
  std::vector<std::string> calls;  // what is flushed, and the content of the file a at that time
  int file_error = 0;
  int folder_error = 0;
  int interruptions = 0;
};
Disk* disk = nullptr;

int fail(int error) {
  errno = error;
  return error == 0 ? 0 : -1;
}

int record_sync(int file) {
  struct stat status = {};
  EXPECT_EQ(::fstat(file, &status), 0);
  if (disk->interruptions-- > 0) return fail(EINTR);
  const bool is_folder = S_ISDIR(status.st_mode);
  const std::string what = is_folder ? "folder" : std::to_string(status.st_size) + " bytes";
  disk->calls.push_back(what + ": " + disk->folder.read("a"));
  return fail(is_folder ? disk->folder_error : disk->file_error);
}

}  // namespace
}  // namespace svm

// Replaces the C library's function in all tests, which need not flush anything.
extern "C" int fsync(int file) { return svm::disk == nullptr ? 0 : svm::record_sync(file); }

namespace svm {
namespace {

class OutputFileSync : public testing::Test {
 protected:
  OutputFileSync() {
    disk_.folder.write("a", "old");
    disk = &disk_;
  }
  ~OutputFileSync() override { disk = nullptr; }

  // Returns the reason for a failure; empty if there was none.
  std::string replace() const {
    const test::OwnedModel model = test::parsed(kOneLabel);
    const bool failed = svm_save_model(disk_.folder.file("a").c_str(), model.get()) != 0;
    return failed ? svm_last_error() : "";
  }
  static bool tells(const std::string& reason, int error) {
    return test::contains(reason, std::generic_category().message(error));
  }
  Disk disk_;
};

TEST_F(OutputFileSync, FileThenNameThenFolder) {
  disk_.interruptions = 1;
  EXPECT_EQ(replace(), "");
  EXPECT_EQ(disk_.calls, (std::vector<std::string>{std::to_string(kOneLabel.size()) + " bytes: old",
                                                   "folder: " + kOneLabel}));
}

TEST_F(OutputFileSync, FileSystemsMayKnowNone) {
  for (const int error : {EINVAL, ENOTSUP, ENOSYS, EROFS}) {
    disk_.file_error = disk_.folder_error = error;
    EXPECT_EQ(replace(), "") << error;
  }
  EXPECT_EQ(disk_.folder.read("a"), kOneLabel);
}

TEST_F(OutputFileSync, AFailureLeavesTheTarget) {
  for (const int error : {EIO, ENOSPC}) {
    disk_.file_error = error;
    const std::string reason = replace();
    EXPECT_TRUE(tells(reason, error)) << reason;
    EXPECT_EQ(disk_.folder.read("a"), "old");
    EXPECT_EQ(disk_.folder.count(), 1U);
  }
}

TEST_F(OutputFileSync, AFailureOfTheFolderIsTold) {
  disk_.folder_error = EIO;
  const std::string reason = replace();
  EXPECT_TRUE(tells(reason, EIO)) << reason;
  EXPECT_EQ(disk_.folder.read("a"), kOneLabel);
  EXPECT_EQ(disk_.folder.count(), 1U);
}

TEST_F(OutputFileSync, WhatIsWrittenThroughIsLeftToTheSystem) {
  ASSERT_EQ(::link(disk_.folder.file("a").c_str(), disk_.folder.file("b").c_str()), 0);
  EXPECT_EQ(replace(), "");
  EXPECT_TRUE(disk_.calls.empty());
}

}  // namespace
}  // namespace svm
