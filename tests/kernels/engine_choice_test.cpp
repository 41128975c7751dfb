// Which engine is chosen for which rows, and the engines that only the rows can ask for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "tests/environment.h"
#include "tests/kernels/engine_answers.h"
#include "tests/kernels/engine_cases.h"

namespace svm::test {
namespace {

TEST(RowEngineChoice, IsThatOfTheTable) {
  for (const Kind& kind : kKinds) {
    const Rows rows = rows_of(kind, 127, 40);
    const KernelFunction kernel = kernel_of(RBF, spread(rows));
    const auto cost = [&](const NamedEngine& engine) {
      return make_engine(engine, kernel, rows)->value_cost();
    };
    const double chosen = cost({"", Precision::kDouble});
    const auto single = make_engine({"", Precision::kSingle}, kernel, rows);
    EXPECT_EQ(is_single(*single), kind.single == Single::kChosen) << kind.name;
    EXPECT_LE(single->rounding(), 0x1p-19) << kind.name;
    for (const NamedEngine& engine : kEngines) {
      if (*engine.name == '\0') continue;
      SCOPED_TRACE(std::string(kind.name) + ", engine " + engine.name);
      if (engine.precision == Precision::kSingle) {
        EXPECT_EQ(is_single(*make_engine(engine, kernel, rows)), kind.single != Single::kNever);
        continue;
      }
      // Engines differ in their costs.
      const bool holds = engine.name == std::string("plain") ||
                         std::string(kind.others).find(engine.name) != std::string::npos;
      EXPECT_EQ(cost(engine) != chosen, holds && kind.exact != std::string(engine.name));
      EXPECT_EQ(cost({engine.name, Precision::kSingle}), cost(engine));
    }
    EXPECT_EQ(cost({kind.exact, Precision::kDouble}), chosen) << kind.name;
    EXPECT_EQ(cost({"fast", Precision::kDouble}), chosen) << kind.name;
  }
}

// Single precision takes any scale that gamma makes up for, but nothing that rounding would spoil.
TEST(RowEngineChoice, IsExactForIllScaledRows) {
  struct Scaled {
    double scale;
    int kernel;
    double gamma, coef0;
    int degree;
    bool is_single;
  };
  constexpr Scaled kScaled[] = {
      {1, RBF, 1, 0, 3, true},           {1e10, RBF, 1e-20, 0, 3, true},
      {1e-10, RBF, 1e20, 0, 3, true},    {1e-30, RBF, 1, 0, 3, true},
      {1, RBF, 1e6, 0, 3, false},        {1e30, RBF, 1, 0, 3, false},
      {1e30, LINEAR, 1, 0, 3, false},    {1e-30, LINEAR, 1, 0, 3, false},
      {1e30, POLY, 1, 0.25, 3, false},   {1e30, SIGMOID, 1, 0.25, 3, false},
      {1, POLY, 1, 1, 9, false},         {1, POLY, 1, -1, 3, false},
      {1, SIGMOID, 1e3, 0.25, 3, false}, {1, RBF, 0, 0, 3, false}};
  for (const Scaled& scaled : kScaled) {
    Rows rows = rows_of(kind_of("Real"), 50, 5);
    for (Row& row : rows) {
      for (svm_node& node : row) node.value *= scaled.scale;
    }
    const auto kernel = kernel_of(scaled.kernel, scaled.gamma, scaled.coef0, scaled.degree);
    EXPECT_EQ(is_single(*make_engine({"", Precision::kSingle}, kernel, rows)), scaled.is_single)
        << "scale " << scaled.scale << ", kernel " << scaled.kernel << ", gamma " << scaled.gamma;
  }
}

TEST(RowEngineChoice, IsExactForRowsWithoutValues) {
  const KernelFunction rbf = kernel_of(RBF, 1);
  EXPECT_FALSE(is_single(*make_engine({"", Precision::kSingle}, rbf, {{{-1, 0}}, {{-1, 0}}})));
}

TEST(RowEngineChoice, FindsWholeNumbers) {
  for (const char* name : {"Grey", "SixDigits", "Shifted"}) {
    Rows rows = rows_of(kind_of(name), 1200, 90);  // few rows are not searched
    rows.erase(
        std::remove_if(rows.begin(), rows.end(), [](const Row& row) { return row.size() == 1; }),
        rows.end());
    const auto cost = [&](const char* engine) {
      return make_engine({engine, Precision::kSingle}, kernel_of(RBF, spread(rows)), rows)
          ->value_cost();
    };
    EXPECT_LT(cost(""), cost("floats")) << name;
    EXPECT_LT(cost(""), cost("differences")) << name;
  }
}

TEST(RowEngineChoice, NamesTheVariableThatNamesNoEngine) {
  EXPECT_EQ(engine_fault(), "");
  const Setting setting("SVM_ENGINE", "fast");
  const std::string text = engine_fault();
  for (const char* part : {"SVM_ENGINE", "'fast'"}) EXPECT_NE(text.find(part), std::string::npos);
  for (const NamedEngine& engine : kEngines) EXPECT_NE(text.find(engine.name), std::string::npos);
}

TEST(PlainEngine, WalksRowsThatAreNotInOrderAsPredictionDoes) {
  const Rows rows = rows_of(kind_of("Unsorted"), 30, 9);
  const KernelFunction linear = kernel_of(LINEAR, 1);
  const auto engine = make_engine({"", Precision::kDouble}, linear, rows);
  const auto columns = engine->pack(row_numbers(30).data(), 30, nullptr);
  for (std::size_t i = 0; i < 30; ++i) {
    const std::vector<double> row = values<double>(*engine, i, *columns, 0, 30);
    for (std::size_t k = 0; k < 30; ++k) {
      EXPECT_EQ(row[k], linear.of_rows(rows[i].data(), rows[k].data()));
    }
  }
}

TEST(PrecomputedEngine, LooksUpValues) {
  const Rows rows = {{{0, 1}, {1, 11}, {2, 12}, {-1, 0}}, {{0, 2}, {1, 21}, {2, 22}, {-1, 0}}};
  const auto engine = make_engine({"", Precision::kSingle}, kernel_of(PRECOMPUTED, 1), rows);
  const std::uint32_t backwards[] = {1, 0};
  const auto columns = engine->pack(backwards, 2, nullptr);
  EXPECT_EQ(values<float>(*engine, 0, *columns, 0, 2), (std::vector<float>{12, 11}));
  EXPECT_EQ(values<double>(*engine, 1, *columns, 1, 2), (std::vector<double>{21}));
  EXPECT_EQ(engine->diagonal(1), 22);
  EXPECT_EQ(engine->largest_value(), 22);
  EXPECT_FALSE(is_single(*engine));
  EXPECT_FALSE(engine->is_symmetric());
}

}  // namespace
}  // namespace svm::test
