// The row cache and the kernel matrices over it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/kernel_matrix.h"
#include "kernels/row_cache.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Draws;

constexpr std::size_t kPlenty = 1 << 20;

// Number of values of row i that are known, without fetching more.
std::size_t known(RowCache& cache, std::size_t i, std::size_t length) {
  return cache.get(i, length).from;
}

void fill(RowCache& cache, std::size_t i, std::size_t length) {
  const RowCache::Row row = cache.get(i, length);
  for (std::size_t t = row.from; t < length; ++t) {
    row.values[t] = static_cast<float>(1000 * i + t);
  }
}

TEST(RowCacheTest, KnowsWhatItWasGiven) {
  RowCache cache(8, kPlenty);
  EXPECT_EQ(known(cache, 3, 8), 0U);
  fill(cache, 2, 8);
  const RowCache::Row row = cache.get(2, 8);
  EXPECT_EQ(row.from, 8U);
  EXPECT_EQ(row.values[5], 2005.0F);
}

TEST(RowCacheTest, RowsGrow) {
  RowCache cache(8, kPlenty);
  fill(cache, 1, 3);
  const RowCache::Row longer = cache.get(1, 6);
  EXPECT_EQ(longer.from, 3U);
  EXPECT_EQ(longer.values[0], 1000.0F);
  EXPECT_EQ(longer.values[2], 1002.0F);
  for (std::size_t t = 3; t < 6; ++t) longer.values[t] = static_cast<float>(1000 + t);
  // A shorter request is served from the longer row and does not cut it.
  EXPECT_EQ(known(cache, 1, 2), 2U);
  EXPECT_EQ(known(cache, 1, 6), 6U);
}

TEST(RowCacheTest, TwoWholeRowsFitHoweverSmallTheMemory) {
  RowCache cache(50, 0);
  fill(cache, 0, 50);
  const RowCache::Row first = cache.get(7, 50);
  for (std::size_t t = 0; t < 50; ++t) first.values[t] = 7;
  fill(cache, 8, 50);
  EXPECT_EQ(first.values[49], 7.0F);  // still valid after the next call
  EXPECT_EQ(known(cache, 7, 50), 50U);
  EXPECT_EQ(known(cache, 8, 50), 50U);
  EXPECT_EQ(known(cache, 0, 50), 0U);
}

TEST(RowCacheTest, DropsTheLeastRecentlyUsed) {
  RowCache cache(50, 0);
  fill(cache, 0, 50);
  fill(cache, 1, 50);
  cache.get(0, 50);
  fill(cache, 2, 50);  // instead of 1
  EXPECT_EQ(known(cache, 0, 50), 50U);
  EXPECT_EQ(known(cache, 2, 50), 50U);
  EXPECT_EQ(known(cache, 1, 50), 0U);
}

// Rows still known after all were fetched once, in order.
std::size_t rows_kept(std::size_t size, std::size_t bytes) {
  RowCache cache(size, bytes);
  for (std::size_t i = 0; i < size; ++i) fill(cache, i, size);
  std::size_t kept = 0;
  while (kept < size && known(cache, size - 1 - kept, size) == size) ++kept;
  return kept;
}

TEST(RowCacheTest, StaysWithinItsMemory) {
  constexpr std::size_t kSize = 200;
  constexpr std::size_t kRowBytes = kSize * sizeof(float);
  EXPECT_EQ(rows_kept(kSize, 0), 2U);
  EXPECT_EQ(rows_kept(kSize, kPlenty), kSize);
  for (const std::size_t rows : {30U, 60U, 100U, 150U}) {
    const std::size_t kept = rows_kept(kSize, rows * kRowBytes);
    EXPECT_LE(kept, rows);
    EXPECT_GT(kept + 30, rows);  // the rest keeps the books
  }
}

// Every position pair in a small cache: row and column move together.
TEST(RowCacheTest, SwapsInAllPositions) {
  constexpr std::size_t kSize = 5;
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < kSize; ++j) {
      RowCache cache(kSize, kPlenty);
      for (std::size_t r = 0; r < kSize; ++r) fill(cache, r, r + 1);  // lengths 1 ... 5
      cache.swap(i, j);
      std::vector<std::size_t> old(kSize);
      std::iota(old.begin(), old.end(), 0U);
      std::swap(old[i], old[j]);
      for (std::size_t r = 0; r < kSize; ++r) {
        const RowCache::Row row = cache.get(r, kSize);
        for (std::size_t t = 0; t < row.from; ++t) {
          EXPECT_EQ(row.values[t], static_cast<float>(1000 * old[r] + old[t]));
        }
      }
    }
  }
}

