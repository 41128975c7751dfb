// Compares the step of conjugate SMO with its equations, on dense matrices, and its direction.
#include "solvers/smo/conjugate_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/solvers/dense.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Dense;
using test::Vector;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t t = 0; t < a.size(); ++t) sum += a[t] * b[t];
  return sum;
}

Vector product(const Dense& matrix, const Vector& vector) {
  Vector result;
  for (const Vector& row : matrix) result.push_back(dot(row, vector));
  return result;
}

Vector dense(const ConjugateDirection& d, std::size_t size) {
  Vector result(size);
  for (const ConjugateDirection::Member& member : d.members()) {
    result[member.variable] = member.weight;
  }
  return result;
}

// The dual problem in the signed variables b: 1/2 b'Qb + c'b.
struct Problem {
  Dense matrix;
  Vector linear;
  std::vector<signed char> labels;
  Vector alpha;
  UpperBounds upper = {100, 100};

  std::size_t size() const { return alpha.size(); }
  DualState state() const { return {linear, labels, alpha, upper}; }
  Vector signed_variables() const {
    Vector b;
    for (std::size_t t = 0; t < size(); ++t) b.push_back(labels[t] * alpha[t]);
    return b;
  }
  Vector gradient() const {
    Vector f = product(matrix, signed_variables());
    for (std::size_t t = 0; t < size(); ++t) f[t] += linear[t];
    return f;
  }
  double objective() const {
    const Vector b = signed_variables();
    return 0.5 * dot(b, product(matrix, b)) + dot(linear, b);
  }
  bool is_feasible() const {
    for (std::size_t t = 0; t < size(); ++t) {
      if (alpha[t] < 0 || alpha[t] > upper.of(t, labels[t])) return false;
    }
    return true;
  }
  PairSlope slope(const Pair& pair) const {
    const auto [i, j] = pair;
    const Vector f = gradient();
    return {f[j] - f[i], matrix[i][i] + matrix[j][j] - 2 * matrix[i][j]};
  }
  void go(const ConjugateDirection& d, double length) {
    for (const ConjugateDirection::Member& member : d.members()) {
      alpha[member.variable] += labels[member.variable] * length * member.weight;
    }
  }
  // The first step after a reset, not clipped: d = v, and the gradient is orthogonal to it.
  ConjugateDirection first_step(const Pair& pair) {
    ConjugateDirection d(size());
    d.turn(0, pair.i, pair.j);
    const PairSlope plain = slope(pair);
    go(d, plain.violation / plain.curvature);
    return d;
  }
  ConjugateStep step(const ConjugateDirection& d, const Pair& pair) const {
    const Vector q = product(matrix, dense(d, size()));
    return conjugate_step(d, pair, slope(pair), {dot(dense(d, size()), q), q[pair.i], q[pair.j]},
                          state());
  }
  // The pair of greatest violation without the box.
  Pair steepest() const {
    const Vector f = gradient();
    return {static_cast<std::size_t>(std::min_element(f.begin(), f.end()) - f.begin()),
            static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin())};
  }
};

// A box that some steps meet.
Problem random_problem(std::size_t size, std::uint64_t seed) {
  test::Draws draws(seed);
  Problem problem;
  Dense root(size);
  for (Vector& row : root) {
    for (std::size_t k = 0; k < size; ++k) row.push_back(draws.between(-1, 1));
  }
  problem.matrix.assign(size, Vector(size));
  for (std::size_t s = 0; s < size; ++s) {
    for (std::size_t t = 0; t < size; ++t) problem.matrix[s][t] = dot(root[s], root[t]);
    problem.labels.push_back(draws.between(0, 1) < 0.5 ? 1 : -1);
    problem.alpha.push_back(draws.between(1, 3));
  }
  problem.upper = {4, 4};
  problem.linear = product(problem.matrix, problem.signed_variables());
  for (double& c : problem.linear) c = draws.between(-2, 2) - c;  // the gradient is that draw
  return problem;
}

// Q = diag(1, 2, 3, 4), all variables at 10 and f = (-6, 6, 0, 0).  SMO's step for (0, 1) has
// length 12 / 3 = 4 and leaves f = (-2, -2, 0, 0).
Problem by_hand() {
  Problem problem;
  problem.matrix = {{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 4}};
  problem.linear = {-16, -14, -30, -40};
  problem.labels = {1, 1, 1, 1};
  problem.alpha = {10, 10, 10, 10};
  return problem;
}

