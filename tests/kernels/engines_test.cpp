// Every engine on every instruction set, by the promises of row_engine.h.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "kernels/engines/row_engine.h"
#include "kernels/engines/row_store.h"
#include "tests/environment.h"
#include "tests/kernels/engine_answers.h"
#include "tests/kernels/engine_cases.h"

namespace svm::test {
namespace {

// --- what is expected of it ---

// Rows with a kernel: the values of the plain engine, and the exact ones.
class Case {
 public:
  Case(const KernelFunction& kernel, const Questions& questions, const std::vector<Inner>& inners)
      : kernel_(kernel),
        questions_(questions),
        plain_(make_engine(kEngines[0], kernel, questions.rows)),
        expected_(*plain_, InstructionSet::kPlain, questions) {
    for (const Inner& inner : inners) {
      exact_.push_back(exact(kernel, inner));
      largest_norm_ = std::max(largest_norm_, static_cast<double>(inner.norms));
      is_ordinary_ = is_ordinary_ && inner.norms < 1e100L;
    }
    for (const Row& row : questions.rows) {
      diagonal_.push_back(exact(kernel, inner_of(row, row)).value);
    }
  }

  void check(const NamedEngine& named) const {
    // The engine that is chosen is not checked again by its name.
    const double cost = make_engine(named, kernel_, questions_.rows)->value_cost();
    const NamedEngine chosen = {"", named.precision};
    if (*named.name != '\0' &&
        cost == make_engine(chosen, kernel_, questions_.rows)->value_cost()) {
      return;
    }
    Engine first;
    std::unique_ptr<Answers> of_first;
    for (const InstructionSet set : kInstructionSets) {
      if (!is_supported(set)) continue;
      SCOPED_TRACE(std::string("engine '") + named.name + "' on " + name(set) + ", kernel " +
                   std::to_string(kernel_.type) + ", gamma " + std::to_string(kernel_.gamma));
      const Setting instructions("SVM_INSTRUCTION_SET", name(set));
      const Engine engine = make_engine(named, kernel_, questions_.rows);
      ASSERT_NO_FATAL_FAILURE(check_properties(*engine));
      if (questions_.rows.empty()) continue;
      auto answers = std::make_unique<Answers>(*engine, set, questions_);
      ASSERT_NO_FATAL_FAILURE(answers->check_all());
      if (is_single(*engine)) {
        ASSERT_NO_FATAL_FAILURE(check_rounding(*engine, *answers));
      } else {
        ASSERT_TRUE(same_or_nan(answers->floats, expected_.floats))
            << "not the plain engine's bits";
        ASSERT_NO_FATAL_FAILURE(check_doubles(*answers));
      }
      ASSERT_NO_FATAL_FAILURE(check_precise_sums(*answers, named));
      if (first != nullptr) {
        ASSERT_EQ(engine->value_cost(), first->value_cost());
        ASSERT_EQ(engine->value_work(), first->value_work());
      }
      if (set == InstructionSet::kPlain) {
        first = engine;  // which has no fused arithmetic
      } else if (of_first == nullptr) {
        of_first = std::move(answers);
      } else {
        ASSERT_TRUE(same_or_nan(answers->floats, of_first->floats));
        ASSERT_TRUE(same_or_nan(answers->sums, of_first->sums));
        ASSERT_TRUE(same_or_nan(answers->precise_sums, of_first->precise_sums));
      }
    }
  }