// Random requests and swaps against a matrix without a cache.
TEST(RowCacheTest, AgreesWithAPlainMatrix) {
  constexpr std::size_t kSize = 23;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1800}, kPlenty}) {
    Draws draws(bytes + 1);
    RowCache cache(kSize, bytes);
    std::vector<std::size_t> original(kSize);
    std::iota(original.begin(), original.end(), 0U);
    std::size_t hits = 0;
    for (int step = 0; step < 20000; ++step) {
      if (draws.below(4) == 0) {
        const std::size_t i = draws.below(kSize), j = draws.below(kSize);
        cache.swap(i, j);
        std::swap(original[i], original[j]);
        continue;
      }
      const std::size_t i = draws.below(kSize);
      const std::size_t length = 1 + draws.below(kSize);
      const RowCache::Row row = cache.get(i, length);
      ASSERT_LE(row.from, length);
      for (std::size_t t = 0; t < length; ++t) {
        const auto value = static_cast<float>(1000 * original[i] + original[t]);
        if (t >= row.from) {
          row.values[t] = value;
        } else {
          ASSERT_EQ(row.values[t], value) << "step " << step << ", row " << i << ", value " << t;
          ++hits;
        }
      }
    }
    EXPECT_GT(hits, 0U);
  }
}

// K(i, j) = 100 i + j, so that it is seen which example stands where; counts what it computes.
class CountingEngine final : public RowEngine {
 public:
  explicit CountingEngine(std::size_t* computed) : computed_(computed) {}
  void compute(std::size_t example, const std::uint32_t* columns, std::size_t count,
               float* out) override {
    *computed_ += count;
    for (std::size_t k = 0; k < count; ++k) {
      out[k] = static_cast<float>(100 * example + columns[k]);
    }
  }
  double diagonal(std::size_t example) const override { return static_cast<double>(101 * example); }

 private:
  std::size_t* computed_;
};

// `example` names the example of each variable at the start.
void expect_rows_follow_swaps(KernelMatrix& matrix, std::vector<std::size_t> example) {
  Draws draws(3);
  for (int step = 0; step < 3000; ++step) {
    const std::size_t i = draws.below(example.size());
    const std::size_t j = (i + 1 + draws.below(example.size() - 1)) % example.size();  // not i
    if (draws.below(3) == 0) {
      matrix.swap(i, j);
      std::swap(example[i], example[j]);
    }
    const std::size_t length = 1 + draws.below(example.size());
    const float* row_i = matrix.row(i, length);
    const float* row_j = matrix.row(j, example.size());  // both may be in use
    for (std::size_t t = 0; t < length; ++t) {
      ASSERT_EQ(row_i[t], static_cast<float>(100 * example[i] + example[t]));
    }
    for (std::size_t t = 0; t < example.size(); ++t) {
      ASSERT_EQ(row_j[t], static_cast<float>(100 * example[j] + example[t]));
    }
    ASSERT_EQ(matrix.diagonal(i), static_cast<double>(101 * example[i]));
  }
}

TEST(ExampleMatrixTest, RowsFollowSwaps) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{900}, kPlenty}) {
    std::size_t computed = 0;
    ExampleMatrix matrix(std::make_unique<CountingEngine>(&computed), 11, bytes);
    expect_rows_follow_swaps(matrix, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  }
}

TEST(ExampleMatrixTest, ComputesAValueOnce) {
  std::size_t computed = 0;
  ExampleMatrix matrix(std::make_unique<CountingEngine>(&computed), 10, kPlenty);
  matrix.row(4, 6);
  EXPECT_EQ(computed, 6U);
  matrix.row(4, 3);
  EXPECT_EQ(computed, 6U);
  matrix.row(4, 10);
  EXPECT_EQ(computed, 10U);
}

TEST(MirroredMatrixTest, RowsFollowSwapsAcrossTheTwoHalves) {
  for (const std::size_t bytes : {std::size_t{0}, kPlenty}) {
    std::size_t computed = 0;
    MirroredMatrix matrix(std::make_unique<CountingEngine>(&computed), 6, bytes);
    expect_rows_follow_swaps(matrix, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  }
}

TEST(MirroredMatrixTest, BothVariablesOfAnExampleShareItsRow) {
  std::size_t computed = 0;
  MirroredMatrix matrix(std::make_unique<CountingEngine>(&computed), 10, kPlenty);
  matrix.row(3, 20);
  matrix.row(13, 20);
  EXPECT_EQ(computed, 10U);
}

}  // namespace
}  // namespace svm
