// Progress calls and limits: of a solver by its monitor, and of other work.
#include "solvers/run/monitor.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/matrix/kernel_matrix.h"
#include "tests/fake_engine.h"
#include "tests/text.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Printed;

constexpr long long kNever = 1LL << 40;
constexpr std::chrono::milliseconds kLongerThanPolls{25};

// A run that stores the progress it is shown, and is cancelled at one of the calls.
struct Watched {
  explicit Watched(std::size_t cancel_at = 0) : run(printed.messages()) {
    run.services.progress = [this, cancel_at](const svm_progress& look) {
      looks.push_back(look);
      return looks.size() != cancel_at;
    };
  }
  Printed printed;
  svm::Run run;
  std::vector<svm_progress> looks;
};

// Iterates until the monitor ends that, and returns the number of iterations.
long long iterate(Monitor& monitor) {
  while (monitor.go_on(-1, 2, 3)) monitor.count_iteration();
  return monitor.iterations();
}

TEST(IterationCap, IsThatOfLibsvm) {
  EXPECT_EQ(iteration_cap(0), 10000000);
  EXPECT_EQ(iteration_cap(100000), 10000000);
  EXPECT_EQ(iteration_cap(100001), 10000100);
  EXPECT_EQ(iteration_cap(21474836), 2147483600);
  EXPECT_EQ(iteration_cap(21474837), 2147483647);
  EXPECT_EQ(iteration_cap(1000000000), 2147483647);
}

TEST(MonitorTest, EndsAtTheCap) {
  for (const long long cap : {1LL, 63LL, 64LL, 65LL, 1000LL}) {
    Watched watched;
    Monitor monitor(watched.run, 5, {cap});
    EXPECT_EQ(iterate(monitor), cap);
    EXPECT_TRUE(monitor.at_cap());
    EXPECT_TRUE(monitor.stopped());
    EXPECT_FALSE(monitor.interrupted());
    EXPECT_FALSE(monitor.go_on(0, 0, 0));  // and remains so
  }
}

TEST(MonitorTest, TheRunsLimitGoesBeforeTheCap) {
  for (const long long limit : {3LL, 500LL}) {
    Watched watched;
    watched.run.options.max_iter = limit;
    Monitor monitor(watched.run, 5, {100});
    EXPECT_EQ(iterate(monitor), limit);
  }
}

TEST(MonitorTest, LooksEverySoManyIterations) {
  Watched watched;
  Monitor monitor(watched.run, 7, {640, 64});
  iterate(monitor);
  ASSERT_EQ(watched.looks.size(), 10U);  // at 0, 64 ... 576; the cap ends the run before the next
  for (std::size_t k = 0; k < watched.looks.size(); ++k) {
    EXPECT_EQ(watched.looks[k].iterations, 64 * static_cast<long long>(k));
    EXPECT_EQ(watched.looks[k].objective, -1);
    EXPECT_EQ(watched.looks[k].violation, 2);
    EXPECT_EQ(watched.looks[k].active, 3U);
    EXPECT_EQ(watched.looks[k].variables, 7U);
    EXPECT_FALSE(watched.looks[k].finished);
  }
}

TEST(MonitorTest, LooksMoreOftenWhereIterationsTakeLong) {
  const auto looks = [](double seconds) {
    Watched watched;
    Monitor monitor(watched.run, 7, {64, 64, seconds});
    iterate(monitor);
    return watched.looks.size();
  };
  EXPECT_EQ(looks(0), 1U);
  EXPECT_EQ(looks(0.02 / 64), 1U);
  EXPECT_EQ(looks(0.02 / 16), 4U);
  EXPECT_EQ(looks(1), 64U);
}

TEST(MonitorTest, ATimeLimitEndsTheRun) {
  Watched watched;
  watched.run.options.time_limit = 1e-9;
  Monitor monitor(watched.run, 5, {kNever});
  EXPECT_EQ(iterate(monitor), 0);
  EXPECT_TRUE(monitor.interrupted());
  EXPECT_FALSE(monitor.poll());
  monitor.resume();  // does not clear an interruption
  EXPECT_FALSE(monitor.go_on(0, 0, 0));
  monitor.finish(-1, 2);
  EXPECT_TRUE(test::contains(Printed::warnings(), "time limit"));
  EXPECT_EQ(watched.run.record.status, SVM_TIME_LIMIT);
  EXPECT_TRUE(watched.run.interrupted());
}

