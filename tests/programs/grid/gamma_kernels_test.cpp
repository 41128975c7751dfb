// Kernel values from dot products that are stored once for all gammas.
#include "programs/grid/gamma_kernels.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "solvers/registry.h"
#include "tests/training_data.h"

namespace svm::grid {
namespace {

using test::Data;

constexpr std::size_t kRows = 150;

KernelFunction kernel_of(int type, double gamma) {
  svm_parameter param = test::parameters(C_SVC, type);
  param.gamma = gamma;
  param.coef0 = 0.25;
  return KernelFunction(param);
}

std::shared_ptr<StoredDots> store(const Data& data) {
  const std::vector<const svm_node*> rows = data.rows();
  ThreadPool pool(2);
  return std::make_shared<StoredDots>(rows.data(), rows.size(), pool, nullptr);
}

// The values of a row from column `from` on, with columns in this order.
template <typename Value>
std::vector<Value> values(const RowEngine& engine, const std::vector<std::uint32_t>& order,
                          std::size_t example, std::size_t from) {
  const auto columns = engine.pack(order.data(), order.size(), nullptr);
  std::vector<Value> out(order.size() - from);
  engine.compute(example, *columns, from, order.size(), out.data());
  return out;
}

// In order, and shuffled.
std::vector<std::vector<std::uint32_t>> orders() {
  std::vector<std::uint32_t> shuffled = test::row_numbers(kRows);
  test::Draws draws(5);
  for (std::size_t k = kRows; k-- > 1;) std::swap(shuffled[k], shuffled[draws.below(k + 1)]);
  shuffled.resize(90);
  return {test::row_numbers(kRows), shuffled};
}

TEST(StoredDotsTest, ValuesHaveTheBitsOfTheExactEngines) {
  const Data data = test::random_data(kRows, 40, true, 3);
  const std::vector<const svm_node*> rows = data.rows();
  const std::shared_ptr<StoredDots> dots = store(data);
  ASSERT_TRUE(dots->is_regular());
  for (const int type : {RBF, POLY, SIGMOID}) {
    for (const double gamma : {0.01, 0.3, 7.0}) {
      const KernelFunction kernel = kernel_of(type, gamma);
      const auto stored = make_stored_dots_engine(kernel, dots, Precision::kDouble, nullptr);
      const auto exact = make_row_engine(kernel, rows.data(), rows.size());
      EXPECT_EQ(stored->precise(), nullptr);
      for (const std::vector<std::uint32_t>& order : orders()) {
        for (std::size_t i = 0; i < kRows; i += 7) {
          const std::size_t from = i % order.size();
          ASSERT_EQ(values<float>(*stored, order, i, from), values<float>(*exact, order, i, from));
          ASSERT_EQ(values<double>(*stored, order, i, from),
                    values<double>(*exact, order, i, from));
          ASSERT_EQ(stored->diagonal(i), exact->diagonal(i));
        }
      }
    }
  }
}

TEST(StoredDotsTest, SinglePrecisionStaysWithinItsEstimate) {
  const Data data = test::random_data(kRows, 40, true, 4);
  const std::vector<const svm_node*> rows = data.rows();
  const std::shared_ptr<StoredDots> dots = store(data);
  for (const double gamma : {0.01, 0.3, 7.0}) {
    const KernelFunction kernel = kernel_of(RBF, gamma);
    const auto stored = make_stored_dots_engine(kernel, dots, Precision::kSingle, nullptr);
    const auto exact = make_row_engine(kernel, rows.data(), rows.size());
    ASSERT_NE(stored->precise(), nullptr);
    for (std::size_t i = 0; i < kRows; i += 11) {
      const auto order = test::row_numbers(kRows);
      const std::vector<float> some = values<float>(*stored, order, i, 0);
      const std::vector<double> right = values<double>(*exact, order, i, 0);
      for (std::size_t k = 0; k < kRows; ++k) {
        ASSERT_NEAR(static_cast<double>(some[k]), right[k], 4 * stored->rounding());
      }
    }
  }
}

TEST(StoredDotsTest, SumsInDoublesAreThoseOfTheValues) {
  const Data data = test::random_data(kRows, 40, true, 6);
  const auto stored =
      make_stored_dots_engine(kernel_of(RBF, 0.3), store(data), Precision::kDouble, nullptr);
  const std::vector<std::uint32_t> all = test::row_numbers(kRows), columns = {3, 99, 17};
  std::vector<double> factors(kRows), sums(columns.size(), 0.0);
  for (std::size_t r = 0; r < kRows; ++r) factors[r] = static_cast<double>(r % 5) - 2;
  stored->add_precise_sums(all.data(), factors.data(), kRows, columns.data(), columns.size(),
                           sums.data());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    double sum = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
      sum += factors[r] * values<double>(*stored, columns, r, 0)[k];
    }
    EXPECT_NEAR(sums[k], sum, 1e-12 * kRows);
  }
}

TEST(StoredDotsTest, ThreadsShareIt) {
  const Data data = test::random_data(kRows, 40, true, 8);
  const std::shared_ptr<StoredDots> dots = store(data);
  const auto alone =
      make_stored_dots_engine(kernel_of(RBF, 1), store(data), Precision::kDouble, nullptr);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto engine = make_stored_dots_engine(kernel_of(RBF, t % 2 == 0 ? 1 : 2), dots,
                                                  Precision::kDouble, nullptr);
      const auto order = test::row_numbers(kRows);
      for (std::size_t i = 0; i < kRows; ++i) {
        const std::vector<float> row = values<float>(*engine, order, i, 0);
        if (t % 2 == 0) {
          EXPECT_EQ(row, values<float>(*alone, order, i, 0));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(StoredDotsTest, IrregularRowsAreTold) {
  Data data = test::random_data(20, 4, true, 9);
  data.add_row(1, {{3, 1.0}, {2, 1.0}, {-1, 0}});
  EXPECT_FALSE(store(data)->is_regular());
}

// Few gammas do not pay for dot products in doubles if values are in single precision.
TEST(GammaKernelsTest, StoreDotProductsIfGammasPayForThem) {
  constexpr std::size_t kMany = 600;
  const Data data = test::random_data(kMany, 200, true, 10);
  const std::vector<const svm_node*> rows = data.rows();
  const auto are_stored = [&](const char* solver, std::size_t gammas) {
    const test::Printed printed;
    auto& run = printed.run();
    run.options.entry = find_solver(solver);
    GammaKernels kernels(rows.data(), test::row_numbers(kMany), gammas, 1e8);
    kernels.engine(test::parameters(C_SVC, RBF), run, nullptr);
    return kernels.budget()->for_rows() < kernels.budget()->total();
  };
  EXPECT_FALSE(are_stored("smo", 1));
  EXPECT_TRUE(are_stored("smo", 2));
  EXPECT_FALSE(are_stored("csmo", 5));
  EXPECT_TRUE(are_stored("csmo", 6));
}

}  // namespace
}  // namespace svm::grid