 private:
  void check_properties(const RowEngine& engine) const {
    EXPECT_GT(engine.value_cost(), 0);
    EXPECT_GT(engine.value_work(), 0);
    EXPECT_GE(engine.rounding(), 0x1p-23);
    EXPECT_TRUE(engine.is_symmetric());
    EXPECT_TRUE(same_or_nan(engine.largest_value(), plain_->largest_value()));
    EXPECT_GE(engine.pack_width(), RowEngine::kMostPreciseColumns);
    const Engine precise = engine.precise();
    if (precise != nullptr) {
      EXPECT_EQ(precise, engine.precise());
      EXPECT_EQ(precise->precise(), nullptr);
    }
    for (std::size_t i = 0; i < questions_.rows.size(); ++i) {
      const double diagonal = plain_->diagonal(i);
      const bool has_overflown = precise != nullptr && std::isnan(diagonal);
      ASSERT_TRUE(has_overflown || same_or_nan(engine.diagonal(i), diagonal)) << "diagonal " << i;
      ASSERT_EQ(engine.is_exact(i), plain_->is_exact(i)) << i;
    }
  }

  void check_doubles(const Answers& answers) const {
    if (!is_ordinary_) return;
    const bool by_norms = !kernel_.is_rounded(largest_norm_ / 2);
    for (std::size_t r = 0; r < answers.doubles.size(); ++r) {
      for (std::size_t k = 0; k < questions_.columns.size(); ++k) {
        const Exact& value = value_at(r, k);
        if (std::isinf(static_cast<double>(value.error(true)))) continue;
        ASSERT_NEAR(answers.doubles[r][k], static_cast<double>(value.value),
                    static_cast<double>(value.error(by_norms)))
            << "row " << questions_.examples[r] << ", column " << k;
      }
    }
  }

  void check_rounding(const RowEngine& engine, const Answers& answers) const {
    constexpr long double kLeast = 0x1p-124L;  // smaller values are rounded to this
    for (std::size_t r = 0; r < answers.floats.size(); ++r) {
      const std::uint32_t example = questions_.examples[r];
      for (std::size_t k = 0; k < questions_.columns.size(); ++k) {
        const std::uint32_t column = questions_.columns[k];
        const long double value = value_at(r, k).value;
        const long double a = diagonal_[example], b = diagonal_[column];
        const long double size = kernel_.type == SIGMOID ? std::max(a, b) : std::sqrt(a * b);
        const bool is_exact = engine.is_exact(example) && engine.is_exact(column);
        const long double part = engine.has_relative_errors() ? part_of_value(value) : 1;
        const long double most = engine.largest_error() * size * part;
        for (const long double found : {static_cast<long double>(answers.floats[r][k]),
                                        static_cast<long double>(answers.doubles[r][k])}) {
          ASSERT_LE(std::fabs(found - value), is_exact ? 0 : most + kLeast)
              << "row " << example << ", column " << column << ": " << found << " for " << value;
        }
      }
    }
  }

  // The error of an RBF value that is so small, in parts of that of 1.
  static long double part_of_value(long double value) {
    return std::min(1.0L, value * (1 - 2 * std::log(value)));
  }

  void check_precise_sums(const Answers& answers, const NamedEngine& named) const {
    if (!is_ordinary_) return;
    constexpr long double kUnit = 0x1p-53L, kLeast = 1e-42L;  // smaller values may be left out
    const bool by_norms = named.name != std::string("dense");
    const std::size_t rows = questions_.examples.size();
    for (std::size_t k = 0; k < questions_.columns.size(); ++k) {
      long double sum = questions_.start[k], most = std::fabs(sum), error = 0;
      for (std::size_t r = 0; r < rows; ++r) {
        const Exact& value = value_at(r, k);
        sum += questions_.factors[r] * value.value;
        most += std::fabs(questions_.factors[r] * value.value);
        error += std::fabs(questions_.factors[r]) * value.error(by_norms);
      }
      error += static_cast<long double>(rows + 2) * kUnit * most + kLeast;
      if (std::isinf(static_cast<double>(error))) continue;
      ASSERT_NEAR(answers.precise_sums[k], static_cast<double>(sum), static_cast<double>(error))
          << "precise sum of column " << k;
    }
  }

  const Exact& value_at(std::size_t row, std::size_t column) const {
    return exact_[row * questions_.columns.size() + column];
  }

