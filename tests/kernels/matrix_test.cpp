// The kernel matrix with a fake engine.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/matrix/kernel_matrix.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Draws;

constexpr std::size_t kPlenty = std::size_t{1} << 27;

// A value that identifies i and j.  Exact as a float.
float value_of(std::size_t i, std::size_t j) {
  return static_cast<float>(i % 100 * 10000 + j) + (i >= 100 ? 0.5F : 0);
}
double diagonal_of(std::size_t i) { return static_cast<double>(i) + 0.25; }

// A matrix with its expected order of variables.
struct Watched {
  Watched(std::size_t examples, std::size_t copies, std::size_t bytes, unsigned threads)
      : pool(threads),
        matrix(std::make_unique<test::FakeEngine>(
                   [this](std::size_t i, std::size_t j) {
                     computed.fetch_add(1, std::memory_order_relaxed);
                     return static_cast<double>(value_of(i, j));
                   },
                   diagonal_of),
               examples, copies, bytes, bytes / 2, pool),
        in_play(copies * examples) {
    for (std::size_t t = 0; t < in_play; ++t) example.push_back(t % examples);
  }

  void swap(std::size_t i, std::size_t j) {
    matrix.swap(i, j);
    std::swap(example[i], example[j]);
  }
  void set_in_play(std::size_t count) {
    matrix.set_in_play(count);
    in_play = count;
  }
  std::size_t size() const { return example.size(); }

  void expect_row(std::size_t i, const float* row) const {
    for (std::size_t t = 0; t < in_play; ++t) {
      ASSERT_EQ(row[t], value_of(example[i], example[t])) << "row " << i << ", variable " << t;
    }
  }

  // Checks that the matrix counts a row if and only if it computes values.
  const float* row(std::size_t i) {
    const long long rows_before = matrix.rows_computed();
    const std::size_t before = computed;
    const float* row = matrix.row(i).floats;
    EXPECT_EQ(matrix.rows_computed() - rows_before, computed == before ? 0 : 1);
    return row;
  }

  // Fetches row i.  Returns true if it comes from the cache.
  bool comes_from_cache(std::size_t i) {
    const std::size_t before = computed;
    row(i);
    return computed == before;
  }

  std::atomic<std::size_t> computed{0};
  ThreadPool pool;
  KernelMatrix matrix;
  std::vector<std::size_t> example;  // example of each variable
  std::size_t in_play;
};

struct Setting {
  std::size_t copies;
  unsigned threads;
  friend void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name(); }
  std::string name() const {
    return "Copies" + std::to_string(copies) + "Threads" + std::to_string(threads);
  }
};

class KernelMatrixTest : public testing::TestWithParam<Setting> {
 protected:
  Watched watched(std::size_t examples, std::size_t bytes) const {
    return Watched(examples, GetParam().copies, bytes, GetParam().threads);
  }
};
INSTANTIATE_TEST_SUITE_P(All, KernelMatrixTest,
                         testing::Values(Setting{1, 1}, Setting{2, 1}, Setting{1, 3},
                                         Setting{2, 3}),
                         [](const testing::TestParamInfo<Setting>& each) {
                           return each.param.name();
                         });

// Both rows of a pair are in use at once.
void expect_two_rows(Watched& all, Draws& draws) {
  const std::size_t i = draws.below(all.size()), j = draws.below(all.size());
  const float* row_i = all.row(i);
  const float* row_j = all.row(j);
  all.expect_row(i, row_i);
  all.expect_row(j, row_j);
  ASSERT_EQ(all.matrix.diagonal(i), diagonal_of(all.example[i]));
}

void exchange_at_random(Watched& all, Draws& draws) {
  for (std::size_t count = draws.below(6); count > 0; --count) {
    all.swap(draws.below(all.size()), draws.below(all.size()));
  }
  all.set_in_play(draws.below(5) == 0 ? all.size() : 1 + draws.below(all.size()));
}

TEST_P(KernelMatrixTest, RowsFollowSwaps) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1500}, kPlenty}) {
    Watched all = watched(11, bytes);
    ASSERT_EQ(all.matrix.size(), all.size());
    Draws draws(3);
    for (int step = 0; step < 4000; ++step) {
      if (draws.below(3) == 0) exchange_at_random(all, draws);
      expect_two_rows(all, draws);
      if (HasFatalFailure()) return;
    }
  }
}

