// Loops of differences in single precision, compared with exact values, with each other, and with
// the same operations one by one.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "base/simd/loops.h"
#include "base/simd/targets/tables.h"
#include "tests/base/simd/single_tables.h"

namespace svm {
namespace {

using test::exp_by_operations;
using test::exp_tail;
using test::same_bits;
using test::Table;
using test::tables;

// kExp of the squared values.
std::vector<float> exp_values(const Loops& loops, const SingleTail& tail,
                              const std::vector<float>& values) {
  const float zero = 0;
  const std::uint32_t no_words[kBlockColumns] = {};
  const FloatBlocks blocks = {values.data(), no_words, 1, 0, 0};
  std::vector<float> out(values.size());
  float* const to = out.data();
  loops.float_values(blocks, values.size() / kBlockColumns, {&zero, no_words}, 1, tail, &to);
  return out;
}

// The error in units in the last place of the float nearest to `exact`.
double ulps(float value, long double exact) {
  const auto nearest = static_cast<float>(exact);
  const float next = std::nextafter(nearest, 2.0F);
  const long double unit = static_cast<long double>(next) - static_cast<long double>(nearest);
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact) / unit);
}

TEST(SingleLoops, WeightedSumsAreThoseOfAllValues) {
  for (const Table& table : tables()) {
    for (std::size_t count = 0; count < 70; ++count) {
      std::vector<float> values;
      std::vector<double> weights;
      double sum = 0, sizes = 0, squares = 1;
      for (std::size_t k = 0; k < count; ++k) {
        values.push_back(0.5F * static_cast<float>(k % 11));
        weights.push_back((k % 3 == 1 ? -0.25 : 0.125) * static_cast<double>(k));
        sum += weights[k] * static_cast<double>(values[k]);
        sizes += std::fabs(weights[k]) * static_cast<double>(values[k]);
        squares += weights[k] * weights[k];
      }
      const Loops& loops = *table.loops;
      EXPECT_EQ(loops.weigh_values(values.data(), weights.data(), count), sum) << table.name;
      EXPECT_EQ(loops.weigh_values_absolutely(values.data(), weights.data(), count), sizes);
      double squared = 1;
      EXPECT_EQ(loops.weigh_values_and_square(values.data(), weights.data(), count, &squared), sum);
      EXPECT_EQ(squared, squares) << table.name;
    }
  }
}

TEST(SingleLoops, ExpIsWithinTwoUnitsEverywhere) {
  std::mt19937 random(3);
  for (const Table& table : tables()) {
    for (const double factor : {-1.4426950408889634, -0.75, -3.3e-7, -2.9e8}) {
      const SingleTail tail = exp_tail(factor);
      std::vector<float> values(std::size_t{1} << 16);
      std::uniform_real_distribution<double> some_power(0, 170);
      for (float& value : values)
        value = static_cast<float>(std::sqrt(some_power(random) / -factor));
      for (std::size_t k = 0; k < values.size() / 4; ++k) values[k] *= 0.05F;
      values[0] = 0;
      values[1] = 1e18F;
      const std::vector<float> out = exp_values(*table.loops, tail, values);
      double worst = 0;
      for (std::size_t k = 0; k < values.size(); ++k) {
        const auto distance = static_cast<double>(values[k] * values[k]);
        const long double power = static_cast<long double>(factor) * distance;
        if (power > -124.99L) {
          worst = std::max(worst, ulps(out[k], std::exp2(power)));
        } else {
          EXPECT_LE(out[k], 0x1.1p-125F) << table.name;
        }
      }
      EXPECT_LE(worst, 2) << table.name << " " << factor;
      EXPECT_EQ(out[0], 1.0F) << table.name;
      EXPECT_TRUE(std::all_of(out.begin(), out.end(), [](float x) { return std::isnormal(x); }))
          << table.name;  // subnormal numbers take a hundred times as long
    }
  }
}

// Random blocks, and rows as a panel and one by one.
struct FloatCase {
  static constexpr std::size_t kBlocks = 2;
  std::size_t features, words, rows;
  std::vector<float> values, row_values, panel_values;
  std::vector<std::uint32_t> marks, row_marks, panel_marks;
  std::vector<double> factors;

  FloatCase(std::size_t some_features, std::size_t some_words, std::size_t number,
            std::mt19937& random)
      : features(some_features), words(some_words), rows(number) {
    std::normal_distribution<float> normal;
    const auto fill = [&](std::vector<float>& to, std::size_t count) {
      to.resize(count + 1);
      for (float& value : to) value = normal(random);
    };
    const auto mark = [&](std::vector<std::uint32_t>& to, std::size_t count) {
      to.resize(count + 1);
      for (std::uint32_t& word : to) word = static_cast<std::uint32_t>(random());
    };
    fill(values, kBlocks * features * kBlockColumns);
    fill(row_values, rows * features);
    mark(marks, kBlocks * words * kBlockColumns);
    mark(row_marks, rows * words);
    panel_values = packed(row_values, features);
    panel_marks = packed(row_marks, words);
    for (std::size_t r = 0; r < rows; ++r) factors.push_back(std::exp(normal(random)));
  }

