// Numbers of 106 bits, and sums of kernel values in them.
#include "kernels/exact_sums.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/double_double.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::parameters;

constexpr double kTiny = 0x1p-52;  // 1 + kTiny is the double behind 1

TEST(DoubleDouble, SumsKeepWhatADoubleLoses) {
  const DoubleDouble sum = exact_sum(1e20, 1.5);
  EXPECT_EQ(sum.high, 1e20);
  EXPECT_EQ(sum.low, 1.5);
  const DoubleDouble rest = sum + DoubleDouble{-1e20, 0};
  EXPECT_EQ(rest.to_double(), 1.5);
}

TEST(DoubleDouble, ProductsKeepWhatADoubleLoses) {
  const DoubleDouble square = exact_product(1 + kTiny, 1 + kTiny);  // 1 + 2 tiny + tiny^2
  EXPECT_EQ(square.high, 1 + 2 * kTiny);
  EXPECT_EQ(square.low, kTiny * kTiny);
  const DoubleDouble fourth = integer_power({1 + kTiny, 0}, 4);
  EXPECT_DOUBLE_EQ((fourth + DoubleDouble{-1 - 4 * kTiny, 0}).to_double(), 6 * kTiny * kTiny);
  EXPECT_EQ(integer_power({3, 0}, 5).to_double(), 243);
  EXPECT_EQ(integer_power({3, 0}, 0).to_double(), 1);
}

TEST(DoubleDouble, IsNoNumberBeyondTheRange) {
  EXPECT_FALSE(std::isfinite(exact_product(1e200, 1e200).to_double()));
}

// Two rows that differ in a small feature beside a large one, which doubles do not tell apart.
class ExactSumsTest : public testing::Test {
 protected:
  std::vector<double> sums(const svm_parameter& param) const {
    const auto rows = data_.rows();
    const ExactSums exact(KernelFunction(param), rows.data(), 2);
    std::vector<double> found;
    ThreadPool pool(2);
    EXPECT_TRUE(exact.compute({1, -1}, {0, 1}, pool, nullptr, found));
    return found;
  }

  void SetUp() override {
    data_.add(1, {1e9, 1});
    data_.add(-1, {1e9, 2});
  }

  Data data_;
};

TEST_F(ExactSumsTest, KeepsTheDigitsOfProducts) {
  // x'y is 1e18 + 1, + 2 and + 4.
  EXPECT_EQ(sums(parameters(C_SVC, LINEAR)), (std::vector<double>{-1, -2}));
}

TEST_F(ExactSumsTest, KeepsTheDigitsOfPowers) {
  svm_parameter param = parameters(C_SVC, POLY);
  param.degree = 2;
  param.gamma = 1;
  param.coef0 = -1;
  // (1e18)^2 - (1e18 + 1)^2 and (1e18 + 1)^2 - (1e18 + 3)^2
  EXPECT_EQ(sums(param), (std::vector<double>{-2e18 - 1, -4e18 - 8}));
}

TEST_F(ExactSumsTest, SumsSquaredDifferences) {
  svm_parameter param = parameters(C_SVC, RBF);
  param.gamma = 1;
  const double value = 1 - std::exp(-1);
  EXPECT_EQ(sums(param), (std::vector<double>{value, -value}));
}

TEST(ExactSums, ErrorsAreBounds) {
  svm_parameter param = parameters(C_SVC, POLY);
  param.degree = 3;
  param.gamma = 0.1;
  param.coef0 = 1;
  const Data data = test::random_data(40, 7, true, 3);
  const auto rows = data.rows();
  const KernelFunction function(param);
  const ExactSums exact(function, rows.data(), rows.size());
  std::vector<double> weights;
  std::vector<std::size_t> columns;
  double products = 0, largest = 0;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    weights.push_back(t % 2 == 0 ? 1e6 : -1e6);
    columns.push_back(t);
    const double diagonal = function.of_rows(rows[t], rows[t]);
    products += std::fabs(weights[t]) * std::sqrt(diagonal);
    largest = std::max(largest, std::sqrt(diagonal));
  }
  products *= largest;
  std::vector<double> found;
  ThreadPool pool(1);
  ASSERT_TRUE(exact.compute(weights, columns, pool, nullptr, found));
  for (const std::size_t t : columns) {
    double in_doubles = 0;
    long double longer = 0;
    for (const std::size_t s : columns) {
      const double value = function.of_rows(rows[s], rows[t]);
      in_doubles += weights[s] * value;
      long double inner = 0;
      for (std::size_t k = 0; rows[s][k].index != -1; ++k) {
        inner += static_cast<long double>(rows[s][k].value) * rows[t][k].value;
      }
      const long double base = static_cast<long double>(param.gamma) * inner + param.coef0;
      longer += weights[s] * base * base * base;
    }
    EXPECT_LE(std::fabs(in_doubles - found[t]), exact.error_in_doubles(rows.size()) * products);
    EXPECT_LE(std::fabs(static_cast<double>(longer) - found[t]), 0x1p-60 * products);
  }
  EXPECT_GT(exact.error_in_doubles(rows.size()), 0x1p-53);
  EXPECT_LT(exact.error(rows.size()), 0x1p-90);
}

// The bounds of all rows of a data set stand for those of a part, which is then not read.
TEST(ExactSums, TakeBoundsThatAreKnown) {
  svm_parameter param = parameters(C_SVC, RBF);
  param.gamma = 1;
  const KernelFunction function(param);
  const Data data = test::random_data(40, 7, true, 5);
  const auto rows = data.rows();
  const RowExtent extent(rows.data(), rows.size());
  EXPECT_EQ(extent.most_features, 7U);
  EXPECT_EQ(ExactSums(function, nullptr, 3, &extent).error_in_doubles(9),
            ExactSums(function, rows.data(), rows.size()).error_in_doubles(9));
}

TEST(ExactSums, EndWhenThatIsWanted) {
  const Data data = test::random_data(40, 7, true, 3);
  const auto rows = data.rows();
  const ExactSums exact(KernelFunction(parameters(C_SVC, LINEAR)), rows.data(), rows.size());
  ThreadPool pool(1);
  std::vector<double> found;
  EXPECT_FALSE(exact.compute(
      std::vector<double>(rows.size(), 1.0), {0, 1}, pool, [] { return false; }, found));
}

}  // namespace
}  // namespace svm