TEST(ConjugateStepTest, NumbersByHand) {
  Problem problem = by_hand();
  ASSERT_EQ(problem.gradient(), (Vector{-6, 6, 0, 0}));
  const ConjugateDirection d = problem.first_step({0, 1});
  ASSERT_EQ(problem.gradient(), (Vector{-2, -2, 0, 0}));
  ASSERT_EQ(problem.alpha, (Vector{14, 6, 10, 10}));
  // q = (1, -2, 0, 0) and delta = 3; for (0, 2) v'q = 1, so gamma = -1/3, d = (2/3, 1/3, -1, 0).
  const ConjugateStep step = problem.step(d, {0, 2});
  EXPECT_DOUBLE_EQ(step.gamma, -1.0 / 3);
  EXPECT_DOUBLE_EQ(step.delta, 4 - 1.0 / 3);  // v'Qv = 1 + 3, less (v'q)^2 / delta
  ASSERT_TRUE(step.is_usable);
  const Vector direction = dense(step.d, 4);
  EXPECT_DOUBLE_EQ(direction[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(direction[1], 1.0 / 3);
  EXPECT_DOUBLE_EQ(direction[2], -1);
  EXPECT_EQ(direction[3], 0);
  EXPECT_DOUBLE_EQ(step.lambda_star, 6.0 / 11);  // violation 2 / (delta 11/3)
  EXPECT_DOUBLE_EQ(step.lambda_max, 10);         // variable 2 falls from 10 to 0
  EXPECT_EQ(step.limiting.variable, 2U);
  EXPECT_EQ(step.limiting.weight, -1);
  EXPECT_FALSE(step.clipped);
  EXPECT_EQ(step.lambda, step.lambda_star);
  EXPECT_DOUBLE_EQ(step.gain, 6.0 / 11);  // violation^2 / (2 delta), eq. (23)
}

TEST(ConjugateStepTest, ClipsByHand) {
  Problem problem = by_hand();
  const ConjugateDirection d = problem.first_step({0, 1});
  problem.upper.positive = 14.25;  // 1/4 above variable 0, which moves by 2/3 of the length
  const ConjugateStep up = problem.step(d, {0, 2});
  EXPECT_TRUE(up.clipped);
  EXPECT_DOUBLE_EQ(up.lambda_max, 0.375);
  EXPECT_EQ(up.lambda, up.lambda_max);
  EXPECT_EQ(up.limiting.variable, 0U);
  EXPECT_DOUBLE_EQ(up.gain, 0.375 * (2 - 0.5 * 0.375 * 11 / 3));
  // A variable with label -1 falls if its signed variable rises.
  problem.upper.positive = 100;
  problem.labels[1] = -1;
  problem.alpha[1] = 0.125;
  const ConjugateStep down = conjugate_step(d, {0, 2}, {2, 4}, {3, 1, 0}, problem.state());
  EXPECT_TRUE(down.clipped);
  EXPECT_DOUBLE_EQ(down.lambda_max, 0.375);  // 0.125 at a third of the length
  EXPECT_EQ(down.limiting.variable, 1U);
}

TEST(ConjugateStepTest, APlainStepForgetsTheDirection) {
  Problem problem = by_hand();
  const ConjugateDirection d = problem.first_step({0, 1});
  const Pair pair = {0, 2};
  const PairSlope slope = problem.slope(pair);
  const ConjugateStep step = plain_step(d, pair, slope, problem.state());
  EXPECT_FALSE(step.is_conjugate);
  EXPECT_TRUE(step.is_usable);
  EXPECT_EQ(dense(step.d, 4), (Vector{1, 0, -1, 0}));
  EXPECT_EQ(step.delta, slope.curvature);
  EXPECT_EQ(step.lambda, slope.violation / slope.curvature);
  EXPECT_EQ(step.gain, plain_gain(pair, slope, problem.state()));
  problem.upper.positive = 14.25;  // 1/4 above variable 0
  const ConjugateStep clipped = plain_step(d, pair, slope, problem.state());
  EXPECT_TRUE(clipped.clipped);
  EXPECT_EQ(clipped.lambda, 0.25);
  EXPECT_EQ(clipped.gain, plain_gain(pair, slope, problem.state()));
}

TEST(ConjugateStepTest, AMemberAtItsBoundLeavesNoWay) {
  Problem problem = by_hand();
  const ConjugateDirection d = problem.first_step({0, 1});
  problem.upper.positive = problem.alpha[0];
  const ConjugateStep step = problem.step(d, {0, 2});
  EXPECT_TRUE(step.clipped);
  EXPECT_EQ(step.lambda, 0);
  EXPECT_EQ(step.gain, 0);
}

// The pair's direction is the last one, so that no part of it is conjugate to that.
TEST(ConjugateStepTest, ADirectionThatVanishesIsNotUsable) {
  const Problem problem = by_hand();
  ConjugateDirection d(4);
  d.turn(0, 0, 1);
  const ConjugateStep step = problem.step(d, {0, 1});
  EXPECT_FALSE(step.is_usable);
}

// Rows 0 and 3 are equal: e_3 - e_0 has no curvature, and the objective falls along it up to the
// box, while pairs with row 1 would zigzag.
TEST(ConjugateStepTest, ADirectionWithoutCurvatureGoesToTheBox) {
  Problem problem = by_hand();
  problem.matrix = {{1, 0, 0, 1}, {0, 2, 0, 0}, {0, 0, 3, 0}, {1, 0, 0, 1}};
  problem.upper = {100, 100};
  ConjugateDirection d(4);
  d.turn(0, 1, 0);  // e_1 - e_0
  const ConjugateStep step = problem.step(d, {3, 1});
  const Vector direction = dense(step.d, 4);
  EXPECT_DOUBLE_EQ(direction[3], 1);
  EXPECT_DOUBLE_EQ(direction[0], -1);
  EXPECT_NEAR(direction[1], 0, 1e-15);
  ASSERT_TRUE(step.is_usable);
  EXPECT_TRUE(step.clipped);
  EXPECT_DOUBLE_EQ(step.lambda, 10);  // variable 0 falls from 10 to 0
  EXPECT_EQ(step.limiting.variable, 0U);
  EXPECT_NEAR(step.gain, 10 * problem.slope({3, 1}).violation, 1e-6);
}

// Several steps in sequence.
TEST(ConjugateStepTest, StepsKeepTheEquations) {
  constexpr std::size_t kSize = 12;
  std::size_t steps = 0, clips = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Problem problem = random_problem(kSize, seed);
    ConjugateDirection d = problem.first_step(problem.steepest());
    if (!problem.is_feasible()) continue;
    for (int k = 0; k < 8; ++k) {
      const Pair pair = problem.steepest();
      const Vector d_old = dense(d, kSize), q_old = product(problem.matrix, d_old);
      ASSERT_NEAR(dot(problem.gradient(), d_old), 0, 1e-9);  // first orthogonality, eq. (19)
      const PairSlope slope = problem.slope(pair);
      const ConjugateStep step = problem.step(d, pair);
      if (!step.is_usable) break;

      Vector v(kSize);
      v[pair.i] = 1;
      v[pair.j] = -1;
      const Vector d_new = dense(step.d, kSize);
      const Vector q_new = product(problem.matrix, d_new);
      for (std::size_t t = 0; t < kSize; ++t) {
        ASSERT_NEAR(d_new[t], v[t] + step.gamma * d_old[t], 1e-12);  // eq. (17)
      }
      const double scale = std::sqrt(dot(d_old, q_old) * dot(d_new, q_new));
      ASSERT_NEAR(dot(d_new, q_old), 0, 1e-9 * scale);  // second orthogonality: eq. (22)
      ASSERT_NEAR(step.delta, dot(d_new, q_new), 1e-9 * slope.curvature);
      ASSERT_LE(step.delta, slope.curvature);

      // lambda* minimises the objective along d.
      ASSERT_NEAR(step.lambda_star, -dot(problem.gradient(), d_new) / dot(d_new, q_new),
                  1e-8 * step.lambda_star);

      // At lambda_max all variables are in the box, and the limiting one is at its bound.
      Problem moved = problem;
      moved.go(step.d, step.lambda_max);
      for (std::size_t t = 0; t < kSize; ++t) {
        ASSERT_GE(moved.alpha[t], -1e-9);
        ASSERT_LE(moved.alpha[t], moved.state().upper_bound(t) + 1e-9);
      }
      const std::size_t limit = step.limiting.variable;
      const double upper = problem.state().upper_bound(limit);
      ASSERT_NEAR(std::min(moved.alpha[limit], upper - moved.alpha[limit]), 0, 1e-9);

      ASSERT_EQ(step.lambda, std::min(step.lambda_star, step.lambda_max));
      ASSERT_EQ(step.clipped, step.lambda_max < step.lambda_star);
      const double before = problem.objective();
      problem.go(step.d, step.lambda);
      ASSERT_NEAR(before - problem.objective(), step.gain, 1e-9 * (1 + std::fabs(before)));
      ++steps;
      if (step.clipped) {
        ++clips;
        break;
      }
      d = step.d;
    }
  }
  EXPECT_GT(steps, 100U);
  EXPECT_GT(clips, 5U);
  EXPECT_LT(clips, steps / 2);
}

// --- the sparse direction, compared with a dense vector ---

// Expects that members are distinct variables, and that the rest of the dense vector is zero.
void expect_equal(const ConjugateDirection& direction, const std::vector<double>& dense) {
  std::vector<double> found(dense.size(), 0.0);
  std::set<std::size_t> seen;
  for (const ConjugateDirection::Member& member : direction.members()) {
    ASSERT_LT(member.variable, dense.size());
    ASSERT_TRUE(seen.insert(member.variable).second) << "twice: " << member.variable;
    found[member.variable] = member.weight;
  }
  ASSERT_EQ(found, dense);
  ASSERT_EQ(direction.empty(), direction.members().empty());
}

TEST(ConjugateDirectionTest, StartsEmpty) {
  const ConjugateDirection direction(3);
  EXPECT_TRUE(direction.empty());
  EXPECT_TRUE(direction.members().empty());
}

TEST(ConjugateDirectionTest, AdvancesScalesAndAdds) {
  ConjugateDirection direction(4);
  direction.turn(7, 2, 0);
  expect_equal(direction, {-1, 0, 1, 0});
  direction.turn(-0.5, 2, 3);
  expect_equal(direction, {0.5, 0, 0.5, -1});
  direction.reset();
  expect_equal(direction, {0, 0, 0, 0});
  direction.turn(3, 3, 1);
  expect_equal(direction, {0, -1, 0, 1});
}

TEST(ConjugateDirectionTest, FollowsVariablesThatChangePlaces) {
  ConjugateDirection direction(4);
  direction.turn(1, 0, 1);
  direction.swap_variables(0, 1);  // both members
  expect_equal(direction, {-1, 1, 0, 0});
  direction.swap_variables(1, 3);  // one of them
  expect_equal(direction, {-1, 0, 0, 1});
  direction.swap_variables(1, 2);  // none
  expect_equal(direction, {-1, 0, 0, 1});
  direction.swap_variables(3, 3);
  expect_equal(direction, {-1, 0, 0, 1});
  direction.turn(2, 1, 3);
  expect_equal(direction, {-2, 1, 0, 1});
}

TEST(ConjugateDirectionTest, RandomOperationsMatchADenseVector) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::Draws draws(seed);
    const std::size_t size = 2 + draws.below(12);
    ConjugateDirection direction(size);
    std::vector<double> dense(size, 0.0);
    for (int operation = 0; operation < 400; ++operation) {
      const std::size_t i = draws.below(size), j = (i + 1 + draws.below(size - 1)) % size;
      switch (draws.below(12)) {
        case 0:
          direction.reset();
          dense.assign(size, 0.0);
          break;
        case 1:
        case 2:
        case 3:
          direction.swap_variables(i, j);
          std::swap(dense[i], dense[j]);
          break;
        default:
          const double factor = draws.between(-1.5, 1.5);
          direction.turn(factor, i, j);
          for (double& weight : dense) weight *= factor;
          dense[i] += 1;
          dense[j] -= 1;
      }
      expect_equal(direction, dense);
      if (HasFatalFailure()) return;
    }
  }
}

// Members must not accumulate if the old direction hardly counts.
TEST(ConjugateDirection, ForgetsMembersOfNoWeight) {
  constexpr std::size_t kSize = 400;
  ConjugateDirection direction(kSize);
  double total = 0;
  for (std::size_t t = 0; t < kSize; t += 2) {
    direction.turn(0.1, t, t + 1);
    ASSERT_LE(direction.members().size(), 40U);
  }
  EXPECT_GE(direction.members().size(), 30U);  // those of the last 15 steps weigh 1e-14 and more
  for (const ConjugateDirection::Member& member : direction.members()) {
    total += member.weight;
    const std::size_t age = (kSize - 1 - member.variable) / 2;
    EXPECT_NEAR(std::fabs(member.weight), std::pow(0.1, age), 1e-15);
  }
  EXPECT_NEAR(total, 0, 1e-15);
  direction.swap_variables(kSize - 1, 0);  // slots must be up to date
  direction.turn(1, 0, 1);
  for (const ConjugateDirection::Member& member : direction.members()) {
    EXPECT_NE(member.variable, kSize - 1);
    if (member.variable == 0) {
      EXPECT_NEAR(member.weight, 0, 1e-15);
    }
  }
}

}  // namespace
}  // namespace svm
