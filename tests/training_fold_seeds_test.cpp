// Starts that are moved from one fold to another.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/shared_rows.h"
#include "kernels/kernel_function.h"
#include "solvers/registry.h"
#include "solvers/solve_dual.h"
#include "tests/training_data.h"
#include "tests/waiting.h"
#include "threads/task_queue.h"
#include "training/fold_seeds.h"
#include "training/subset.h"
#include "training/tasks.h"

namespace svm {
namespace {

using test::Draws;

constexpr double kBoundPositive = 2, kBoundNegative = 3;

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}
double sum_of_sizes(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::fabs(value);
  return sum;
}

// Rows of a data set, a seed on some of them, and the problem on others that it is moved to.
struct Move {
  Move(int type, test::Data some, int kernel_type = RBF)
      : svm_type(type), param(test::parameters(type, kernel_type)), data(std::move(some)) {}

  // All rows but these.
  std::vector<std::size_t> all_but(std::size_t begin, std::size_t end) const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (i < begin || i >= end) rows.push_back(i);
    }
    return rows;
  }

  // Some coefficients are 0, some at their bound, and of two sides that have the same sum.
  void make_seed(const std::vector<std::size_t>& rows, bool all_bounded = false) {
    Draws draws(8);
    std::vector<double>& b = seed.start.coefficients;
    for (const std::size_t i : rows) {
      seed.rows.emplace_back(data.row(i));
      seed.labels.push_back(data.label(i));
      const bool is_positive =
          svm_type == ONE_CLASS || (is_classification(svm_type) ? data.label(i) > 0 : i % 2 == 0);
      const double part = all_bounded ? 1 : std::min(1.0, std::max(0.0, draws.between(-0.5, 1.3)));
      b.push_back(is_positive ? part * kBoundPositive : -part * upper_negative());
    }
    if (svm_type != ONE_CLASS && !all_bounded) {
      const double sizes = sum_of_sizes(b), sum = sum_of(b);
      for (double& each : b) {
        if (each * sum > 0) each *= (sizes - std::fabs(sum)) / (sizes + std::fabs(sum));
      }
    }
    seed.start.bound_positive = kBoundPositive;
    seed.start.bound_negative = upper_negative();
    for (const std::size_t i : rows) {
      seed.start.kernel_sums.push_back(sum_at(data.row(i), seed.rows, b));
    }
  }
  double upper_negative() const {
    return is_classification(svm_type) ? kBoundNegative : kBoundPositive;
  }

  double sum_at(const DataRow& row, const std::vector<DataRow>& rows,
                const std::vector<double>& b) const {
    const KernelFunction kernel(param);
    double sum = 0;
    for (std::size_t s = 0; s < rows.size(); ++s) sum += b[s] * kernel.of_rows(rows[s], row);
    return sum;
  }

  std::optional<StartPoint> to(const std::vector<std::size_t>& numbers, Run& run) {
    for (const std::size_t i : numbers) target.add(data.row(i), data.label(i));
    const std::vector<const svm_node*> rows = data.rows();
    SharedRows shared(
        make_engine(run.options, KernelFunction(param), rows.data(), rows.size(), nullptr),
        rows.data(), rows.size(), std::size_t{1} << 20U);
    return move_to_fold(seed, target.problem(), svm_type, shared, run);
  }
  // What must hold of any start.
  StartPoint checked(const std::vector<std::size_t>& numbers, const char* solver) {
    const test::Printed printed;
    Run& run = printed.run();
    run.options.solver = find_solver(solver);
    const std::optional<StartPoint> start = to(numbers, run);
    EXPECT_TRUE(start.has_value());
    if (!start) return {};
    check(*start);
    return *start;
  }
  void check(const StartPoint& start) {
    const Problem problem = target.problem();
    const std::vector<double>& b = start.coefficients;
    const double sizes = sum_of_sizes(b);
    ASSERT_EQ(b.size(), target.size());
    EXPECT_EQ(start.bound_positive, seed.start.bound_positive);
    EXPECT_EQ(start.bound_negative, seed.start.bound_negative);
    EXPECT_GT(sizes, 0.5 * sum_of_sizes(seed.start.coefficients));
    if (svm_type != ONE_CLASS) {
      EXPECT_LE(std::fabs(sum_of(b)), 1e-12 * sizes);
    }
    const std::vector<DataRow> rows = problem.x.copy(target.size());
    for (std::size_t t = 0; t < b.size(); ++t) {
      EXPECT_LE(b[t], kBoundPositive);
      EXPECT_GE(b[t], svm_type == ONE_CLASS ? 0 : -upper_negative());
      if (is_classification(svm_type)) {
        EXPECT_GE(b[t] * problem.y[t], 0) << t;
      }
      EXPECT_NEAR(start.kernel_sums[t], sum_at(rows[t], rows, b), 1e-6 * sizes) << t;
    }
  }

  int svm_type;
  svm_parameter param;
  test::Data data;
  FoldSeed seed;
  Subset target;
};

