// Engines of single precision: the errors of values, the data for which exact engines stay in use,
// and that no value depends on what is computed with it.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "simd/instruction_set.h"
#include "simd/loops.h"
#include "tests/environment.h"
#include "tests/instruction_sets.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Row;
using test::Setting;

using Rows = std::vector<Row>;
using Draw = std::function<double(std::size_t feature)>;

KernelFunction kernel_of(int type, double gamma, double coef0 = 0.25, int degree = 3) {
  svm_parameter param = {};
  param.kernel_type = type;
  param.gamma = gamma;
  param.coef0 = coef0;
  param.degree = degree;
  return KernelFunction(param);
}

std::shared_ptr<const RowEngine> engine_for(const Rows& rows, const KernelFunction& kernel,
                                            const std::string& engine = "",
                                            InstructionSet set = instruction_set()) {
  const Setting setting("SVM_ENGINE", engine), instructions("SVM_INSTRUCTION_SET", svm::name(set));
  std::vector<const svm_node*> pointers;
  for (const Row& row : rows) pointers.push_back(row.data());
  return make_row_engine(kernel, pointers.data(), pointers.size(), Precision::kSingle);
}

bool is_single(const RowEngine& engine) { return engine.precise() != nullptr; }

Rows draw_rows(std::size_t count, std::size_t features, const Draw& draw) {
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    for (std::size_t f = 0; f < features; ++f) {
      const double value = draw(f);
      if (value != 0) row.push_back({static_cast<int>(f) + 1, value});
    }
    row.push_back({-1, 0});
    rows.push_back(std::move(row));
  }
  return rows;
}

// Kinds of data for the engines: real, with bits among them, with two values other than zero, far
// from zero, sparse, whole numbers, grey levels.
std::vector<std::pair<std::string, Rows>> kinds(std::size_t count) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> real(-1, 1);
  std::vector<std::pair<std::string, Rows>> all;
  all.emplace_back("real", draw_rows(count, 20, [&](std::size_t) { return real(random); }));
  all.emplace_back("long", draw_rows(count, 150, [&](std::size_t) { return real(random); }));
  all.emplace_back("bits", draw_rows(count, 60, [&](std::size_t f) {
                     return f < 7 ? real(random) : random() % 3 == 0 ? 1.0 : 0.0;
                   }));
  all.emplace_back("two values", draw_rows(count, 50, [&](std::size_t f) {
                     return f < 5 ? real(random) : random() % 3 == 0 ? 1.0 : -1.0;
                   }));
  all.emplace_back("far", draw_rows(count, 9, [&](std::size_t f) {
                     return 1000.0 * static_cast<double>(f + 1) + real(random);
                   }));
  all.emplace_back("sparse", draw_rows(count, 300, [&](std::size_t f) {
                     return random() % 50 != 0 ? 0.0 : f % 2 == 0 ? 0.125 : real(random);
                   }));
  all.emplace_back("whole", draw_rows(count, 90, [&](std::size_t) {
                     return random() % 2 == 0 ? 0.0 : static_cast<double>(random() % 256);
                   }));
  all.emplace_back(
      "grey", draw_rows(count, 90, [&](std::size_t f) {
        return f == 0 ? 1.0 : random() % 2 == 0 ? 0.0 : static_cast<double>(random() % 256) / 255;
      }));
  return all;
}

// A gamma for which RBF values spread from 0 to 1.
double spread(const Rows& rows) {
  double sum = 0;
  KernelFunction linear = kernel_of(LINEAR, 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const svm_node *u = rows[i - 1].data(), *v = rows[i].data();
    sum += linear.of_rows(u, u) + linear.of_rows(v, v) - 2 * linear.of_rows(u, v);
  }
  return static_cast<double>(rows.size()) / sum;
}

std::vector<KernelFunction> kernels_for(const Rows& rows) {
  const double gamma = spread(rows);
  return {kernel_of(RBF, gamma),        kernel_of(RBF, 30 * gamma), kernel_of(RBF, 0.01 * gamma),
          kernel_of(LINEAR, 1),         kernel_of(POLY, gamma),     kernel_of(POLY, gamma, 0, 2),
          kernel_of(SIGMOID, gamma, 0), kernel_of(SIGMOID, gamma)};
}

