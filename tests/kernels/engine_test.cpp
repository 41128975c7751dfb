// Compares every engine on every instruction set with the plain one, bit for bit.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "base/simd/loops.h"
#include "base/simd/targets/tables.h"
#include "kernels/engines/row_engine.h"
#include "tests/environment.h"
#include "tests/instruction_sets.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Row;
using test::row_numbers;
using test::Setting;

using Rows = std::vector<Row>;

constexpr const char* kEngines[] = {"bits", "integers", "dense", "columns", ""};

KernelFunction kernel_of(int type, double gamma) {
  svm_parameter param = {};
  param.kernel_type = type;
  param.gamma = gamma;
  param.coef0 = 0.25;
  param.degree = 3;
  return KernelFunction(param);
}

std::vector<const svm_node*> pointers_to(Rows& rows) {
  std::vector<const svm_node*> pointers;
  for (Row& row : rows) {
    if (row.empty() || row.back().index != -1) row.push_back({-1, 0});
    pointers.push_back(row.data());
  }
  return pointers;
}

std::unique_ptr<RowEngine> engine_for(const std::string& name, InstructionSet set,
                                      const KernelFunction& kernel, Rows& rows) {
  const Setting engine("SVM_ENGINE", name), instructions("SVM_INSTRUCTION_SET", svm::name(set));
  const std::vector<const svm_node*> pointers = pointers_to(rows);
  return make_row_engine(kernel, pointers.data(), pointers.size());
}

// The values [from, to) of a row, with a guard on each side.
std::vector<float> values(const RowEngine& engine, std::size_t example,
                          const PackedColumns& columns, std::size_t from, std::size_t to) {
  std::vector<float> out(to - from + 2, -77.0F);
  engine.compute(example, columns, from, to, out.data() + 1);
  EXPECT_EQ(out.front(), -77.0F);
  EXPECT_EQ(out.back(), -77.0F);
  return std::vector<float>(out.begin() + 1, out.end() - 1);
}

// The sign of a NaN may differ: some processors negate it with a product.
bool same_bits(float a, float b) {
  return std::memcmp(&a, &b, sizeof(float)) == 0 || (std::isnan(a) && std::isnan(b));
}
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) { return same_bits(x, y); });
}

// Compares a few rows, whole and in parts, over columns in order, then permuted and cut.
void compare(const RowEngine& engine, const RowEngine& plain, std::size_t count,
             std::mt19937& random) {
  std::vector<std::uint32_t> order = row_numbers(count);
  std::unique_ptr<PackedColumns> packed, expected;
  for (std::size_t length : {count, count - count / 3, std::min<std::size_t>(count, 70)}) {
    packed = engine.pack(order.data(), length, std::move(packed));
    expected = plain.pack(order.data(), length, std::move(expected));
    for (int n = 0; n < 4 && length > 0; ++n) {
      const std::size_t example = random() % count;
      const std::vector<float> all = values(plain, example, *expected, 0, length);
      ASSERT_TRUE(same_bits(values(engine, example, *packed, 0, length), all)) << length;
      std::size_t from = random() % length, to = random() % length;
      if (from > to) std::swap(from, to);
      if (n == 3) to = from + 1;
      const std::vector<float> part(all.begin() + static_cast<long>(from),
                                    all.begin() + static_cast<long>(to));
      ASSERT_TRUE(same_bits(values(engine, example, *packed, from, to), part)) << from << "-" << to;
      const double diagonals[] = {engine.diagonal(example), plain.diagonal(example)};
      ASSERT_EQ(std::memcmp(&diagonals[0], &diagonals[1], sizeof(double)), 0);
    }
    std::shuffle(order.begin(), order.end(), random);
  }
}

void compare_all(Rows rows, double gamma,
                 const std::vector<int>& kernels = {LINEAR, POLY, RBF, SIGMOID}) {
  std::mt19937 random(7);
  for (const int kernel : kernels) {
    const KernelFunction function = kernel_of(kernel, gamma);
    const auto plain = engine_for("plain", InstructionSet::kPlain, function, rows);
    for (const InstructionSet set : kInstructionSets) {
      if (!is_supported(set)) continue;
      for (const char* name : kEngines) {
        SCOPED_TRACE(std::string(name) + " " + svm::name(set) + " kernel " +
                     std::to_string(kernel) + " rows " + std::to_string(rows.size()));
        const auto engine = engine_for(name, set, function, rows);
        EXPECT_GT(engine->value_cost(), 0);
        ASSERT_NO_FATAL_FAILURE(compare(*engine, *plain, rows.size(), random));
      }
    }
  }
}

