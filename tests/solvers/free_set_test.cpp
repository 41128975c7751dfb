// Paths of Newton steps over the free variables, on small random problems.
#include "solvers/phases/free_set.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/solvers/dense.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Vector;

struct Problem {
  test::Dense matrix;  // K
  FreeSetFactor factor{Precision::kSingle};
  std::vector<FreeSetVariable> variables;
  int groups = 1;

  std::size_t size() const { return variables.size(); }

  // K d
  Vector product(const Vector& d) const {
    Vector result(size());
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) result[i] += matrix[i][j] * d[j];
    }
    return result;
  }

  // 1/2 d'Kd + f'd, with f the gradient of a free variable.
  double objective(const Vector& d) const {
    const Vector kd = product(d);
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i) sum += d[i] * (0.5 * kd[i] + variables[i].gradient);
    return sum;
  }
};

enum class Bounds { kFar, kNear };

Problem random_problem(std::size_t size, int groups, Bounds bounds, std::uint64_t seed) {
  test::Draws draws(seed);
  Problem problem;
  problem.groups = groups;
  std::vector<Vector> root(size);
  for (Vector& row : root) {
    for (std::size_t k = 0; k < size; ++k) row.push_back(draws.between(-1, 1));
  }
  problem.matrix.assign(size, Vector(size));
  std::vector<float> lower;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? 1 : 0;
      for (std::size_t k = 0; k < size; ++k) sum += 0.5 * root[i][k] * root[j][k];
      const float value = static_cast<float>(sum);
      problem.matrix[i][j] = problem.matrix[j][i] = value;
      lower.push_back(value);
    }
  }
  problem.factor.visit([&](auto& factor) {
    const bool done = factor.factor({lower.begin(), lower.end()}, size);
    EXPECT_TRUE(done);
  });
  for (std::size_t k = 0; k < size; ++k) {
    FreeSetVariable variable;
    variable.group = groups == 2 ? static_cast<int>(k % 2) : 0;
    variable.gradient = draws.between(-1, 1);
    const double range = bounds == Bounds::kNear ? 0.2 : 1e6;
    variable.lowest = -draws.between(0.01, 1) * range;
    variable.highest = draws.between(0.01, 1) * range;
    problem.variables.push_back(variable);
  }
  return problem;
}

struct Case {
  std::size_t size;
  int groups;
  Bounds bounds;
  std::uint64_t seed;
};

std::vector<Case> cases(Bounds bounds) {
  std::vector<Case> all;
  for (std::size_t size = 4; size <= 12; ++size) {
    for (int groups = 1; groups <= 2; ++groups) {
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        all.push_back({size, groups, bounds, 1000 * size + seed});
      }
    }
  }
  return all;
}

Problem make(const Case& c) { return random_problem(c.size, c.groups, c.bounds, c.seed); }

// Properties of every path.
void check_path(const Problem& problem, const FreeSetPath& path) {
  ASSERT_EQ(path.change.size(), problem.size());
  double sum[2] = {0, 0}, largest = 0;
  for (std::size_t k = 0; k < problem.size(); ++k) {
    const FreeSetVariable& variable = problem.variables[k];
    const double slack = 1e-13 * (variable.highest - variable.lowest);
    ASSERT_GE(path.change[k], variable.lowest - slack) << k;
    ASSERT_LE(path.change[k], variable.highest + slack) << k;
    sum[variable.group] += path.change[k];
    largest = std::max(largest, std::fabs(path.change[k]));
  }
  EXPECT_NEAR(sum[0], 0, 1e-14 * static_cast<double>(problem.size()) * largest);
  EXPECT_NEAR(sum[1], 0, 1e-14 * static_cast<double>(problem.size()) * largest);
  EXPECT_GT(path.gain, 0);
  EXPECT_NEAR(path.gain, -problem.objective(path.change), 1e-6);
}