// Shrinks like a solver: variables move behind the end, and later all return.
TEST_P(KernelMatrixTest, RowsFollowShrinking) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{60000}, kPlenty}) {
    Watched all = watched(130, bytes);
    Draws draws(bytes + 5);
    for (int round = 0; round < 60; ++round) {
      std::size_t active = all.in_play;
      for (std::size_t out = draws.below(active / 2 + 1); out > 0; --out) {
        all.swap(draws.below(active), active - 1);
        --active;
      }
      all.set_in_play(active);
      for (int k = 0; k < 10; ++k) expect_two_rows(all, draws);
      if (active < 20 || draws.below(6) == 0) all.set_in_play(all.size());
      for (int k = 0; k < 3; ++k) expect_two_rows(all, draws);
      if (HasFatalFailure()) return;
    }
  }
}

// Rows that are long enough to be computed in pieces.
TEST_P(KernelMatrixTest, LongRows) {
  Watched all = watched(9001, kPlenty);
  Draws draws(8);
  for (int step = 0; step < 12; ++step) {
    expect_two_rows(all, draws);
    if (HasFatalFailure()) return;
    for (int k = 0; k < 500; ++k) all.swap(draws.below(all.size()), draws.below(all.size()));
    all.set_in_play(1 + draws.below(all.size()));
  }
  EXPECT_GT(all.matrix.seconds(), 0);
}

TEST_P(KernelMatrixTest, ComputesAValueOnce) {
  Watched all = watched(10, kPlenty);
  all.set_in_play(6);
  all.matrix.row(4);
  EXPECT_EQ(all.computed, 6U);
  EXPECT_TRUE(all.comes_from_cache(4));
  all.set_in_play(3);
  EXPECT_TRUE(all.comes_from_cache(4));
  EXPECT_EQ(all.computed, 6U);
  all.set_in_play(all.size());
  all.expect_row(4, all.matrix.row(4).floats);
  // If two variables share an example, a growing row is computed anew.
  EXPECT_EQ(all.computed, GetParam().copies == 1 ? 10U : 16U);
  EXPECT_EQ(all.matrix.rows_computed(), 2);
  EXPECT_TRUE(all.comes_from_cache(4));
  EXPECT_FALSE(all.comes_from_cache(5));
}

TEST_P(KernelMatrixTest, ComputesNothingAgainWithPlentyOfMemory) {
  constexpr std::size_t kExamples = 37;
  Watched all = watched(kExamples, kPlenty);
  for (std::size_t i = 0; i < all.size(); ++i) all.expect_row(i, all.matrix.row(i).floats);
  EXPECT_EQ(all.computed, kExamples * kExamples);  // both variables of an example share its row
  Draws draws(4);
  for (int step = 0; step < 300; ++step) {
    exchange_at_random(all, draws);
    expect_two_rows(all, draws);
    ASSERT_EQ(all.computed, kExamples * kExamples);
  }
  EXPECT_EQ(all.matrix.rows_computed(), static_cast<long long>(kExamples));
}

TEST_P(KernelMatrixTest, ATinyCacheHoldsTwoRows) {
  Watched all = watched(40, 0);
  all.matrix.row(3);
  all.matrix.row(7);
  EXPECT_TRUE(all.comes_from_cache(3));
  EXPECT_TRUE(all.comes_from_cache(7));
  all.matrix.row(9);
  EXPECT_TRUE(all.comes_from_cache(7));
  EXPECT_TRUE(all.comes_from_cache(9));
  EXPECT_EQ(all.computed, 120U);
  EXPECT_FALSE(all.comes_from_cache(3));
}

