// Tasks of a training behave as if they ran one after the other.
#include "training/tasks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/waiting.h"
#include "training/random.h"

namespace svm {
namespace {

constexpr std::size_t kTasks = 7;

// Records the messages of tasks; `counter` draws 0, 1, 2 ...
struct Caller {
  explicit Caller(unsigned threads)
      : run(Messages([this](const char* part) { add(part); },
                     [this](const char* part) { add(std::string("!") + part); })) {
    run.services.pool = std::make_shared<ThreadPool>(threads);
    run.services.draw = [this](std::uint32_t) { return counter++; };
  }
  void add(const std::string& part) {
    EXPECT_EQ(std::this_thread::get_id(), thread);
    text += part;
  }
  const std::thread::id thread = std::this_thread::get_id();
  std::string text;
  int counter = 0;
  Run run;
};

// Tasks of uneven length, so that they do not end in order.
void take_a_while(std::size_t task) {
  std::this_thread::sleep_for(std::chrono::microseconds(task % 3 == 0 ? 2000 : 100));
}

TEST(Tasks, MessagesComeInTheOrderOfTheTasks) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Caller caller(threads);
    run_tasks(caller.run, kTasks, no_shuffles, [](std::size_t task, svm::Run& run) {
      run.services.messages.print("(" + std::to_string(task));
      take_a_while(task);
      run_tasks(run, 2, no_shuffles, [](std::size_t inner, svm::Run& inner_run) {
        take_a_while(inner);
        inner_run.services.messages.print(inner == 0 ? "a" : "b");
        inner_run.services.messages.warn(inner == 0 ? "A" : "B");
        return true;
      });
      run.services.messages.print(")");
      return true;
    });
    EXPECT_EQ(caller.text, "(0a!Ab!B)(1a!Ab!B)(2a!Ab!B)(3a!Ab!B)(4a!Ab!B)(5a!Ab!B)(6a!Ab!B)");
  }
}

// What short tasks say, draw and record is the same if they are handed out together, up to one that
// fails.
TEST(Tasks, SomeAreHandedOutTogether) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Caller caller(threads);
    std::vector<int> drawn(kTasks, -1);
    long long last_problem = 0;
    caller.run.services.progress = [&](const svm_progress& look) {
      last_problem = look.problem;
      return true;
    };
    const auto body = [&](std::size_t task, svm::Run& run) {
      EXPECT_EQ(run.services.parts, kTasks);
      drawn[task] = draw(run, 1);
      run_tasks(run, 2, no_shuffles, [&](std::size_t inner, svm::Run& inner_run) {
        EXPECT_EQ(inner_run.services.parts, 2 * kTasks);
        inner_run.services.messages.print(std::to_string(task));
        if (task % 2 == inner) inner_run.services.messages.warn("-");
        if (task == 5 && inner == 1) throw std::runtime_error("fifth");
        return true;
      });
      svm_progress look = first_progress();
      look.problem = run.record.problems + 1;
      if (task == 4) run.services.progress(look);
      ++run.record.problems;
      return true;
    };
    EXPECT_THROW(
        run_tasks(
            caller.run, kTasks, [](std::size_t) { return std::vector<std::size_t>{1}; }, body, 3),
        std::runtime_error);
    EXPECT_EQ(caller.text, "0!-011!-2!-233!-4!-455!-");
    for (int task = 0; task < 6; ++task) EXPECT_EQ(drawn[static_cast<std::size_t>(task)], task);
    EXPECT_GE(caller.run.record.problems, 5);  // a task behind the failure may have run
    EXPECT_GE(last_problem, 2);
    if (threads == 1) {
      EXPECT_EQ(last_problem, 5);
    }
  }
}