const int kTypes[] = {C_SVC, EPSILON_SVR, ONE_CLASS, NU_SVR};

// Labels that turn by turn are +1 and -1, so that any even stretch has as many of both.
test::Data in_turns(std::size_t rows, bool classes) {
  const test::Data plain = test::random_data(rows, 3, false, 9);
  test::Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    const svm_node* x = plain.row(i);
    const double side = i % 2 == 0 ? 1 : -1;
    data.add(classes ? side : plain.label(i), {x[0].value + side / 2, x[1].value, x[2].value});
  }
  return data;
}

TEST(MoveToFold, KeepsWhatTheFoldsHaveInCommon) {
  for (const int type : kTypes) {
    for (const char* solver : {"smo", "csmo"}) {
      Move move(type, in_turns(80, type == C_SVC));
      move.make_seed(move.all_but(0, 20));
      const std::vector<std::size_t> numbers = move.all_but(30, 50);
      const StartPoint start = move.checked(numbers, solver);
      const std::vector<double>& before = move.seed.start.coefficients;
      ASSERT_EQ(start.coefficients.size(), 60U);
      for (std::size_t t = 0; t < numbers.size(); ++t) {
        if (numbers[t] < 20) continue;  // arrived
        EXPECT_EQ(start.coefficients[t], before[numbers[t] - 20]) << type << ": " << t;
      }
      // The same coefficients on other rows.
      std::vector<double> a = before, b = start.coefficients;
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      EXPECT_EQ(a, b) << type;
      EXPECT_NEAR(sum_of(b), sum_of(before), 1e-12 * sum_of_sizes(before));
    }
  }
}

// The sums there are those over the rows of the seed.
TEST(MoveToFold, TheRowThatFallsShortestGetsTheLargest) {
  for (const int type : kTypes) {
    Move move(type, in_turns(80, type == C_SVC));
    move.make_seed(move.all_but(0, 30));
    const StartPoint start = move.checked(move.all_but(40, 70), "smo");
    const double labels_of_arrived[] = {1, -1};
    for (const double label : labels_of_arrived) {
      std::vector<std::pair<double, double>> by_need;
      for (std::size_t i = 0; i < 30; ++i) {
        if (type == C_SVC && move.data.label(i) != label) continue;
        const double sum =
            move.sum_at(move.data.row(i), move.seed.rows, move.seed.start.coefficients);
        by_need.emplace_back((is_regression(type) ? move.data.label(i) : 0) - sum,
                             start.coefficients[i]);
      }
      std::sort(by_need.begin(), by_need.end());
      EXPECT_LT(by_need.front().second, by_need.back().second);
      for (std::size_t k = 1; k < by_need.size(); ++k) {
        EXPECT_LE(by_need[k - 1].second, by_need[k].second) << type;
      }
    }
  }
}

// More rows, fewer rows, and of one label.
TEST(MoveToFold, FoldsMayDifferInSize) {
  for (const int type : kTypes) {
    for (const bool all_bounded : {false, true}) {
      for (const auto& [begin, end] :
           {std::pair<std::size_t, std::size_t>{30, 51}, {30, 49}, {31, 50}, {29, 50}, {30, 33}}) {
        Move move(type, in_turns(80, type == C_SVC));
        move.make_seed(move.all_but(0, 20), all_bounded && type != C_SVC);
        move.checked(move.all_but(begin, end), "csmo");
      }
    }
  }
}

