// Kernel functions, compact examples and row engines.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;
using test::parameters;
using test::Row;

constexpr svm_node kEnd = {-1, 0};

TEST(IntegerPower, MultipliesRepeatedly) {
  EXPECT_EQ(integer_power(3, 1), 3);
  EXPECT_EQ(integer_power(3, 5), 243);
  EXPECT_EQ(integer_power(-2, 3), -8);
  EXPECT_EQ(integer_power(-2, 10), 1024);
  EXPECT_EQ(integer_power(0.5, 3), 0.125);
}

TEST(IntegerPower, IsOneForExponentsUpToZero) {
  EXPECT_EQ(integer_power(7, 0), 1);
  EXPECT_EQ(integer_power(0, 0), 1);
  EXPECT_EQ(integer_power(7, -3), 1);
  EXPECT_EQ(integer_power(7, std::numeric_limits<int>::min()), 1);
}

TEST(IntegerPower, TakesLargeExponents) {
  EXPECT_EQ(integer_power(1, std::numeric_limits<int>::max()), 1);
  EXPECT_EQ(integer_power(-1, std::numeric_limits<int>::max()), -1);
  EXPECT_EQ(integer_power(0.5, std::numeric_limits<int>::max()), 0);
}

TEST(Dot, SumsOverEqualIndices) {
  const Row u = {{1, 2}, {3, 4}, {7, 5}, kEnd};
  const Row v = {{1, 10}, {2, 100}, {7, -1}, {9, 1}, kEnd};
  EXPECT_EQ(dot(u.data(), v.data()), 2 * 10 + 5 * -1);
  EXPECT_EQ(dot(v.data(), u.data()), 15);
  const Row empty = {kEnd};
  EXPECT_EQ(dot(u.data(), empty.data()), 0);
  EXPECT_EQ(dot(empty.data(), empty.data()), 0);
}

// u = (2, 0, 4), v = (1, 3, 0): u'v = 2, |u|^2 = 20, |v|^2 = 10, |u - v|^2 = 1 + 9 + 16 = 26.
class KernelFunctionTest : public testing::Test {
 protected:
  static KernelFunction kernel(int type) {
    svm_parameter param = parameters(C_SVC, type);
    param.gamma = 0.25;
    param.coef0 = 1.5;
    param.degree = 4;
    return KernelFunction(param);
  }
  void expect_value(int type, double value) const {
    EXPECT_DOUBLE_EQ(kernel(type).of_dot(2, 20, 10), value);
    EXPECT_DOUBLE_EQ(kernel(type).of_rows(u_.data(), v_.data()), value);
    EXPECT_DOUBLE_EQ(kernel(type).of_rows(v_.data(), u_.data()), value);
  }
  const Row u_ = {{1, 2}, {3, 4}, kEnd};
  const Row v_ = {{1, 1}, {2, 3}, kEnd};
};

TEST_F(KernelFunctionTest, Linear) { expect_value(LINEAR, 2); }
TEST_F(KernelFunctionTest, Polynomial) { expect_value(POLY, 16); }  // (0.25*2 + 1.5)^4
TEST_F(KernelFunctionTest, Rbf) { expect_value(RBF, std::exp(-6.5)); }
TEST_F(KernelFunctionTest, Sigmoid) { expect_value(SIGMOID, std::tanh(2.0)); }

TEST_F(KernelFunctionTest, RowsMayBeEmpty) {
  const Row empty = {kEnd};
  EXPECT_EQ(kernel(LINEAR).of_rows(u_.data(), empty.data()), 0);
  EXPECT_DOUBLE_EQ(kernel(RBF).of_rows(u_.data(), empty.data()), std::exp(-5.0));
  EXPECT_DOUBLE_EQ(kernel(RBF).of_rows(empty.data(), v_.data()), std::exp(-2.5));
  EXPECT_EQ(kernel(RBF).of_rows(empty.data(), empty.data()), 1);
}