  template <typename Value>
  std::vector<Value> packed(const std::vector<Value>& from, std::size_t width) const {
    std::vector<Value> to(rows * width + 1);
    for (std::size_t r = 0; r < rows; ++r) {
      const bool is_grouped = r < rows / kSingleRows * kSingleRows;
      const std::size_t size = is_grouped ? kSingleRows : 1, first = r / size * size;
      for (std::size_t f = 0; f < width; ++f) {
        to[first * width + f * size + r - first] = from[r * width + f];
      }
    }
    return to;
  }

  FloatBlocks view() const { return {values.data(), marks.data(), features, words, 0.75F}; }
  FloatPanel row(std::size_t r) const {
    return {row_values.data() + r * features, row_marks.data() + r * words};
  }
  FloatPanel panel() const { return {panel_values.data(), panel_marks.data()}; }

  std::vector<float> row_of(const Loops& loops, const SingleTail& tail, std::size_t r) const {
    std::vector<float> out(kBlocks * kBlockColumns);
    float* const to = out.data();
    loops.float_values(view(), kBlocks, row(r), 1, tail, &to);
    return out;
  }
  // The values of all rows, computed together, row after row.
  std::vector<float> values_of_panel(const Loops& loops, const SingleTail& tail) const {
    std::vector<float> out(rows * kBlocks * kBlockColumns);
    std::vector<float*> to;
    for (std::size_t r = 0; r < rows; ++r) to.push_back(out.data() + r * kBlocks * kBlockColumns);
    loops.float_values(view(), kBlocks, panel(), rows, tail, to.data());
    return out;
  }
  std::vector<double> sums(const Loops& loops, const SingleTail& tail) const {
    std::vector<double> out(kBlocks * kBlockColumns, 0.5);
    loops.float_sums(view(), kBlocks, panel(), factors.data(), rows, tail, out.data());
    return out;
  }
};

// One value by the operations of the loops, for kExp.
float one_value(const FloatCase& some, const SingleTail& tail, std::size_t r, std::size_t k) {
  constexpr std::size_t kPart = 32;
  const std::size_t block = k / kBlockColumns, column = k % kBlockColumns;
  float sum = 0;
  for (std::size_t first = 0; first < some.features; first += kPart) {
    float part = 0;
    for (std::size_t f = first; f < std::min(first + kPart, some.features); ++f) {
      const float d = some.values[(block * some.features + f) * kBlockColumns + column] -
                      some.row_values[r * some.features + f];
      part = std::fma(d, d, part);
    }
    sum += part;
  }
  int bits = 0;
  for (std::size_t w = 0; w < some.words; ++w) {
    bits += __builtin_popcount(some.marks[(block * some.words + w) * kBlockColumns + column] ^
                               some.row_marks[r * some.words + w]);
  }
  if (some.words > 0) sum = std::fma(static_cast<float>(bits), 0.75F, sum);
  return exp_by_operations(sum, tail);
}

TEST(SingleLoops, ValuesOfFloatsAreTheSameOperationsInAnyTile) {
  std::mt19937 random(4);
  for (const std::size_t features : {0U, 1U, 12U, 32U, 33U, 100U}) {
    for (const std::size_t words : {0U, 1U, 3U, 24U, 25U, 60U}) {
      const FloatCase some(features, words, 7, random);
      const SingleTail tail = exp_tail(-0.0721);
      std::vector<float> first;
      for (const Table& table : tables()) {
        if (!table.fuses) continue;
        std::vector<double> expected(FloatCase::kBlocks * kBlockColumns, 0.5);
        std::vector<double> from_rows = expected;
        std::vector<float> all;
        for (std::size_t r = 0; r < some.rows; ++r) {
          const std::vector<float> row = some.row_of(*table.loops, tail, r);
          all.insert(all.end(), row.begin(), row.end());
          for (std::size_t k = 0; k < row.size(); ++k) {
            expected[k] = std::fma(some.factors[r], static_cast<double>(row[k]), expected[k]);
            EXPECT_EQ(row[k], one_value(some, tail, r, k));
          }
          if (r > 0) continue;
          if (first.empty()) first = row;
          EXPECT_TRUE(same_bits(row, first)) << table.name << " " << features << " " << words;
        }
        EXPECT_TRUE(same_bits(some.sums(*table.loops, tail), expected))
            << table.name << " " << features << " " << words;
        EXPECT_TRUE(same_bits(some.values_of_panel(*table.loops, tail), all)) << table.name;
        std::vector<const float*> rows;
        for (std::size_t r = 0; r < some.rows; ++r) rows.push_back(&all[r * expected.size()]);
        const std::size_t shift = features % 5;  // only a part of the columns, and unaligned
        table.loops->add_float_rows(&from_rows[shift], rows.data(), shift, some.factors.data(),
                                    some.rows, expected.size() - shift);
        for (std::size_t k = 0; k < shift; ++k) from_rows[k] = expected[k];
        EXPECT_TRUE(same_bits(from_rows, expected)) << table.name;
      }
    }
  }
}

TEST(SingleLoops, PlainValuesAreClose) {
  std::mt19937 random(5);
  const FloatCase some(40, 3, 5, random);
  const SingleTail tail = exp_tail(-0.0721);
  const std::vector<double> expected = some.sums(kPlainLoops, tail);
  for (const Table& table : tables()) {
    const std::vector<double> sums = some.sums(*table.loops, tail);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      EXPECT_NEAR(sums[k], expected[k], 1e-5 * (1 + std::fabs(expected[k]))) << table.name;
    }
  }
}

}  // namespace
}  // namespace svm
