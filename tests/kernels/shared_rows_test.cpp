// Kernel rows that trainings on parts of a data set share: the store, and engines over parts of it.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"
#include "tests/environment.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;

constexpr std::size_t kPlenty = std::size_t{1} << 27;

float value_of(std::size_t i, std::size_t j) { return static_cast<float>(1000 * i + j); }

// Shared rows with a fake engine that counts the values it computes.
struct Counted {
  explicit Counted(std::size_t count, std::size_t bytes, double cost = 10)
      : computed(count),
        shared(
            make_shared_rows(std::make_unique<test::FakeEngine>(
                                 [this](std::size_t i, std::size_t j) {
                                   ++computed[i];
                                   return static_cast<double>(value_of(i, j));
                                 },
                                 [](std::size_t i) { return static_cast<double>(i) + 0.25; }, cost),
                             test::row_numbers(count), bytes)) {}

  // An engine for the rows with these numbers.
  std::shared_ptr<const RowEngine> part(const std::vector<std::uint32_t>& numbers) {
    return make_part_engine(*shared, numbers);
  }
  std::size_t all_computed() const {
    std::size_t sum = 0;
    for (const std::atomic<std::size_t>& each : computed) sum += each;
    return sum;
  }

  std::vector<std::atomic<std::size_t>> computed;  // number of values, for each row
  std::shared_ptr<RowStore> shared;
};

// Checks the rows of a part with the columns `order`, which are numbers within the part.
void check_part(const RowEngine& part, const std::vector<std::uint32_t>& numbers,
                const std::vector<std::uint32_t>& order) {
  std::unique_ptr<PackedColumns> columns = part.pack(order.data(), order.size(), nullptr);
  std::vector<float> out(order.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    const std::size_t from = i % order.size();
    part.compute(i, *columns, from, order.size(), out.data());
    for (std::size_t k = from; k < order.size(); ++k) {
      ASSERT_EQ(out[k - from], value_of(numbers[i], numbers[order[k]])) << i << ", " << k;
    }
    ASSERT_EQ(part.diagonal(i), numbers[i] + 0.25);
  }
}

