// Kernel values in doubles: rows, the cache and the matrix, and its poll function.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "kernels/matrix/row_cache.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

constexpr std::size_t kPlenty = std::size_t{1} << 26;

// A value that no float represents.
double value_of(std::size_t i, std::size_t j) {
  return 1e9 + static_cast<double>(i) * 1000 + static_cast<double>(j) + 0.125;
}

std::unique_ptr<test::FakeEngine> fake_engine(double cost = 10) {
  return std::make_unique<test::FakeEngine>(
      value_of, [](std::size_t i) { return value_of(i, i); }, cost);
}

// --- rows and cache ---

TEST(KernelRowTest, GivesTheValuesOfEitherKind) {
  const float floats[] = {1.5F, 0.1F};
  const double doubles[] = {0.1, 1e300};
  const KernelRow of_floats(floats), of_doubles(doubles);
  EXPECT_EQ(of_floats[1], static_cast<double>(0.1F));
  EXPECT_EQ(of_doubles[1], 1e300);
  EXPECT_EQ(of_floats.visit([](const auto* row) { return sizeof(*row); }), sizeof(float));
  EXPECT_EQ(of_doubles.visit([](const auto* row) { return sizeof(*row); }), sizeof(double));
}

TEST(RowCacheOfDoubles, HoldsHalfAsManyRows) {
  constexpr std::size_t kColumns = 1000, kRows = 40;
  const auto kept = [](auto cache) {
    for (std::size_t i = 0; i < kRows; ++i) cache.get(i, kColumns);
    std::size_t count = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      cache.catch_up(i);
      if (cache.known(i).length == kColumns) ++count;
    }
    return count;
  };
  const std::size_t bytes = 20 * kColumns * sizeof(double) + 8192;
  const CacheRoom room = {bytes, bytes, 0};
  const std::size_t doubles = kept(RowCache<double>(kRows, kColumns, room));
  const std::size_t floats = kept(RowCache<float>(kRows, kColumns, room));
  EXPECT_GE(doubles, 18U);
  EXPECT_LE(doubles, 21U);
  EXPECT_GE(floats, 36U);
}

TEST(RowCacheOfDoubles, ValuesFollowExchangesToTheLastBit) {
  RowCache<double> cache(3, 3, {kPlenty, kPlenty, 0});
  const auto row = cache.get(1, 3);
  for (std::size_t t = 0; t < 3; ++t) row.values[t] = value_of(1, t);
  cache.swap(0, 2);
  const auto again = cache.get(1, 3);
  ASSERT_EQ(again.from, 3U);
  EXPECT_EQ(again.values[0], value_of(1, 2));
  EXPECT_EQ(again.values[2], value_of(1, 0));
}

// --- the matrix ---

TEST(KernelMatrixInDoubles, IsNotRounded) {
  for (const std::size_t copies : {1U, 2U}) {
    ThreadPool pool(1);
    KernelMatrix matrix(fake_engine(), 6, copies, kPlenty, 0, pool);
    EXPECT_FALSE(matrix.in_doubles());
    ASSERT_NE(matrix.row(2).floats, nullptr);
    EXPECT_EQ(matrix.row(2)[3], static_cast<double>(static_cast<float>(value_of(2, 3))));
    matrix.swap(0, 5);
    matrix.use_doubles();
    EXPECT_TRUE(matrix.in_doubles());
    matrix.set_in_play(matrix.size());
    const KernelRow row = matrix.row(2);
    ASSERT_NE(row.doubles, nullptr);
    EXPECT_EQ(row.floats, nullptr);
    EXPECT_EQ(row[0], value_of(2, 5));
    EXPECT_EQ(row[3], value_of(2, 3));
    EXPECT_EQ(row[matrix.size() - 1], value_of(2, copies == 1 ? 0 : 5));
    const long long computed = matrix.rows_computed();
    matrix.row(2);
    EXPECT_EQ(matrix.rows_computed(), computed);  // these rows are cached, too
  }
}

