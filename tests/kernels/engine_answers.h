// What is asked of every engine, and that its answers agree with each other.
#ifndef SVM_TESTS_KERNELS_ENGINE_ANSWERS_H_
#define SVM_TESTS_KERNELS_ENGINE_ANSWERS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "base/simd/loops.h"
#include "kernels/engines/row_engine.h"
#include "tests/environment.h"
#include "tests/kernels/engine_cases.h"

namespace svm::test {

// The values of SVM_ENGINE; empty for what is chosen without it.
struct NamedEngine {
  const char* name;
  Precision precision;
};
inline constexpr NamedEngine kEngines[] = {
    {"plain", Precision::kDouble},    {"bits", Precision::kDouble},
    {"integers", Precision::kDouble}, {"dense", Precision::kDouble},
    {"columns", Precision::kDouble},  {"", Precision::kDouble},
    {"", Precision::kSingle},         {"bytes", Precision::kSingle},
    {"floats", Precision::kSingle},   {"differences", Precision::kSingle}};

using Engine = std::shared_ptr<const RowEngine>;

inline Engine make_engine(const NamedEngine& engine, const KernelFunction& kernel,
                          const Rows& rows) {
  const Setting name("SVM_ENGINE", engine.name);
  const std::vector<const svm_node*> pointers = pointers_to(rows);
  return make_row_engine(kernel, pointers.data(), pointers.size(), engine.precision);
}

inline bool is_single(const RowEngine& engine) { return engine.precise() != nullptr; }

// The sign of a NaN may differ: some processors negate it with a product.
template <typename Value>
bool same_or_nan(Value a, Value b) {
  return std::memcmp(&a, &b, sizeof(Value)) == 0 || (std::isnan(a) && std::isnan(b));
}
template <typename Value>
bool same_or_nan(const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) return false;
  if (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0) return true;
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](Value x, Value y) { return same_or_nan(x, y); });
}
template <typename Value>
bool same_or_nan(const std::vector<std::vector<Value>>& a,
                 const std::vector<std::vector<Value>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return same_or_nan(x, y); });
}

template <typename Value>
std::vector<Value> part_of(const std::vector<Value>& whole, std::size_t from, std::size_t to) {
  return {whole.data() + from, whole.data() + to};
}

// The values [from, to) of a row, with a guard on each side.
template <typename Value>
std::vector<Value> values(const RowEngine& engine, std::size_t example,
                          const PackedColumns& columns, std::size_t from, std::size_t to) {
  std::vector<Value> out(to - from + 2, -77);
  engine.compute(example, columns, from, to, out.data() + 1);
  EXPECT_EQ(out.front(), -77);
  EXPECT_EQ(out.back(), -77);
  return part_of(out, 1, out.size() - 1);
}

// --- what is asked of an engine ---

// Some examples as rows, all of them in any order as columns, and factors and sums to begin with.
struct Questions {
  explicit Questions(const Rows& some_rows, std::size_t count_of_examples = 5)
      : rows(some_rows), columns(row_numbers(rows.size())) {
    Draws draws(rows.size());
    for (std::size_t k = columns.size(); k > 1; --k) {
      std::swap(columns[k - 1], columns[draws.below(k)]);
    }
    while (!rows.empty() && examples.size() < count_of_examples) {
      const std::size_t example = examples.empty() ? rows.size() - 1 : draws.below(rows.size());
      examples.push_back(static_cast<std::uint32_t>(example));
      factors.push_back(draws.between(-2, 2));
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      start.push_back(k % 3 == 0 ? 0 : draws.between(-1, 1));
    }
    // Parts of the columns begin and end anywhere.
    const std::size_t count = columns.size();
    for (int n = 0; n < 3 && count > 0; ++n) {
      const std::size_t from = draws.below(count);
      parts.emplace_back(from, n == 0 ? from + 1 : from + draws.below(count - from + 1));
    }
    constexpr std::size_t kBlock = kBlockColumns;
    if (count > kBlock) parts.insert(parts.end(), {{0, kBlock}, {kBlock, count}, {count, count}});
    parts.emplace_back(0, count);
  }

  // The exact values of the examples, one row after the other.
  std::vector<Inner> inners() const {
    std::vector<Inner> inners;
    for (const std::uint32_t example : examples) {
      for (const std::uint32_t k : columns) inners.push_back(inner_of(rows[example], rows[k]));
    }
    return inners;
  }

  const Rows& rows;
  std::vector<std::uint32_t> examples, columns;
  std::vector<double> factors, start;
  std::vector<std::pair<std::size_t, std::size_t>> parts;
};

// The answers of an engine.  They do not depend on how they are asked for.
class Answers {
 public:
  Answers(const RowEngine& engine, InstructionSet set, const Questions& questions)
      : engine_(engine), set_(set), questions_(questions), count_(questions.columns.size()) {
    packed_ = engine.pack(questions.columns.data(), count_, nullptr);
    for (const std::uint32_t example : questions.examples) {
      floats.push_back(values<float>(engine, example, *packed_, 0, count_));
      doubles.push_back(values<double>(engine, example, *packed_, 0, count_));
    }
    sums = sums_of(0, count_, 0, questions.examples.size(), questions.start);
    precise_sums = precise_sums_of(count_, questions.examples.size());
  }

  std::vector<std::vector<float>> floats;
  std::vector<std::vector<double>> doubles;
  std::vector<double> sums, precise_sums;