// Tests draws of tasks and of tasks within them.
TEST(Tasks, DrawsAreThoseOfOneAfterTheOther) {
  const std::vector<std::vector<int>> expected = {
      {}, {0, 1}, {2, 3, 4, 5}, {}, {6, 7}, {8, 9, 10, 11}, {}};
  for (const unsigned threads : {1U, 2U, 5U}) {
    Caller caller(threads);
    std::vector<std::vector<int>> drawn(kTasks);
    const auto half = [](std::size_t task) { return task % 3; };
    run_tasks(
        caller.run, kTasks,
        [&](std::size_t task) {
          std::vector<std::size_t> sizes(half(task) + 1, 1);  // one for each task within it
          sizes[0] = half(task);
          return sizes;
        },
        [&](std::size_t task, svm::Run& run) {
          take_a_while(task);
          for (std::size_t n = half(task); n > 0; --n) drawn[task].push_back(draw(run, n));
          std::vector<int> inner(half(task));
          run_tasks(
              run, half(task), [](std::size_t) { return std::vector<std::size_t>{1}; },
              [&](std::size_t inner_task, svm::Run& inner_run) {
                take_a_while(inner_task);
                inner[inner_task] = draw(inner_run, 1);
                return true;
              });
          drawn[task].insert(drawn[task].end(), inner.begin(), inner.end());
          return true;
        });
    EXPECT_EQ(drawn, expected);
    EXPECT_EQ(caller.counter, 12);
  }
}

TEST(Tasks, OtherDrawsThanAnnouncedAreAnError) {
  Caller caller(2);
  EXPECT_THROW(run_tasks(
                   caller.run, 2, [](std::size_t) { return std::vector<std::size_t>{3}; },
                   [](std::size_t, svm::Run& run) { return draw(run, 2) == 0; }),
               std::logic_error);
}

TEST(Tasks, ReportsAddUpInOrder) {
  double first = 0;
  for (const unsigned threads : {1U, 2U, 5U}) {
    Caller caller(threads);
    run_tasks(caller.run, kTasks, no_shuffles, [](std::size_t task, svm::Run& run) {
      take_a_while(task);
      Record report;
      report.problems = 1;
      report.objective = 0.1 * static_cast<double>(task) + 1e10 / static_cast<double>(task + 1);
      if (task == 2) report.status = SVM_STALLED;
      if (task == 4) report.status = SVM_ITERATION_LIMIT;
      run.record.add(report);
      return true;
    });
    EXPECT_EQ(caller.run.record.problems, static_cast<long long>(kTasks));
    EXPECT_EQ(caller.run.record.status, SVM_ITERATION_LIMIT);
    if (threads == 1) first = caller.run.record.objective;
    EXPECT_EQ(caller.run.record.objective, first);
  }
}

TEST(Tasks, TheFirstExceptionInOrderWins) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Caller caller(threads);
    try {
      run_tasks(caller.run, kTasks, no_shuffles, [](std::size_t task, svm::Run& run) {
        run.services.messages.print(std::to_string(task));
        take_a_while(task);
        if (task >= 3) throw std::runtime_error("task " + std::to_string(task));
        return true;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "task 3");
    }
    EXPECT_EQ(caller.text, "0123");
  }
}

void print_for_ever(const svm::Run& run) {
  test::comes_true([&] {
    run.services.messages.print("on and on");
    take_a_while(1);
    return false;
  });
  ADD_FAILURE() << "nobody extremes this task";
}

// A task that is no longer wanted ends at its next message.
TEST(Tasks, AnExceptionEndsTheTasksThatFollow) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Caller caller(threads);
    EXPECT_THROW(run_tasks(caller.run, kTasks, no_shuffles,
                           [](std::size_t task, svm::Run& run) {
                             if (task == 0) throw std::runtime_error("task 0");
                             print_for_ever(run);
                             return true;
                           }),
                 std::runtime_error);
  }
}

