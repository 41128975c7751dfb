// Engines of single precision: the errors of values.
#include <algorithm>
#include <cmath>
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
using test::worst_error;

TEST(SingleErrors, ValuesAreCloseToExactOnes) {
  for (const auto& [name, rows] : kinds(70)) {
    for (const KernelFunction& kernel : kernels_for(rows)) {
      for (const char* wish : {"", "bytes", "floats", "differences"}) {
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

// Offsets, clusters of nearly equal rows, and features of very different ranges, for gammas around
// the one for which values spread from 0 to 1.
TEST(SingleErrors, HardDataAreAsGoodAsTheirEstimates) {
  std::mt19937 random(19);
  std::normal_distribution<double> normal;
  std::vector<std::pair<std::string, Rows>> all;
  const auto clusters = [&](std::size_t features, double offset, double distance) {
    std::vector<double> centre(features);
    std::size_t n = 0;
    return draw_rows(120, features, [&, n, centre, features](std::size_t f) mutable {
      if (n++ % (8 * features) < features) centre[f] = normal(random);
      return offset + centre[f] + distance * normal(random);
    });
  };
  for (const std::size_t features : {5U, 40U, 300U}) {
    for (const double offset : {0.0, 1e3}) {
      for (const double distance : {1.0, 1e-2, 1e-5}) {
        all.emplace_back("clusters", clusters(features, offset, distance));
      }
    }
    all.emplace_back("ranges", draw_rows(120, features, [&](std::size_t f) {
                       return std::pow(10, static_cast<double>(f % 7) - 3) * normal(random);
                     }));
    all.emplace_back("equal rows", draw_rows(120, features, [&, n = 0](std::size_t f) mutable {
                       const bool is_copy = n++ / static_cast<int>(features) % 3 != 0;
                       return is_copy ? 0.1 + static_cast<double>(f % 3) : normal(random);
                     }));
  }
  for (const auto& [name, rows] : all) {
    for (double factor = 1e-3; factor < 2e3; factor *= 10) {
      const KernelFunction kernel = kernel_of(RBF, spread(rows) * factor);
      for (const char* wish : {"", "floats", "differences"}) {
        const auto engine = engine_for(rows, kernel, wish);
        if (!is_single(*engine)) continue;
        EXPECT_LE(worst_error(*engine, rows, kernel), std::max(0x1p-22, 2 * engine->rounding()))
            << name << ", " << rows.front().size() << ", gamma " << kernel.gamma << ", '" << wish
            << "'";
      }
    }
  }
}

TEST(SingleErrors, RbfOfOrdinaryDataIsSingle) {
  for (const auto& [name, rows] : kinds(70)) {
    const KernelFunction kernel = kernel_of(RBF, spread(rows));
    const auto engine = engine_for(rows, kernel);
    EXPECT_TRUE(is_single(*engine)) << name;
    EXPECT_LE(engine->rounding(), 0x1p-20) << name;
    EXPECT_LE(worst_error(*engine, rows, kernel), std::max(0x1p-22, 2 * engine->rounding()))
        << name;
  }
}

TEST(SingleErrors, ExactProductsStayExact) {
  std::mt19937 random(13);
  for (const int most : {2, 200, 900}) {
    const Rows rows = draw_rows(80, 10, [&](std::size_t f) {
      return f % 2 == 0          ? static_cast<double>(random() % static_cast<unsigned>(most))
             : random() % 2 == 0 ? 3.0
                                 : 0.0;
    });
    const KernelFunction kernel = kernel_of(LINEAR, 1);
    for (const char* wish : {"", "bytes", "floats", "differences"}) {
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

TEST(SingleErrors, AnyScaleIsAsGoodAsItsEstimate) {
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
TEST(SingleErrors, SmallValuesAreNotRoundedAway) {
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
      for (const char* wish : {"", "bytes", "floats", "differences"}) {
        const auto engine = engine_for(rows, kernel, wish);
        EXPECT_LE(worst_error(*engine, rows, kernel), std::max(0x1p-22, 2 * engine->rounding()))
            << name << ", kernel " << kernel.type << ", gamma " << kernel.gamma << ", '" << wish
            << "'";
      }
    }
  }
}

// All values of these rows are equal, and so are their errors, which do not cancel in distances.
TEST(SingleErrors, EqualErrorsAreCounted) {
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

}  // namespace
}  // namespace svm
