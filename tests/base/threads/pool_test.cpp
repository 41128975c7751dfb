// The thread pool: every chunk runs once, on any thread; and what runs once for all threads.
#include "base/threads/pool.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/primitives.h"
#include "tests/environment.h"
#include "tests/waiting.h"

namespace {

using svm::ThreadPool;

// Counts how often each index is visited.
std::vector<int> visits(ThreadPool& pool, std::size_t count, std::size_t chunk) {
  std::vector<int> seen(count, 0);
  pool.for_chunks(count, chunk, [&](std::size_t begin, std::size_t end) {
    EXPECT_LE(end - begin, chunk);
    EXPECT_EQ(begin % chunk, 0U);
    for (std::size_t i = begin; i < end; ++i) ++seen[i];
  });
  return seen;
}

TEST(ThreadPool, VisitsEveryIndexOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
      for (const std::size_t chunk : {1U, 3U, 100U, 5000U}) {
        EXPECT_EQ(visits(pool, count, chunk), std::vector<int>(count, 1));
      }
    }
  }
}

TEST(ThreadPool, NoThreadsMeansTheCaller) {
  ThreadPool pool(0);
  EXPECT_EQ(pool.threads(), 1U);
  EXPECT_EQ(visits(pool, 10, 3), std::vector<int>(10, 1));
}

TEST(ThreadPool, UsesOnlyTheCallerWhereItIsAlone) {
  ThreadPool pool(1);
  const std::thread::id self = std::this_thread::get_id();
  int calls = 0;
  pool.for_chunks(100, 1, [&](std::size_t, std::size_t) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    ++calls;
  });
  EXPECT_EQ(calls, 100);
}

// Each body waits for the other, so both end only if two threads work.
TEST(ThreadPool, WorksAtTheSameTime) {
  ThreadPool pool(2);
  std::atomic<int> arrived{0};
  pool.for_chunks(2, 1, [&](std::size_t, std::size_t) {
    ++arrived;
    EXPECT_TRUE(svm::test::comes_true([&] { return arrived == 2; })) << "no second thread";
  });
  EXPECT_EQ(arrived, 2);
}

TEST(ThreadPool, ManyTinyLoops) {
  ThreadPool pool(3);
  std::vector<double> values(64);
  for (int round = 0; round < 20000; ++round) {
    pool.for_chunks(values.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) values[i] += static_cast<double>(i);
    });
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], 20000.0 * static_cast<double>(i));
  }
}

// Loops of changing shape, with pauses in which the workers fall asleep.
TEST(ThreadPool, WakesSleepingWorkers) {
  ThreadPool pool(4);
  for (std::size_t round = 0; round < 200; ++round) {
    if (round % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(visits(pool, round, 1 + round % 3), std::vector<int>(round, 1));
  }
}

TEST(ThreadPool, MoreThreadsThanChunks) {
  ThreadPool pool(8);
  for (int round = 0; round < 200; ++round) EXPECT_EQ(visits(pool, 2, 1), std::vector<int>(2, 1));
}

TEST(ThreadPool, RethrowsAndGoesOn) {
  for (const unsigned threads : {1U, 4U}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 50; ++round) {
      try {
        pool.for_chunks(100, 1, [](std::size_t begin, std::size_t) {
          if (begin == 42) throw std::runtime_error("chunk 42");
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(std::string(error.what()), "chunk 42");
      }
      EXPECT_EQ(visits(pool, 50, 7), std::vector<int>(50, 1));
    }
  }
}

TEST(ThreadPool, EveryBodyMayThrow) {
  ThreadPool pool(4);
  EXPECT_THROW(pool.for_chunks(100, 1, [](std::size_t, std::size_t) { throw std::bad_alloc(); }),
               std::bad_alloc);
}

TEST(ThreadPool, NestedLoopsRunOnTheirThread) {
  ThreadPool pool(3);
  std::vector<std::vector<int>> seen(20);
  pool.for_chunks(seen.size(), 1, [&](std::size_t task, std::size_t) {
    const std::thread::id self = std::this_thread::get_id();
    seen[task].assign(100, 0);
    pool.for_chunks(100, 9, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      for (std::size_t i = begin; i < end; ++i) ++seen[task][i];
    });
  });
  for (const std::vector<int>& counts : seen) EXPECT_EQ(counts, std::vector<int>(100, 1));
}

TEST(ThreadPool, SeveralCallersShareIt) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  callers.reserve(4);
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        ASSERT_EQ(visits(pool, 40, 4), std::vector<int>(40, 1));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(ThreadCount, IsThatOfTheVariableOrOfTheProcessors) {
  const svm::test::Setting none("SVM_NUM_THREADS", nullptr);
  const svm::test::Setting unlimited("OMP_NUM_THREADS", nullptr);
  const unsigned processors = svm::default_threads();
  EXPECT_GE(processors, 1U);
  EXPECT_EQ(svm::threads_variable(), nullptr);
  const auto with = [](const char* value) {
    ::setenv("SVM_NUM_THREADS", value, 1);
    return svm::default_threads();
  };
  EXPECT_EQ(with(""), processors);
  EXPECT_EQ(with("1"), 1U);
  EXPECT_EQ(with("1024"), 1024U);
  for (const char* value : {"0", "1025", "-1", "2x", " 2", "99999999999999999999"}) {
    EXPECT_EQ(with(value), 0U) << value;
    EXPECT_STREQ(svm::threads_variable(), value);
  }
}

TEST(ThreadCount, IsLimitedByOpenMpsVariable) {
  const svm::test::Setting none("SVM_NUM_THREADS", nullptr);
  const svm::test::Setting unlimited("OMP_NUM_THREADS", nullptr);
  const unsigned processors = svm::default_threads();
  const auto with = [](const char* value) {
    ::setenv("OMP_NUM_THREADS", value, 1);
    return svm::default_threads();
  };
  for (const char* value : {"1", " 1 ", "1,2", "\t1 , 2"}) EXPECT_EQ(with(value), 1U) << value;
  for (const char* value :
       {"", "2000", "0", "-1", "1x", "1;2", "x", ",1", " ", "1 1", "99999999999999999999"}) {
    EXPECT_EQ(with(value), processors) << value;
  }
  const svm::test::Setting own("SVM_NUM_THREADS", "3");
  EXPECT_EQ(with("1"), 3U);
}

// --- work that is done once, whichever thread comes first ---

TEST(RunOnce, LetsTheNextCallerTryAgain) {
  svm::OnceFlag flag;
  int calls = 0;
  const auto work = [&calls] {
    if (++calls < 3) throw std::runtime_error("not yet");
  };
  EXPECT_THROW(svm::run_once(flag, work), std::runtime_error);
  EXPECT_THROW(svm::run_once(flag, work), std::runtime_error);
  svm::run_once(flag, work);
  svm::run_once(flag, work);
  EXPECT_EQ(calls, 3);
}

TEST(RunOnce, EndsBeforeAnyThreadGoesOn) {
  svm::OnceFlag flag;
  int value = 0;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      svm::run_once(flag, [&value] {
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