TEST_F(KernelFunctionTest, PrecomputedLooksUpTheSerialNumber) {
  const Row x = {{0, 9}, {1, 0.5}, {2, 0.25}, {3, 0.125}, kEnd};
  const Row third = {{0, 3}, kEnd};
  const Row first = {{0, 1}, kEnd};
  EXPECT_EQ(kernel(PRECOMPUTED).of_rows(x.data(), third.data()), 0.125);
  EXPECT_EQ(kernel(PRECOMPUTED).of_rows(x.data(), first.data()), 0.5);
}

TEST_F(KernelFunctionTest, PrecomputedRefusesSerialNumbersBeyondTheRow) {
  const Row x = {{0, 1}, {1, 0.5}, kEnd};
  const Row beyond = {{0, 2}, kEnd};
  const Row far_beyond = {{0, 2000000000}, kEnd};
  const Row negative = {{0, -1}, kEnd};
  EXPECT_THROW(kernel(PRECOMPUTED).of_rows(x.data(), beyond.data()), PrecomputedRowError);
  EXPECT_THROW(kernel(PRECOMPUTED).of_rows(x.data(), far_beyond.data()), PrecomputedRowError);
  EXPECT_THROW(kernel(PRECOMPUTED).of_rows(x.data(), negative.data()), PrecomputedRowError);
}

TEST(ExamplesTest, KeepsRowsInOrder) {
  Data data;
  data.add_row(0, {{2, 3}, {5, 4}, kEnd});
  data.add_row(0, {kEnd});
  data.add_row(0, {{1, -2}, kEnd});
  const Examples examples(data.rows().data(), data.size());
  ASSERT_EQ(examples.size(), 3U);
  EXPECT_EQ(examples.dimension(), 6U);
  EXPECT_EQ(examples.begin(0), 0U);
  EXPECT_EQ(examples.end(0), 2U);
  EXPECT_EQ(examples.begin(1), examples.end(1));
  EXPECT_EQ(examples.end(2), 3U);
  EXPECT_EQ(std::vector<std::uint32_t>(examples.features(), examples.features() + 3),
            (std::vector<std::uint32_t>{2, 5, 1}));
  EXPECT_EQ(std::vector<double>(examples.values(), examples.values() + 3),
            (std::vector<double>{3, 4, -2}));
  EXPECT_EQ(examples.squared_norm(0), 25);
  EXPECT_EQ(examples.squared_norm(1), 0);
  EXPECT_EQ(examples.squared_norm(2), 4);
}

using Pairs = std::vector<std::pair<std::uint32_t, double>>;

Pairs pairs_of(const Examples& examples) {
  Pairs pairs;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    examples.for_each_value(
        i, [&](std::uint32_t feature, double value) { pairs.emplace_back(feature, value); });
  }
  return pairs;
}

TEST(ExamplesTest, PairsAreReadFromTheRowsOnceTheyAreDropped) {
  constexpr int kHuge = std::numeric_limits<int>::max();
  for (const int last : {7, kHuge}) {  // numbered by distance, and anew
    Data data;
    data.add_row(0, {{-3, 1}, {2, 0.5}, kEnd});
    data.add_row(0, {kEnd});
    data.add_row(0, {{2, -2}, {last, 4}, kEnd});
    Examples examples(data.rows().data(), data.size());
    const std::uint32_t two = last == 7 ? 5 : 1, end = last == 7 ? 10 : 2;
    const Pairs expected = {{0, 1}, {two, 0.5}, {two, -2}, {end, 4}};
    EXPECT_EQ(pairs_of(examples), expected);
    examples.drop_pairs();
    EXPECT_EQ(pairs_of(examples), expected);
    EXPECT_EQ(examples.nonzeros(), 4U);
  }
}

