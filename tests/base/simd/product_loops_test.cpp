// Loops of products in single precision, compared with exact sums, with each other, and with the
// same operations one by one.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/loops.h"
#include "base/simd/targets/tables.h"
#include "tests/base/simd/single_tables.h"

namespace svm {
namespace {

using test::exp_by_operations;
using test::exp_tail;
using test::kForms;
using test::same_bits;
using test::Table;
using test::tables;
using test::tail_of;

// What a case consists of.
struct Shape {
  std::size_t groups, floats, part, rows;
};

// Whole numbers, many of them the largest ones, and floats; a third of the groups of a row, and
// half of its floats, are zero.
class ProductCase {
 public:
  static constexpr std::size_t kBlocks = 2, kColumns = kBlocks * kBlockColumns;
  static constexpr int kShift = 3;

  ProductCase(const Shape& shape, std::mt19937& random)
      : shape_(shape), column_numbers_(kColumns * numbers()), row_numbers_(shape.rows * numbers()) {
    std::normal_distribution<float> normal;
    for (std::int32_t& number : column_numbers_) number = draw(random);
    for (std::size_t n = 0; n < row_numbers_.size(); ++n) {
      if (n % kPerGroup == 0) is_empty_ = random() % 3 == 0;
      row_numbers_[n] = is_empty_ ? 0 : draw(random);
    }
    const auto fill = [&](std::vector<float>& to, std::size_t count, bool has_zeros) {
      for (std::size_t n = 0; n < count; ++n) {
        to.push_back(has_zeros && random() % 2 == 0 ? 0.0F : 100 * normal(random));
      }
    };
    fill(column_floats_, kColumns * shape.floats, false);
    fill(row_floats_, shape.rows * shape.floats, true);
    pack();
    for (std::size_t r = 0; r < shape.rows; ++r) factors_.push_back(std::exp(normal(random)));
  }

  ProductBlocks view() const {
    return {columns_.data(),
            floats_.data(),
            column_norms_.data(),
            shape_.groups,
            shape_.floats,
            kShift,
            0.25};
  }

  // Lists of the rows from `first` on; `grouped` of them share lists.
  struct Panel {
    std::vector<std::uint32_t> begin = {0}, groups, words, ends, places;
    std::vector<std::int32_t> offsets, norms;
    std::vector<float> values;
    std::size_t parts = 0, grouped = 0;

    ProductRows view() const {
      return {begin.data(), groups.data(), words.data(),  offsets.data(), norms.data(),
              ends.data(),  places.data(), values.data(), parts,          grouped};
    }
  };
  Panel panel(std::size_t first, std::size_t count, std::size_t grouped) const {
    Panel panel;
    panel.parts = (shape_.floats + shape_.part - 1) / shape_.part;
    panel.grouped = grouped;
    for (std::size_t r = first; r < first + count; ++r) {
      std::int32_t sum = 0;
      for (std::size_t g = 0; g < shape_.groups; ++g) {
        const std::uint32_t word = word_of(&row_numbers_[r * numbers() + g * kPerGroup], 0);
        for (std::size_t k = 0; k < kPerGroup; ++k) {
          sum += row_numbers_[r * numbers() + g * kPerGroup + k];
        }
        if (word == 0) continue;
        panel.groups.push_back(static_cast<std::uint32_t>(g));
        panel.words.push_back(word);
      }
      panel.begin.push_back(static_cast<std::uint32_t>(panel.groups.size()));
      panel.offsets.push_back(128 * sum);
      panel.norms.push_back(row_norm(r));
    }
    for (std::size_t r = 0; r < count;) {
      const std::size_t size = r < grouped ? kSingleRows : 1;
      add_list(panel, first + r, size);
      r += size;
    }
    return panel;
  }

  std::vector<float> values(const Loops& loops, const SingleTail& tail, const Panel& panel,
                            std::size_t rows) const {
    std::vector<float> out(rows * kColumns);
    std::vector<float*> to;
    for (std::size_t r = 0; r < rows; ++r) to.push_back(out.data() + r * kColumns);
    loops.product_values(view(), kBlocks, panel.view(), rows, tail, to.data());
    return out;
  }
  std::vector<double> sums(const Loops& loops, const SingleTail& tail, const Panel& panel) const {
    std::vector<double> out(kColumns, 0.5);
    loops.product_sums(view(), kBlocks, panel.view(), factors_.data(), shape_.rows, tail,
                       out.data());
    return out;
  }