TEST(MonitorTest, CancellingEndsThisRunAndTheNext) {
  Watched watched(2);
  Monitor monitor(watched.run, 5, {kNever});
  EXPECT_EQ(iterate(monitor), 64);
  EXPECT_EQ(watched.run.interruption(), SVM_CANCELLED);
  monitor.finish(-1, 2);
  EXPECT_EQ(watched.looks.size(), 3U);
  EXPECT_TRUE(watched.looks.back().finished);
  Monitor next(watched.run, 5, {kNever});
  EXPECT_EQ(iterate(next), 0);
  EXPECT_EQ(watched.looks.size(), 3U);
}

TEST(MonitorTest, PollLooksOncePerInterval) {
  Watched watched;
  Monitor monitor(watched.run, 5, {kNever});
  for (std::size_t k = 1; k <= 3; ++k) {
    std::this_thread::sleep_for(kLongerThanPolls);
    EXPECT_TRUE(monitor.poll());
    EXPECT_EQ(watched.looks.size(), k);
  }
  const auto start = svm::Clock::now();
  for (int k = 0; k < 1000; ++k) monitor.poll();
  const auto intervals = (Clock::now() - start) / svm::Run::kPollInterval;
  EXPECT_LE(watched.looks.size(), 3 + static_cast<std::size_t>(intervals) + 1);
}

TEST(MonitorTest, PollCancels) {
  Watched watched(1);
  Monitor monitor(watched.run, 5, {kNever});
  std::this_thread::sleep_for(kLongerThanPolls);
  EXPECT_FALSE(monitor.poll());
  EXPECT_FALSE(monitor.poll());
  EXPECT_FALSE(monitor.go_on(0, 0, 0));
  EXPECT_EQ(watched.looks.size(), 1U);
  EXPECT_TRUE(monitor.interrupted());
}

// Polled by the solver of the part, or by work around it.
TEST(MonitorTest, ShowsTheWholeProblemWhileAPartIsSolved) {
  Watched watched;
  Monitor monitor(watched.run, 5, {kNever});
  const auto look = [&](Monitor& of_whom) {
    std::this_thread::sleep_for(kLongerThanPolls);
    EXPECT_TRUE(of_whom.poll());
  };
  EXPECT_TRUE(monitor.go_on(-10, 2, 4));
  {
    Monitor part(Monitor::PartOf{monitor});
    look(part);
    EXPECT_TRUE(part.go_on(-12, 0.5, 1));
    part.count_iteration();
    look(part);
    part.messages().print("nothing");
  }
  look(monitor);
  const double objectives[] = {-10, -10, -12, -12, -12};
  const long long iterations[] = {0, 0, 0, 1, 1};
  ASSERT_EQ(watched.looks.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(watched.looks[k].objective, objectives[k]) << k;
    EXPECT_EQ(watched.looks[k].iterations, iterations[k]) << k;
    EXPECT_EQ(watched.looks[k].violation, 2) << k;
    EXPECT_EQ(watched.looks[k].active, 4U) << k;
  }
  EXPECT_EQ(Printed::text(), "");
}

