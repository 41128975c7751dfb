// Engines of single precision: the data for which exact engines stay in use, and that no value
// depends on what is computed with it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "kernels/engines/row_engine.h"
#include "tests/instruction_sets.h"
#include "tests/kernels/single_rows.h"

namespace svm {
namespace {

using test::draw_rows;
using test::engine_for;
using test::is_single;
using test::kernel_of;
using test::kernels_for;
using test::kinds;
using test::pack_all;
using test::row_of;
using test::Rows;
using test::spread;

TEST(SingleEngines, ValuesDependOnNothingElse) {
  constexpr std::size_t kCount = 200;
  std::mt19937 random(12);
  for (const auto& [name, rows] : kinds(kCount)) {
    for (const KernelFunction& kernel : kernels_for(rows)) {
      std::vector<float> first_row;
      std::vector<double> first_sums;
      for (const InstructionSet set : kInstructionSets) {
        if (!is_supported(set)) continue;
        const auto engine = engine_for(rows, kernel, "", set);
        const auto columns = pack_all(*engine, kCount);
        const std::vector<float> whole = row_of(*engine, 5, *columns, 0, kCount);
        for (int cut = 0; cut < 5; ++cut) {
          const std::size_t from = random() % kCount, to = from + random() % (kCount - from + 1);
          const std::vector<float> part = row_of(*engine, 5, *columns, from, to);
          EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.data() + from)) << name;
        }
        // Compares fused sums in one piece and in several.
        const std::vector<std::uint32_t> examples = {7, 5, 100, 3, 66, 5, 0};
        const std::vector<double> factors = {0.5, -1.25, 1e-3, 7, 0.1, -0.3, 2};
        std::vector<double> sums(kCount, 0.25), cut_sums = sums, expected = sums;
        engine->add_sums(examples.data(), factors.data(), 7, *columns, 0, kCount, sums.data());
        for (const auto& [from, to] :
             {std::pair<std::size_t, std::size_t>{0, 64}, {64, 129}, {192, 200}}) {
          engine->add_sums(examples.data(), factors.data(), 4, *columns, from, to, &cut_sums[from]);
          engine->add_sums(&examples[4], &factors[4], 3, *columns, from, to, &cut_sums[from]);
          EXPECT_TRUE(std::equal(&sums[from], sums.data() + to, &cut_sums[from])) << name;
        }
        for (std::size_t r = 0; r < examples.size(); ++r) {
          const std::vector<float> row = row_of(*engine, examples[r], *columns, 0, kCount);
          for (std::size_t k = 0; k < kCount; ++k) {
            expected[k] += factors[r] * static_cast<double>(row[k]);
          }
        }
        for (std::size_t k = 0; k < kCount; ++k) {
          EXPECT_NEAR(sums[k], expected[k], 1e-12 * (1 + std::fabs(expected[k])))
              << name << ", kernel " << kernel.type << ", " << svm::name(set);
        }
        if (set == InstructionSet::kPlain) continue;
        if (first_row.empty()) {
          first_row = whole;
          first_sums = sums;
        }
        EXPECT_EQ(whole, first_row) << name << " " << svm::name(set);
        EXPECT_EQ(sums, first_sums) << name << " " << svm::name(set);
      }
    }
  }
}

// The value of two rows is the same whichever is the row and which the column, and 1 for RBF if
// they are equal, in rows, in groups of rows and in fused sums.
TEST(SingleEngines, ValuesAreSymmetric) {
  constexpr std::size_t kCount = 70;
  for (const auto& [name, some_rows] : kinds(kCount - 1)) {
    Rows rows = some_rows;
    rows.push_back(rows[3]);
    std::vector<std::uint32_t> order(kCount);
    std::iota(order.begin(), order.end(), 0U);
    for (const KernelFunction& kernel : kernels_for(rows)) {
      for (const char* wish : {"", "bytes", "floats", "differences"}) {
        for (const InstructionSet set : kInstructionSets) {
          if (!is_supported(set)) continue;
          const auto engine = engine_for(rows, kernel, wish, set);
          if (!is_single(*engine)) continue;
          const auto columns = pack_all(*engine, kCount);
          std::vector<std::vector<float>> values(kCount, std::vector<float>(kCount));
          std::vector<float*> out;
          out.reserve(kCount);
          for (std::vector<float>& row : values) out.push_back(row.data());
          engine->compute_rows(order.data(), kCount, *columns, kCount, out.data());
          for (std::size_t i = 0; i < kCount; ++i) {
            EXPECT_EQ(row_of(*engine, i, *columns, 0, kCount), values[i]) << name;
            for (std::size_t k = 0; k < i; ++k) {
              ASSERT_EQ(values[i][k], values[k][i])
                  << name << " '" << wish << "' " << svm::name(set);
            }
          }
          if (kernel.type != RBF) continue;
          EXPECT_EQ(values[3][3], 1.0F) << name << " '" << wish << "' " << svm::name(set);
          EXPECT_EQ(values[3][kCount - 1], 1.0F) << name << " '" << wish << "'";
        }
      }
    }
  }
}