  std::int64_t whole_dot(std::size_t r, std::size_t k) const {
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < numbers(); ++n) {
      sum += std::int64_t{row_numbers_[r * numbers() + n]} * column_numbers_[k * numbers() + n];
    }
    return sum;
  }
  // The dot product for kExp, by the operations of the loops.
  std::int64_t exp_dot(std::size_t r, std::size_t k) const {
    std::int64_t dot = whole_dot(r, k) * (1 << kShift);
    for (std::size_t begin = 0; begin < shape_.floats; begin += shape_.part) {
      float sum = 0;
      for (std::size_t f = begin; f < std::min(begin + shape_.part, shape_.floats); ++f) {
        const float x = row_floats_[r * shape_.floats + f];
        if (x != 0) sum = std::fma(column_floats_[k * shape_.floats + f], x, sum);
      }
      dot += static_cast<std::int64_t>(std::nearbyint(sum));
    }
    return dot;
  }
  std::int64_t distance(std::size_t r, std::size_t k) const {
    return std::max(row_norm(r) + column_norms_[k] - 2 * exp_dot(r, k), std::int64_t{0});
  }
  const std::vector<double>& factors() const { return factors_; }

 private:
  static constexpr std::size_t kPerGroup = 4;
  std::size_t numbers() const { return shape_.groups * kPerGroup; }

  std::int32_t draw(std::mt19937& random) const {
    const auto bits = static_cast<std::uint32_t>(random());
    if ((bits & 256U) != 0) return (bits & 512U) != 0 ? 255 : 0;
    return static_cast<std::int32_t>(bits % 255);
  }

  // The numbers of a group, each with `flipped` bits.
  std::uint32_t word_of(const std::int32_t* numbers, std::uint32_t flipped) const {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < kPerGroup; ++k) {
      word |= ((static_cast<std::uint32_t>(numbers[k]) ^ flipped) & 0xffU) << (8 * k);
    }
    return word;
  }

  void pack() {
    columns_.assign(kColumns * shape_.groups + 1, 0);
    floats_.assign(kColumns * shape_.floats + 1, 0.0F);
    for (std::size_t k = 0; k < kColumns; ++k) {
      const std::size_t block = k / kBlockColumns, shift = k % kBlockColumns;
      for (std::size_t g = 0; g < shape_.groups; ++g) {
        columns_[(block * shape_.groups + g) * kBlockColumns + shift] =
            word_of(&column_numbers_[k * numbers() + g * kPerGroup], 128);
      }
      for (std::size_t f = 0; f < shape_.floats; ++f) {
        floats_[(block * shape_.floats + f) * kBlockColumns + shift] =
            column_floats_[k * shape_.floats + f];
      }
      column_norms_.push_back(
          norm_of(&column_numbers_[k * numbers()], &column_floats_[k * shape_.floats]));
    }
  }

  std::int32_t norm_of(const std::int32_t* wholes, const float* floats) const {
    double norm = 0;
    for (std::size_t n = 0; n < numbers(); ++n) norm += (1 << kShift) * std::pow(wholes[n], 2);
    for (std::size_t f = 0; f < shape_.floats; ++f) norm += std::pow(floats[f], 2);
    return static_cast<std::int32_t>(norm);
  }
  std::int32_t row_norm(std::size_t r) const {
    return norm_of(&row_numbers_[r * numbers()], &row_floats_[r * shape_.floats]);
  }

  void add_list(Panel& panel, std::size_t first, std::size_t rows) const {
    for (std::size_t f = 0; f < shape_.floats; ++f) {
      const auto value = [&](std::size_t r) {
        return row_floats_[(first + r) * shape_.floats + f];
      };
      bool is_zero = true;
      for (std::size_t r = 0; r < rows; ++r) is_zero = is_zero && value(r) == 0;
      if (!is_zero) {
        panel.places.push_back(static_cast<std::uint32_t>(f));
        for (std::size_t r = 0; r < rows; ++r) panel.values.push_back(value(r));
      }
      if ((f + 1) % shape_.part == 0 || f + 1 == shape_.floats) {
        panel.ends.push_back(static_cast<std::uint32_t>(panel.places.size()));
      }
    }
  }