TEST(SharedRowsTest, KeepsEachRowOnce) {
  Counted all(20, kPlenty);
  EXPECT_EQ(all.shared->budget().total(), sizeof(float) * 20 * 20);
  EXPECT_EQ(all.all_computed(), 0U);
  const std::vector<std::uint32_t> low = {0, 1, 2, 3, 4, 5}, mixed = {5, 19, 3, 11};
  check_part(*all.part(low), low, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(all.all_computed(), 6 * 20U);
  check_part(*all.part(mixed), mixed, {3, 0, 1});
  EXPECT_EQ(all.all_computed(), 8 * 20U);  // rows 19 and 11 are new
  check_part(*all.part(low), low, {5, 2});
  EXPECT_EQ(all.all_computed(), 8 * 20U);
}

TEST(SharedRowsTest, ComputesWhatThereIsNoMemoryFor) {
  constexpr std::size_t kRow = 20 * sizeof(float);
  Counted all(20, 3 * kRow + kRow / 2);
  EXPECT_EQ(all.shared->budget().total(), 3 * kRow);
  const std::vector<std::uint32_t> numbers = {9, 8, 7, 6, 5};
  const std::shared_ptr<const RowEngine> part = all.part(numbers);
  check_part(*part, numbers, {0, 1});
  EXPECT_EQ(all.computed[9], 20U);
  EXPECT_EQ(all.computed[7], 20U);
  EXPECT_EQ(all.computed[6], 1U);  // only the columns from the second on
  EXPECT_EQ(all.computed[5], 2U);
  check_part(*part, numbers, {2, 0, 4});
  EXPECT_EQ(all.computed[9], 20U);
  EXPECT_EQ(all.computed[6], 4U);
}

// Columns in the order of the data set are copied in runs, others one by one.
TEST(SharedRowsTest, RunsOfColumnsAndOthersHaveTheSameValues) {
  constexpr std::size_t kCount = 200;
  Counted all(kCount, kPlenty);
  std::vector<std::uint32_t> stretches;  // as in the training set of a fold
  for (const auto& [first, end] : {std::pair<std::uint32_t, std::uint32_t>{90, 150},
                                   {0, 1},
                                   {3, 47},
                                   {47, 50},
                                   {160, 200},
                                   {150, 155}}) {
    for (std::uint32_t i = first; i < end; ++i) stretches.push_back(i);
  }
  std::vector<std::uint32_t> shuffled = stretches, other_way = stretches, twice = stretches;
  Draws draws(5);
  for (std::size_t k = shuffled.size(); k > 1; --k) {
    std::swap(shuffled[k - 1], shuffled[draws.below(k)]);
  }
  std::reverse(other_way.begin(), other_way.end());
  twice.insert(twice.end(), stretches.begin(), stretches.end());
  for (const std::vector<std::uint32_t>& numbers :
       {test::row_numbers(kCount), stretches, shuffled, other_way, twice,
        std::vector<std::uint32_t>{7}, test::row_numbers(15), test::row_numbers(16)}) {
    const std::shared_ptr<const RowEngine> part = all.part(numbers);
    std::vector<std::uint32_t> order = test::row_numbers(numbers.size());
    // Cuts runs at every place; then the same after an exchange of two columns.
    for (const bool is_exchanged : {false, true}) {
      if (is_exchanged) std::swap(order.front(), order[order.size() / 2]);
      const auto columns = part->pack(order.data(), order.size(), nullptr);
      for (std::size_t from = 0; from < order.size(); from += 1 + from / 20) {
        for (std::size_t to = from + 1; to <= order.size(); to += 1 + (to - from) / 5) {
          std::vector<float> out(to - from + 1, -1.0F), expected;
          for (std::size_t k = from; k < to; ++k) {
            expected.push_back(value_of(numbers[0], numbers[order[k]]));
          }
          expected.push_back(-1.0F);
          part->compute(0, *columns, from, to, out.data());
          ASSERT_EQ(out, expected) << numbers.size() << ": " << from << " to " << to;
        }
      }
    }
  }
}

TEST(SharedRowsTest, KeepsNothingWithoutMemoryOrWhereValuesAreCheap) {
  for (const bool cheap : {false, true}) {
    Counted all(10, cheap ? kPlenty : 0, cheap ? 0.5 : 10);
    const std::vector<std::uint32_t> numbers = {1, 2};
    const std::shared_ptr<const RowEngine> part = all.part(numbers);
    check_part(*part, numbers, {0, 1});
    check_part(*part, numbers, {1});
    EXPECT_EQ(all.all_computed(), 3 + 2U);
  }
}

TEST(SharedRowsTest, PacksColumnsAgain) {
  Counted all(12, 0);
  const std::vector<std::uint32_t> numbers = {11, 0, 5, 7};
  const std::shared_ptr<const RowEngine> part = all.part(numbers);
  std::unique_ptr<PackedColumns> columns;
  for (const std::vector<std::uint32_t>& order :
       {std::vector<std::uint32_t>{0, 1, 2, 3}, {3, 1}, {2}, {1, 0, 3}}) {
    columns = part->pack(order.data(), order.size(), std::move(columns));
    std::vector<float> out(order.size());
    part->compute(2, *columns, 0, order.size(), out.data());
    for (std::size_t k = 0; k < order.size(); ++k) {
      EXPECT_EQ(out[k], value_of(5, numbers[order[k]]));
    }
  }
}

// Examples have another order than rows, and are not all rows of the data set.
TEST(SharedRowsTest, RowsAreToldByTheirNumber) {
  const std::vector<std::uint32_t> order = {9, 2, 4, 3};
  for (const std::size_t bytes : {std::size_t{0}, kPlenty}) {
    const auto shared =
        make_shared_rows(std::make_unique<test::FakeEngine>(
                             [&](std::size_t i, std::size_t j) {
                               return static_cast<double>(value_of(order[i], order[j]));
                             },
                             [&](std::size_t i) { return order[i] + 0.25; }),
                         order, bytes);
    const std::vector<std::uint32_t> numbers = {3, 9, 3, 4};  // a row may occur twice
    check_part(*make_part_engine(*shared, numbers), numbers, {0, 1, 2, 3});
  }
}

TEST(SharedRowsTest, ValuesAreThoseOfTheEngine) {
  const Data data = test::random_data(130, 3, true, 9);
  const std::vector<const svm_node*> rows = data.rows();
  const KernelFunction kernel(test::parameters(C_SVC, RBF));
  for (const char* name : {"plain", "dense", "columns"}) {
    const test::Setting setting("SVM_ENGINE", name);
    const auto direct = make_row_engine(kernel, rows.data(), rows.size());
    const auto shared =
        make_shared_rows(make_row_engine(kernel, rows.data(), rows.size()),
                         test::row_numbers(rows.size()), 60 * rows.size() * sizeof(float));
    Draws draws(2);
    for (int round = 0; round < 5; ++round) {
      std::vector<std::uint32_t> numbers;
      while (numbers.size() < 90) {
        numbers.push_back(static_cast<std::uint32_t>(draws.below(rows.size())));
      }
      const auto part = make_part_engine(*shared, numbers);
      const std::vector<std::uint32_t> order = {5, 80, 0, 33, 2};
      std::vector<std::uint32_t> same;
      same.reserve(order.size());
      for (const std::uint32_t place : order) same.push_back(numbers[place]);
      const auto columns = part->pack(order.data(), order.size(), nullptr);
      const auto direct_columns = direct->pack(same.data(), same.size(), nullptr);
      std::vector<float> out(order.size()), expected(order.size());
      for (std::uint32_t i = 0; i < numbers.size(); ++i) {
        part->compute(i, *columns, 0, out.size(), out.data());
        direct->compute(numbers[i], *direct_columns, 0, out.size(), expected.data());
        ASSERT_EQ(out, expected) << name << ", row " << numbers[i];
        ASSERT_EQ(part->diagonal(i), direct->diagonal(numbers[i]));
      }
    }
  }
}

// Sums of all rows over some columns, with a different weight for each row.
std::vector<double> sums_over(const RowEngine& engine, const std::vector<std::uint32_t>& columns,
                              std::size_t rows) {
  const std::vector<std::uint32_t> all = test::row_numbers(rows);
  std::vector<double> factors(rows), sums(columns.size(), 0.5);
  for (std::size_t r = 0; r < rows; ++r) factors[r] = 0.1 * static_cast<double>(r % 13) - 0.5;
  const auto packed = engine.pack(columns.data(), columns.size(), nullptr);
  engine.prepare_sums(all.data(), rows, columns.size());
  engine.add_sums(all.data(), factors.data(), rows, *packed, 0, columns.size(), sums.data());
  return sums;
}

TEST(SharedRowsTest, SumsTakeEachValueFromKeptRows) {
  Counted all(40, kPlenty);
  const std::vector<std::uint32_t> numbers = test::row_numbers(40);
  const auto part = make_part_engine(*all.shared, numbers);
  sums_over(*part, numbers, 40);
  EXPECT_EQ(all.all_computed(), 40 * 40U);
  sums_over(*part, {7, 5, 3, 30, 31}, 40);
  check_part(*part, numbers, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(all.all_computed(), 40 * 40U);
}

TEST(SharedRowsTest, SumsOverFewColumnsComputeNoWholeRows) {
  Counted all(40, kPlenty);
  sums_over(*make_part_engine(*all.shared, test::row_numbers(40)), {7, 5, 3}, 40);
  EXPECT_EQ(all.all_computed(), 40 * 3U);
}

// Keeps nothing, some rows, or all.
TEST(SharedRowsTest, SumsHaveTheSameBitsWhateverIsKept) {
  constexpr std::size_t kRows = 150;
  const Data data = test::random_data(kRows, 70, true, 9);
  const std::vector<const svm_node*> rows = data.rows();
  const std::vector<std::uint32_t> numbers = test::row_numbers(kRows);
  std::vector<std::uint32_t> shuffled = numbers;
  for (std::size_t k = 0; k < kRows; ++k) std::swap(shuffled[k], shuffled[(k * 37) % kRows]);
  const std::vector<std::uint32_t> stretches(numbers.begin() + 3, numbers.end() - 20);
  for (const int type : {LINEAR, POLY, RBF, SIGMOID}) {
    const KernelFunction kernel(test::parameters(C_SVC, type));
    for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
      const auto engine = [&] { return make_row_engine(kernel, rows.data(), kRows, precision); };
      for (const std::vector<std::uint32_t>& columns : {numbers, shuffled, stretches}) {
        const std::vector<double> expected = sums_over(*engine(), columns, kRows);
        for (const std::size_t kept : {std::size_t{0}, std::size_t{1}, kRows / 2, kRows}) {
          const auto budget = std::make_shared<RowBudget>(kept * kRows * sizeof(float));
          RowStore store(engine(), numbers, budget, true);
          const auto part = make_part_engine(store, numbers);
          EXPECT_EQ(sums_over(*part, columns, kRows), expected)
              << type << static_cast<int>(precision) << kept;
          EXPECT_EQ(sums_over(*part, columns, kRows), expected)
              << type << static_cast<int>(precision) << kept;
        }
      }
    }
  }
}

// Named so that it runs under the thread sanitizer too.
TEST(SharedRowsTest, ThreadsShareIt) {
  for (const std::size_t rows_kept : {std::size_t{0}, std::size_t{20}, std::size_t{60}}) {
    Counted all(60, rows_kept * 60 * sizeof(float));
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) {
      threads.emplace_back([&all, t] {
        for (std::uint32_t round = 0; round < 5; ++round) {
          std::vector<std::uint32_t> numbers;
          for (std::uint32_t k = 0; k < 40; ++k) numbers.push_back((k * 7 + t + round) % 60);
          check_part(*all.part(numbers), numbers, {0, 39, 3, 17, 22});
        }
      });
    }
    // A part that several threads use.
    const std::vector<std::uint32_t> numbers = {59, 1, 30};
    const std::shared_ptr<const RowEngine> part = all.part(numbers);
    const std::vector<std::uint32_t> order = {2, 0};
    const auto columns = part->pack(order.data(), order.size(), nullptr);
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        std::vector<float> out(2);
        for (std::uint32_t i = 0; i < 3; ++i) {
          part->compute(i, *columns, 0, 2, out.data());
          EXPECT_EQ(out, (std::vector<float>{value_of(numbers[i], 30), value_of(numbers[i], 59)}));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    // A row may be requested while it is being made, and its part is then computed as well.
    if (rows_kept < 60) continue;
    const std::size_t before = all.all_computed();
    check_part(*all.part(numbers), numbers, {0, 1, 2});
    EXPECT_EQ(all.all_computed(), before);
  }
}

// Counts the values of a symmetric engine.
struct Symmetric {
  static double value(std::size_t i, std::size_t j) {
    return static_cast<double>(1000 * std::max(i, j) + std::min(i, j));
  }
  Symmetric(std::size_t count, std::size_t bytes, double cost = 10)
      : rows(std::make_unique<test::FakeEngine>(
                 [this](std::size_t i, std::size_t j) {
                   ++computed;
                   return value(i, j);
                 },
                 [](std::size_t) { return 1.0; }, cost),
             test::row_numbers(count), std::make_shared<RowBudget>(bytes), true) {}

  std::atomic<std::size_t> computed{0};
  RowStore rows;
};

TEST(SharedRows, AllRowsTogetherTakeHalfOfTheValues) {
  for (const std::size_t count : {1U, 64U, 65U, 200U}) {
    for (const int threads : {1, 3}) {
      Symmetric all(count, count * count * sizeof(float));
      std::vector<std::thread> helpers;
      for (int k = 1; k < threads; ++k) {
        helpers.emplace_back([&] { all.rows.keep_all(nullptr); });
      }
      all.rows.keep_all(nullptr);
      EXPECT_TRUE(all.rows.has_all());  // also if others computed rows
      for (std::thread& helper : helpers) helper.join();
      EXPECT_LE(all.computed, count * (count + 128) / 2);
      const std::size_t before = all.computed;
      for (std::size_t i = 0; i < count; ++i) {
        const float* const row = all.rows.row(i);
        ASSERT_NE(row, nullptr);
        for (std::size_t j = 0; j < count; ++j) ASSERT_EQ(row[j], Symmetric::value(i, j));
      }
      all.rows.keep_all(nullptr);
      EXPECT_EQ(all.computed, before);
    }
  }
}

// Returns columns of all kinds: stretches that begin within a block, single ones, and some in no
// order.
std::vector<std::uint32_t> mixed_columns(std::uint32_t count) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t j = 3; j < count / 2; ++j) columns.push_back(j);
  for (std::uint32_t j = count; j-- > count / 2;) columns.push_back(j);
  columns.insert(columns.end(), {0, 1, 2});
  return columns;
}

