// Compares the vectorised exp, in float and in double, with the C library's.  SVM_LONG_TESTS in the
// environment: a hundred times as many values.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "base/simd/loops.h"
#include "tests/instruction_sets.h"

namespace svm {
namespace {

constexpr std::size_t kBlock = 4001;  // no multiple of any number of lanes

std::size_t blocks() { return std::getenv("SVM_LONG_TESTS") != nullptr ? 25000 : 250; }

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// The midpoint of the float with these bits and the next larger one.
double middle_above(std::uint32_t bits) {
  const std::uint32_t next = bits + 1;
  float below;
  float above;
  std::memcpy(&below, &bits, sizeof(below));
  std::memcpy(&above, &next, sizeof(above));
  return (static_cast<double>(below) + static_cast<double>(above)) / 2;
}

bool same(float value, float expected) {
  if (std::isnan(expected)) return std::isnan(value);
  return bits_of(value) == bits_of(expected);
}

// out[k] = (float)exp(x[k]), as the RBF kernel of gamma 1 whose distances are -x[k].
void exp_of(const Loops& set, const std::vector<double>& x, std::vector<float>& out) {
  std::vector<double> half(x), norms(x.size(), 0.0);
  for (double& value : half) value /= 2;
  set.rbf_to_float(half.data(), norms.data(), 0, 1, x.size(), out.data());
}

class Exp : public test::EachInstructionSet {
 protected:
  // Fills blocks by draw() and compares; stops at the first difference.
  template <class Draw>
  void expect_like_library(std::size_t block_count, Draw draw) {
    const Loops& set = loops(GetParam());
    std::vector<double> x(kBlock);
    std::vector<float> out(kBlock);
    for (std::size_t block = 0; block < block_count; ++block) {
      for (double& value : x) value = draw();
      exp_of(set, x, out);
      for (std::size_t k = 0; k < kBlock; ++k) {
        const float expected = static_cast<float>(std::exp(x[k]));
        ASSERT_TRUE(same(out[k], expected))
            << std::hexfloat << "exp of " << x[k] << " is " << out[k] << ", should be " << expected;
      }
    }
  }
};

TEST_P(Exp, IsTheLibrarysInEveryRange) {
  const double ranges[][2] = {{-1e-8, 0},        {-1e-6, 0},  {-1, 0},    {-10, 0},
                              {-88, -10},        {-110, -80}, {0, 80},    {80, 95},
                              {-1e-300, 1e-300}, {-1e4, 1e4}, {-1e308, 0}};
  std::mt19937_64 random(20);
  for (const auto& range : ranges) {
    SCOPED_TRACE(std::to_string(range[0]) + " to " + std::to_string(range[1]));
    std::uniform_real_distribution<double> uniform(range[0], range[1]);
    expect_like_library(blocks(), [&] { return uniform(random); });
    if (HasFatalFailure()) return;
  }
}

// Arguments whose exp is as near as possible to the midpoint of two floats.
TEST_P(Exp, IsTheLibrarysNearMidpoints) {
  std::mt19937_64 random(21);
  std::uniform_int_distribution<std::uint32_t> subnormals(0, 0x00ffffff);
  std::uniform_int_distribution<std::uint32_t> to_one(0x00800000, 0x3f800000);
  std::uniform_int_distribution<std::uint32_t> finite(0, 0x7f7ffffe);
  for (auto* floats : {&subnormals, &to_one, &finite}) {
    double x = 0;
    int left = 0;
    expect_like_library(blocks(), [&] {
      if (left == 0) {
        x = std::log(middle_above((*floats)(random)));
        for (int step = 0; step < 3; ++step) x = std::nextafter(x, -1000);
        left = 7;
      }
      --left;
      const double result = x;
      x = std::nextafter(x, 1000);
      return result;
    });
    if (HasFatalFailure()) return;
  }
}

// Arguments at distances of multiples of 2^k from midpoints: the edge of the margin.
TEST_P(Exp, IsTheLibrarysAtTheEdgeOfTheMargin) {
  std::mt19937_64 random(22);
  std::uniform_int_distribution<std::uint32_t> floats(0x00800000, 0x42800000);
  std::uniform_int_distribution<int> exponent(-42, -34);
  std::uniform_real_distribution<double> factor(-2, 2);
  expect_like_library(blocks(), [&] {
    const double middle = middle_above(floats(random));
    return std::log(middle) + std::ldexp(factor(random), exponent(random));
  });
}

std::vector<double> special_values() {
  const double infinity = std::numeric_limits<double>::infinity();
  const double least = std::numeric_limits<double>::denorm_min();
  std::vector<double> values = {0.0,
                                -0.0,
                                infinity,
                                -infinity,
                                std::numeric_limits<double>::quiet_NaN(),
                                -std::numeric_limits<double>::quiet_NaN(),
                                least,
                                -least,
                                std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::lowest(),
                                std::numeric_limits<double>::min()};
  // Arguments at which the float becomes 0, subnormal or infinite, and at which the code changes
  // methods.
  const double edges[] = {-104,
                          -150 * std::log(2.0),
                          -149 * std::log(2.0),
                          -126 * std::log(2.0),
                          128 * std::log(2.0),
                          90,
                          709.8,
                          -745.2,
                          1024 * std::log(2.0),
                          0.5 * std::log(2.0),
                          std::log(2.0) / 32};
  for (const double edge : edges) {
    for (const double value : {edge, -edge}) {
      double down = value;
      double up = value;
      for (int step = 0; step < 40; ++step) {
        values.push_back(down);
        values.push_back(up);
        down = std::nextafter(down, -infinity);
        up = std::nextafter(up, infinity);
      }
    }
  }
  return values;
}

TEST_P(Exp, TakesSpecialValuesInEveryLane) {
  const Loops& set = loops(GetParam());
  for (const double special : special_values()) {
    for (std::size_t lane = 0; lane < 16; ++lane) {
      std::vector<double> x(19, -0.75);
      x[lane] = special;
      std::vector<float> out(x.size());
      exp_of(set, x, out);
      for (std::size_t k = 0; k < x.size(); ++k) {
        ASSERT_TRUE(same(out[k], static_cast<float>(std::exp(x[k]))))
            << std::hexfloat << x[k] << " in lane " << k << " gave " << out[k];
      }
    }
  }
}

// Tries every count with exactly the necessary memory (sanitizers check reads) and unchanged
// neighbours.
TEST_P(Exp, WritesWhatItShouldAndNoMore) {
  const Loops& set = loops(GetParam());
  for (std::size_t count = 0; count <= 35; ++count) {
    std::vector<double> x(count);
    std::vector<double> norms(count, 1.5);
    for (std::size_t k = 0; k < count; ++k) x[k] = -0.37 * static_cast<double>(k);
    const float mark = -7;
    std::vector<float> out(count + 16, mark);
    exp_of(set, x, out);
    for (std::size_t k = 0; k < out.size(); ++k) {
      EXPECT_EQ(out[k], k < count ? static_cast<float>(std::exp(x[k])) : mark) << k;
    }
    out.assign(out.size(), mark);
    set.rbf_to_float(x.data(), norms.data(), 0.5, 0.25, count, out.data());
    for (std::size_t k = 0; k < out.size(); ++k) {
      const float expected =
          k < count ? static_cast<float>(std::exp(-0.25 * (0.5 + 1.5 - 2 * x[k]))) : mark;
      EXPECT_EQ(out[k], expected) << k;
    }
  }
}

// Norms, dots and twice the dots reach the end of the range of doubles.
TEST_P(Exp, RbfOfHugeNormsIsThatOfTheScalarExpression) {
  const Loops& set = loops(GetParam());
  const double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {0,       0.5,     1e150,    1e299, 9.99e299, 1e300,    0.89e308,
                           0.9e308, 1.7e308, infinity, -1,    -0.9e308, -infinity};
  constexpr std::size_t kCount = sizeof(values) / sizeof(*values);
  for (const double gamma : {0.5, 1e-300, 1e300}) {
    for (const double norm : values) {
      for (const double column_norm : values) {
        const std::vector<double> norms(kCount, column_norm);
        std::vector<float> out(kCount);
        set.rbf_to_float(values, norms.data(), norm, gamma, kCount, out.data());
        for (std::size_t k = 0; k < kCount; ++k) {
          const float expected =
              static_cast<float>(std::exp(-gamma * (norm + column_norm - 2 * values[k])));
          ASSERT_TRUE(same(out[k], expected))
              << norm << ", " << column_norm << ", " << values[k] << " gave " << out[k];
        }
      }
    }
  }
}

// The argument must be rounded as in the scalar expression; a fused operation would differ.
TEST_P(Exp, RbfRoundsItsArgumentAsTheScalarExpression) {
  const Loops& set = loops(GetParam());
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> dot(kBlock);
  std::vector<double> norms(kBlock);
  std::vector<float> out(kBlock);
  for (std::size_t block = 0; block < blocks(); ++block) {
    // Large norms and gammas magnify rounding errors of the distance.
    const double size = std::ldexp(1.0, static_cast<int>(uniform(random) * 40));
    const double gamma = uniform(random) * (block % 2 == 0 ? 1 : 0x1p40 / size);
    const double norm = size * uniform(random);
    for (std::size_t k = 0; k < kBlock; ++k) {
      norms[k] = size * uniform(random);
      const double distance = uniform(random) * 20 / gamma;
      dot[k] = (norm + norms[k] - distance) / 2;
    }
    set.rbf_to_float(dot.data(), norms.data(), norm, gamma, kBlock, out.data());
    for (std::size_t k = 0; k < kBlock; ++k) {
      const float expected = static_cast<float>(std::exp(-gamma * (norm + norms[k] - 2 * dot[k])));
      ASSERT_TRUE(same(out[k], expected)) << std::hexfloat << gamma << ' ' << norm << ' '
                                          << norms[k] << ' ' << dot[k] << " gave " << out[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Simd, Exp, testing::ValuesIn(kInstructionSets), test::set_name);

// --- in double, compared bit for bit ---

class LibraryExp : public test::EachInstructionSet {
 protected:
  void SetUp() override {
    EachInstructionSet::SetUp();
    if (!library_exp_is_close()) GTEST_SKIP() << "not for this C library";
  }

  static void expect_same(const std::vector<double>& x) {
    std::vector<double> out(x.size());
    loops(GetParam()).library_exp(1, x.data(), x.size(), out.data());
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double expected = std::exp(x[k]);
      ASSERT_EQ(std::memcmp(&out[k], &expected, sizeof(expected)), 0)
          << std::hexfloat << "exp of " << x[k] << " is " << out[k] << ", should be " << expected;
    }
  }
};

TEST_P(LibraryExp, EveryRange) {
  const double ranges[][2] = {{-1e-18, 1e-15}, {-1e-8, 0},  {-1e-3, 0},  {-0.05, 0.05}, {-1, 0},
                              {-10, 0},        {-90, -10},  {-700, -80}, {-760, -690},  {690, 720},
                              {0, 700},        {-1e4, 1e4}, {-1e308, 0}, {-2.8, 2.8},   {-40, 0}};
  std::mt19937_64 random(30);
  std::vector<double> x(kBlock);
  for (const auto& range : ranges) {
    SCOPED_TRACE(std::to_string(range[0]) + " to " + std::to_string(range[1]));
    std::uniform_real_distribution<double> uniform(range[0], range[1]);
    for (std::size_t block = 0; block < blocks(); ++block) {
      for (double& value : x) value = uniform(random);
      expect_same(x);
      if (HasFatalFailure()) return;
    }
  }
}

// Arguments near multiples of ln2 / 32, at which the nearest multiple changes or powers of two are.
TEST_P(LibraryExp, NearSteps) {
  std::mt19937_64 random(31);
  std::vector<double> x;
  for (int k = -33000; k <= 33000; ++k) {
    double value = k * 0x1.62e42fefa39efp-6;
    for (int step = 0; step < 4; ++step) value = std::nextafter(value, -1e9);
    for (int step = 0; step < 8; ++step) {
      x.push_back(value);
      value = std::nextafter(value, 1e9);
    }
    x.push_back(value * (1 + std::uniform_real_distribution<double>(-1e-9, 1e-9)(random)));
  }
  expect_same(x);
}

TEST_P(LibraryExp, SpecialValues) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_same(
      {0.0, -0.0, inf, -inf, nan, -nan, 5e-324, -5e-324, 709.9, -745.2, 1e308, -1e308, 1, -1});
  expect_same({});
  expect_same({-1});
}

TEST_P(LibraryExp, FactorsAreAppliedFirst) {
  const std::vector<double> x = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1};
  for (std::size_t count = 0; count <= x.size(); ++count) {
    std::vector<double> out(x.size(), 7);
    loops(GetParam()).library_exp(-0.7, x.data(), count, out.data());
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_EQ(out[k], k < count ? std::exp(-0.7 * x[k]) : 7);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, LibraryExp, testing::ValuesIn(kInstructionSets), test::set_name);

}  // namespace
}  // namespace svm
