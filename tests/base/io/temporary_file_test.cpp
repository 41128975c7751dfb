// Temporary files when a signal ends the process.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "programs/cli/main.h"
#include "tests/temp_dir.h"
#include "tests/waiting.h"

namespace svm {
namespace {

const std::string kText(3000, 't');

// Writes one file after another; every second one is abandoned.
void write_files(const std::string& path) {
  for (bool keep = true;; keep = !keep) {
    OutputFile out = cli::open_output(path);
    out.write(kText);
    if (keep) out.commit();
  }
}

[[noreturn]] void write_on_threads(const std::string& folder) {
  constexpr unsigned kLongest = 120;  // seconds
  ::alarm(kLongest);
  ::signal(SIGTERM, SIG_DFL);
  cli::handle_signals();
  std::vector<std::thread> threads;
  for (const char* const name : {"/a", "/b", "/c"})
    threads.emplace_back(write_files, folder + name);
  for (;;) ::pause();
}

// The signal comes at any time, on any thread: during creating, committing and dropping.
TEST(TemporaryFile, IsGoneWhenASignalEndsTheProcess) {
  constexpr int kRounds = 25;
  std::mt19937 random(7);
  int committed = 0;
  for (int round = 0; round < kRounds; ++round) {
    const test::TempDir dir;
    const pid_t child = ::fork();
    if (child == 0) write_on_threads(dir.path());
    const bool is_late = round % 2 != 0;  // a file was committed
    ASSERT_TRUE(test::comes_true([&] {
      return is_late ? std::filesystem::exists(dir.file("a")) : dir.count() > 0;
    })) << "nothing is written";
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    ::kill(child, SIGTERM);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
      EXPECT_EQ(entry.path().filename().string().size(), 1U) << entry.path();
      EXPECT_EQ(entry.file_size(), kText.size()) << entry.path();
      ++committed;
    }
  }
  EXPECT_GT(committed, 0);
}

TEST(TemporaryFile, IsRemovedWhileItIsOne) {
  const test::TempDir dir;
  TemporaryFiles all;
  {
    TemporaryFile first(&all), second(&all), third(&all);
    const platform::File a = first.create(dir.file("a"), 0666),
                         b = second.create(dir.file("b"), 0666),
                         c = third.create(dir.file("c"), 0666);
    EXPECT_TRUE(second.rename_to(dir.file("b")));
    EXPECT_FALSE(second.exists());
    first.remove();
    EXPECT_EQ(dir.count(), 2U);
    // In a child process, because its record of files is unusable afterwards.
    const pid_t child = ::fork();
    if (child == 0) {
      all.remove_all();
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(dir.count(), 1U);
    EXPECT_TRUE(dir.exists("b"));
  }
  EXPECT_EQ(dir.count(), 1U);
}

}  // namespace
}  // namespace svm