TEST(ExamplesTest, RowsMayAllBeEmptyOrAbsent) {
  Data data;
  EXPECT_EQ(Examples(data.rows().data(), 0).size(), 0U);
  data.add_row(0, {kEnd});
  const Examples examples(data.rows().data(), 1);
  EXPECT_EQ(examples.size(), 1U);
  EXPECT_EQ(examples.dimension(), 0U);
}

TEST(ExamplesTest, HugeIndicesAreNumberedDensely) {
  constexpr int kHuge = std::numeric_limits<int>::max();
  Data data;
  data.add_row(0, {{3, 1}, {kHuge, 2}, kEnd});
  data.add_row(0, {{3, 1}, {1000000000, 5}, {kHuge, 3}, kEnd});
  const Examples examples(data.rows().data(), data.size());
  EXPECT_EQ(examples.dimension(), 3U);
  EXPECT_EQ(std::vector<std::uint32_t>(examples.features(), examples.features() + 5),
            (std::vector<std::uint32_t>{0, 2, 0, 1, 2}));
}

Data sparse_data(std::size_t rows, int stride) {
  Draws draws(7);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    for (int index = 1; index <= 12; ++index) {
      if (draws.below(3) != 0) row.push_back({index * stride, draws.between(-3, 3)});
    }
    row.push_back(kEnd);
    data.add_row(0, i == 4 ? Row{kEnd} : row);
  }
  return data;
}

// Training results must not depend on how an engine walks the rows.
TEST(RowEngineTest, GivesTheBitsOfTheKernelFunction) {
  for (const int stride : {1, 100000000}) {
    const Data data = sparse_data(25, stride);
    for (const int type : {LINEAR, POLY, RBF, SIGMOID}) {
      svm_parameter param = parameters(C_SVC, type);
      param.gamma = 0.07;
      param.coef0 = -0.3;
      const KernelFunction kernel(param);
      const auto engine = make_row_engine(kernel, data.rows().data(), data.size());
      const std::vector<std::uint32_t> columns = {24, 3, 4, 0, 11, 3};
      const auto packed = engine->pack(columns.data(), columns.size(), nullptr);
      for (std::size_t i = 0; i < data.size(); ++i) {
        std::vector<float> row(columns.size());
        engine->compute(i, *packed, 0, columns.size(), row.data());
        const double norm_i = dot(data.row(i), data.row(i));
        for (std::size_t k = 0; k < columns.size(); ++k) {
          const svm_node* other = data.row(columns[k]);
          const double expected = kernel.of_dot(dot(data.row(i), other), norm_i, dot(other, other));
          EXPECT_EQ(row[k], static_cast<float>(expected)) << type << ": " << i << ", " << k;
        }
        EXPECT_EQ(engine->diagonal(i), kernel.of_dot(norm_i, norm_i, norm_i));
      }
    }
  }
}

// A part of a row has the values of the whole row.
TEST(RowEngineTest, ComputesPartsOfARowOverColumnsPackedAgain) {
  const Data data = sparse_data(25, 1);
  const auto engine =
      make_row_engine(KernelFunction(parameters(C_SVC, RBF)), data.rows().data(), data.size());
  std::vector<std::uint32_t> columns;
  for (std::uint32_t t = 0; t < 25; ++t) columns.push_back((7 * t + 3) % 25);
  auto packed = engine->pack(columns.data(), 9, nullptr);
  packed = engine->pack(columns.data(), 25, std::move(packed));
  std::vector<float> whole(25);
  engine->compute(6, *packed, 0, 25, whole.data());
  for (std::size_t from = 0; from < 25; ++from) {
    for (std::size_t to = from + 1; to <= 25; ++to) {
      std::vector<float> part(to - from + 1, -1);
      engine->compute(6, *packed, from, to, part.data());
      for (std::size_t k = from; k < to; ++k) ASSERT_EQ(part[k - from], whole[k]);
      ASSERT_EQ(part[to - from], -1) << "written behind the end";
    }
  }
}

