// Compares Cholesky factors with a direct solve.
#include "solvers/math/cholesky.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/loops.h"
#include "base/threads/pool.h"
#include "tests/instruction_sets.h"
#include "tests/solvers/dense.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Dense;
using test::direct_solve;
using test::Vector;

Vector random_vector(std::size_t size, test::Draws& draws) {
  Vector x;
  for (std::size_t i = 0; i < size; ++i) x.push_back(draws.between(-1, 1));
  return x;
}

// A positive definite matrix whose condition leaves float factors most of their digits.  The values
// are multiples of 1/4096, so they are exact in float.
Dense random_matrix(std::size_t size, test::Draws& draws) {
  Dense factor;
  for (std::size_t i = 0; i < size; ++i) factor.push_back(random_vector(size, draws));
  Dense matrix(size, Vector(size));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < size; ++k) sum += factor[i][k] * factor[j][k];
      const double value = std::round(4096 * sum / static_cast<double>(size)) / 4096;
      matrix[i][j] = matrix[j][i] = value + (i == j ? 0.5 : 0);
    }
  }
  return matrix;
}

template <typename Element>
std::vector<Element> lower_rows(const Dense& matrix, std::size_t size) {
  std::vector<Element> lower;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) lower.push_back(static_cast<Element>(matrix[i][j]));
  }
  return lower;
}

Vector appended_row(const Dense& matrix, std::size_t i) {
  return Vector(matrix[i].begin(), matrix[i].begin() + static_cast<std::ptrdiff_t>(i) + 1);
}

template <typename Element>
class CholeskyTest : public testing::Test {
 protected:
  static constexpr double kTolerance = sizeof(Element) == sizeof(float) ? 2e-5 : 1e-12;

  static void expect_solves(const CholeskyFactor<Element>& factor, const Dense& matrix,
                            test::Draws& draws) {
    const std::size_t size = factor.size();
    for (const std::size_t first : {std::size_t{0}, size / 3, size - 1}) {
      Vector right = random_vector(size, draws);
      std::fill_n(right.begin(), first, 0.0);
      const Vector expected = direct_solve(matrix, right, size);
      Vector x = right;
      factor.solve(x, first);
      ASSERT_EQ(x.size(), size);
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_NEAR(x[i], expected[i], kTolerance) << "element " << i << " of " << size;
      }
    }
  }
};

using Elements = testing::Types<float, double>;
TYPED_TEST_SUITE(CholeskyTest, Elements, );

constexpr std::size_t kSizes[] = {1, 2, 3, 63, 64, 65, 128, 130};  // panels have 64 columns

TYPED_TEST(CholeskyTest, FactorsAndSolves) {
  test::Draws draws(1);
  for (const std::size_t size : kSizes) {
    const Dense matrix = random_matrix(size, draws);
    CholeskyFactor<TypeParam> factor;
    ASSERT_TRUE(factor.factor(lower_rows<TypeParam>(matrix, size), size));
    ASSERT_EQ(factor.size(), size);
    this->expect_solves(factor, matrix, draws);
  }
}

TYPED_TEST(CholeskyTest, GrowsFromNothing) {
  test::Draws draws(2);
  const std::size_t size = 67;
  const Dense matrix = random_matrix(size, draws);
  CholeskyFactor<TypeParam> factor;
  for (std::size_t i = 0; i < size; ++i) {
    ASSERT_TRUE(factor.append(appended_row(matrix, i)));
    ASSERT_EQ(factor.size(), i + 1);
    if (i < 3 || i + 1 == size) this->expect_solves(factor, matrix, draws);
  }
}

TYPED_TEST(CholeskyTest, GrowsFromAFactor) {
  test::Draws draws(3);
  for (const std::size_t size : kSizes) {
    const Dense matrix = random_matrix(size + 3, draws);
    CholeskyFactor<TypeParam> factor;
    ASSERT_TRUE(factor.factor(lower_rows<TypeParam>(matrix, size), size));
    for (std::size_t i = size; i < size + 3; ++i) {
      ASSERT_TRUE(factor.append(appended_row(matrix, i)));
    }
    this->expect_solves(factor, matrix, draws);
  }
}

TYPED_TEST(CholeskyTest, RefusesToFactorAnIndefiniteMatrix) {
  test::Draws draws(4);
  for (const std::size_t size : kSizes) {
    // A bad pivot in the first panel, on a panel's edge, and in the last row.
    for (const std::size_t bad : {std::size_t{0}, size / 2, size - 1}) {
      Dense matrix = random_matrix(size, draws);
      matrix[bad][bad] = -0.25;
      CholeskyFactor<TypeParam> factor;
      EXPECT_FALSE(factor.factor(lower_rows<TypeParam>(matrix, size), size));
      EXPECT_EQ(factor.size(), 0U);
      // The factor may be used again.
      matrix = random_matrix(size, draws);
      ASSERT_TRUE(factor.factor(lower_rows<TypeParam>(matrix, size), size));
      this->expect_solves(factor, matrix, draws);
    }
  }
}