// Values of six digits and of images less their mean take no longer than whole numbers.
TEST(SingleEngines, WholeNumbersOfAnyUnitAreFound) {
  const auto all = kinds(1000);  // few rows are not searched for whole numbers
  const auto cost = [&](const std::string& name, const char* wish) {
    for (const auto& [kind, rows] : all) {
      if (kind == name) return engine_for(rows, kernel_of(RBF, spread(rows)), wish)->value_cost();
    }
    return 0.0;
  };
  for (const char* name : {"grey", "six digits", "shifted"}) {
    EXPECT_LT(cost(name, ""), cost(name, "floats")) << name;
    EXPECT_LT(cost(name, ""), cost(name, "differences")) << name;
  }
}

TEST(SingleEngines, KnowTheirPreciseEngine) {
  for (const auto& [name, rows] : kinds(100)) {
    for (const KernelFunction& kernel : kernels_for(rows)) {
      const auto engine = engine_for(rows, kernel);
      if (!is_single(*engine)) continue;
      const auto precise = engine->precise();
      EXPECT_EQ(precise, engine->precise());
      EXPECT_EQ(precise->precise(), nullptr);
      EXPECT_EQ(engine->largest_value(), precise->largest_value());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(engine->diagonal(i), precise->diagonal(i)) << name;
        EXPECT_EQ(engine->is_exact(i), precise->is_exact(i)) << name;
      }
      const std::uint32_t examples[] = {3, 50}, columns[] = {9, 1, 70};
      const double factors[] = {1.5, -2};
      double sums[3] = {1, 2, 3}, expected[3] = {1, 2, 3};
      engine->add_precise_sums(examples, factors, 2, columns, 3, sums);
      precise->add_precise_sums(examples, factors, 2, columns, 3, expected);
      EXPECT_TRUE(std::equal(sums, sums + 3, expected));
      std::vector<double> doubles(rows.size());
      const auto packed = pack_all(*engine, rows.size());
      engine->compute(4, *packed, 0, rows.size(), doubles.data());
      const std::vector<float> floats = row_of(*engine, 4, *packed, 0, rows.size());
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const double most = 2 * engine->rounding() * std::fabs(doubles[k]) + 1e-6;
        EXPECT_NEAR(doubles[k], floats[k], most) << name << ", kernel " << kernel.type;
      }
    }
  }
}

// Packs columns into older ones: fewer than before, in another order.
TEST(SingleEngines, PackOverOldColumns) {
  for (const auto& [name, rows] : kinds(150)) {
    const auto engine = engine_for(rows, kernel_of(RBF, spread(rows)));
    auto columns = pack_all(*engine, 150);
    const std::vector<float> all = row_of(*engine, 2, *columns, 0, 150);
    std::vector<std::uint32_t> some;
    for (std::uint32_t k = 149; k > 40; k -= 3) some.push_back(k);
    columns = engine->pack(some.data(), some.size(), std::move(columns));
    const std::vector<float> row = row_of(*engine, 2, *columns, 0, some.size());
    for (std::size_t k = 0; k < some.size(); ++k) EXPECT_EQ(row[k], all[some[k]]) << name;
  }
}

