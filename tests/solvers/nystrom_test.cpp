// The Nystrom embedding and its loops.
#include "solvers/rows/nystrom.h"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "solvers/rows/row_solvers.h"
#include "tests/instruction_sets.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::Printed;
using test::row_numbers;

// A C-SVC with no memory for kept rows.  Valid until rows are added to the data.
ExampleProblem example_problem(Data& data, const svm_parameter& param) {
  const svm_problem problem = data.problem();
  const KernelFunction kernel(param);
  return {problem.x, problem.y, data.size(), false, {param.C, param.C},
          0,         kernel,    param.eps,   true,  0};
}

double product(const float* a, const float* b, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += static_cast<double>(a[k]) * b[k];
  return sum;
}

// With every row as a landmark, products are kernel values.
TEST(NystromTest, AllRowsAsLandmarksGiveTheKernel) {
  Data data = test::random_data(45, 3, true, 2);
  svm_parameter param = test::parameters(C_SVC, RBF);
  param.gamma = 20;
  const Printed printed;
  const NystromEmbedding embedding(example_problem(data, param), row_numbers(45), printed.run());
  EXPECT_EQ(embedding.stride(), 64U);
  EXPECT_NEAR(embedding.mean_diagonal(), 1, 1e-12);
  std::vector<float> z(48 * embedding.stride());
  embedding.embed(row_numbers(45).data(), 45, z.data());
  const KernelFunction kernel(param);
  for (std::size_t s = 0; s < 45; ++s) {
    for (std::size_t t = 0; t < 45; ++t) {
      const double wanted = kernel.of_rows(data.row(s), data.row(t));
      EXPECT_NEAR(product(&z[s * 64], &z[t * 64], 64), wanted, 1e-4);
    }
  }
}

// w'z(x) and the sum of kernel values are the same function.
TEST(NystromTest, CoefficientsGiveTheSameFunction) {
  Data data = test::random_data(120, 3, true, 3);
  const svm_parameter param = test::parameters(C_SVC, RBF);
  const Printed printed;
  std::vector<std::uint32_t> landmarks;
  for (std::uint32_t t = 5; t < 120; t += 3) landmarks.push_back(t);
  const NystromEmbedding embedding(example_problem(data, param), landmarks, printed.run());
  std::vector<double> w(embedding.stride(), 0.0);
  test::Draws draws(1);
  for (std::size_t k = 0; k < landmarks.size(); ++k) w[k] = draws.between(-1, 1);
  const std::vector<double> coefficients = embedding.coefficients(w);
  std::vector<float> z(120 * embedding.stride());
  embedding.embed(row_numbers(120).data(), 120, z.data());
  const KernelFunction kernel(param);
  for (std::size_t t = 0; t < 120; ++t) {
    double direct = 0, sum = 0;
    for (std::size_t k = 0; k < w.size(); ++k) direct += w[k] * z[t * w.size() + k];
    for (const std::uint32_t s : landmarks) {
      sum += coefficients[s] * kernel.of_rows(data.row(s), data.row(t));
    }
    EXPECT_NEAR(direct, sum, 1e-3);
  }
  EXPECT_EQ(coefficients[0], 0);
}

TEST(NystromTest, TwiceTheSameRowIsNoHarm) {
  Data data;
  for (int t = 0; t < 4; ++t) data.add(t % 2 == 0 ? 1 : -1, {t < 2 ? 0.0 : 1.0, 1});
  const Printed printed;
  const NystromEmbedding embedding(example_problem(data, test::parameters(C_SVC, LINEAR)),
                                   row_numbers(4), printed.run());
  std::vector<float> z(4 * embedding.stride());
  embedding.embed(row_numbers(4).data(), 4, z.data());
  const float* last = z.data() + 3 * embedding.stride();
  EXPECT_NEAR(product(last, last, 32), 2, 1e-2);
  EXPECT_NEAR(product(z.data(), last, 32), 1, 1e-2);
}