// Visits and checks all values.  Returns how many were computed.  The rows come in two slices.
std::size_t visit_and_check(Watched& all, const std::vector<std::size_t>& rows,
                            const std::vector<std::size_t>& columns) {
  const std::size_t before = all.computed;
  const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  const std::vector<KernelMatrix::Rows> slices = {{rows.begin(), middle}, {middle, rows.end()}};
  std::vector<std::atomic<std::size_t>> visits(columns.size());
  std::atomic<std::size_t> wrong{0};
  all.matrix.visit_blocks(slices, columns, [&](const KernelMatrix::Block& block) {
    const KernelMatrix::Rows& slice = slices[block.slice];
    for (std::size_t k = block.begin; k < block.end; ++k) {
      if (visits[k]++ != block.slice) ++wrong;  // slices come in their order
    }
    for (std::size_t r = 0; r < slice.size(); ++r) {
      for (std::size_t k = block.begin; k < block.end; ++k) {
        const float expected = value_of(all.example[slice[r]], all.example[columns[k]]);
        if (block.values[r * block.stride + (k - block.begin)] != expected) ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0U);
  for (const std::atomic<std::size_t>& count : visits) EXPECT_EQ(count, slices.size());
  return all.computed - before;
}

std::vector<std::size_t> some_variables(const Watched& all, Draws& draws, std::size_t count) {
  std::vector<std::size_t> variables;
  while (variables.size() < count) variables.push_back(draws.below(all.size()));
  return variables;
}

TEST_P(KernelMatrixTest, VisitsTheValuesOfTheEngine) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{300000}, kPlenty}) {
    Watched all = watched(700, bytes);
    Draws draws(bytes + 1);
    for (int round = 0; round < 8; ++round) {
      for (int k = 0; k < 60; ++k) all.matrix.row(draws.below(all.in_play));
      const std::size_t row_count = round == 0 ? 3000 : draws.below(200);
      const std::size_t column_count = round == 0 ? 1500 : 1 + draws.below(2500);
      visit_and_check(all, some_variables(all, draws, row_count),
                      some_variables(all, draws, column_count));
      exchange_at_random(all, draws);
      visit_and_check(all, some_variables(all, draws, 50), some_variables(all, draws, 333));
      expect_two_rows(all, draws);
      if (HasFailure()) return;
    }
  }
}

TEST_P(KernelMatrixTest, VisitsWithTheHelpOfTheCache) {
  Watched all = watched(20, kPlenty);
  const std::vector<std::size_t> columns = {4, 19, 0, 7, 4};
  all.matrix.row(3);
  all.matrix.row(5);
  EXPECT_EQ(visit_and_check(all, {3, 5, 3}, columns), 0U);
  EXPECT_EQ(all.matrix.rows_computed(), 2);
  EXPECT_EQ(visit_and_check(all, {3, 6, 5}, columns), columns.size());
  EXPECT_EQ(all.matrix.rows_computed(), 3);
  EXPECT_FALSE(all.comes_from_cache(6));  // visiting does not change what is cached

  // A row that is known in part helps if all columns are in that part.
  all.set_in_play(8);
  all.matrix.row(1);
  EXPECT_EQ(visit_and_check(all, {1}, {7, 2}), 0U);
  EXPECT_EQ(visit_and_check(all, {1}, {7, 8}), 2U);
}

TEST_P(KernelMatrixTest, VisitsWithoutRowsOrColumns) {
  Watched all = watched(20, kPlenty);
  EXPECT_EQ(visit_and_check(all, {}, {1, 2, 3}), 0U);
  all.matrix.visit_blocks({{1, 2}}, {}, [](const KernelMatrix::Block&) {
    ADD_FAILURE() << "there is no column to visit";
  });
}

TEST_P(KernelMatrixTest, SumsUpRowsByTheWeightsOfVariables) {
  Watched all = watched(700, kPlenty);
  Draws draws(9);
  exchange_at_random(all, draws);
  all.set_in_play(all.size());
  std::vector<double> weights(all.size(), 0.0);  // small integers: sums are exact in any order
  for (std::size_t k = 0; k < 40; ++k) weights[17 * k] = 1 + static_cast<double>(k % 3);
  const std::vector<std::size_t> columns = some_variables(all, draws, 333);
  std::vector<double> sums(columns.size(), 5.0);
  const std::size_t before = all.computed;
  ASSERT_TRUE(all.matrix.add_sums(weights, columns, Precision::kSingle, sums.data()));
  EXPECT_EQ(all.computed - before, 40 * columns.size());  // rows with weight 0 cost nothing
  for (std::size_t k = 0; k < columns.size(); ++k) {
    double expected = 5;
    for (std::size_t t = 0; t < weights.size(); ++t) {
      expected +=
          weights[t] * static_cast<double>(value_of(all.example[t], all.example[columns[k]]));
    }
    ASSERT_EQ(sums[k], expected) << k;
  }
}