  Shape shape_;
  bool is_empty_ = false;
  std::vector<std::int32_t> column_numbers_, row_numbers_;  // (column or row, number)
  std::vector<float> column_floats_, row_floats_;           // (column or row, place)
  std::vector<std::uint32_t> columns_;
  std::vector<float> floats_;
  std::vector<std::int32_t> column_norms_;
  std::vector<double> factors_;
};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const std::size_t groups : {0U, 1U, 2U, 9U, 60U}) {
    for (const std::size_t floats : {0U, 1U, 16U, 37U, 150U}) {
      all.push_back({groups, floats, floats == 37 ? 8U : 64U, 7});
    }
  }
  all.push_back({3, 20, 4, 70});  // more rows than are in memory at a time
  return all;
}

TEST(ProductLoops, DotsOfWholeNumbersAreExact) {
  std::mt19937 random(6);
  SingleTail tail = tail_of(TailForm::kDot);
  tail.gamma = 4;  // 1 / factor
  for (const std::size_t groups : {0U, 1U, 2U, 7U, 8U, 9U, 31U, 400U}) {
    const ProductCase some({groups, 0, 1, 4}, random);
    for (const Table& table : tables()) {
      const std::vector<float> out = some.values(*table.loops, tail, some.panel(0, 4, 0), 4);
      for (std::size_t n = 0; n < out.size(); ++n) {
        const std::int64_t dot =
            some.whole_dot(n / ProductCase::kColumns, n % ProductCase::kColumns);
        ASSERT_EQ(out[n], static_cast<float>(dot)) << table.name << " " << groups;
      }
    }
  }
}

TEST(ProductLoops, ValuesAreTheSameOperationsInAnyList) {
  std::mt19937 random(7);
  for (const Shape& shape : shapes()) {
    const ProductCase some(shape, random);
    const std::size_t rows = shape.rows, grouped = rows / kSingleRows * kSingleRows;
    for (const TailForm form : kForms) {
      SingleTail tail = form == TailForm::kExp ? exp_tail(-4e-7) : tail_of(form);
      if (form != TailForm::kExp) tail.gamma = 1e-6;
      std::vector<float> first;
      for (const Table& table : tables()) {
        if (!table.fuses) continue;
        const ProductCase::Panel lone = some.panel(0, rows, 0),
                                 groups = some.panel(0, rows, grouped);
        const std::vector<float> all = some.values(*table.loops, tail, lone, rows);
        EXPECT_TRUE(same_bits(some.values(*table.loops, tail, groups, rows), all)) << table.name;
        std::vector<double> expected(ProductCase::kColumns, 0.5);
        for (std::size_t r = 0; r < rows; ++r) {
          const std::vector<float> row = some.values(*table.loops, tail, some.panel(r, 1, 0), 1);
          for (std::size_t k = 0; k < row.size(); ++k) {
            ASSERT_EQ(row[k], all[r * row.size() + k]) << table.name;
            expected[k] = std::fma(some.factors()[r], static_cast<double>(row[k]), expected[k]);
            if (form != TailForm::kExp) continue;
            const auto distance = static_cast<float>(some.distance(r, k));
            ASSERT_EQ(row[k], exp_by_operations(distance, tail)) << table.name;
          }
        }
        EXPECT_TRUE(same_bits(some.sums(*table.loops, tail, lone), expected)) << table.name;
        EXPECT_TRUE(same_bits(some.sums(*table.loops, tail, groups), expected)) << table.name;
        if (first.empty()) first = all;
        EXPECT_TRUE(same_bits(all, first)) << table.name;
      }
    }
  }
}

TEST(ProductLoops, PlainValuesAreClose) {
  std::mt19937 random(8);
  const ProductCase some({10, 40, 16, 5}, random);
  for (const TailForm form : kForms) {
    SingleTail tail = form == TailForm::kExp ? exp_tail(-4e-7) : tail_of(form);
    if (form != TailForm::kExp) tail.gamma = 1e-6;
    const std::vector<float> expected = some.values(kPlainLoops, tail, some.panel(0, 5, 4), 5);
    for (const Table& table : tables()) {
      const std::vector<float> values = some.values(*table.loops, tail, some.panel(0, 5, 4), 5);
      for (std::size_t k = 0; k < values.size(); ++k) {
        EXPECT_NEAR(values[k], expected[k], 1e-5 * (1 + std::fabs(expected[k]))) << table.name;
      }
    }
  }
}

}  // namespace
}  // namespace svm
