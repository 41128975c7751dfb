// The task queue: every task runs once, tasks begin in order, and tasks may have tasks.
#include "base/threads/task_queue.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/waiting.h"

namespace {

using svm::TaskQueue;
using svm::ThreadPool;
using svm::test::comes_true;

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

// Runs two tasks that wait for each other: they end only if two threads run them.  The one on the
// other thread then calls `inside`.
template <typename Inside>
void run_two_that_meet(TaskQueue& queue, Inside inside) {
  const std::thread::id self = std::this_thread::get_id();
  std::atomic<int> arrived{0};
  queue.run(2, kBeginNothing, [&](std::size_t) {
    ++arrived;
    EXPECT_TRUE(comes_true([&] { return arrived == 2; })) << "no second thread";
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

// Each of two threads waits for a task of the other one, and can only help with tasks within that
// task.
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
  std::size_t done = 0;  // on one thread only, so not atomic
  queue.run(100, kBeginNothing, [&](std::size_t) {
    queue.on_owner([&] {
      EXPECT_EQ(std::this_thread::get_id(), self);
      ++done;
    });
    return true;
  });
  EXPECT_EQ(done, 100U);
}

// --- exceptions ---

// Expects that a run fails, and that the next one does not.
template <typename Begin, typename Body>
void expect_failure(unsigned threads, Begin begin, Body body) {
  TaskQueue queue(std::make_shared<ThreadPool>(threads));
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(queue.run(
                     40, [&](std::size_t task) { begin(queue, task); },
                     [&](std::size_t task) {
                       body(queue, task);
                       return true;
                     }),
                 std::runtime_error);
    EXPECT_FALSE(queue.active());
    std::atomic<int> runs{0};
    queue.run(10, kBeginNothing, [&](std::size_t) {
      ++runs;
      return true;
    });
    EXPECT_EQ(runs, 10);
  }
}

const auto kBegin = [](TaskQueue&, std::size_t) {};

TEST(TaskQueue, AnExceptionOfATaskEndsTheRun) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    expect_failure(threads, kBegin, [](TaskQueue&, std::size_t task) {
      if (task % 3 == 1) throw std::runtime_error("body");
    });
    expect_failure(
        threads,
        [](TaskQueue&, std::size_t task) {
          if (task == 2) throw std::runtime_error("begin");
        },
        kBegin);
  }
}

TEST(TaskQueue, AnExceptionOnTheOwnerEndsTheRun) {
  for (const unsigned threads : {2U, 4U}) {
    for (const std::size_t at : {0U, 1U, 39U}) {
      expect_failure(threads, kBegin, [&](TaskQueue& queue, std::size_t task) {
        queue.on_owner([task, at] {
          if (task == at) throw std::runtime_error("owner");
        });
      });
    }
  }
}

TEST(TaskQueue, AnExceptionWithinATaskEndsTheRun) {
  for (const unsigned threads : {2U, 4U}) {
    expect_failure(threads, kBegin, [](TaskQueue& queue, std::size_t outer) {
      queue.run(7, kBeginNothing, [&](std::size_t inner) {
        queue.on_owner([=] {
          if (outer == 3 && inner == 2) throw std::runtime_error("owner");
        });
        return true;
      });
    });
  }
}

// Tasks that never end by themselves are told that the run has failed.
TEST(TaskQueue, TasksMayAskForAFailure) {
  TaskQueue queue(std::make_shared<ThreadPool>(2U));
  for (int time = 0; time < 3; ++time) {
    const auto body = [&](std::size_t task) {
      if (task == 0) throw std::runtime_error("task");
      EXPECT_TRUE(comes_true([&] { return queue.has_failed(); }));
      return true;
    };
    EXPECT_THROW(queue.run(2, kBeginNothing, body), std::runtime_error);
    EXPECT_FALSE(queue.has_failed());
  }
}

TEST(TaskQueue, TasksLearnOfAFailure) {
  TaskQueue queue(std::make_shared<ThreadPool>(2));
  EXPECT_THROW(queue.run(2, kBeginNothing,
                         [&](std::size_t task) {
                           queue.on_owner([=] {
                             if (task == 0) throw std::runtime_error("owner");
                           });
                           comes_true([&] {
                             queue.on_owner([] {});
                             return false;
                           });
                           ADD_FAILURE() << "nobody tells this task of the end";
                           return true;
                         }),
               std::runtime_error);
}

}  // namespace