TEST(SharedRows, AreATriangleIfThereIsMemoryForHalf) {
  for (const std::uint32_t count : {8U, 64U, 67U, 201U}) {
    for (const int threads : {1, 3}) {
      const std::size_t bytes = PackedTriangle::bytes(count);
      ASSERT_LE(bytes, sizeof(float) / 2 * (count + 3) * (count + 7));
      Symmetric all(count, bytes);
      std::vector<std::thread> helpers;
      for (int k = 1; k < threads; ++k) {
        helpers.emplace_back([&] { all.rows.keep_all(nullptr); });
      }
      all.rows.keep_all(nullptr);
      for (std::thread& helper : helpers) helper.join();
      ASSERT_NE(all.rows.triangle(), nullptr);
      EXPECT_EQ(all.rows.row(0), nullptr);
      EXPECT_FALSE(all.rows.budget().has(1));
      EXPECT_LE(all.computed, count * (count + 128) / 2);

      const std::size_t before = all.computed;
      const std::vector<std::uint32_t> numbers = mixed_columns(count);
      const std::shared_ptr<const RowEngine> part = make_part_engine(all.rows, numbers);
      EXPECT_FALSE(part->gains_by_groups());
      std::vector<std::uint32_t> columns(numbers.size());
      std::iota(columns.begin(), columns.end(), 0U);
      const std::unique_ptr<PackedColumns> packed =
          part->pack(columns.data(), columns.size(), nullptr);
      std::vector<std::vector<float>> rows(count, std::vector<float>(columns.size()));
      std::vector<float*> out;
      out.reserve(rows.size());
      for (std::vector<float>& row : rows) out.push_back(row.data());
      part->compute_rows(columns.data(), columns.size(), *packed, columns.size(), out.data());
      std::vector<double> sums(columns.size(), 0.5), expected = sums, factors(columns.size());
      for (std::size_t r = 0; r < columns.size(); ++r) {
        factors[r] = 1.0 / static_cast<double>(r + 3);
        std::vector<float> row(columns.size());
        part->compute(columns[r], *packed, 0, 5, row.data());
        part->compute(columns[r], *packed, 5, columns.size(), row.data() + 5);
        for (std::size_t k = 0; k < columns.size(); ++k) {
          const auto value = static_cast<float>(Symmetric::value(numbers[r], numbers[k]));
          ASSERT_EQ(rows[r][k], value) << numbers[r] << ", " << numbers[k];
          ASSERT_EQ(row[k], value);
          expected[k] += factors[r] * static_cast<double>(value);
        }
      }
      part->prepare_sums(columns.data(), columns.size(), columns.size());
      part->add_sums(columns.data(), factors.data(), columns.size(), *packed, 0, columns.size(),
                     sums.data());
      for (std::size_t k = 0; k < sums.size(); ++k) {
        EXPECT_NEAR(sums[k], expected[k], 1e-12 * expected[k]);
      }
      EXPECT_EQ(all.computed, before);
    }
  }
}