std::unique_ptr<PackedColumns> pack_all(const RowEngine& engine, std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return engine.pack(order.data(), count, nullptr);
}

std::vector<float> row_of(const RowEngine& engine, std::size_t example,
                          const PackedColumns& columns, std::size_t from, std::size_t to) {
  std::vector<float> out(to - from);
  engine.compute(example, columns, from, to, out.data());
  return out;
}

// The largest error relative to the root of the diagonal values; for SIGMOID, whose matrix may be
// indefinite, relative to the larger of these.
double worst_error(const RowEngine& engine, const Rows& rows, const KernelFunction& kernel) {
  const auto columns = pack_all(engine, rows.size());
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); i += 3) {
    const std::vector<float> row = row_of(engine, i, *columns, 0, rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double exact = kernel.of_rows(rows[i].data(), rows[k].data());
      const double a = kernel.of_rows(rows[i].data(), rows[i].data());
      const double b = kernel.of_rows(rows[k].data(), rows[k].data());
      const double size = kernel.type == SIGMOID ? std::max(a, b) : std::sqrt(a * b);
      const double error = std::fabs(static_cast<double>(row[k]) - exact);
      if (error > 0) worst = std::max(worst, error / size);
    }
  }
  return worst;
}

TEST(SingleEngines, ValuesAreCloseToExactOnes) {
  for (const auto& [name, rows] : kinds(70)) {
    for (const KernelFunction& kernel : kernels_for(rows)) {
      for (const char* wish : {"", "floats", "bytes"}) {
        for (const InstructionSet set : kInstructionSets) {
          if (!is_supported(set)) continue;
          const auto engine = engine_for(rows, kernel, wish, set);
          const double most = std::max(0x1p-22, 2 * engine->rounding());
          EXPECT_LE(worst_error(*engine, rows, kernel), most)
              << name << ", kernel " << kernel.type << ", gamma " << kernel.gamma << ", '" << wish
              << "', " << svm::name(set) << ", single " << is_single(*engine);
        }
      }
    }
  }
}

TEST(SingleEngines, RbfOfOrdinaryDataIsSingle) {
  for (const auto& [name, rows] : kinds(70)) {
    const KernelFunction kernel = kernel_of(RBF, spread(rows));
    const auto engine = engine_for(rows, kernel);
    EXPECT_TRUE(is_single(*engine)) << name;
    EXPECT_LE(engine->rounding(), 0x1p-20) << name;
    EXPECT_LE(worst_error(*engine, rows, kernel), std::max(0x1p-22, 2 * engine->rounding())) << name;
  }
}

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