// Sets all values of a matrix whose examples have the numbers in `number`.
auto filling(const std::vector<std::uint32_t>& number, int& calls) {
  return [&number, &calls](const std::vector<std::uint32_t>& examples, float* const* rows) {
    ++calls;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (std::size_t k = 0; k < examples.size(); ++k) {
        rows[i][k] = value_of(number[examples[i]], number[examples[k]]);
      }
    }
    return true;
  };
}

TEST(FilledMatrixTest, ComputesNoRowAgain) {
  for (const bool at_once : {true, false}) {
    Watched watched(80, 1, kPlenty, 1);
    const std::vector<std::uint32_t> number(watched.example.begin(), watched.example.end());
    int calls = 0;
    if (!at_once) watched.matrix.put_off_offers();
    watched.matrix.offer_rows(filling(number, calls));
    watched.swap(3, 50);
    const float* const early = watched.matrix.row(3).floats;
    for (std::size_t i = 4; i < 43; ++i) watched.expect_row(i, watched.row(i));
    watched.expect_row(3, watched.row(3));
    EXPECT_EQ(calls, at_once ? 1 : 0);
    watched.swap(10, 70);
    watched.expect_row(60, watched.matrix.row(60).floats);  // the first of the other half
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(early, watched.row(3));  // it is valid as long as before
    const std::size_t computed = watched.computed;
    watched.set_in_play(60);
    for (const std::size_t i : {0U, 3U, 10U, 59U}) watched.expect_row(i, watched.row(i));
    EXPECT_EQ(watched.computed, computed);
  }
}

TEST(FilledMatrixTest, IsAsBeforeIfItCannotBeFilled) {
  const auto never = [](const std::vector<std::uint32_t>&, float* const*) {
    ADD_FAILURE();
    return true;
  };
  Watched tiny(80, 1, 2000, 1), twofold(80, 2, kPlenty, 1), stopped(80, 1, kPlenty, 1);
  tiny.matrix.offer_rows(never);
  twofold.matrix.offer_rows(never);
  const auto stop = [](const std::vector<std::uint32_t>&, float* const* rows) {
    rows[7][0] = -1;
    return false;
  };
  stopped.matrix.offer_rows(stop);
  for (Watched* const watched : {&tiny, &twofold, &stopped}) {
    watched->expect_row(7, watched->row(7));
    EXPECT_FALSE(watched->matrix.has_all_rows());
  }
}

// Sums have the same bits whether none, some or all of their rows are cached.
TEST(CachedSumsTest, AreThoseOfTheEngine) {
  constexpr std::size_t kRows = 200;
  Draws draws(4);
  KernelMatrix::Rows rows;
  std::vector<double> factors;
  for (std::size_t r = 0; r < kRows; r += 2) {
    rows.push_back(r);
    factors.push_back(draws.between(-1, 1));
  }
  for (const bool all_columns : {true, false}) {
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < kRows; k += all_columns ? 1 : 3) columns.push_back(k);
    std::vector<double> expected;
    for (const std::size_t cached : {0U, 60U, 200U}) {
      Watched watched(kRows, 1, kPlenty, 2);
      for (std::size_t i = 0; i < cached; ++i) watched.row(i);
      watched.swap(5, 90);
      watched.swap(5, 90);
      const std::size_t before = watched.computed;
      std::vector<double> sums(columns.size(), 0.5);
      ASSERT_TRUE(watched.matrix.add_sums(rows, factors, columns, sums.data()));
      EXPECT_EQ(watched.computed - before, (kRows - cached) / 2 * columns.size());
      if (cached == 0) expected = sums;
      EXPECT_EQ(sums, expected) << cached;
    }
  }
}

}  // namespace
}  // namespace svm
