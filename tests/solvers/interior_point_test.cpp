// Compares the interior point method with optima found by hand and by enumeration.
#include "solvers/precise/interior_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;

constexpr double kEpsilon = 1e-6;

bool always() { return true; }

// A problem that owns its data.
struct Problem {
  Data data;
  LinearBoxProblem box{nullptr, 0, {}, {0}};
  std::vector<const svm_node*> rows;

  Problem() = default;
  explicit Problem(std::size_t points) {  // points on a line
    for (std::size_t t = 0; t < points; ++t) {
      const bool positive = t % 2 == 0;
      add({std::sin(static_cast<double>(t))}, positive ? -1 : 1, positive ? 0 : -1,
          positive ? 1 : 0);
    }
    prepare();
  }

  void add(const std::vector<double>& x, double linear, double lower, double upper, int group = 0) {
    box.variables.push_back({data.size(), group, linear, lower, upper});
    data.add(0, x);
  }
  InteriorPointSolution solve(unsigned threads = 1) {
    ThreadPool pool(threads);
    prepare();
    return solve_by_interior_point(box, kEpsilon, pool, always, always);
  }
  void prepare() {
    rows = data.rows();
    box.rows = rows.data();
    box.row_count = rows.size();
  }

  // f_t = x_t'w + linear_t
  std::vector<long double> gradient(const std::vector<double>& b) const {
    std::vector<long double> w, f;
    for (std::size_t t = 0; t < b.size(); ++t) {
      for (const svm_node* x = data.row(t); x->index != -1; ++x) {
        w.resize(std::max(w.size(), static_cast<std::size_t>(x->index)));
        w[static_cast<std::size_t>(x->index) - 1] += static_cast<long double>(x->value) * b[t];
      }
    }
    for (std::size_t t = 0; t < b.size(); ++t) {
      f.push_back(box.variables[t].linear);
      for (const svm_node* x = data.row(t); x->index != -1; ++x) {
        f.back() += w[static_cast<std::size_t>(x->index) - 1] * x->value;
      }
    }
    return f;
  }
  long double objective(const std::vector<double>& b) const {
    const std::vector<long double> f = gradient(b);
    long double sum = 0;
    for (std::size_t t = 0; t < b.size(); ++t) sum += b[t] * (f[t] + box.variables[t].linear) / 2;
    return sum;
  }
  // The largest violation by a pair of a group that can move.
  long double violation(const std::vector<double>& b, int group) const {
    const std::vector<long double> f = gradient(b);
    long double lowest = std::numeric_limits<long double>::infinity(), highest = -lowest;
    for (std::size_t t = 0; t < b.size(); ++t) {
      const LinearBoxProblem::Variable& v = box.variables[t];
      if (v.group != group) continue;
      if (b[t] < v.upper) lowest = std::min(lowest, f[t]);
      if (b[t] > v.lower) highest = std::max(highest, f[t]);
    }
    return highest - lowest;
  }
};

void expect_optimal(const Problem& problem, const InteriorPointSolution& solution,
                    double most = 4 * kEpsilon) {
  ASSERT_EQ(solution.b.size(), problem.box.variables.size());
  std::vector<double> sums(problem.box.sums.size());
  for (std::size_t t = 0; t < solution.b.size(); ++t) {
    const LinearBoxProblem::Variable& v = problem.box.variables[t];
    EXPECT_GE(solution.b[t], v.lower);
    EXPECT_LE(solution.b[t], v.upper);
    sums[static_cast<std::size_t>(v.group)] += solution.b[t];
  }
  for (std::size_t g = 0; g < sums.size(); ++g) {
    EXPECT_NEAR(sums[g], problem.box.sums[g], 1e-7 * (1 + std::fabs(problem.box.sums[g])));
    EXPECT_LT(problem.violation(solution.b, static_cast<int>(g)), most);
  }
  const double objective = static_cast<double>(problem.objective(solution.b));
  EXPECT_NEAR(solution.objective, objective, 1e-7 * (1 + std::fabs(objective)));
}

// The C-SVC of -1 and +1 on a line: both alphas are 1/2.
TEST(InteriorPointTest, TwoPoints) {
  Problem problem;
  problem.add({1}, -1, 0, 10);
  problem.add({-1}, 1, -10, 0);
  const InteriorPointSolution solution = problem.solve();
  ASSERT_EQ(solution.b.size(), 2U);
  EXPECT_NEAR(solution.b[0], 0.5, 1e-6);
  EXPECT_NEAR(solution.b[1], -0.5, 1e-6);
  EXPECT_NEAR(solution.objective, -0.5, 1e-9);
  expect_optimal(problem, solution);
}

