// An engine for some examples of another engine.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"
#include "kernels/matrix/kernel_matrix.h"
#include "tests/environment.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

template <typename Value>
std::vector<Value> row_of(const RowEngine& engine, std::size_t example, std::size_t count) {
  const std::vector<std::uint32_t> all = test::row_numbers(count);
  const auto columns = engine.pack(all.data(), count, nullptr);
  std::vector<Value> row(count);
  engine.compute(example, *columns, 0, count, row.data());
  return row;
}

TEST(PartEngineTest, HasTheValuesOfItsExamples) {
  const test::Data data = test::random_data(90, 4, true, 5);
  const auto rows = data.rows();
  const std::vector<std::uint32_t> chosen = {7, 3, 89, 0, 44, 7};
  for (const char* name : {"plain", "dense", "columns"}) {
    const test::Setting engine_name("SVM_ENGINE", name);
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      const KernelFunction function(test::parameters(C_SVC, kernel));
      const std::shared_ptr<const RowEngine> whole =
          make_row_engine(function, rows.data(), rows.size());
      const auto part = make_part_engine(whole, chosen);
      EXPECT_EQ(part->value_cost(), whole->value_cost());
      EXPECT_EQ(part->value_work(), whole->value_work());
      EXPECT_EQ(part->pack_width(), whole->pack_width());
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        EXPECT_EQ(part->diagonal(i), whole->diagonal(chosen[i]));
        EXPECT_EQ(part->is_exact(i), whole->is_exact(chosen[i]));
        const auto floats = row_of<float>(*part, i, chosen.size());
        const auto doubles = row_of<double>(*part, i, chosen.size());
        const auto all_floats = row_of<float>(*whole, chosen[i], rows.size());
        const auto all_doubles = row_of<double>(*whole, chosen[i], rows.size());
        for (std::size_t k = 0; k < chosen.size(); ++k) {
          EXPECT_EQ(floats[k], all_floats[chosen[k]]);
          EXPECT_EQ(doubles[k], all_doubles[chosen[k]]);
        }
      }
    }
  }
}

TEST(PartEngineTest, PacksAndUsesMemoryAgain) {
  const test::Data data = test::random_data(90, 4, true, 5);
  const auto rows = data.rows();
  const KernelFunction rbf(test::parameters(C_SVC, RBF));
  const std::shared_ptr<const RowEngine> whole = make_row_engine(rbf, rows.data(), rows.size());
  const auto part = make_part_engine(whole, {50, 60, 70});
  const std::uint32_t first[] = {2, 0}, second[] = {1};
  std::unique_ptr<PackedColumns> columns = part->pack(first, 2, nullptr);
  columns = part->pack(second, 1, std::move(columns));
  const auto block = part->pack(first, 2, nullptr);
  float one = 0, two[2] = {};
  part->compute(0, *columns, 0, 1, &one);
  part->compute(0, *block, 0, 2, two);
  const auto row = row_of<float>(*whole, 50, rows.size());
  EXPECT_EQ(one, row[60]);
  EXPECT_EQ(two[0], row[70]);
  EXPECT_EQ(two[1], row[50]);
}

TEST(PartEngineTest, KnowsWhatIsExactAndSymmetric) {
  test::Data data;
  data.add(1, {1, 2});
  data.add(1, {0.1, 2});
  const auto rows = data.rows();
  const KernelFunction linear(test::parameters(C_SVC, LINEAR));
  const std::shared_ptr<const RowEngine> whole = make_row_engine(linear, rows.data(), 2);
  const auto part = make_part_engine(whole, {1, 0});
  EXPECT_FALSE(part->is_exact(0));
  EXPECT_TRUE(part->is_exact(1));
  EXPECT_TRUE(part->is_symmetric());
  const test::Data matrix = test::precomputed(data, test::parameters(C_SVC, LINEAR));
  const KernelFunction precomputed(test::parameters(C_SVC, PRECOMPUTED));
  const auto matrix_rows = matrix.rows();
  EXPECT_FALSE(
      make_part_engine(make_row_engine(precomputed, matrix_rows.data(), 2), {1})->is_symmetric());
}

// All threads compute and read kept rows.
TEST(PartEngineTest, ThreadsShareTheMakingOfKeptRows) {
  constexpr std::size_t kRows = 200;
  constexpr double kCost = 20000;
  const auto engine = std::make_shared<test::FakeEngine>(
      [](std::size_t s, std::size_t t) { return static_cast<double>(s * 1000 + t); },
      [](std::size_t s) { return static_cast<double>(s * 1001); }, kCost,
      [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  ThreadPool pool(4);
  const std::vector<std::uint32_t> numbers = test::row_numbers(kRows);
  const auto shared = make_shared_rows(engine, numbers, kRows * kRows * sizeof(float));
  KernelMatrix matrix(make_part_engine(*shared, numbers), kRows, 1, 0, 0, pool);
  std::vector<std::size_t> all(kRows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double> sums(kRows, 0.0);
  matrix.visit_blocks({all}, all, [&](const KernelMatrix::Block& block) {
    block.values.visit([&](const auto* values) {
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t k = block.begin; k < block.end; ++k) {
          sums[k] += static_cast<double>(values[r * block.stride + k - block.begin]);
        }
      }
    });
  });
  for (std::size_t k = 0; k < kRows; ++k) {
    EXPECT_EQ(sums[k],
              500 * static_cast<double>(kRows * (kRows - 1)) + static_cast<double>(kRows * k));
  }
}

}  // namespace
}  // namespace svm