// All rows at once are floats.
TEST(KernelMatrixInDoubles, ForgetsOfferedRows) {
  for (const bool are_made : {false, true}) {
    ThreadPool pool(1);
    KernelMatrix matrix(fake_engine(), 6, 1, kPlenty, 0, pool);
    matrix.offer_rows([](const std::vector<std::uint32_t>& examples, float* const* rows) {
      for (std::size_t i = 0; i < examples.size(); ++i) std::fill_n(rows[i], examples.size(), 1.0F);
      return true;
    });
    if (are_made) matrix.row(2);
    EXPECT_TRUE(matrix.has_all_rows());
    matrix.use_doubles();
    EXPECT_FALSE(matrix.has_all_rows());
    double sum = 0;
    EXPECT_TRUE(matrix.add_sums({2}, {1}, {3}, Precision::kSingle, &sum));
    EXPECT_EQ(sum, static_cast<double>(static_cast<float>(value_of(2, 3))));
  }
}

TEST(KernelMatrixInDoubles, VisitsDoubles) {
  constexpr std::size_t kSize = 700;
  ThreadPool pool(3);
  KernelMatrix matrix(fake_engine(), kSize, 1, kPlenty, 0, pool);
  matrix.use_doubles();
  matrix.row(5);
  const std::vector<KernelMatrix::Rows> slices = {{5, 600}, {1}};
  std::vector<std::size_t> columns;
  for (std::size_t t = kSize; t-- > 0;) columns.push_back(t);
  std::atomic<std::size_t> seen{0}, wrong{0};
  EXPECT_TRUE(matrix.visit_blocks(slices, columns, [&](const KernelMatrix::Block& block) {
    for (std::size_t r = 0; r < slices[block.slice].size(); ++r) {
      for (std::size_t k = block.begin; k < block.end; ++k) {
        const double expected = value_of(slices[block.slice][r], columns[k]);
        ++seen;
        if (block.values.doubles == nullptr ||
            block.values[r * block.stride + (k - block.begin)] != expected) {
          ++wrong;
        }
      }
    }
  }));
  EXPECT_EQ(seen, 3 * kSize);
  EXPECT_EQ(wrong, 0U);
}

// Rows with more columns than an engine packs together.
TEST(KernelMatrixInDoubles, PacksInParts) {
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    std::size_t size = 2 * fake_engine()->pack_width() + 1000;
    KernelMatrix matrix(fake_engine(), size, 1, kPlenty, 0, pool);
    matrix.use_doubles();
    for (int round = 0; round < 2; ++round) {
      const KernelRow row = matrix.row(3);
      std::size_t wrong = 0;
      for (std::size_t t = 0; t < size; ++t) wrong += row[t] == value_of(3, t) ? 0 : 1;
      EXPECT_EQ(wrong, 0U);
      size -= 2000;
      matrix.set_in_play(size);
    }
    matrix.set_in_play(matrix.size());
    const KernelRow row = matrix.row(7);
    EXPECT_EQ(row[matrix.size() - 1], value_of(7, matrix.size() - 1));
    EXPECT_EQ(row[0], value_of(7, 0));
  }
}

TEST(KernelMatrixPart, HasThePrecisionOfTheWhole) {
  for (const std::size_t copies : {1U, 2U}) {
    ThreadPool pool(1);
    KernelMatrix whole(fake_engine(), 10, copies, kPlenty, 0, pool);
    EXPECT_FALSE(whole.part({1, 4})->in_doubles());
    whole.use_doubles();
    whole.swap(1, 9);
    whole.set_in_play(whole.size());
    std::vector<std::size_t> variables = {1, 4, 7};  // examples 9, 4, 7
    if (copies == 2) variables.push_back(14);        // example 4 again
    const auto part = whole.part(variables);
    ASSERT_EQ(part->size(), variables.size());
    EXPECT_EQ(part->copies(), copies);
    EXPECT_TRUE(part->in_doubles());
    const std::size_t examples[] = {9, 4, 7, 4};
    for (std::size_t i = 0; i < variables.size(); ++i) {
      EXPECT_EQ(part->diagonal(i), value_of(examples[i], examples[i]));
      const KernelRow row = part->row(i);
      for (std::size_t k = 0; k < variables.size(); ++k) {
        EXPECT_EQ(row[k], value_of(examples[i], examples[k]));
      }
    }
    EXPECT_TRUE(whole.part({})->size() == 0);
  }
}