TEST(SharedRows, SumsOfATriangleHaveTheBitsOfRows) {
  constexpr std::uint32_t kCount = 600;
  Symmetric half(kCount, PackedTriangle::bytes(kCount)), full(kCount, kPlenty);
  half.rows.keep_all(nullptr);
  full.rows.keep_all(nullptr);
  ASSERT_NE(half.rows.triangle(), nullptr);
  ASSERT_EQ(full.rows.triangle(), nullptr);
  const std::vector<std::uint32_t> numbers = mixed_columns(kCount);
  std::vector<std::uint32_t> examples(kCount);
  std::iota(examples.begin(), examples.end(), 0U);
  std::vector<double> factors, sums[2];
  for (std::size_t r = 0; r < kCount; ++r) factors.push_back(1.0 / static_cast<double>(r + 1));
  for (const std::size_t which : {0U, 1U}) {
    RowStore& rows = which == 0 ? half.rows : full.rows;
    const std::shared_ptr<const RowEngine> part = make_part_engine(rows, numbers);
    const std::unique_ptr<PackedColumns> packed = part->pack(examples.data(), kCount, nullptr);
    sums[which].assign(kCount, 0);
    part->add_sums(examples.data(), factors.data(), kCount, *packed, 0, kCount, sums[which].data());
  }
  EXPECT_EQ(sums[0], sums[1]);
}