TEST(Tasks, AnExceptionOfThePrintFunctionEndsAllTasks) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    int messages = 0;
    svm::Run run(Messages([&](const char*) {
      if (++messages == 5) throw std::runtime_error("print");
    }));
    run.services.pool = std::make_shared<ThreadPool>(threads);
    const auto endless = [](std::size_t, svm::Run& task_run) {
      run_tasks(task_run, kTasks, no_shuffles, [](std::size_t, svm::Run& inner) {
        print_for_ever(inner);
        return true;
      });
      return true;
    };
    EXPECT_THROW(run_tasks(run, kTasks, no_shuffles, endless), std::runtime_error);
    EXPECT_EQ(messages, 5);
  }
}

TEST(Tasks, NothingIsHeardOfTasksAfterAStop) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Caller caller(threads);
    run_tasks(caller.run, kTasks, no_shuffles, [](std::size_t task, svm::Run& run) {
      run.services.messages.print(std::to_string(task));
      take_a_while(task);
      return task != 2;
    });
    EXPECT_EQ(caller.text, "012");
  }
}

TEST(Tasks, AStopReachesTheTasksThatFollow) {
  for (const unsigned threads : {1U, 4U}) {
    Caller caller(threads);
    run_tasks(caller.run, 2, no_shuffles, [](std::size_t, svm::Run& run) {
      run.interrupt(SVM_CANCELLED);
      return true;
    });
    EXPECT_TRUE(caller.run.interrupted());
    bool stopped = false;
    run_tasks(caller.run, 1, no_shuffles, [&](std::size_t, svm::Run& run) {
      stopped = run.interrupted();
      return true;
    });
    EXPECT_TRUE(stopped);
  }
}

TEST(Tasks, MemoryIsSharedByWhatMayRunAtOnce) {
  Caller caller(4);
  std::atomic<int> tasks{0};
  run_tasks(caller.run, 2, no_shuffles, [&](std::size_t, svm::Run& run) {
    EXPECT_EQ(run.services.concurrency, 2U);
    run_tasks(run, 7, no_shuffles, [&](std::size_t, svm::Run& inner) {
      EXPECT_EQ(inner.services.concurrency, 4U);
      ++tasks;
      return true;
    });
    return true;
  });
  EXPECT_EQ(tasks, 14);
  EXPECT_EQ(caller.run.services.concurrency, 1U);
}

// A call may have half a million tasks, so finished ones must free their memory.
TEST(Tasks, OneThatIsOverKeepsNothing) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Caller caller(threads);
    std::vector<std::weak_ptr<int>> kept(kTasks);
    std::atomic<std::size_t> over{0};
    run_tasks(caller.run, kTasks, no_shuffles, [&](std::size_t task, svm::Run& run) {
      const auto state = std::make_shared<int>(0);
      kept[task] = state;
      run.services.progress = [state](const svm_progress&) { return true; };
      if (task + 1 < kTasks) {
        ++over;
        return true;
      }
      EXPECT_TRUE(test::comes_true([&] { return over + 1 == kTasks; }));
      EXPECT_TRUE(test::comes_true([&] {
        return std::all_of(kept.begin(), kept.end() - 1,
                           [](const auto& of) { return of.expired(); });
      })) << threads;
      return true;
    });
  }
}

TEST(Tasks, ProgressIsShownByOneThreadAtATime) {
  Caller caller(4);
  bool inside = false;  // not atomic: a second thread would be a data race
  long long looks = 0, last_total = 0;
  caller.run.services.progress = [&](const svm_progress& look) {
    EXPECT_FALSE(inside);
    inside = true;
    EXPECT_GE(look.total_iterations, last_total);
    last_total = look.total_iterations;
    ++looks;
    inside = false;
    return true;
  };
  run_tasks(caller.run, kTasks, no_shuffles, [](std::size_t, svm::Run& run) {
    svm_progress look = first_progress();
    for (look.iterations = 0; look.iterations < 100; look.iterations += 10) {
      look.total_iterations = look.iterations;
      run.services.progress(look);
    }
    return true;
  });
  EXPECT_EQ(looks, 70);
  EXPECT_EQ(last_total, 90 * 7);
}

}  // namespace
}  // namespace svm
