// The number of processors: affinity and the quota of control groups.
#include <climits>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/platform/process.h"
#include "tests/process.h"
#include "tests/temp_dir.h"

namespace {

using svm::platform::available_processors;
using svm::platform::quota_processors;
using svm::test::TempDir;

class Quota : public testing::Test {
 protected:
  // Writes a file of a group, whose folder it makes.
  void set(const std::string& group, const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(root_.file(group));
    root_.write(group + "/" + file, text);
  }
  void set_first(const std::string& group, const std::string& quota) const {
    set(group, "cpu.cfs_quota_us", quota + "\n");
    set(group, "cpu.cfs_period_us", "100000\n");
  }
  unsigned of(const std::string& groups) const { return quota_processors(groups, root_.path()); }

  TempDir root_;
};

TEST_F(Quota, OfVersionTwoIsTheLeastOfTheGroupAndThoseAroundIt) {
  set("a/b", "cpu.max", "max 100000\n");
  EXPECT_EQ(of("0::/a/b\n"), UINT_MAX);
  set("a", "cpu.max", "400000 100000\n");
  EXPECT_EQ(of("0::/a/b\n"), 4U);
  set("a/b", "cpu.max", "300000 100000\n");
  EXPECT_EQ(of("0::/a/b\n"), 3U);
  EXPECT_EQ(of("0::/a\n"), 4U);
  EXPECT_EQ(of("0::/\n"), UINT_MAX);
  set(".", "cpu.max", "100000 50000\n");
  EXPECT_EQ(of("0::/a/b\n"), 2U);
  EXPECT_EQ(of("0::/"), 2U);
}

TEST_F(Quota, IsRoundedUp) {
  for (const auto& [text, processors] : {std::pair("1000 100000", 1U),
                                         {"100000 100000", 1U},
                                         {"100001 100000", 2U},
                                         {"250000 100000", 3U},
                                         {"9223372036854775807 1", UINT_MAX}}) {
    set(".", "cpu.max", text);
    EXPECT_EQ(of("0::/\n"), processors) << text;
  }
}

TEST_F(Quota, OfVersionOneIsThatOfItsControllerForProcessors) {
  const std::string groups = "12:memory:/m\n5:cpuset:/s\n4:cpu,cpuacct:/a:b/c\n1:name=systemd:/x\n";
  set_first("cpu/a:b/c", "-1");
  set_first("cpuset/s", "100000");
  EXPECT_EQ(of(groups), UINT_MAX);
  set_first("cpu/a:b", "500000");
  EXPECT_EQ(of(groups), 5U);
  set_first("cpu,cpuacct/a:b/c", "250000");
  EXPECT_EQ(of(groups), 3U);
}

// Docker without a name space of groups shows the host's paths, but its own group as the root.
TEST_F(Quota, IsThatOfTheRootIfThereIsNoFolderOfThePath) {
  set_first("cpu", "200000");
  EXPECT_EQ(of("3:cpuacct,cpu:/docker/0123\n0::/docker/0123\n"), 2U);
  set(".", "cpu.max", "100000 100000\n");
  EXPECT_EQ(of("3:cpuacct,cpu:/docker/0123\n0::/docker/0123\n"), 1U);
}

TEST_F(Quota, OfBothVersionsIsTheLess) {
  set_first("cpu/a", "300000");
  set("unified/b", "cpu.max", "200000 100000\n");
  EXPECT_EQ(of("2:cpu:/a\n0::/b\n"), 2U);
  EXPECT_EQ(of("2:cpu:/a\n0::/\n"), 3U);
}

TEST_F(Quota, OfWhatIsNoGroupIsNone) {
  EXPECT_EQ(of("0::/\n"), UINT_MAX);
  for (const char* text : {"", "max", "0 100000", "-5 100000", "100000", "100000 0", "x y"}) {
    set("cpu", "cpu.max", text);
    EXPECT_EQ(of("1:cpu:/\n"), UINT_MAX) << text;
  }
  set("cpu", "cpu.max", "100000 100000");
  for (const char* text : {"", "\n", "cpu", "1:cpu", "1:cpux:/\n", ":\n::"}) {
    EXPECT_EQ(of(text), UINT_MAX) << text;
  }
  EXPECT_EQ(of("1:cpu:\n"), 1U);
}

TEST(Processors, AreOneAtLeast) {
  EXPECT_GE(available_processors(), 1U);
  std::cout << "processors: " << available_processors() << '\n';  // the next test reads it
}

// A real group of version 2 or 1 with a quota, which is removed in the end.
class Group {
 public:
  Group() {
    const std::string name = "/svm-test-" + std::to_string(::getpid());
    for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu"}) {
      path_ = mount + name;
      std::error_code refused;
      if (!std::filesystem::create_directory(path_, refused)) continue;
      std::ofstream(path_ + "/cpu.cfs_period_us", std::ios::in) << 100000;
      if (std::ofstream(path_ + "/cpu.max", std::ios::in) << "50000 100000" << std::flush) return;
      if (std::ofstream(path_ + "/cpu.cfs_quota_us", std::ios::in) << 50000 << std::flush) return;
      std::filesystem::remove(path_, refused);
    }
    path_.clear();
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Processors, AreLimitedByTheQuotaOfARealGroup) {
  const Group group;
  if (group.path().empty()) GTEST_SKIP() << "no control group can be made here";
  if (available_processors() < 2) GTEST_SKIP() << "there is one processor only";
  const std::string no_shards = "unset GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX; ";
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const svm::test::ProcessResult run = svm::test::run(
      {"/bin/sh", "-c", no_shards + "echo $$ >\"$0/cgroup.procs\" || exit 99; exec \"$@\"",
       group.path(), self, "--gtest_filter=Processors.AreOneAtLeast"});
  if (run.status == 99) GTEST_SKIP() << "no process can enter the control group: " << run.err;
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("processors: 1\n"), std::string::npos) << run.out;
}

}  // namespace