// Checks that gradients of variables off their bounds agree within each group.
void check_stationary(const Problem& problem, const Vector& change) {
  const Vector product = problem.product(change);
  double lowest[2], highest[2];
  std::fill_n(lowest, 2, std::numeric_limits<double>::infinity());
  std::fill_n(highest, 2, -std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < problem.size(); ++k) {
    const FreeSetVariable& variable = problem.variables[k];
    if (change[k] == variable.lowest || change[k] == variable.highest) continue;
    const double gradient = variable.gradient + product[k];
    lowest[variable.group] = std::min(lowest[variable.group], gradient);
    highest[variable.group] = std::max(highest[variable.group], gradient);
  }
  for (int g = 0; g < problem.groups; ++g) EXPECT_LE(highest[g] - lowest[g], 5e-6);
}

// Solves the system of the variables and one multiplier per group directly.
Vector direct_solution(const Problem& problem) {
  const std::size_t m = problem.size(), size = m + static_cast<std::size_t>(problem.groups);
  test::Dense a(size, Vector(size));
  Vector right(size);
  for (std::size_t r = 0; r < m; ++r) {
    std::copy(problem.matrix[r].begin(), problem.matrix[r].end(), a[r].begin());
    const std::size_t multiplier = m + static_cast<std::size_t>(problem.variables[r].group);
    a[r][multiplier] = a[multiplier][r] = 1;
    right[r] = -problem.variables[r].gradient;
  }
  const Vector x = test::direct_solve(a, right, size);
  return {x.begin(), x.begin() + static_cast<std::ptrdiff_t>(m)};
}

TEST(FreeSetTest, WithoutBoundsOneStepSolvesTheProblem) {
  for (const Case& c : cases(Bounds::kFar)) {
    const Problem problem = make(c);
    const FreeSetPath path = follow_free_set(problem.factor, problem.variables, 100);
    ASSERT_NO_FATAL_FAILURE(check_path(problem, path)) << c.size << " seed " << c.seed;
    EXPECT_TRUE(path.complete);
    EXPECT_EQ(path.rounds, 1U);
    const Vector expected = direct_solution(problem);
    for (std::size_t k = 0; k < c.size; ++k) EXPECT_NEAR(path.change[k], expected[k], 5e-6);
    EXPECT_NEAR(path.gain, -problem.objective(expected), 1e-6);
  }
}

TEST(FreeSetTest, BoundsAreMetAndKept) {
  std::size_t complete = 0, bounded = 0;
  for (const Case& c : cases(Bounds::kNear)) {
    const Problem problem = make(c);
    const FreeSetPath path = follow_free_set(problem.factor, problem.variables, 100);
    ASSERT_NO_FATAL_FAILURE(check_path(problem, path)) << c.size << " seed " << c.seed;
    EXPECT_LE(path.rounds, c.size + 1);  // each round but the last fixes one more variable
    if (path.rounds > 1) ++bounded;
    if (!path.complete) continue;
    ++complete;
    check_stationary(problem, path.change);
  }
  EXPECT_GT(complete, 100U);
  EXPECT_GT(bounded, 100U);
}

TEST(FreeSetTest, StopsAfterTheGivenRounds) {
  std::size_t stopped = 0;
  for (const Case& c : cases(Bounds::kNear)) {
    const Problem problem = make(c);
    double last_gain = 0;
    const std::size_t all = follow_free_set(problem.factor, problem.variables, 100).rounds;
    for (std::size_t limit = 1; limit <= all; ++limit) {
      const FreeSetPath path = follow_free_set(problem.factor, problem.variables, limit);
      EXPECT_EQ(path.rounds, limit);
      if (limit < all) {
        EXPECT_FALSE(path.complete);
        ++stopped;
      }
      ASSERT_NO_FATAL_FAILURE(check_path(problem, path)) << c.size << " seed " << c.seed;
      EXPECT_GE(path.gain, last_gain - 1e-9);
      last_gain = path.gain;
    }
  }
  EXPECT_GT(stopped, 100U);
}

