// The queue of tasks: every task once, begun in order, tasks within tasks.
#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "threads/task_queue.h"

namespace {

using svm::TaskQueue;
using svm::ThreadPool;

const auto kBeginNothing = [](std::size_t) {};

TEST(TaskQueue, RunsEveryTaskOnceAndBeginsInOrder) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    TaskQueue queue(std::make_shared<ThreadPool>(threads));
    for (const std::size_t count : {0U, 1U, 2U, 40U}) {
      std::vector<std::size_t> begun, expected;
      std::vector<int> runs(count, 0);
      queue.run(
          count, [&](std::size_t task) { begun.push_back(task); },
          [&](std::size_t task) {
            ++runs[task];
            return true;
          });
      for (std::size_t task = 0; task < count; ++task) expected.push_back(task);
      EXPECT_EQ(begun, expected);
      EXPECT_EQ(runs, std::vector<int>(count, 1));
      EXPECT_FALSE(queue.active());
    }
  }
}

TEST(TaskQueue, BeginsNoTaskAfterAStop) {
  for (const unsigned threads : {1U, 3U}) {
    TaskQueue queue(std::make_shared<ThreadPool>(threads));
    std::atomic<std::size_t> runs{0};
    queue.run(1000, kBeginNothing, [&](std::size_t) {
      ++runs;
      return false;
    });
    EXPECT_GE(runs, 1U);
    EXPECT_LE(runs, threads);
  }
}

// Two tasks that wait for each other: they end only if two threads run them.  The one that runs on
// the other thread then does `inside`.
template <typename Inside>
void run_two_that_meet(TaskQueue& queue, Inside inside) {
  const std::thread::id self = std::this_thread::get_id();
  std::atomic<int> arrived{0};
  queue.run(2, kBeginNothing, [&](std::size_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
    if (std::this_thread::get_id() != self) inside();
    return true;
  });
  EXPECT_EQ(arrived, 2);
}

TEST(TaskQueue, HelpsWithTasksOfTasks) {
  TaskQueue queue(std::make_shared<ThreadPool>(2));
  int runs = 0;
  queue.run(2, kBeginNothing, [&](std::size_t outer) {
    if (outer == 1) run_two_that_meet(queue, [&] { ++runs; });
    return true;
  });
  EXPECT_EQ(runs, 1);
}

// Of two threads, each waits for a task of the other's, and the only one it can help with is within
// that task.
TEST(TaskQueue, WhoWaitsForATaskHelpsWithinIt) {
  TaskQueue queue(std::make_shared<ThreadPool>(2));
  int runs = 0;
  run_two_that_meet(
      queue, [&] { run_two_that_meet(queue, [&] { run_two_that_meet(queue, [&] { ++runs; }); }); });
  EXPECT_EQ(runs, 1);
}

TEST(TaskQueue, ThreeLevels) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    TaskQueue queue(std::make_shared<ThreadPool>(threads));
    std::vector<int> runs(std::size_t{4} * 5 * 6, 0);
    queue.run(4, kBeginNothing, [&](std::size_t a) {
      queue.run(5, kBeginNothing, [&](std::size_t b) {
        queue.run(6, kBeginNothing, [&](std::size_t c) {
          ++runs[(a * 5 + b) * 6 + c];
          return true;
        });
        return true;
      });
      return true;
    });
    EXPECT_EQ(runs, std::vector<int>(runs.size(), 1));
  }
}

TEST(TaskQueue, TheOwnerDoesWhatIsHandedToIt) {
  TaskQueue queue(std::make_shared<ThreadPool>(4));
  const std::thread::id self = std::this_thread::get_id();
  std::size_t done = 0;  // on one thread only: not atomic
  queue.run(100, kBeginNothing, [&](std::size_t) {
    queue.on_owner([&] {
      EXPECT_EQ(std::this_thread::get_id(), self);
      ++done;
    });
    return true;
  });
  EXPECT_EQ(done, 100U);
}

}  // namespace