  void check_all() {
    check_parts();
    check_rows();
    check_sums();
    check_symmetry();
    check_packing();
  }

 private:
  void check_parts() const {
    for (const auto& [from, to] : questions_.parts) {
      for (std::size_t r = 0; r < std::min<std::size_t>(floats.size(), 6); r += 3) {
        const std::uint32_t example = questions_.examples[r];
        ASSERT_TRUE(same_or_nan(values<float>(engine_, example, *packed_, from, to),
                                part_of(floats[r], from, to)))
            << "floats of columns " << from << " to " << to;
        ASSERT_TRUE(same_or_nan(values<double>(engine_, example, *packed_, from, to),
                                part_of(doubles[r], from, to)))
            << "doubles of columns " << from << " to " << to;
      }
    }
  }

  // Groups of rows.
  void check_rows() const {
    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{4}, floats.size()}) {
      const std::size_t to = rows % 2 == 1 ? count_ : questions_.parts.front().second;
      std::vector<std::vector<float>> found(rows, std::vector<float>(to + 1, -77));
      std::vector<float*> out;
      out.reserve(rows);
      for (std::vector<float>& row : found) out.push_back(row.data());
      engine_.compute_rows(questions_.examples.data(), rows, *packed_, to, out.data());
      for (std::size_t r = 0; r < rows; ++r) {
        std::vector<float> expected = part_of(floats[r], 0, to);
        expected.push_back(-77);
        ASSERT_TRUE(same_or_nan(found[r], expected)) << "row " << r << " of " << rows;
      }
    }
  }

  std::vector<double> sums_of(std::size_t from, std::size_t to, std::size_t first, std::size_t last,
                              const std::vector<double>& start) const {
    std::vector<double> found = part_of(start, from, to);
    found.push_back(-77);
    engine_.add_sums(&questions_.examples[first], &questions_.factors[first], last - first,
                     *packed_, from, to, found.data());
    EXPECT_EQ(found.back(), -77);
    found.pop_back();
    return found;
  }

  void check_sums() const {
    const std::size_t rows = floats.size();
    std::vector<const float*> pointers;
    for (const std::vector<float>& row : floats) pointers.push_back(row.data());
    std::vector<double> expected = questions_.start;
    loops(set_).add_float_rows(expected.data(), pointers.data(), 0, questions_.factors.data(), rows,
                               count_);
    ASSERT_TRUE(same_or_nan(sums, expected)) << "sums";
    for (const auto& part : questions_.parts) {
      const std::size_t from = part.first / kBlockColumns * kBlockColumns, to = part.second;
      const std::vector<double> some = part_of(expected, from, to);
      ASSERT_TRUE(same_or_nan(sums_of(from, to, 0, rows, questions_.start), some))
          << "sums of columns " << from << " to " << to;
      if (from > 0 || to < count_) continue;
      const std::vector<double> first = sums_of(0, count_, 0, 3, questions_.start);
      ASSERT_TRUE(same_or_nan(sums_of(0, count_, 3, rows, first), some)) << "sums of parts";
      ASSERT_TRUE(same_or_nan(sums_of(0, count_, 3, 3, first), first)) << "sums of no rows";
    }
    ASSERT_TRUE(same_or_nan(precise_sums_of(64, 1), precise_sums)) << "precise sums, row by row";
    ASSERT_TRUE(same_or_nan(precise_sums_of(1 + count_ / 3, 4), precise_sums)) << "precise sums";
  }

  // Cut into parts of so many columns and rows.
  std::vector<double> precise_sums_of(std::size_t width, std::size_t height) const {
    width = std::min(width, RowEngine::kMostPreciseColumns);
    std::vector<double> found = questions_.start;
    const std::size_t rows = questions_.examples.size();
    for (std::size_t k = 0; k < count_; k += width) {
      for (std::size_t r = 0; r < rows; r += height) {
        engine_.add_precise_sums(&questions_.examples[r], &questions_.factors[r],
                                 std::min(height, rows - r), &questions_.columns[k],
                                 std::min(width, count_ - k), &found[k]);
      }
    }
    return found;
  }

  void check_symmetry() const {
    if (!engine_.is_symmetric()) return;
    std::vector<std::size_t> places(count_);
    for (std::size_t k = 0; k < count_; ++k) places[questions_.columns[k]] = k;
    const std::vector<std::uint32_t>& examples = questions_.examples;
    for (std::size_t r = 0; r < examples.size(); ++r) {
      for (std::size_t s = 0; s < r; ++s) {
        ASSERT_TRUE(same_or_nan(floats[r][places[examples[s]]], floats[s][places[examples[r]]]))
            << "symmetry of " << examples[r] << " and " << examples[s];
      }
    }
  }

  // Packs columns into older ones: fewer of them, none, and more.
  void check_packing() {
    for (const auto& [from, to] : questions_.parts) {
      packed_ = engine_.pack(questions_.columns.data() + from, to - from, std::move(packed_));
      ASSERT_TRUE(
          same_or_nan(values<float>(engine_, questions_.examples[0], *packed_, 0, to - from),
                      part_of(floats[0], from, to)))
          << "columns " << from << " to " << to << " packed again";
    }
  }

  const RowEngine& engine_;
  InstructionSet set_;
  const Questions& questions_;
  std::size_t count_;
  std::unique_ptr<PackedColumns> packed_;
};

}  // namespace svm::test

#endif  // SVM_TESTS_KERNELS_ENGINE_ANSWERS_H_