// Random rows that have each of `features` features with the given probability.
template <class Draw>
Rows random_rows(std::size_t count, int features, double chance, unsigned seed, Draw draw) {
  std::mt19937 random(seed);
  std::bernoulli_distribution is_there(chance), is_copy(0.1), is_empty(0.05);
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    rows.emplace_back();
    if (is_empty(random)) continue;
    if (i > 0 && is_copy(random)) {
      rows.back() = rows[random() % i];
      continue;
    }
    for (int f = 1; f <= features; ++f) {
      if (is_there(random)) rows.back().push_back({f, draw(random)});
    }
  }
  return rows;
}

double one(std::mt19937&) { return 1; }
double real(std::mt19937& random) { return std::normal_distribution<double>()(random); }
double integer(std::mt19937& random) { return static_cast<double>(random() % 511) - 255; }
double byte(std::mt19937& random) { return static_cast<double>(random() % 256); }
double grey(std::mt19937& random) { return static_cast<double>(random() % 256) / 255; }

constexpr std::size_t kSizes[] = {0, 1, 63, 64, 65, 200};

TEST(RowEngines, AgreeOnOnes) {
  for (const std::size_t size : kSizes) {
    compare_all(random_rows(size, 14, 0.6, 1, one), 0.1);
    compare_all(random_rows(size, 70, 0.5, 2, one), 0.01);
    compare_all(random_rows(size, 300, 0.02, 3, one), 0.01);
    compare_all(random_rows(size, 3000, 0.01, 4, one), 0.01);
  }
}

TEST(RowEngines, AgreeOnReals) {
  for (const std::size_t size : kSizes) {
    compare_all(random_rows(size, 8, 1, 1, real), 0.1);
    compare_all(random_rows(size, 33, 0.5, 2, real), 0.05);
    compare_all(random_rows(size, 1000, 0.02, 3, real), 0.1);
    compare_all(random_rows(size, 60, 0.3, 4, grey), 0.1);
  }
}

// There are so many features that few columns are listed by the features that occur.
TEST(RowEngines, AgreeOnFewColumnsOfManyFeatures) {
  for (const bool ones : {false, true}) {
    std::mt19937 random(3);
    Rows rows(700);
    for (Row& row : rows) {
      int index = 0;
      for (int k = 0; k < 100; ++k) {
        index += 1 + static_cast<int>(random() % 60000);
        row.push_back({index, ones ? 1 : real(random)});
      }
    }
    for (Row& row : rows) row.push_back({-1, 0});
    const KernelFunction function = kernel_of(RBF, 0.1);
    const auto plain = engine_for("plain", InstructionSet::kPlain, function, rows);
    const auto columns = engine_for("columns", instruction_set(), function, rows);
    ASSERT_NO_FATAL_FAILURE(compare(*columns, *plain, rows.size(), random));
  }
}

TEST(RowEngines, AgreeOnIntegers) {
  for (const std::size_t size : kSizes) {
    compare_all(random_rows(size, 9, 0.8, 1, integer), 1e-5);
    compare_all(random_rows(size, 120, 0.2, 2, integer), 1e-6);
    compare_all(random_rows(size, 121, 0.2, 3, byte), 1e-6);
    compare_all(random_rows(size, 300, 0.9, 4, byte), 1e-7);
  }
}

TEST(RowEngines, AgreeOverManyColumns) {
  for (const std::size_t size : {4095U, 4096U, 4097U}) {
    compare_all(random_rows(size, 20, 0.5, 1, one), 0.1, {RBF});
    compare_all(random_rows(size, 12, 0.6, 2, real), 0.1, {RBF});
    compare_all(random_rows(size, 12, 0.6, 3, byte), 1e-5, {RBF});
  }
}

TEST(RowEngines, AgreeOnManyValuesOfFewKinds) {
  compare_all(random_rows(4500, 130, 0.3, 1, grey), 0.1, {RBF});
}

// There are enough rows for the dense engine to hold decimals.
TEST(RowEngines, AgreeOnNumbersOfFewDigits) {
  const double powers[] = {1, 1e3, 1e6, 1e9};
  const auto decimal = [&](std::mt19937& random) {
    return static_cast<int>(random() % 2000001 - 1000000) / powers[random() % 4];
  };
  Rows rows = random_rows(4500, 70, 0.9, 1, decimal);
  compare_all(rows, 0.01, {RBF});
  for (const double odd : {0.1 + 0x1p-55, 1e-13, 3e9, -0.0}) {
    rows[4000][5].value = odd;
    compare_all(rows, 0.01, {LINEAR});
  }
}