std::string refusal(Data& data, const svm_parameter& param) {
  const Printed printed;
  try {
    const NystromEmbedding embedding(example_problem(data, param), row_numbers(data.size()),
                                     printed.run());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(NystromTest, DegenerateLandmarks) {
  Data zeros;
  zeros.add(+1, {0, 0});
  zeros.add(-1, {0, 0});
  EXPECT_EQ(refusal(zeros, test::parameters(C_SVC, LINEAR)),
            "the landmarks are degenerate: their kernel values are 0");
  Data indefinite;
  indefinite.add_row(+1, {{0, 1}, {1, 1}, {2, 2}, {-1, 0}});
  indefinite.add_row(-1, {{0, 2}, {1, 2}, {2, 1}, {-1, 0}});
  EXPECT_EQ(refusal(indefinite, test::parameters(C_SVC, PRECOMPUTED)),
            "the landmarks are degenerate: their kernel matrix is not positive definite");
}

TEST(NystromTest, UniformLandmarks) {
  Draws draws(4);
  std::vector<int> drawn(10, 0);
  for (int round = 0; round < 1000; ++round) {
    const std::vector<std::uint32_t> rows = uniform_landmarks(10, 3, draws);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_LT(rows[0], rows[1]);
    EXPECT_LT(rows[1], rows[2]);
    for (const std::uint32_t row : rows) ++drawn.at(row);
  }
  for (const int count : drawn) EXPECT_NEAR(count, 300, 75);
  EXPECT_EQ(uniform_landmarks(3, 10, draws).size(), 3U);
}

// Compares every instruction set with plain sums in the same order.
TEST(NystromLoopsTest, AllInstructionSetsGiveTheSameBits) {
  constexpr std::size_t kStride = 96, kDepth = 61;
  test::Draws draws(9);
  const auto random = [&](std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(draws.between(-1, 1));
    return values;
  };
  const std::vector<float> tile = random(kDepth * kTileColumns), rows = random(kTileRows * kStride);
  const std::vector<float> v = random(kStride), c = random(kStride);
  for (const InstructionSet set : kInstructionSets) {
    if (set > instruction_set()) continue;
    const Loops& table = loops(set);
    std::vector<float> out(kTileRows * kStride, 7.0F);
    table.tile_products(tile.data(), kDepth, rows.data(), kStride, out.data());
    for (std::size_t r = 0; r < kTileRows; ++r) {
      for (std::size_t k = 0; k < kTileColumns; ++k) {
        float sum = 0;
        for (std::size_t j = 0; j < kDepth; ++j) {
          const float term = rows[r * kStride + j] * tile[j * kTileColumns + k];
          sum += term;
        }
        ASSERT_EQ(out[r * kStride + k], sum);
      }
      EXPECT_EQ(out[r * kStride + kTileColumns], 7.0F);
    }
    double dots[2], first[2];
    table.two_dots(rows.data(), v.data(), c.data(), kStride, dots);
    loops(InstructionSet::kPlain).two_dots(rows.data(), v.data(), c.data(), kStride, first);
    EXPECT_EQ(dots[0], first[0]);
    EXPECT_EQ(dots[1], first[1]);
    EXPECT_NEAR(dots[0], product(rows.data(), v.data(), kStride), 1e-5);
    EXPECT_NEAR(dots[1], product(rows.data(), c.data(), kStride), 1e-5);
    std::vector<float> a = v, b = c;
    table.add_to_two(rows.data(), 0.3F, -2.0F, kStride, a.data(), b.data());
    for (std::size_t k = 0; k < kStride; ++k) {
      const float more_a = 0.3F * rows[k], more_b = -2.0F * rows[k];
      ASSERT_EQ(a[k], v[k] + more_a);
      ASSERT_EQ(b[k], c[k] + more_b);
    }
  }
}

}  // namespace
}  // namespace svm
