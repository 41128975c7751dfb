// Compares the solvers' passes, on every instruction set and on several threads, with plain code.
#include "solvers/smo/passes.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "base/simd/loops.h"
#include "base/threads/pool.h"
#include "tests/instruction_sets.h"
#include "tests/solvers/plain_passes.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Draws;

using test::draw;
using test::draw_float;
using test::kInfinite;
using test::kStyles;
using test::plain_extremes;
using test::plain_partner;
using test::random_search;
using test::same;
using test::Style;
using test::Variables;

// --- every instruction set ---

class LoopsTest : public test::EachInstructionSet {
 protected:
  const Loops& tested() const { return loops(GetParam()); }

  // Calls check(variables, style, begin, end, draws) for all lengths and some begins.
  template <typename Check>
  void for_many(int repetitions, Check check) {
    Draws draws(17);
    for (const Style style : kStyles) {
      for (std::size_t length = 0; length <= 70; ++length) {
        for (int k = 0; k < repetitions; ++k) {
          const std::size_t begin = draws.below(20), behind = draws.below(5);
          const Variables v(begin + length + behind, style, draws);
          SCOPED_TRACE("style " + std::to_string(static_cast<int>(style)) + ", begin " +
                       std::to_string(begin) + ", length " + std::to_string(length));
          check(v, style, begin, begin + length, draws);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Every, LoopsTest, testing::ValuesIn(kInstructionSets), test::set_name);

TEST_P(LoopsTest, FindEnds) {
  for_many(20, [&](const Variables& v, Style, std::size_t begin, std::size_t end, Draws&) {
    ASSERT_TRUE(same(tested().find_extremes(v.f.data(), v.index_sets.data(), begin, end),
                     plain_extremes(v.f, v.index_sets, begin, end)));
  });
}

TEST_P(LoopsTest, AddPair) {
  for_many(
      20, [&](const Variables& v, Style style, std::size_t begin, std::size_t end, Draws& draws) {
        const double change_i = draw(draws, style), change_j = draw(draws, style);
        const bool doubles = draws.below(2) == 0;
        const KernelRow row_i = v.row_i(doubles), row_j = v.row_j(doubles);
        std::vector<double> expected = v.f, f = v.f;
        for (std::size_t t = begin; t < end; ++t) {
          const double first = change_i * row_i[t];
          const double second = change_j * row_j[t];
          expected[t] = expected[t] + (first + second);
        }
        const PairUpdate update{f.data(), row_i, row_j, change_i, change_j, v.index_sets.data()};
        ASSERT_TRUE(same(tested().add_pair(update, begin, end),
                         plain_extremes(expected, v.index_sets, begin, end)));
        ASSERT_TRUE(same(f, expected));
      });
}

TEST_P(LoopsTest, AddConjugate) {
  for_many(20, [&](const Variables& v, Style style, std::size_t begin, std::size_t end,
                   Draws& draws) {
    const double gamma = draws.below(4) == 0 ? 0 : draw(draws, style), lambda = draw(draws, style);
    const bool store = draws.below(2) == 0;
    const bool doubles = draws.below(2) == 0;
    const KernelRow row_i = v.row_i(doubles), row_j = v.row_j(doubles);
    std::vector<double> expected_f = v.f, f = v.f, expected_q = v.q, q = v.q;
    for (std::size_t t = begin; t < end; ++t) {
      const double rows = row_i[t] - row_j[t];
      const double image = rows + gamma * v.q[t];
      expected_f[t] = expected_f[t] + lambda * image;
      if (store) expected_q[t] = image;
    }
    const ConjugateUpdate update{f.data(), q.data(), row_i, row_j,
                                 gamma,    lambda,   store, v.index_sets.data()};
    ASSERT_TRUE(same(tested().add_conjugate(update, begin, end),
                     plain_extremes(expected_f, v.index_sets, begin, end)));
    ASSERT_TRUE(same(f, expected_f));
    ASSERT_TRUE(same(q, expected_q));
  });
}

TEST_P(LoopsTest, FindPartner) {
  std::size_t found = 0;
  for (const bool conjugate : {false, true}) {
    for_many(100, [&](const Variables& v, Style style, std::size_t begin, std::size_t end,
                      Draws& draws) {
      PartnerSearch search = random_search(v, style, conjugate, draws);
      search.likely = any_place(begin, end, draws);
      const Partner expected = plain_partner(search, begin, end);
      ASSERT_TRUE(same(tested().find_partner(search, begin, end), expected));
      if (expected.at != kNoIndex) ++found;
    });
  }
  EXPECT_GT(found, 10000U);
}

// Gains that are equal or nearly so, with different violations and curvatures: a bound that saves
// divisions must not lose the last of them.
TEST_P(LoopsTest, FindPartnerAmongNearlyEqualGains) {
  Draws draws(5);
  for (int k = 0; k < 20000; ++k) {
    const std::size_t count = 1 + draws.below(70);
    Variables v(count, Style::kTies, draws);
    // 1e-160 has a square that is not normal; 1e-145 has one near the slack, and 1e-135 over
    // 1e40 gives a gain that is not normal.
    constexpr double kScales[] = {1, 1e-135, 1e-145, 1e-152, 1e-160, 1e100, 1e150};
    constexpr double kCurvatures[] = {1, 1e-12, 1e12, 1e40, 1e100};
    const double scale = draws.between(1, 2) * kScales[draws.below(7)];
    const double curvature = kCurvatures[draws.below(5)];
    for (std::size_t t = 0; t < count; ++t) {
      const double factor = 1 + 0.125 * static_cast<double>(draws.below(8));
      v.diagonal[t] = curvature * factor;
      v.f[t] = scale * std::sqrt(factor);
      for (std::size_t steps = draws.below(3); steps > 0; --steps) {
        v.f[t] = std::nextafter(v.f[t], draws.below(2) == 0 ? 0 : kInfinite);
      }
    }
    const std::vector<float> zeros(count, 0.0F);
    PartnerSearch search = random_search(v, Style::kTies, false, draws);
    search.row = zeros.data();
    search.diagonal = v.diagonal.data();
    search.row_diagonal = 0;
    search.lowest = 0;
    search.likely = any_place(0, count, draws);
    ASSERT_TRUE(same(tested().find_partner(search, 0, count), plain_partner(search, 0, count)))
        << "scale " << scale << ", curvature " << curvature;
  }
}

// Gains beyond the largest double are all equal.
TEST_P(LoopsTest, FindPartnerAmongGainsThatOverflow) {
  Draws draws(6);
  for (int k = 0; k < 2000; ++k) {
    const std::size_t count = 1 + draws.below(70);
    Variables v(count, Style::kTies, draws);
    for (std::size_t t = 0; t < count; ++t) {
      constexpr double kValues[] = {1, 1e100, 1e150, 1e154, 1e160, kInfinite};
      v.f[t] = kValues[draws.below(6)];
      v.diagonal[t] = draws.below(2) == 0 ? 1 : 1e-12;
    }
    const std::vector<float> zeros(count, 0.0F);
    PartnerSearch search = random_search(v, Style::kTies, false, draws);
    search.row = zeros.data();
    search.diagonal = v.diagonal.data();
    search.row_diagonal = 0;
    search.lowest = 0;
    search.likely = any_place(0, count, draws);
    ASSERT_TRUE(same(tested().find_partner(search, 0, count), plain_partner(search, 0, count)));
  }
}

TEST_P(LoopsTest, AddRows) {
  Draws draws(7);
  for (const Style style : kStyles) {
    for (std::size_t width = 0; width <= 150; ++width) {
      const std::size_t stride = width + draws.below(9), rows = 1 + draws.below(12);
      std::vector<float> values;
      for (std::size_t k = 0; k < rows * stride; ++k) values.push_back(draw_float(draws, style));
      std::vector<double> wide_values;
      for (std::size_t k = 0; k < rows * stride; ++k) wide_values.push_back(draw(draws, style));
      const KernelRow rows_of =
          draws.below(2) == 0 ? KernelRow(values.data()) : KernelRow(wide_values.data());
      std::vector<RowTerm> terms;  // rows in any order, with repetitions
      for (std::size_t count = draws.below(30); count > 0; --count) {
        terms.push_back({draws.below(rows), draw(draws, style)});
      }
      std::vector<double> sums;
      for (std::size_t k = 0; k < width + 3; ++k) sums.push_back(draw(draws, style));
      std::vector<double> expected = sums;
      for (const RowTerm& term : terms) {
        for (std::size_t k = 0; k < width; ++k) {
          const double product = term.factor * rows_of[term.row * stride + k];
          expected[k] = expected[k] + product;
        }
      }
      tested().add_rows(sums.data(), rows_of, stride, terms.data(), terms.size(), width);
      ASSERT_TRUE(same(sums, expected)) << "width " << width;
    }
  }
}

// --- threads ---

class PassesTest : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, PassesTest, testing::Values(1U, 2U, 5U));

TEST_P(PassesTest, GiveWhatPlainCodeGives) {
  ThreadPool pool(GetParam());
  const Passes passes(loops(instruction_set()), pool);
  const Loops& plain = loops(InstructionSet::kPlain);
  Draws draws(9);
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1000}, std::size_t{32767}, std::size_t{32768},
        std::size_t{40961}, std::size_t{100003}, std::size_t{600001}}) {
    for (const Style style : {Style::kTies, Style::kAnything}) {
      SCOPED_TRACE("count " + std::to_string(count));
      Variables v(count, style, draws);
      // There are so few candidates that whole pieces have none.
      if (draws.below(2) == 0) {
        for (std::uint8_t& index_sets : v.index_sets)
          index_sets = draws.below(9000) == 0 ? index_sets : 0;
      }
      EXPECT_TRUE(same(passes.run(&Loops::find_extremes, count, v.f.data(), v.index_sets.data()),
                       plain_extremes(v.f, v.index_sets, 0, count)));
      for (const bool conjugate : {false, true}) {
        PartnerSearch search = random_search(v, style, conjugate, draws);
        search.likely = any_place(0, count, draws);
        EXPECT_TRUE(
            same(passes.run(&Loops::find_partner, count, search), plain_partner(search, 0, count)));
      }

      std::vector<double> f = v.f, expected = v.f;
      const bool doubles = draws.below(2) == 0;
      const KernelRow row_i = v.row_i(doubles), row_j = v.row_j(doubles);
      PairUpdate pair{f.data(), row_i, row_j, 0.7, -1.1, v.index_sets.data()};
      const Extremes after_pair = passes.run(&Loops::add_pair, count, pair);
      pair.f = expected.data();
      EXPECT_TRUE(same(after_pair, plain.add_pair(pair, 0, count)));
      EXPECT_TRUE(same(f, expected));

      std::vector<double> q = v.q, expected_q = v.q;
      ConjugateUpdate conjugate{f.data(), q.data(), row_i, row_j,
                                -0.3,     0.9,      true,  v.index_sets.data()};
      const Extremes after_conjugate = passes.run(&Loops::add_conjugate, count, conjugate);
      conjugate.f = expected.data();
      conjugate.q = expected_q.data();
      EXPECT_TRUE(same(after_conjugate, plain.add_conjugate(conjugate, 0, count)));
      EXPECT_TRUE(same(f, expected));
      EXPECT_TRUE(same(q, expected_q));
    }
  }
}