TYPED_TEST(CholeskyTest, RefusesNaN) {
  CholeskyFactor<TypeParam> factor;
  EXPECT_FALSE(factor.factor({static_cast<TypeParam>(std::nan(""))}, 1));
  EXPECT_EQ(factor.size(), 0U);
  EXPECT_FALSE(factor.append({std::nan("")}));
  EXPECT_EQ(factor.size(), 0U);
}

TYPED_TEST(CholeskyTest, RefusesRowsThatMakeItIndefinite) {
  test::Draws draws(5);
  for (const std::size_t size : kSizes) {
    const Dense matrix = random_matrix(size + 1, draws);
    CholeskyFactor<TypeParam> factor;
    ASSERT_TRUE(factor.factor(lower_rows<TypeParam>(matrix, size), size));
    Vector negative = appended_row(matrix, size);
    negative.back() = -1;
    EXPECT_FALSE(factor.append(negative));
    // Two equal rows make the matrix singular; the margin is above rounding.
    Vector twice(matrix[size - 1].begin(),
                 matrix[size - 1].begin() + static_cast<std::ptrdiff_t>(size));
    twice.push_back(twice.back() - 1e-3);
    EXPECT_FALSE(factor.append(twice));
    ASSERT_EQ(factor.size(), size);
    this->expect_solves(factor, matrix, draws);
    ASSERT_TRUE(factor.append(appended_row(matrix, size)));
    this->expect_solves(factor, matrix, draws);
  }
}

TEST(CholeskyFactorTest, DoesNotDependOnThreads) {
  test::Draws draws(6);
  const std::size_t size = 600;  // large enough for threads
  // A dominant diagonal, since a random matrix of this size takes long to make.
  std::vector<float> lower;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) lower.push_back(static_cast<float>(draws.between(0, 1)));
    lower.push_back(static_cast<float>(size));
  }
  CholeskyFactor<float> alone, shared;
  ThreadPool pool(3);
  ASSERT_TRUE(alone.factor(lower, size));
  ASSERT_TRUE(shared.factor(lower, size, &pool));
  const Vector right = random_vector(size, draws);
  Vector x = right, y = right;
  alone.solve(x);
  shared.solve(y);
  EXPECT_EQ(x, y);
}

TEST(FactorLoopsTest, AllInstructionSetsGiveTheSameBits) {
  constexpr std::size_t kRows = 7, kLongest = 300, kSize = kPanelColumns * kPanelColumns;
  const Loops& plain = loops(InstructionSet::kPlain);
  test::Draws draws(7);
  const auto floats = [&](std::size_t count) {
    std::vector<float> values;
    for (std::size_t k = 0; k < count; ++k) {
      values.push_back(static_cast<float>(draws.between(-1, 1)));
    }
    return values;
  };
  const std::vector<float> panel = floats(kLongest * kPanelColumns), inverses = floats(kSize);
  std::vector<float> triangle = floats(kSize);
  for (std::size_t k = 0; k < kPanelColumns; ++k) {
    std::fill_n(triangle.data() + k * kPanelColumns, k + 1, 0.0F);
  }
  std::vector<std::vector<float>> values;
  std::vector<const float*> rows;
  values.reserve(kRows);
  rows.reserve(kRows);
  for (std::size_t r = 0; r < kRows; ++r) values.push_back(floats(kLongest));
  for (const std::vector<float>& row : values) rows.push_back(row.data());
  const Vector vector = random_vector(kLongest, draws), factors = random_vector(kRows, draws);
  const std::vector<float> block = floats(kRows * kPanelColumns);
  bool any = false;
  for (const InstructionSet set : kInstructionSets) {
    if (set == InstructionSet::kPlain || !is_supported(set)) continue;
    any = true;
    const Loops& tested = loops(set);
    for (const std::size_t length :
         std::initializer_list<std::size_t>{0, 1, 7, 8, 63, 128, 129, 300}) {
      std::vector<float> expected = block, found = block;
      plain.subtract_products(expected.data(), rows.data(), kRows, panel.data(), length);
      tested.subtract_products(found.data(), rows.data(), kRows, panel.data(), length);
      EXPECT_EQ(found, expected) << length;
      const std::size_t steps = std::min(length, kPanelColumns);
      plain.solve_panel(expected.data(), kRows, triangle.data(), inverses.data(), steps);
      tested.solve_panel(found.data(), kRows, triangle.data(), inverses.data(), steps);
      EXPECT_EQ(found, expected) << length;
      Vector dots(kRows), dots_found(kRows), x = vector, y = vector;
      plain.dot_rows_float(vector.data(), rows.data(), kRows, length, dots.data());
      tested.dot_rows_float(vector.data(), rows.data(), kRows, length, dots_found.data());
      EXPECT_EQ(dots_found, dots) << length;
      plain.subtract_rows_float(x.data(), rows.data(), factors.data(), kRows, length);
      tested.subtract_rows_float(y.data(), rows.data(), factors.data(), kRows, length);
      EXPECT_EQ(y, x) << length;
    }
  }
  if (!any) GTEST_SKIP() << "this processor has the plain loops only";
}

}  // namespace
}  // namespace svm