// --- the poll function ---

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = k;
  return all;
}

TEST(KernelMatrixPoll, EndsAVisitEarly) {
  constexpr std::size_t kSize = 4000, kSlice = 500;
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<long long> computed{0};
    ThreadPool pool(threads);
    KernelMatrix matrix(std::make_unique<test::FakeEngine>(
                            [&](std::size_t, std::size_t) {
                              ++computed;
                              return 1.0;
                            },
                            [](std::size_t) { return 1.0; }, 1000),
                        kSize, 1, 0, 0, pool);
    std::vector<KernelMatrix::Rows> slices;
    for (std::size_t begin = 0; begin < kSize; begin += kSlice) {
      slices.emplace_back();
      for (std::size_t k = begin; k < begin + kSlice; ++k) slices.back().push_back(k);
    }
    int questions = 0;
    std::atomic<int> visits{0};
    const auto visit = [&](const KernelMatrix::Block&) { ++visits; };
    matrix.set_poll([&] { return ++questions < 100; });
    EXPECT_FALSE(matrix.visit_blocks(slices, numbers(kSize), visit));
    EXPECT_EQ(questions, 100);  // and no further calls
    EXPECT_LT(computed, static_cast<long long>(kSize * kSize / 2));
    const int visits_of_all = static_cast<int>(slices.size() * kSize / 64);
    EXPECT_LT(visits, visits_of_all / 2);

    matrix.set_poll(nullptr);
    EXPECT_TRUE(matrix.visit_blocks({{1, 2}}, numbers(kSize), visit));
  }
}

// The poll function is called often enough, whatever a value costs.
TEST(KernelMatrixPoll, IsAskedBySoMuchWork) {
  for (const double cost : {1.0, 100.0}) {
    ThreadPool pool(1);
    KernelMatrix matrix(fake_engine(cost), 2000, 1, 0, 0, pool);
    long long questions = 0;
    matrix.set_poll([&] { return ++questions > 0; });
    EXPECT_TRUE(
        matrix.visit_blocks({numbers(500)}, numbers(2000), [](const KernelMatrix::Block&) {}));
    const double milliseconds = 500 * 2000 * cost / 1e6;
    EXPECT_GT(static_cast<double>(questions), 10 * milliseconds);
  }
}

TEST(KernelMatrixPoll, IsAskedDuringALongRow) {
  ThreadPool pool(1);
  const std::size_t size = 3 * fake_engine()->pack_width();
  KernelMatrix matrix(fake_engine(), size, 1, 0, 0, pool);
  int questions = 0;
  for (const bool answer : {true, false}) {
    questions = 0;
    matrix.set_poll([&] {
      ++questions;
      return answer;
    });
    const KernelRow row = matrix.row(answer ? 1 : 2);  // a whole row in either case
    EXPECT_GT(questions, answer ? 10 : 0);
    EXPECT_EQ(row[size - 1],
              static_cast<double>(static_cast<float>(value_of(answer ? 1 : 2, size - 1))));
  }
}

// --- squared distances ---

TEST(RbfInDoubles, IsRoundedOnlyWithLargeNorms) {
  svm_parameter param = test::parameters(C_SVC, RBF);
  param.gamma = 2;
  EXPECT_FALSE(KernelFunction(param).is_rounded(5000));
  EXPECT_TRUE(KernelFunction(param).is_rounded(5001));
  EXPECT_TRUE(KernelFunction(param).is_rounded(HUGE_VAL));
  for (const int kernel : {LINEAR, POLY, SIGMOID}) {
    param.kernel_type = kernel;
    EXPECT_FALSE(KernelFunction(param).is_rounded(1e300));
  }
}

}  // namespace
}  // namespace svm
