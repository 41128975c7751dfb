// Attributes that a new file, here of a model, takes over from the file that it replaces.
#if defined(__linux__) && __has_include(<sys/xattr.h>)

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include "svm.h"
#include "tests/model_texts.h"
#include "tests/temp_dir.h"

namespace {

bool setting_fails = false;  // setting attributes of open files fails

}  // namespace

// Replaces the C library's function.
extern "C" int fsetxattr(int file, const char* name, const void* value, std::size_t size,
                         int flags) noexcept {
  if (setting_fails) {
    errno = EPERM;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsetxattr, file, name, value, size, flags));
}

namespace svm {
namespace {

const char kAccess[] = "system.posix_acl_access";
const char kNoAttributes[] = "the file system has no such attributes";

// An access list in the kernel's format that lets user 12345 read and write.
std::string access_list() {
  struct Entry {
    std::uint16_t tag, permissions;
    std::uint32_t id;
  };
  constexpr std::uint32_t kVersion = 2, kNobody = 0xFFFFFFFF;
  const std::vector<Entry> entries = {
      {1, 6, kNobody}, {2, 6, 12345}, {4, 4, kNobody}, {0x10, 6, kNobody}, {0x20, 0, kNobody}};
  std::string out(sizeof kVersion + entries.size() * sizeof(Entry), '\0');
  std::memcpy(out.data(), &kVersion, sizeof kVersion);
  std::memcpy(out.data() + sizeof kVersion, entries.data(), entries.size() * sizeof(Entry));
  return out;
}

class OutputFileAttributes : public testing::Test {
 protected:
  OutputFileAttributes() { dir_.write("a", "before"); }
  ~OutputFileAttributes() override { setting_fails = false; }

  // False if the file system has no such attribute.
  bool set(const std::string& file, const char* name, const std::string& value) const {
    return ::setxattr(dir_.file(file).c_str(), name, value.data(), value.size(), 0) == 0;
  }
  std::string get(const char* name) const {  // attribute of the file a; empty if it has none
    std::string value(1000, '\0');
    const ssize_t size = ::getxattr(dir_.file("a").c_str(), name, value.data(), value.size());
    value.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return value;
  }
  struct stat status() const {
    struct stat out = {};
    EXPECT_EQ(::stat(dir_.file("a").c_str(), &out), 0);
    return out;
  }
  void replace() const {
    const test::OwnedModel model = test::parsed(test::kOneLabel);
    EXPECT_EQ(svm_save_model(dir_.file("a").c_str(), model.get()), 0) << svm_last_error();
    EXPECT_EQ(dir_.read("a"), test::kOneLabel);
    EXPECT_EQ(dir_.count(), 1U);
  }
  const test::TempDir dir_;
};

TEST_F(OutputFileAttributes, ExtendedOnesStay) {
  if (!set("a", "user.origin", "measured") || !set("a", "user.empty", ""))
    GTEST_SKIP() << kNoAttributes;
  const ino_t before = status().st_ino;
  replace();
  EXPECT_EQ(get("user.origin"), "measured");
  EXPECT_EQ(::getxattr(dir_.file("a").c_str(), "user.empty", nullptr, 0), 0);
  EXPECT_NE(status().st_ino, before);  // it was replaced
}

TEST_F(OutputFileAttributes, AccessListsStay) {
  if (!set("a", kAccess, access_list())) GTEST_SKIP() << kNoAttributes;
  const mode_t before = status().st_mode;
  replace();
  EXPECT_EQ(get(kAccess), access_list());
  EXPECT_EQ(status().st_mode, before);
}

TEST_F(OutputFileAttributes, TheFolderAddsNoAccessList) {
  if (!set(".", "system.posix_acl_default", access_list())) GTEST_SKIP() << kNoAttributes;
  ASSERT_EQ(::chmod(dir_.file("a").c_str(), 0640), 0);
  replace();
  EXPECT_EQ(get(kAccess), "");
  EXPECT_EQ(status().st_mode & 07777U, 0640U);
}

TEST_F(OutputFileAttributes, WrittenThroughWhereTheyCannotBeCopied) {
  if (!set("a", "user.origin", "measured")) GTEST_SKIP() << kNoAttributes;
  const ino_t before = status().st_ino;
  setting_fails = true;
  replace();
  EXPECT_EQ(get("user.origin"), "measured");
  EXPECT_EQ(status().st_ino, before);
}

}  // namespace
}  // namespace svm

#endif
