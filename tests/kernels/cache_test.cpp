// The row cache.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/matrix/row_cache.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Draws;

constexpr std::size_t kPlenty = 1 << 20;

CacheRoom all_at_once(std::size_t bytes) { return {bytes, bytes, 0}; }

// Number of values of row i that are known, without fetching more.
std::size_t known(RowCache<float>& cache, std::size_t i, std::size_t length) {
  return cache.get(i, length).from;
}

void fill(RowCache<float>& cache, std::size_t i, std::size_t length) {
  const RowCache<float>::Row row = cache.get(i, length);
  for (std::size_t t = row.from; t < length; ++t) {
    row.values[t] = static_cast<float>(1000 * i + t);
  }
}

TEST(RowCacheTest, KnowsWhatItWasGiven) {
  RowCache<float> cache(8, 8, all_at_once(kPlenty));
  EXPECT_EQ(known(cache, 3, 8), 0U);
  fill(cache, 2, 8);
  const RowCache<float>::Row row = cache.get(2, 8);
  EXPECT_EQ(row.from, 8U);
  EXPECT_EQ(row.values[5], 2005.0F);
}

TEST(RowCacheTest, RowsGrow) {
  RowCache<float> cache(8, 8, all_at_once(kPlenty));
  fill(cache, 1, 3);
  const RowCache<float>::Row longer = cache.get(1, 6);
  EXPECT_EQ(longer.from, 3U);
  EXPECT_EQ(longer.values[0], 1000.0F);
  EXPECT_EQ(longer.values[2], 1002.0F);
  for (std::size_t t = 3; t < 6; ++t) longer.values[t] = static_cast<float>(1000 + t);
  // A shorter request is served from the longer row and does not cut it.
  EXPECT_EQ(known(cache, 1, 2), 2U);
  EXPECT_EQ(known(cache, 1, 6), 6U);
}

TEST(RowCacheTest, TakesRowsFromMemoryAsLongAsItHasRoom) {
  RowMemory<float> memory;
  const float* first = nullptr;
  for (const std::size_t columns : {5U, 8U, 3U}) {
    memory.reset(2, columns);
    RowCache<float> cache(4, columns, all_at_once(kPlenty), &memory);
    const float* const row = cache.get(3, 2).values;
    if (columns == 3) {
      EXPECT_EQ(row, first);  // the memory is used again
    }
    first = row;
    for (std::size_t i = 0; i < 4; ++i) fill(cache, i, columns);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(known(cache, i, columns), columns);
      EXPECT_EQ(cache.get(i, columns).values[columns - 1],
                static_cast<float>(1000 * i + columns - 1));
    }
    if (columns != 3) {
      EXPECT_EQ(cache.get(3, columns).values, row) << "grows in its place";
    }
  }
}

TEST(RowCacheTest, TwoWholeRowsFitHoweverSmallTheMemory) {
  RowCache<float> cache(50, 50, all_at_once(0));
  fill(cache, 0, 50);
  const RowCache<float>::Row first = cache.get(7, 50);
  for (std::size_t t = 0; t < 50; ++t) first.values[t] = 7;
  fill(cache, 8, 50);
  EXPECT_EQ(first.values[49], 7.0F);  // still valid after the next call
  EXPECT_EQ(known(cache, 7, 50), 50U);
  EXPECT_EQ(known(cache, 8, 50), 50U);
  EXPECT_EQ(known(cache, 0, 50), 0U);
}

TEST(RowCacheTest, DropsTheLeastRecentlyUsed) {
  RowCache<float> cache(50, 50, all_at_once(0));
  fill(cache, 0, 50);
  fill(cache, 1, 50);
  cache.get(0, 50);
  fill(cache, 2, 50);  // evicts row 1
  EXPECT_EQ(known(cache, 0, 50), 50U);
  EXPECT_EQ(known(cache, 2, 50), 50U);
  EXPECT_EQ(known(cache, 1, 50), 0U);
}

// The number of rows still known after all were fetched once, in order.
std::size_t rows_kept(std::size_t size, std::size_t bytes) {
  RowCache<float> cache(size, size, all_at_once(bytes));
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

// How many of the last `most` requested rows are known.
std::size_t known_of_last(RowCache<float>& cache, const std::vector<std::size_t>& asked,
                          std::size_t most) {
  std::size_t count = 0;
  while (count < most) {
    cache.catch_up(asked[asked.size() - 1 - count]);
    if (cache.known(asked[asked.size() - 1 - count]).length == 0) break;
    ++count;
  }
  return count;
}

TEST(RowCacheTest, TakesMoreMemoryWhileRowsComeBack) {
  constexpr std::size_t kSize = 400, kRowBytes = kSize * sizeof(float);
  for (const std::size_t growth : {0U, 1U, 4U}) {
    RowCache<float> cache(kSize, kSize, {kPlenty, 10 * kRowBytes, growth});
    std::vector<std::size_t> asked;
    const auto ask = [&](std::size_t i) {
      fill(cache, i, kSize);
      asked.push_back(i);
    };
    // New rows, and a few old ones among them.
    for (std::size_t i = 0; i < 300; ++i) {
      ask(i);
      if (i % 4 == 3) ask(i - 3 * (i / 4));
    }
    EXPECT_LE(known_of_last(cache, asked, 100), 20U);
    // A cycle of a hundred rows.
    for (std::size_t k = 0; k < 300; ++k) ask(k % 100);
    EXPECT_EQ(known_of_last(cache, asked, 100), growth == 0 ? 10U : 100U) << growth;
  }
}

TEST(RowCacheTest, TakesNoMoreThanItsMemoryHoweverManyRowsComeBack) {
  constexpr std::size_t kSize = 400, kRowBytes = kSize * sizeof(float);
  RowCache<float> cache(kSize, kSize, {50 * kRowBytes, 10 * kRowBytes, 4});
  std::vector<std::size_t> asked;
  for (std::size_t k = 0; k < 2000; ++k) {
    fill(cache, k % 200, kSize);
    asked.push_back(k % 200);
  }
  const std::size_t kept = known_of_last(cache, asked, 200);
  EXPECT_LE(kept, 50U);
  EXPECT_GT(kept, 20U);  // the rest keeps the books
}

// Swaps every pair of columns in a small cache.
TEST(RowCacheTest, SwapsInAllPositions) {
  constexpr std::size_t kSize = 5;
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < kSize; ++j) {
      RowCache<float> cache(kSize, kSize, all_at_once(kPlenty));
      for (std::size_t r = 0; r < kSize; ++r) fill(cache, r, r + 1);  // lengths 1 ... 5
      cache.swap(i, j);
      std::vector<std::size_t> old(kSize);
      std::iota(old.begin(), old.end(), 0U);
      std::swap(old[i], old[j]);
      for (std::size_t r = 0; r < kSize; ++r) {
        const RowCache<float>::Row row = cache.get(r, kSize);
        // A row that has only one of the two columns is cut before it.
        const std::size_t low = std::min(i, j), high = std::max(i, j);
        EXPECT_EQ(row.from, low <= r && r < high ? low : r + 1);
        for (std::size_t t = 0; t < row.from; ++t) {
          EXPECT_EQ(row.values[t], static_cast<float>(1000 * r + old[t]));
        }
      }
    }
  }
}