TEST(SharedRows, AreNoTriangleIfValuesAreCheap) {
  constexpr std::uint32_t kCount = 100;
  Symmetric all(kCount, PackedTriangle::bytes(kCount), 5);
  all.rows.keep_all(nullptr);
  EXPECT_EQ(all.rows.triangle(), nullptr);
  EXPECT_EQ(all.computed, 0U);
  EXPECT_NE(all.rows.row(3), nullptr);
}

TEST(SharedRows, NoRowIsKeptIfThereIsNoMemoryForAll) {
  constexpr std::size_t kCount = 100;
  Symmetric some(kCount, kCount * (kCount / 2 - 1) * sizeof(float));
  some.rows.keep_all(nullptr);
  EXPECT_FALSE(some.rows.has_all());
  EXPECT_EQ(some.computed, 0U);
  EXPECT_NE(some.rows.row(3), nullptr);  // its memory is free again
  Symmetric later(kCount, kCount * kCount * sizeof(float));
  EXPECT_NE(later.rows.row(3), nullptr);
  later.rows.keep_all(nullptr);
  EXPECT_FALSE(later.rows.has_all());
}

TEST(SharedRows, MakingAllRowsMayBeInterrupted) {
  for (const std::size_t bytes : {kPlenty, PackedTriangle::bytes(300)}) {
    Symmetric all(300, bytes);
    int polls = 0;
    EXPECT_THROW(all.rows.keep_all([&] { return ++polls < 3; }), Interrupted);
    EXPECT_FALSE(all.rows.has_all());
    EXPECT_EQ(all.rows.triangle(), nullptr);
    EXPECT_EQ(all.rows.kept(0), nullptr);
  }
}

}  // namespace
}  // namespace svm