// All places are equal: the last one of the last piece wins.
TEST_P(PassesTest, TiesGoToTheLastPlace) {
  ThreadPool pool(GetParam());
  const Passes passes(loops(instruction_set()), pool);
  constexpr std::size_t kCount = 50000;
  const std::vector<double> f(kCount, 2), diagonal(kCount, 1);
  const std::vector<float> row(kCount, 0);
  std::vector<std::uint8_t> index_sets(kCount, 3);
  for (const std::size_t last : {kCount - 1, kCount - 20000, std::size_t{8192}, std::size_t{5}}) {
    for (std::size_t t = last + 1; t < kCount; ++t) index_sets[t] = 0;
    const Extremes extremes =
        passes.run(&Loops::find_extremes, kCount, f.data(), index_sets.data());
    EXPECT_EQ(extremes.lowest_at, last);
    EXPECT_EQ(extremes.highest_at, last);
    PartnerSearch search{};
    search.f = f.data();
    search.index_sets = index_sets.data();
    search.row = row.data();
    search.diagonal = diagonal.data();
    search.row_diagonal = 1;
    search.lowest = 1;
    search.least_curvature = 1e-12;
    const Partner partner = passes.run(&Loops::find_partner, kCount, search);
    EXPECT_EQ(partner.at, last);
    EXPECT_EQ(partner.gain, 0.5);
  }
}

}  // namespace
}  // namespace svm