// True if the first `length` columns of row i are known.
bool holds(RowCache<float>& cache, std::size_t i, std::size_t length) {
  cache.catch_up(i);
  return cache.known(i).length >= length;
}

// Compares random requests and swaps with a matrix without a cache.  There are more swaps than the
// cache records.
TEST(RowCacheTest, AgreesWithAPlainMatrix) {
  constexpr std::size_t kSize = 23;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1800}, kPlenty}) {
    Draws draws(bytes + 1);
    RowCache<float> cache(kSize, kSize, all_at_once(bytes));
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
      const auto value = [&](std::size_t t) { return static_cast<float>(1000 * i + original[t]); };
      cache.catch_up(i);
      const auto [values, count] = cache.known(i);
      for (std::size_t t = 0; t < count; ++t) {
        ASSERT_EQ(values[t], value(t)) << "step " << step << ", row " << i << ", value " << t;
      }
      const RowCache<float>::Row row = cache.get(i, length);
      ASSERT_EQ(row.from, std::min(count, length));
      for (std::size_t t = 0; t < length; ++t) {
        if (t >= row.from) {
          row.values[t] = value(t);
        } else {
          ASSERT_EQ(row.values[t], value(t)) << "step " << step << ", row " << i << ", value " << t;
          ++hits;
        }
      }
      ASSERT_TRUE(holds(cache, i, length));
    }
    EXPECT_GT(hits, 0U);
  }
}

// Fetches all rows in order; returns how many are known afterwards.
std::size_t fetch_all(RowCache<float>& cache, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) fill(cache, i, size);
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) count += holds(cache, i, size) ? 1 : 0;
  return count;
}

TEST(RowCacheTest, SetsMemoryAsideAndGivesItBack) {
  constexpr std::size_t kSize = 100;
  constexpr std::size_t kRowBytes = kSize * sizeof(float);
  RowCache<float> large(kSize, kSize, all_at_once(2 * kSize * kRowBytes));
  ASSERT_EQ(fetch_all(large, kSize), kSize);
  EXPECT_FALSE(large.reserve_workspace(150 * kRowBytes));
  EXPECT_TRUE(large.reserve_workspace(80 * kRowBytes));
  EXPECT_TRUE(holds(large, 0, kSize));  // there is still room for all rows

  RowCache<float> cache(kSize, kSize, all_at_once(60 * kRowBytes));
  const std::size_t before = fetch_all(cache, kSize);
  EXPECT_TRUE(cache.reserve_workspace(20 * kRowBytes));
  EXPECT_EQ(fetch_all(cache, kSize), before - 20);
  EXPECT_FALSE(cache.reserve_workspace(59 * kRowBytes));  // the reserved memory stays as it is
  EXPECT_EQ(fetch_all(cache, kSize), before - 20);
  EXPECT_TRUE(cache.reserve_workspace(10 * kRowBytes));  // instead of the 20
  EXPECT_EQ(fetch_all(cache, kSize), before - 10);
  EXPECT_TRUE(cache.reserve_workspace(0));
  EXPECT_EQ(fetch_all(cache, kSize), before);

  RowCache<float> least(kSize, kSize, all_at_once(0));
  EXPECT_TRUE(least.reserve_workspace(0));
  EXPECT_FALSE(least.reserve_workspace(4));
}

// In regression two variables share a row, so that there are half as many rows as columns.
TEST(RowCacheTest, RowsMayBeFewerThanColumns) {
  constexpr std::size_t kRows = 5, kColumns = 10;
  RowCache<float> cache(kRows, kColumns, all_at_once(0));
  fill(cache, 3, kColumns);
  fill(cache, 4, kColumns);
  cache.swap(0, 9);
  const RowCache<float>::Row row = cache.get(3, kColumns);
  ASSERT_EQ(row.from, kColumns);
  EXPECT_EQ(row.values[0], 3009.0F);
  EXPECT_EQ(row.values[9], 3000.0F);
  EXPECT_TRUE(holds(cache, 4, kColumns));
}

}  // namespace
}  // namespace svm