// A factor in doubles gives twelve digits, one in floats six.
Problem in_doubles(const Case& c) {
  Problem problem = make(c);
  problem.factor = FreeSetFactor(Precision::kDouble);
  std::vector<double> lower;
  for (std::size_t i = 0; i < c.size; ++i) {
    lower.insert(lower.end(), problem.matrix[i].begin(),
                 problem.matrix[i].begin() + static_cast<std::ptrdiff_t>(i + 1));
  }
  problem.factor.visit([&](auto& factor) {
    const bool done = factor.factor({lower.begin(), lower.end()}, c.size);
    EXPECT_TRUE(done);
  });
  return problem;
}

TEST(FreeSetTest, AFactorInDoublesGivesDoubles) {
  for (const Case& c : cases(Bounds::kFar)) {
    const Problem problem = in_doubles(c);
    EXPECT_TRUE(problem.factor.in_doubles());
    const FreeSetPath path = follow_free_set(problem.factor, problem.variables, 100);
    ASSERT_NO_FATAL_FAILURE(check_path(problem, path)) << c.size << " seed " << c.seed;
    EXPECT_TRUE(path.complete);
    const Vector expected = direct_solution(problem);
    for (std::size_t k = 0; k < c.size; ++k) EXPECT_NEAR(path.change[k], expected[k], 1e-11);
  }
  EXPECT_LT(FreeSetFactor(Precision::kDouble).rounding(),
            FreeSetFactor(Precision::kSingle).rounding());
}

TEST(FreeSetTest, RowsAreAppendedInDoubles) {
  const Case c = {12, 1, Bounds::kFar, 77};
  const Problem whole = in_doubles(c);
  FreeSetFactor grown(Precision::kDouble);
  const auto append = [&grown](const Vector& row) {
    return grown.visit([&row](auto& factor) { return factor.append(row); });
  };
  for (std::size_t i = 0; i < c.size; ++i) {
    const Vector& row = whole.matrix[i];
    ASSERT_TRUE(append({row.begin(), row.begin() + static_cast<std::ptrdiff_t>(i + 1)}));
  }
  Vector one(c.size, 1.0), other(c.size, 1.0);
  whole.factor.solve(one);
  grown.solve(other);
  for (std::size_t k = 0; k < c.size; ++k) EXPECT_NEAR(one[k], other[k], 1e-12);
  // The pivot of a repeated row is the ridge.
  Vector again = whole.matrix[3];
  again.push_back(whole.matrix[3][3]);
  EXPECT_FALSE(append(again));
  again.back() *= 1 + 1e-10;
  EXPECT_TRUE(append(again));
}

TEST(FreeSetTest, EndsWithoutAStepWhereItIsTold) {
  for (const Case& c : cases(Bounds::kNear)) {
    const Problem problem = in_doubles(c);
    int questions = 0;
    const auto go_on = [&](int stop) {
      questions = 0;
      return follow_free_set(problem.factor, problem.variables, 100,
                             [&, stop] { return ++questions != stop; });
    };
    const FreeSetPath path = go_on(0);
    EXPECT_FALSE(path.change.empty());
    const int all = questions;
    EXPECT_GE(static_cast<std::size_t>(all), path.rounds);
    for (int stop = 1; stop <= all; ++stop) {
      EXPECT_TRUE(go_on(stop).change.empty());
      EXPECT_EQ(questions, stop);
    }
  }
}

TEST(FreeSetTest, AnOptimalPointStaysWhereItIs) {
  Problem problem = random_problem(8, 2, Bounds::kNear, 3);
  for (FreeSetVariable& variable : problem.variables) {
    variable.gradient = variable.group == 0 ? 2 : -3;
  }
  const FreeSetPath path = follow_free_set(problem.factor, problem.variables, 10);
  ASSERT_EQ(path.change.size(), problem.size());
  for (const double change : path.change) EXPECT_NEAR(change, 0, 1e-5);
  EXPECT_TRUE(path.complete);
}

}  // namespace
}  // namespace svm