// The outer points are no support vectors, and a small C bounds the inner ones.
TEST(InteriorPointTest, PutsVariablesOnTheirBounds) {
  Problem problem;
  for (const double x : {1.0, 5.0}) problem.add({x}, -1, 0, 0.125);
  for (const double x : {-1.0, -7.0}) problem.add({x}, 1, -0.125, 0);
  const InteriorPointSolution solution = problem.solve();
  ASSERT_EQ(solution.b.size(), 4U);
  EXPECT_EQ(solution.b[0], 0.125);
  EXPECT_EQ(solution.b[2], -0.125);
  // With w = 1/4, f of the outer points is 1/4 and -3/4: between those of the inner ones, or equal.
  EXPECT_EQ(solution.b[1], 0);
  EXPECT_EQ(solution.b[3], 0);
  expect_optimal(problem, solution);
}

// Two groups with different sums, which are not 0.
TEST(InteriorPointTest, KeepsTheSumsOfTheGroups) {
  Problem problem;
  problem.box.sums = {1.5, -1.5};
  for (const double x : {1.0, 3.0, 2.0}) problem.add({x, 0.5}, 0, 0, 1, 0);
  for (const double x : {-1.0, -3.0, 0.5}) problem.add({x, -0.5}, 0, -1, 0, 1);
  const InteriorPointSolution solution = problem.solve();
  expect_optimal(problem, solution);
  EXPECT_EQ(solution.b[0], 1);  // the nearest of all
  EXPECT_EQ(solution.b[1], 0);
}

// Various numbers of rows and of threads, and scales of features that differ by 1e6.
TEST(InteriorPointTest, SolvesRandomProblems) {
  Draws draws(9);
  for (const std::size_t size : {3U, 10U, 60U, 5000U}) {
    for (const bool two_groups : {false, true}) {
      Problem problem;
      if (two_groups) problem.box.sums = {0, 0};
      for (std::size_t t = 0; t < size; ++t) {
        const bool positive = t % 2 == 0;
        const double x = draws.between(-1, 1);
        const int group = two_groups && t % 4 >= 2 ? 1 : 0;
        problem.add({x * 1e3, draws.between(-1, 1) * 1e-3, draws.between(-1, 1)}, positive ? -1 : 1,
                    positive ? 0 : -2, positive ? 2 : 0, group);
      }
      const InteriorPointSolution solution = problem.solve(size > 1000 ? 3 : 1);
      // Rounding errors of b are amplified in the gradient by the size of the features.
      ASSERT_NO_FATAL_FAILURE(expect_optimal(problem, solution, 1e-3)) << size;
    }
  }
}

TEST(InteriorPointTest, HasNoAnswerToNonsense) {
  Problem infinite;
  infinite.add({1e200}, -1, 0, 10);
  infinite.add({-1e200}, 1, -10, 0);
  EXPECT_TRUE(infinite.solve().b.empty());

  Problem nan;
  nan.add({1}, std::numeric_limits<double>::quiet_NaN(), 0, 10);
  nan.add({-1}, 1, -10, 0);
  EXPECT_TRUE(nan.solve().b.empty());

  Problem out_of_reach;  // the box does not reach the sum
  out_of_reach.box.sums = {100};
  out_of_reach.add({1}, -1, 0, 10);
  out_of_reach.add({2}, -1, 0, 10);
  EXPECT_TRUE(out_of_reach.solve().b.empty());

  Problem wide;  // too many features for a step
  wide.add(std::vector<double>(300, 1.0), -1, 0, 10);
  wide.add(std::vector<double>(300, -1.0), 1, -10, 0);
  EXPECT_TRUE(wide.solve().b.empty());
}

TEST(InteriorPointTest, StopsWhereItIsTold) {
  ThreadPool pool(1);
  const Problem problem(100);
  int steps = 0, questions = 0;
  const auto three_steps = [&] { return ++steps <= 3; };
  EXPECT_TRUE(solve_by_interior_point(problem.box, kEpsilon, pool, three_steps, always).b.empty());
  EXPECT_EQ(steps, 4);
  const auto five_questions = [&] { return ++questions <= 5; };
  EXPECT_TRUE(
      solve_by_interior_point(problem.box, kEpsilon, pool, always, five_questions).b.empty());
  EXPECT_EQ(questions, 6);
}

// Every step calls go_on at least once for each chunk of the variables.
TEST(InteriorPointTest, AsksDuringSteps) {
  ThreadPool pool(1);
  const Problem problem(10000);
  int steps = 0, questions = 0;
  const auto step = [&] { return ++steps > 0; };
  const auto question = [&] { return ++questions > 0; };
  ASSERT_FALSE(solve_by_interior_point(problem.box, kEpsilon, pool, step, question).b.empty());
  EXPECT_GT(steps, 3);
  EXPECT_GT(questions, 40 * steps);
}

}  // namespace
}  // namespace svm
