// Work that is done once, whichever thread comes first.
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/primitives.h"

namespace svm {
namespace {

TEST(RunOnce, LetsTheNextCallerTryAgain) {
  OnceFlag flag;
  int calls = 0;
  const auto work = [&calls] {
    if (++calls < 3) throw std::runtime_error("not yet");
  };
  EXPECT_THROW(run_once(flag, work), std::runtime_error);
  EXPECT_THROW(run_once(flag, work), std::runtime_error);
  run_once(flag, work);
  run_once(flag, work);
  EXPECT_EQ(calls, 3);
}

TEST(RunOnce, EndsBeforeAnyThreadGoesOn) {
  OnceFlag flag;
  int value = 0;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      run_once(flag, [&value] {
        std::this_thread::yield();
        ++value;
      });
      if (value == 1) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

}  // namespace
}  // namespace svm