// A part that gave up or met a cap of its own does not stop the whole; one that met the whole's or
// was interrupted does.
TEST(MonitorTest, APartEndsTheWholeOnlyFromOutside) {
  Watched watched;
  Monitor monitor(watched.run, 5, {100});
  {
    Monitor part(Monitor::PartOf{monitor});
    part.stop(SVM_STALLED);
  }
  EXPECT_FALSE(monitor.stopped());
  {
    Monitor part(Monitor::PartOf{monitor, 40});
    EXPECT_EQ(iterate(part), 40);
    EXPECT_TRUE(part.at_cap());
  }
  EXPECT_FALSE(monitor.stopped());
  monitor.count_iteration();
  {
    Monitor part(Monitor::PartOf{monitor, 60});
    EXPECT_EQ(iterate(part), 59);
    EXPECT_TRUE(part.at_cap());
  }
  EXPECT_TRUE(monitor.at_cap());
  EXPECT_EQ(monitor.iterations(), 100);
  Watched cancelled(1);
  Monitor other(cancelled.run, 5, {100});
  { EXPECT_EQ(iterate(*std::make_unique<Monitor>(Monitor::PartOf{other})), 0); }
  EXPECT_TRUE(other.interrupted());
}

TEST(MonitorTest, ASolverGoesOnWhereAnotherGaveUp) {
  Watched watched;
  Monitor monitor(watched.run, 5, {200});
  ASSERT_TRUE(monitor.go_on(0, 0, 0));
  monitor.stop(SVM_STALLED);
  EXPECT_TRUE(monitor.stopped());
  EXPECT_FALSE(monitor.interrupted());
  EXPECT_FALSE(monitor.go_on(0, 0, 0));
  EXPECT_TRUE(monitor.poll());  // it was not interrupted
  monitor.resume();
  EXPECT_FALSE(monitor.stopped());
  EXPECT_EQ(iterate(monitor), 200);
  EXPECT_TRUE(monitor.at_cap());
}

TEST(MonitorTest, CountsTheRowsOfEveryKernel) {
  ThreadPool pool(1);
  const auto kernel = [&] {
    return std::make_unique<KernelMatrix>(
        std::make_unique<test::FakeEngine>([](std::size_t, std::size_t) { return 1.0; },
                                           [](std::size_t) { return 1.0; }),
        4, 1, 1 << 20, 0, pool);
  };
  Watched watched;
  Monitor monitor(watched.run, 4, {200});
  const auto first = kernel(), second = kernel();
  first->row(0);  // before it is observed
  monitor.observe(*first);
  first->row(1);
  first->row(2);
  monitor.observe(*second);  // instead of the first
  second->row(3);
  first->row(3);
  ASSERT_TRUE(monitor.go_on(0, 0, 4));
  EXPECT_EQ(watched.looks.back().kernel_rows, 3);
  monitor.finish(0, 0);
  EXPECT_EQ(watched.run.record.kernel_rows, 3);
}

// --- work outside of solvers ---

TEST(RunPollTest, ShowsThatThereIsNoProblem) {
  Watched watched;
  std::this_thread::sleep_for(kLongerThanPolls);
  EXPECT_TRUE(watched.run.poll());
  ASSERT_EQ(watched.looks.size(), 1U);
  EXPECT_EQ(watched.looks[0].problem, 0);
  EXPECT_FALSE(watched.looks[0].finished);
  std::this_thread::sleep_for(kLongerThanPolls);
  EXPECT_TRUE(watched.run.poll());
  EXPECT_EQ(watched.looks.size(), 2U);
  EXPECT_GT(watched.looks[1].seconds, watched.looks[0].seconds);
}

TEST(RunPollTest, CancellingStopsTheRun) {
  Watched watched(1);
  std::this_thread::sleep_for(kLongerThanPolls);
  EXPECT_FALSE(watched.run.poll());
  EXPECT_FALSE(watched.run.poll());
  EXPECT_EQ(watched.looks.size(), 1U);
  EXPECT_TRUE(watched.run.interrupted());
  EXPECT_EQ(watched.run.record.status, SVM_CANCELLED);
  Monitor monitor(watched.run, 5, {kNever});
  EXPECT_EQ(iterate(monitor), 0);
}

TEST(RunPollTest, ATimeLimitStopsTheRun) {
  svm::Run run{Messages(nullptr)};
  run.options.time_limit = 1e-9;
  std::this_thread::sleep_for(kLongerThanPolls);
  EXPECT_FALSE(run.poll());
  EXPECT_TRUE(run.interrupted());
  EXPECT_EQ(run.record.status, SVM_TIME_LIMIT);
}

}  // namespace
}  // namespace svm