  const KernelFunction& kernel_;
  const Questions& questions_;
  Engine plain_;
  Answers expected_;
  std::vector<Exact> exact_;
  std::vector<long double> diagonal_;
  double largest_norm_ = 0;
  bool is_ordinary_ = true;  // sums and squares stay within the range of doubles
};

// --- the tests ---

class RowEngines : public testing::TestWithParam<Kind> {};

struct Shape {
  std::size_t rows, features;
};

void check_all(const KernelFunction& kernel, const Questions& questions,
               const std::vector<Inner>& inners) {
  SCOPED_TRACE("rows " + std::to_string(questions.rows.size()));
  const Case of_kernel(kernel, questions, inners);
  for (const NamedEngine& engine : kEngines) ASSERT_NO_FATAL_FAILURE(of_kernel.check(engine));
}

// Around the sizes of blocks.
TEST_P(RowEngines, KeepTheirPromises) {
  constexpr Shape kShapes[] = {{0, 3},   {1, 17},  {3, 64},   {4, 127},  {5, 1},   {15, 16},
                               {16, 33}, {17, 4},  {31, 129}, {33, 15},  {63, 5},  {64, 63},
                               {65, 32}, {127, 3}, {129, 65}, {33, 300}, {9, 1200}};
  constexpr std::size_t kEvery = 5;  // of the kernels, other ones for each shape
  auto turn = std::size_t{static_cast<unsigned char>(GetParam().name[0])};
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE("features " + std::to_string(shape.features));
    const Rows rows = rows_of(GetParam(), shape.rows, shape.features);
    const Questions questions(rows);
    const std::vector<Inner> inners = questions.inners();
    const std::vector<KernelFunction> kernels = kernels_for(rows);
    for (std::size_t k = turn++ % kEvery; k < kernels.size(); k += kEvery) {
      ASSERT_NO_FATAL_FAILURE(check_all(kernels[k], questions, inners));
    }
  }
}

// More rows than are packed together.
TEST_P(RowEngines, AnswerForManyRowsAsForOne) {
  const Rows rows = rows_of(GetParam(), 67, 300);
  const Questions questions(rows, 45);
  const int kernel = std::string(GetParam().name).size() % 2 == 0 ? RBF : LINEAR;
  for (const NamedEngine& engine : kEngines) {
    if (engine.precision == Precision::kDouble && *engine.name != '\0') continue;
    for (const InstructionSet set : kInstructionSets) {
      if (!is_supported(set)) continue;
      SCOPED_TRACE(std::string("engine '") + engine.name + "' on " + name(set));
      const Setting instructions("SVM_INSTRUCTION_SET", name(set));
      const Engine made = make_engine(engine, kernel_of(kernel, spread(rows)), rows);
      ASSERT_NO_FATAL_FAILURE(Answers(*made, set, questions).check_all());
    }
  }
}

// Around the numbers of columns that are computed together, and beyond them.
TEST(RowEnginesOfManyRows, KeepTheirPromises) {
  struct Large {
    const char* kind;
    std::size_t rows, features;
  };
  constexpr Large kLarge[] = {{"Ones", 4095, 20},  {"Real", 4096, 12},      {"Bytes", 4097, 12},
                              {"Grey", 2049, 30},  {"Marks", 4097, 50},     {"SixDigits", 2047, 9},
                              {"Ones", 200, 1000}, {"SparseOnes", 60, 4000}};
  for (const Large& large : kLarge) {
    SCOPED_TRACE(large.kind + (", features " + std::to_string(large.features)));
    const Rows rows = rows_of(kind_of(large.kind), large.rows, large.features);
    const Questions questions(rows);
    ASSERT_NO_FATAL_FAILURE(check_all(kernel_of(RBF, spread(rows)), questions, questions.inners()));
  }
}

// More features than are listed one by one, and more than values in a tile of columns.
TEST(RowEnginesOfManyFeatures, KeepTheirPromises) {
  struct Scattered {
    std::size_t rows, values, step;
    bool are_ones;
    double gamma;
  };
  constexpr Scattered kScattered[] = {{700, 100, 60000, false, 0.01},
                                      {700, 100, 60000, false, 30},
                                      {700, 100, 60000, true, 0.01},
                                      {9000, 2, 1000000, false, 0.01}};
  for (const Scattered& scattered : kScattered) {
    Draws draws(3);
    Rows rows(scattered.rows);
    for (Row& row : rows) {
      int index = 0;
      for (std::size_t k = 0; k < scattered.values; ++k) {
        index += 1 + static_cast<int>(draws.below(scattered.step));
        row.push_back({index, scattered.are_ones ? 1 : draws.between(-1, 1)});
      }
      row.push_back({-1, 0});
    }
    const KernelFunction kernel = kernel_of(RBF, scattered.gamma);
    const Questions questions(rows);
    const Case of_kernel(kernel, questions, questions.inners());
    ASSERT_NO_FATAL_FAILURE(of_kernel.check({"", Precision::kDouble}));
    ASSERT_NO_FATAL_FAILURE(of_kernel.check({"", Precision::kSingle}));
  }
}

// One value may be none that floats hold.
TEST(RowEnginesOfManyRows, FindOneValueUnlikeTheOthers) {
  Rows rows = rows_of(kind_of("Digits"), 4500, 64);
  const KernelFunction kernel = kernel_of(LINEAR, 1);
  for (const double odd : {0.5, 0.1 + 0x1p-55, 1e300, 3e9, -0.0}) {
    for (Row& row : rows) row.front().value = row.size() > 1 ? odd : 0;
    const Questions questions(rows);
    const Case of_kernel(kernel, questions, questions.inners());
    ASSERT_NO_FATAL_FAILURE(of_kernel.check({"", Precision::kDouble})) << odd;
  }
}

// As many columns as fused sums take, and many rows.
TEST(RowEnginesOfManyRows, AddLongPreciseSums) {
  const Rows rows = rows_of(kind_of("Real"), RowEngine::kMostPreciseColumns, 3);
  const std::vector<std::uint32_t> all = row_numbers(rows.size());
  const std::vector<double> factors(rows.size(), 0.1);
  const auto engine = make_engine({"dense", Precision::kDouble}, kernel_of(RBF, 1), rows);
  std::vector<double> sums(all.size()), parts(all.size());
  engine->add_precise_sums(all.data(), factors.data(), 512, all.data(), 512, sums.data());
  for (std::size_t r = 0; r < 512; r += 128) {
    engine->add_precise_sums(&all[r], factors.data(), 128, all.data(), 96, parts.data());
    engine->add_precise_sums(&all[r], factors.data(), 128, &all[96], 416, &parts[96]);
  }
  EXPECT_TRUE(same_or_nan(sums, parts));
}

TEST(PartEngineTest, AddsPreciseSumsOfItsExamples) {
  const Rows rows = rows_of(kind_of("Real"), 60, 4);
  const auto engine = make_engine({"", Precision::kDouble}, kernel_of(RBF, 1), rows);
  const std::vector<std::uint32_t> chosen = {30, 7, 59, 0}, all = row_numbers(4);
  const std::vector<double> factors = {1.5, -2, 0.3, 7};
  std::vector<double> sums(4, 0.5), expected(4, 0.5);
  engine->add_precise_sums(chosen.data(), factors.data(), 4, chosen.data(), 4, expected.data());
  const auto part = make_part_engine(engine, chosen);
  part->add_precise_sums(all.data(), factors.data(), 4, all.data(), 4, sums.data());
  EXPECT_TRUE(same_or_nan(sums, expected));
}

INSTANTIATE_TEST_SUITE_P(Each, RowEngines, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace svm::test