// More features than values in a tile of columns.
TEST(RowEngines, AgreeOnVerySparseRows) {
  Rows rows;
  std::mt19937 random(3);
  for (int i = 0; i < 9000; ++i) {
    rows.push_back({{static_cast<int>(random() % 3), real(random)},
                    {static_cast<int>(10 + random() % 1000000), real(random)}});
  }
  compare_all(rows, 0.3, {LINEAR});
}

TEST(RowEngines, AgreeOnExtremeValues) {
  const double extremes[] = {1e300, -1e300, 5e-324,  -5e-324, 0.0,    -0.0, 1,
                             -1,    1e-160, -1e-160, 1e154,   -1e154, 1e16, 0.1};
  const auto draw = [&](std::mt19937& random) { return extremes[random() % 14]; };
  for (const double gamma : {1.0, 1e-300, 1e-20}) {
    compare_all(random_rows(130, 9, 0.7, 1, draw), gamma);
    compare_all(random_rows(130, 200, 0.05, 2, draw), gamma);
  }
  const auto tiny = [&](std::mt19937& random) { return extremes[2 + random() % 4]; };
  compare_all(random_rows(130, 9, 0.7, 1, tiny), 1);
  const auto zero_or_one = [](std::mt19937& random) { return random() % 3 == 0 ? -0.0 : 1.0; };
  compare_all(random_rows(130, 20, 0.7, 1, zero_or_one), 0.1);
}

TEST(RowEngines, AgreeOnRowsThatAreNotFiniteOrNotInOrder) {
  const double infinity = std::numeric_limits<double>::infinity();
  compare_all({{{1, infinity}, {3, 1}}, {{2, 1}, {3, 2}}, {{1, 1}}, {}}, 1);
  compare_all({{{3, 1}, {1, 1}}, {{1, 1}, {2, 1}, {3, 1}}, {{2, 1}, {2, 1}}, {{2, 1}}}, 1);
  compare_all({{{-5, 1}, {0, 2}, {7, 3}}, {{-7, 1}, {-5, 2}, {7, 1}}, {{0, 1}}}, 0.1);
}

TEST(RowEngines, WalkRowsThatAreNotInOrderAsPredictionDoes) {
  Rows rows = {{{3, 2}, {1, 5}}, {{1, 7}, {3, 11}}, {{3, 2}, {3, 3}}};
  const std::vector<const svm_node*> pointers = pointers_to(rows);
  const auto engine = make_row_engine(kernel_of(LINEAR, 1), pointers.data(), rows.size());
  const auto columns = engine->pack(row_numbers(3).data(), 3, nullptr);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(values(*engine, i, *columns, j, j + 1)[0],
                static_cast<float>(dot(pointers[i], pointers[j])));
    }
  }
}

TEST(RowEngines, AgreeOnHugeIndices) {
  const int huge = 2147483647;
  compare_all({{{1, 1}, {huge, 1}}, {{huge - 1, 1}, {huge, 1}}, {{1, 1}}}, 1);
  compare_all({{{1, 1.5}, {huge, 2}}, {{huge - 1, 1}, {huge, 1}}, {{1, 1}}}, 1);
}

TEST(RowEngines, NameTheVariableThatNamesNoEngine) {
  EXPECT_EQ(engine_fault(), "");
  const Setting engine("SVM_ENGINE", "fast");
  const std::string text = engine_fault();
  for (const char* part :
       {"SVM_ENGINE", "'fast'", "plain", "bits", "integers", "dense", "columns"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST(RowEngines, LookUpPrecomputedValues) {
  Rows rows = {{{0, 1}, {1, 11}, {2, 12}}, {{0, 2}, {1, 21}, {2, 22}}};
  const std::vector<const svm_node*> pointers = pointers_to(rows);
  const auto engine = make_row_engine(kernel_of(PRECOMPUTED, 1), pointers.data(), 2);
  const std::uint32_t backwards[] = {1, 0};
  const auto columns = engine->pack(backwards, 2, nullptr);
  EXPECT_EQ(values(*engine, 0, *columns, 0, 2), (std::vector<float>{12, 11}));
  EXPECT_EQ(values(*engine, 1, *columns, 1, 2), (std::vector<float>{21}));
  EXPECT_EQ(engine->diagonal(1), 22);
}

}  // namespace
}  // namespace svm
