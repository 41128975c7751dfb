// Loops over bits: values and sums of every instruction set, compared with bits that are counted
// one by one.
#include "kernels/engines/bit_examples.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/bit_blocks.h"
#include "base/simd/loops.h"
#include "tests/base/simd/single_tables.h"

namespace svm {
namespace {

using test::same_bits;
using test::Table;
using test::tables;

constexpr std::size_t kRows = 11, kColumns = 3 * kBitColumns - 50;

// Examples with up to `largest` of these features.
struct Shape {
  std::size_t features, largest;
  bool differing;

  std::size_t most_bits() const { return std::min(features, differing ? 2 * largest : largest); }
};

// The last kRows examples are the rows. Their bits are counted one by one.
class BitCase {
 public:
  BitCase(const Shape& shape, std::mt19937& random) : shape_(shape) {
    std::vector<std::uint32_t> features(shape.features);
    std::iota(features.begin(), features.end(), 0U);
    for (std::size_t i = 0; i < kColumns + kRows; ++i) {
      std::shuffle(features.begin(), features.end(), random);
      // Every fourth example has as many features as possible, another one none.
      const std::size_t most = std::min(shape.largest, shape.features);
      const std::size_t count = i % 4 == 0 ? most : i % 7 == 0 ? 0 : random() % (most + 1);
      examples_.emplace_back(features.begin(),
                             features.begin() + static_cast<std::ptrdiff_t>(count));
    }
    std::normal_distribution<double> normal;
    values_.assign(shape.most_bits() + 1 + kLikelyBits, 0.0);
    for (double& value : values_) value = normal(random);
    for (std::size_t r = 0; r < kRows; ++r) factors_.push_back(normal(random));
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t k = 0; k < kColumns; ++k) counts_.push_back(count(r, k));
    }
  }

  // The loops over columns `from` ... `to` - 1 are right.
  void compare(const Table& table, std::size_t likely, std::size_t from, std::size_t to) const {
    const Loops& loops = *table.loops;
    BitExamples bits(loops, shape_.features, shape_.most_bits());
    BitExamples rest = bits;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      (3 * i < examples_.size() ? bits : rest).add(examples_[i].data(), examples_[i].size());
    }
    bits.add(rest);
    std::vector<std::uint32_t> columns(kColumns), rows(kRows);
    std::iota(columns.begin(), columns.end(), 0U);
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(kColumns));
    AlignedVector<std::uint8_t> packed;
    bits.pack(columns.data(), kColumns, packed);
    const BitBlocks blocks = bits.blocks(packed, shape_.differing);
    const BitRows some = bits.rows(rows.data(), kRows);
    const std::vector<float> floats(values_.begin(), values_.end());

    std::vector<std::vector<float>> out(kRows, std::vector<float>(to - from));
    std::vector<float*> to_rows;
    to_rows.reserve(kRows);
    for (auto& row : out) to_rows.push_back(row.data());
    loops.bit_values(blocks, from, to, some, {floats.data(), shape_.most_bits() + 1, likely},
                     to_rows.data());
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t k = from; k < to; ++k) {
        ASSERT_EQ(out[r][k - from], floats[counts_[r * kColumns + k]]) << r << " " << k;
      }
    }
    std::vector<double> sums(to - from, 0.5);
    loops.bit_sums_float(blocks, from, to, some, {floats.data(), shape_.most_bits() + 1, likely},
                         factors_.data(), sums.data());
    EXPECT_TRUE(same_bits(sums, sums_of(floats, table.fuses, from, to)));
    std::fill(sums.begin(), sums.end(), 0.5);
    loops.bit_sums_double(blocks, from, to, some, {values_.data(), shape_.most_bits() + 1, likely},
                          factors_.data(), sums.data());
    EXPECT_TRUE(same_bits(sums, sums_of(values_, table.fuses, from, to)));
  }

 private:
  std::size_t count(std::size_t row, std::size_t column) const {
    std::vector<bool> has(shape_.features);
    const auto& of_row = examples_[kColumns + row];
    const auto& of_column = examples_[column];
    for (const std::uint32_t feature : of_row) has[feature] = true;
    const auto common = static_cast<std::size_t>(
        std::count_if(of_column.begin(), of_column.end(), [&](auto f) { return has[f]; }));
    return shape_.differing ? of_row.size() + of_column.size() - 2 * common : common;
  }

  template <class Value>
  std::vector<double> sums_of(const std::vector<Value>& values, bool fuses, std::size_t from,
                              std::size_t to) const {
    std::vector<double> sums(to - from, 0.5);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t k = from; k < to; ++k) {
        const double value = static_cast<double>(values[counts_[r * kColumns + k]]);
        double& sum = sums[k - from];
        sum = fuses ? std::fma(factors_[r], value, sum) : sum + factors_[r] * value;
      }
    }
    return sums;
  }

  Shape shape_;
  std::vector<std::vector<std::uint32_t>> examples_;
  std::vector<double> values_, factors_;
  std::vector<std::size_t> counts_;
};

// Tables of values that fit into registers and others, one part and several.
constexpr Shape kShapes[] = {
    {1, 1, false},      {1, 1, true},      {9, 9, true},      {31, 31, false},  {32, 32, false},
    {100, 15, true},    {124, 14, false},  {300, 40, true},   {300, 127, true}, {255, 255, false},
    {300, 255, false},  {256, 256, false}, {249, 249, true},  {300, 128, true}, {600, 280, false},
    {1024, 1024, true}, {1024, 60, true},  {1024, 700, false}};

TEST(BitLoops, CountAsBitsOneByOne) {
  std::mt19937 random(5);
  for (const Shape& shape : kShapes) {
    const BitCase bits(shape, random);
    for (const Table& table : tables()) {
      SCOPED_TRACE(table.name + " " + std::to_string(shape.features) + " " +
                   std::to_string(shape.largest) + (shape.differing ? " differing" : " common"));
      const std::size_t most_likely = std::min(shape.most_bits(), kMostLikely);
      for (const std::size_t likely : {std::size_t{0}, most_likely / 2, most_likely}) {
        bits.compare(table, likely, 0, kColumns);
      }
      bits.compare(table, most_likely / 2, 3, 4);
      bits.compare(table, most_likely / 2, 100, kColumns - 100);
      bits.compare(table, most_likely / 2, kBitColumns, 2 * kBitColumns);
      bits.compare(table, most_likely / 2, kColumns, kColumns);
    }
  }
}

}  // namespace
}  // namespace svm