// Bounds of both labels are such that all rows are bounded; a row less leaves whole ones only.
TEST(MoveToFold, WhereAllAreBoundedTheyStayAtABound) {
  for (const std::size_t end : {49U, 50U, 51U, 52U}) {
    for (const std::size_t begin : {29U, 30U}) {
      Move move(C_SVC, in_turns(80, true));
      move.make_seed(move.all_but(0, 20), true);
      FoldSeed& seed = move.seed;
      seed.start.bound_negative = kBoundPositive;
      for (std::size_t s = 0; s < seed.rows.size(); ++s) {
        seed.start.coefficients[s] = seed.labels[s] * kBoundPositive;
      }
      for (std::size_t s = 0; s < seed.rows.size(); ++s) {
        seed.start.kernel_sums[s] = move.sum_at(seed.rows[s], seed.rows, seed.start.coefficients);
      }
      const StartPoint start = move.checked(move.all_but(begin, end), "smo");
      for (const double b : start.coefficients) {
        EXPECT_TRUE(b == 0 || std::fabs(b) == kBoundPositive) << b << ", to " << end;
      }
    }
  }
}

// The same memory for rows of the same label, and of both.
TEST(MoveToFold, RowsMayBeThereTwice) {
  for (const int type : kTypes) {
    Move move(type, in_turns(40, type == C_SVC));
    move.make_seed(move.all_but(0, 10));
    FoldSeed& seed = move.seed;
    std::vector<std::size_t> numbers = move.all_but(10, 20);
    // Rows 20 to 27 once more, and with labels turned round; the problem has them in other places.
    const std::size_t size = seed.rows.size();
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t s = 10; s < 18; ++s) {
        seed.rows.push_back(seed.rows[s]);
        seed.labels.push_back(sign * seed.labels[s]);
        const bool turns = sign < 0 && type != ONE_CLASS;
        const double b = (turns ? -0.75 : 0.75) * seed.start.coefficients[s];
        seed.start.coefficients.push_back(std::min(b, kBoundPositive));
      }
    }
    ASSERT_EQ(seed.rows.size(), size + 16);
    std::vector<double>& b = seed.start.coefficients;
    if (type != ONE_CLASS) {
      const double sizes = sum_of_sizes(b), sum = sum_of(b);
      for (double& each : b) {
        if (each * sum > 0) each *= (sizes - std::fabs(sum)) / (sizes + std::fabs(sum));
      }
    }
    seed.start.kernel_sums.clear();
    for (const DataRow& row : seed.rows) {
      seed.start.kernel_sums.push_back(move.sum_at(row, seed.rows, b));
    }
    for (std::size_t i = 20; i < 28; ++i) {
      move.target.add(move.data.row(i), type == C_SVC ? -move.data.label(i) : move.data.label(i));
      move.target.add(move.data.row(i), move.data.label(i));
    }
    const StartPoint start = move.checked(numbers, "csmo");
    EXPECT_EQ(start.coefficients.size(), numbers.size() + 16) << type;
  }
}

// Where single precision does not reach, sums are in doubles, or there are none.
TEST(MoveToFold, ValuesBeyondFloats) {
  for (const char* solver : {"csmo", "smo"}) {
    test::Data data;
    Draws draws(3);
    for (int i = 0; i < 40; ++i) {
      data.add(i % 2 == 0 ? 1 : -1, {draws.between(1e14, 2e14), draws.between(1e14, 2e14)});
    }
    Move move(C_SVC, std::move(data), POLY);
    move.make_seed(move.all_but(0, 10));
    const test::Printed printed;
    auto& run = printed.run();
    run.options.solver = find_solver(solver);
    const std::optional<StartPoint> start = move.to(move.all_but(10, 20), run);
    const bool in_doubles = solver == std::string("csmo");
    EXPECT_TRUE(start || !in_doubles);
    if (!start) continue;
    std::vector<DataRow> rows;
    for (const std::size_t i : move.all_but(10, 20)) rows.emplace_back(move.data.row(i));
    const double scale = sum_of_sizes(start->coefficients) * 1e87;
    for (std::size_t t = 0; t < rows.size(); ++t) {
      EXPECT_NEAR(start->kernel_sums[t], move.sum_at(rows[t], rows, start->coefficients),
                  1e-12 * scale);
    }
  }
}

TEST(MoveToFold, ASeedThatIsNoNumberHasNone) {
  for (const bool in_sums : {false, true}) {
    Move move(EPSILON_SVR, in_turns(40, false));
    move.make_seed(move.all_but(0, 10));
    const double none = std::numeric_limits<double>::quiet_NaN();
    (in_sums ? move.seed.start.kernel_sums : move.seed.start.coefficients)[3] = none;
    const test::Printed printed;
    EXPECT_FALSE(move.to(move.all_but(10, 20), printed.run()));
  }
}