// If the kernel is indefinite, a value may be larger than any on the diagonal.  RBF values are 1 at
// most.
TEST(RowEngineTest, KnowsTheLargestValueWhereDiagonalsDoNotTell) {
  Draws draws(12);
  Data ones, reals;
  for (std::size_t i = 0; i < 30; ++i) {
    reals.add(0, {draws.between(-1, 1), draws.between(-1, 1)});
    ones.add_row(0, {{1 + static_cast<int>(i % 4), 1}, {6, 1}, kEnd});
  }
  for (const Data* data : {&ones, &reals}) {
    for (const auto& [type, coef0] : {std::pair(SIGMOID, 0.5),
                                      {POLY, -1.0},
                                      {POLY, 0.0},
                                      {POLY, 1.0},
                                      {RBF, 0.0},
                                      {LINEAR, 0.0}}) {
      svm_parameter param = parameters(C_SVC, type);
      param.coef0 = coef0;
      param.gamma = 1;
      const auto engine = make_row_engine(KernelFunction(param), data->rows().data(), data->size());
      if (type == LINEAR || (type == POLY && coef0 >= 0)) {
        EXPECT_EQ(engine->largest_value(), 0);
        continue;
      }
      double largest = 0;
      for (std::size_t i = 0; i < data->size(); ++i) {
        for (std::size_t j = 0; j < data->size(); ++j) {
          const double value = KernelFunction(param).of_rows(data->row(i), data->row(j));
          largest = std::max(largest, std::fabs(value));
        }
      }
      EXPECT_GE(engine->largest_value(), largest) << type;
      EXPECT_LE(engine->largest_value(), 40) << type;
    }
  }
}

KernelFunction precomputed() { return KernelFunction(parameters(C_SVC, PRECOMPUTED)); }

TEST(RowEngineTest, PrecomputedReadsTheRowAtTheSerialNumbers) {
  Data data;  // serial numbers out of order
  data.add_row(0, {{0, 2}, {1, 0.1}, {2, 1}, {3, 0.3}, kEnd});
  data.add_row(0, {{0, 3}, {1, 0.2}, {2, 0.4}, {3, 2}, kEnd});
  const auto engine = make_row_engine(precomputed(), data.rows().data(), data.size());
  const std::uint32_t columns[] = {0, 1};
  const auto packed = engine->pack(columns, 2, nullptr);
  float row[2];
  engine->compute(0, *packed, 0, 2, row);
  EXPECT_EQ(row[0], 1.0F);
  EXPECT_EQ(row[1], 0.3F);
  engine->compute(1, *packed, 0, 2, row);
  EXPECT_EQ(row[0], 0.4F);
  EXPECT_EQ(row[1], 2.0F);
  EXPECT_EQ(engine->diagonal(0), 1);
  EXPECT_EQ(engine->diagonal(1), 2);
}

void expect_refused(const std::vector<Row>& rows) {
  Data data;
  for (const Row& row : rows) data.add_row(0, row);
  EXPECT_THROW(make_row_engine(precomputed(), data.rows().data(), data.size()),
               PrecomputedRowError);
}

TEST(RowEngineTest, PrecomputedRefusesBadRows) {
  const Row good = {{0, 2}, {1, 1}, {2, 1}, kEnd};
  expect_refused({good, {{0, 1}, {1, 1}, kEnd}});            // too short for serial number 2
  expect_refused({good, {{1, 1.5}, {2, 1}, {3, 1}, kEnd}});  // no serial number
  expect_refused({good, {kEnd}});                            // nothing at all
  expect_refused({{{0, 0}, {1, 1}, kEnd}});                  // serial numbers start at 1
  expect_refused({{{0, -1}, {1, 1}, kEnd}});
  expect_refused({{{0, 1e300}, {1, 1}, kEnd}});
  expect_refused({{{0, std::nan("")}, {1, 1}, kEnd}});
}

}  // namespace
}  // namespace svm