TEST(SingleEngines, ExactProductsStayExact) {
  std::mt19937 random(13);
  for (const int most : {2, 200, 900}) {
    const Rows rows = draw_rows(80, 10, [&](std::size_t f) {
      return f % 2 == 0          ? static_cast<double>(random() % static_cast<unsigned>(most))
             : random() % 2 == 0 ? 3.0
                                 : 0.0;
    });
    const KernelFunction kernel = kernel_of(LINEAR, 1);
    for (const char* wish : {"", "floats", "bytes"}) {
      const auto engine = engine_for(rows, kernel, wish);
      const auto columns = pack_all(*engine, rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_TRUE(engine->is_exact(i));
        const std::vector<float> row = row_of(*engine, i, *columns, 0, rows.size());
        for (std::size_t k = 0; k < rows.size(); ++k) {
          ASSERT_EQ(row[k], kernel.of_rows(rows[i].data(), rows[k].data())) << wish << " " << most;
        }
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

TEST(SingleEngines, AnyScaleIsAsGoodAsItsEstimate) {
  std::mt19937 random(15);
  std::uniform_real_distribution<double> real(-1, 1), power(-12, 12), offset(-4, 4);
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<double> scales(6), offsets(6);
    for (std::size_t f = 0; f < 6; ++f) {
      scales[f] = std::pow(10, power(random) * (turn % 3 == 0 ? 1 : 0.1));
      offsets[f] = turn % 2 == 0 ? 0 : std::pow(10, offset(random)) * scales[f];
    }
    const Rows rows =
        draw_rows(30, 6, [&](std::size_t f) { return offsets[f] + scales[f] * real(random); });
    const double gamma = spread(rows) * std::pow(10, offset(random) / 2);
    const KernelFunction kernels[] = {kernel_of(RBF, gamma), kernel_of(LINEAR, 1),
                                      kernel_of(POLY, gamma), kernel_of(SIGMOID, gamma)};
    for (const KernelFunction& kernel : kernels) {
      const auto engine = engine_for(rows, kernel);
      if (!is_single(*engine)) continue;
      EXPECT_LE(worst_error(*engine, rows, kernel), std::max(0x1p-22, 2 * engine->rounding()))
          << turn << ", kernel " << kernel.type;
    }
  }
}

// Values that are close to multiples of a unit, but small beside it.
TEST(SingleEngines, SmallValuesAreNotRoundedAway) {
  std::mt19937 random(16);
  std::uniform_real_distribution<double> real(0, 1.4e-5);
  const auto small = [&](std::size_t) { return real(random); };
  const auto whole = [&] { return static_cast<double>(random() % 4); };
  const std::vector<std::pair<std::string, Rows>> all = {
      {"all small", draw_rows(60, 4, small)},
      {"beside whole numbers",
       draw_rows(60, 4, [&](std::size_t f) { return f % 2 == 0 ? whole() : small(f); })},
      {"in some rows", draw_rows(60, 4,
                                 [&, n = 0](std::size_t f) mutable {
                                   return n++ / 4 % 8 == 0 ? small(f) : whole();
                                 })},
      {"of a smaller unit",
       draw_rows(60, 4, [&](std::size_t) { return 5e-8 * static_cast<double>(random() % 256); })}};
  for (const auto& [name, rows] : all) {
    std::vector<KernelFunction> kernels = kernels_for(rows);
    kernels.push_back(kernel_of(RBF, 1));
    kernels.push_back(kernel_of(RBF, 1e6));
    for (const KernelFunction& kernel : kernels) {
      for (const char* wish : {"", "floats", "bytes"}) {
        const auto engine = engine_for(rows, kernel, wish);
        EXPECT_LE(worst_error(*engine, rows, kernel), std::max(0x1p-22, 2 * engine->rounding()))
            << name << ", kernel " << kernel.type << ", gamma " << kernel.gamma << ", '" << wish
            << "'";
      }
    }
  }
}

// All values of these rows are equal, and so are their errors, which do not cancel in distances.
TEST(SingleEngines, EqualErrorsAreCounted) {
  constexpr double kSums = 0x1p-21;  // rounding of sums over so many features
  std::mt19937 random(17);
  std::uniform_real_distribution<double> real(-1, 1);
  for (const std::size_t features : {30U, 784U}) {
    Rows rows;
    for (int i = 0; i < 120; ++i) {
      const auto single = static_cast<float>(real(random));
      const float next = std::nextafter(single, i % 2 == 0 ? 2.0F : -2.0F);
      const double value = static_cast<double>(single) +
                           0.499 * (static_cast<double>(next) - static_cast<double>(single));
      rows.push_back(draw_rows(1, features, [&](std::size_t) { return value; }).front());
    }
    for (const double part : {1.0, 30.0, 1000.0}) {
      const KernelFunction kernel = kernel_of(RBF, part / static_cast<double>(features));
      const auto engine = engine_for(rows, kernel);
      ASSERT_TRUE(is_single(*engine)) << features << " " << part;
      EXPECT_LE(worst_error(*engine, rows, kernel), std::max(0x1p-22, engine->rounding()) + kSums)
          << features << " " << part;
    }
  }
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
  EXPECT_THROW(engine_for(all[0].second, kernel_of(RBF, 1), "fast"), std::invalid_argument);
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
