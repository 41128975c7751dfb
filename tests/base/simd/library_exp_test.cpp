// Compares the vectorised exp in double with the C library's, bit for bit.  SVM_LONG_TESTS in the
// environment: a hundred times as many values.
#include "base/simd/library_exp.h"

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

#include "base/simd/loops.h"
#include "tests/instruction_sets.h"

namespace svm {
namespace {

constexpr std::size_t kBlock = 4001;  // no multiple of any number of lanes

std::size_t blocks() { return std::getenv("SVM_LONG_TESTS") != nullptr ? 25000 : 250; }

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