TEST(SingleEngines, IllScaledDataStayExact) {
  std::mt19937 random(14);
  std::uniform_real_distribution<double> real(-1, 1);
  const auto scaled = [&](double factor) {
    return draw_rows(50, 5, [&](std::size_t) { return factor * real(random); });
  };
  const Rows ordinary = scaled(1), huge = scaled(1e30), tiny = scaled(1e-30);
  // The scale of the data does not matter if gamma compensates for it.
  EXPECT_TRUE(is_single(*engine_for(ordinary, kernel_of(RBF, 1))));
  EXPECT_TRUE(is_single(*engine_for(scaled(1e10), kernel_of(RBF, 1e-20))));
  EXPECT_TRUE(is_single(*engine_for(scaled(1e-10), kernel_of(RBF, 1e20))));
  EXPECT_TRUE(is_single(*engine_for(tiny, kernel_of(RBF, 1))));
  // Here every difference matters, and rounding loses it.
  EXPECT_FALSE(is_single(*engine_for(ordinary, kernel_of(RBF, 1e6))));
  EXPECT_FALSE(is_single(*engine_for(huge, kernel_of(RBF, 1))));
  EXPECT_FALSE(is_single(*engine_for(huge, kernel_of(LINEAR, 1))));
  EXPECT_FALSE(is_single(*engine_for(tiny, kernel_of(LINEAR, 1))));
  EXPECT_FALSE(is_single(*engine_for(huge, kernel_of(POLY, 1))));
  EXPECT_FALSE(is_single(*engine_for(huge, kernel_of(SIGMOID, 1))));
  EXPECT_FALSE(is_single(*engine_for(ordinary, kernel_of(POLY, 1, 1, 9))));
  EXPECT_FALSE(is_single(*engine_for(ordinary, kernel_of(POLY, 1, -1))));
  EXPECT_FALSE(is_single(*engine_for(ordinary, kernel_of(SIGMOID, 1e3))));
  EXPECT_FALSE(is_single(*engine_for(ordinary, kernel_of(RBF, 0))));
}

// csmo chooses between one level and two by the cost of a value.
TEST(SingleEngines, CostsAreThoseOfAnyInstructionSet) {
  std::mt19937 random(18);
  auto all = kinds(70);
  all.emplace_back("decimals", draw_rows(30000, 10, [&](std::size_t) {
                     return (static_cast<double>(random() % 2000000) - 1e6) / 1e6;
                   }));
  for (const auto& [name, rows] : all) {
    for (const KernelFunction& kernel : {kernel_of(RBF, spread(rows)), kernel_of(POLY, 1, 1, 9)}) {
      const double cost = engine_for(rows, kernel)->value_cost();
      for (const InstructionSet set : kInstructionSets) {
        if (!is_supported(set)) continue;
        EXPECT_EQ(engine_for(rows, kernel, "", set)->value_cost(), cost)
            << name << ", kernel " << kernel.type << ", " << svm::name(set);
      }
    }
  }
}

TEST(SingleEngines, TheEnvironmentForcesExactEngines) {
  const auto all = kinds(40);
  for (const char* name : {"plain", "dense", "columns", "integers", "bits"}) {
    EXPECT_FALSE(is_single(*engine_for(all[0].second, kernel_of(RBF, 1), name))) << name;
  }
  EXPECT_TRUE(is_single(*engine_for(all[0].second, kernel_of(RBF, 1), "floats")));
  EXPECT_TRUE(is_single(*engine_for(all[0].second, kernel_of(RBF, 1), "bytes")));
  EXPECT_TRUE(is_single(*engine_for(all[0].second, kernel_of(RBF, 1), "fast")));  // ignored
}

TEST(SingleEngines, OtherRowsGetExactEngines) {
  const KernelFunction rbf = kernel_of(RBF, 1);
  EXPECT_FALSE(is_single(*engine_for({}, rbf)));
  EXPECT_FALSE(is_single(*engine_for({{{-1, 0}}, {{-1, 0}}}, rbf)));
  EXPECT_FALSE(is_single(*engine_for({{{2, 1}, {1, 0.5}, {-1, 0}}, {{1, 0.5}, {-1, 0}}}, rbf)));
  EXPECT_FALSE(is_single(*engine_for({{{1, INFINITY}, {-1, 0}}, {{1, 0.5}, {-1, 0}}}, rbf)));
  EXPECT_FALSE(is_single(*engine_for({{{1, 1}, {-1, 0}}, {{2, 1}, {-1, 0}}}, rbf)));
  EXPECT_FALSE(is_single(*engine_for({{{0, 1}, {1, 1}, {-1, 0}}}, kernel_of(PRECOMPUTED, 1))));
  // All rows are equal: nothing is left to compute.
  const Rows same(70, {{1, 0.3}, {-1, 0}});
  const auto engine = engine_for(same, rbf);
  const auto columns = pack_all(*engine, 70);
  EXPECT_EQ(row_of(*engine, 1, *columns, 0, 70), std::vector<float>(70, 1.0F));
}

}  // namespace
}  // namespace svm