TEST(MoveToFold, AStoppedRunHasNone) {
  for (const std::size_t rows : {40U, 9000U}) {  // found by sums, and by the making of the engine
    Move move(C_SVC, in_turns(rows, true));
    const std::vector<std::size_t> few = {0, 1, 2, 3};
    move.make_seed(few);
    const test::Printed printed;
    auto& run = printed.run();
    run.interrupt(Status::kCancelled);
    EXPECT_FALSE(move.to(move.all_but(0, 2), run));
  }
}

TEST(FoldSeedsTest, AreFoundByTheirLabels) {
  FoldSeeds seeds;
  const test::Printed printed;
  auto& run = printed.run();
  FoldSeed one, two;
  one.cost = 1;
  two.cost = 2;
  seeds.give({1, 2}, one);
  seeds.give({2, 3}, two);
  seeds.give({1, 2}, two);  // what is given first stays
  ASSERT_NE(seeds.wait({1, 2}, run), nullptr);
  EXPECT_EQ(seeds.wait({1, 2}, run)->cost, 1);
  EXPECT_EQ(seeds.wait({2, 3}, run)->cost, 2);
  seeds.close();
  seeds.give({1, 3}, one);
  EXPECT_EQ(seeds.wait({1, 3}, run), nullptr);
  EXPECT_EQ(seeds.wait({2, 1}, run), nullptr);
  EXPECT_EQ(seeds.wait({2, 3}, run)->cost, 2);
}

TEST(FoldSeedsTest, AStoppedRunWaitsForNothing) {
  FoldSeeds seeds;
  const test::Printed printed;
  auto& run = printed.run();
  run.services.progress = [](const Progress&) { return false; };
  EXPECT_EQ(seeds.wait({0, 0}, run), nullptr);
  EXPECT_TRUE(run.stopped());
}

TEST(FoldSeedsTest, AThreadWaitsForTheSeedOrTheEnd) {
  for (const bool is_given : {true, false}) {
    FoldSeeds seeds;
    const test::Printed printed;
    auto& run = printed.run();
    const FoldSeed* found = nullptr;
    std::thread waits([&] { found = seeds.wait({4, 5}, run); });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    if (is_given) {
      seeds.give({4, 5}, {});
    } else {
      seeds.close();
    }
    waits.join();
    EXPECT_EQ(found != nullptr, is_given);
  }
}

// The first fold's task may fail before it has anything to do with the seeds: in its own work, or
// because there is no memory for its run.
TEST(FoldSeedsTest, NobodyWaitsForATaskThatHasFailed) {
  constexpr double kSeconds = 20;  // then a wait ends by the time limit
  for (const bool has_run : {true, false}) {
    FoldSeeds seeds;
    const test::Printed printed;
    auto& run = printed.run();
    run.services.pool = std::make_shared<ThreadPool>(3U);
    run.options.time_limit = kSeconds;
    std::atomic<bool> waits{false};
    const auto draws = [&](std::size_t task) -> std::size_t {
      if (task == 0 && !has_run) throw std::bad_alloc();
      return 0;
    };
    EXPECT_THROW(run_tasks(run, 2, draws,
                           [&](std::size_t task, svm::Run& task_run) {
                             if (task == 0) {
                               EXPECT_TRUE(test::comes_true([&] { return waits.load(); }));
                               throw std::bad_alloc();
                             }
                             waits = true;
                             EXPECT_THROW(seeds.wait({0, 0}, task_run), TasksAbandoned);
                             return true;
                           }),
                 std::bad_alloc);
    EXPECT_FALSE(run.stopped());
  }
}

// As above, from a task within a fold's.
TEST(FoldSeedsTest, NobodyWaitsWithinATask) {
  FoldSeeds seeds;
  const test::Printed printed;
  auto& run = printed.run();
  run.services.pool = std::make_shared<ThreadPool>(3U);
  run.options.time_limit = 20;
  std::atomic<int> waiting{0};
  const auto no_draws = [](std::size_t) { return std::size_t{0}; };
  const auto fold = [&](std::size_t task, svm::Run& task_run) {
    if (task == 0) {
      EXPECT_TRUE(test::comes_true([&] { return waiting > 0; }));
      throw std::bad_alloc();
    }
    run_tasks(task_run, 2, no_draws, [&](std::size_t, svm::Run& inner) {
      ++waiting;
      seeds.wait({0, 0}, inner);
      ADD_FAILURE() << "nothing was thrown";
      return true;
    });
    return true;
  };
  EXPECT_THROW(run_tasks(run, 2, no_draws, fold), std::bad_alloc);
}

}  // namespace
}  // namespace svm
