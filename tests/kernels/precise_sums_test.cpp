// Fused sums in doubles: compared with sums of exact values; and their bits, which do not depend on
// the instruction set nor on the cut of the work.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "kernels/engines/part_engine.h"
#include "kernels/engines/row_engine.h"
#include "tests/environment.h"
#include "tests/instruction_sets.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;
using test::Row;
using test::Setting;

constexpr const char* kEngines[] = {"plain", "bits", "integers", "dense", "columns"};
constexpr int kKernels[] = {LINEAR, POLY, RBF, SIGMOID};

// --- data ---

// Random rows that have each of `features` features with the given probability; value(feature)
// draws one.
template <class Value>
Data rows_of(std::size_t count, int features, double chance, Draws& draws, Value value) {
  Data data;
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    for (int f = 1; f <= features; ++f) {
      if (draws.between(0, 1) < chance) row.push_back({f, value(f)});
    }
    row.push_back({-1, 0});
    data.add_row(1, std::move(row));
  }
  data.add_row(1, {{-1, 0}});
  return data;
}

struct Kind {
  const char* name;
  Data data;
};

std::vector<Kind> kinds(std::size_t rows, double scale) {
  Draws draws(17);
  std::vector<Kind> kinds;
  const auto any = [&](int) { return scale * draws.between(-1, 1); };
  const auto far = [&](int) { return scale * (100 + draws.between(-1, 1)); };
  const auto whole = [&](int) { return std::floor(draws.between(-3, 250)); };
  const auto one = [&](int) { return 1.0; };
  const auto some_marks = [&](int f) { return f <= 5 ? any(f) : f % 3 == 0 ? -scale : scale; };
  const auto unlike_marks = [&](int f) { return f <= 2 ? any(f) : f < 9 ? scale * f : scale; };
  kinds.push_back({"dense", rows_of(rows, 7, 1, draws, any)});
  kinds.push_back({"gaps", rows_of(rows, 23, 0.6, draws, any)});
  kinds.push_back({"far", rows_of(rows, 5, 1, draws, far)});
  kinds.push_back({"marks", rows_of(rows, 150, 0.2, draws, some_marks)});
  kinds.push_back({"unlike marks", rows_of(rows, 20, 0.4, draws, unlike_marks)});
  kinds.push_back({"many marks", rows_of(rows, 1200, 0.03, draws, some_marks)});
  kinds.push_back({"sparse", rows_of(rows, 900, 0.02, draws, any)});
  kinds.push_back({"integers", rows_of(rows, 40, 0.5, draws, whole)});
  kinds.push_back({"bits", rows_of(rows, 130, 0.15, draws, one)});
  return kinds;
}

KernelFunction kernel_of(int type, double gamma) {
  svm_parameter param = {};
  param.kernel_type = type;
  param.gamma = gamma;
  param.coef0 = 0.25;
  param.degree = 3;
  return KernelFunction(param);
}

std::unique_ptr<RowEngine> engine_for(const std::string& name, InstructionSet set,
                                      const KernelFunction& kernel, const Data& data) {
  const Setting engine("SVM_ENGINE", name), instructions("SVM_INSTRUCTION_SET", svm::name(set));
  const std::vector<const svm_node*> rows = data.rows();
  return make_row_engine(kernel, rows.data(), rows.size());
}

// --- exact values ---

// Sums over the features of both rows: products, their sizes, squared differences, squares.
struct Inner {
  long double dot = 0, most = 0, distance = 0, norms = 0;
};

Inner inner_of(const svm_node* x, const svm_node* z) {
  Inner inner;
  const auto add = [&](long double u, long double v) {
    inner.dot += u * v;
    inner.most += std::fabs(u * v);
    inner.distance += (u - v) * (u - v);
    inner.norms += u * u + v * v;
  };
  while (x->index != -1 || z->index != -1) {
    if (z->index == -1 || (x->index != -1 && x->index < z->index)) {
      add((x++)->value, 0);
    } else if (x->index == -1 || z->index < x->index) {
      add(0, (z++)->value);
    } else {
      add((x++)->value, (z++)->value);
    }
  }
  return inner;
}

constexpr long double kUnit = 0x1p-53L, kFew = 20;

struct Exact {
  long double value;
  long double plain_error;     // permitted error of doubles
  long double error_of_norms;  // additional error if squared distances lose digits of large norms

  long double error(bool by_norms) const { return plain_error + (by_norms ? error_of_norms : 0); }
};

Exact exact(const KernelFunction& kernel, const svm_node* x, const svm_node* z) {
  const Inner inner = inner_of(x, z);
  const long double base = kernel.gamma * inner.dot + kernel.coef0;
  const long double most = kernel.gamma * inner.most + std::fabs(kernel.coef0);
  switch (kernel.type) {
    case LINEAR:
      return {inner.dot, kFew * kUnit * inner.most, 0};
    case POLY:
      return {base * base * base, 3 * kFew * kUnit * most * most * most, 0};
    case SIGMOID:
      return {std::tanh(base), kFew * kUnit * std::min(1.0L, most * 2) + kFew * kUnit * most, 0};
    default: {
      constexpr long double kSmallNorms = 16;  // norms times gamma up to which distances may be
                                               // computed from norms
      const long double value = std::exp(-kernel.gamma * inner.distance);
      const long double norms = kernel.gamma * inner.norms;
      const long double unit = kFew * kUnit * value;
      const long double lost = kernel.gamma * inner.distance + std::min(norms, kSmallNorms);
      return {value, unit * (4 + lost) + 1e-300L, unit * norms};
    }
  }
}

// --- sums ---

struct Sums {
  std::vector<std::uint32_t> examples, columns;
  std::vector<double> factors, start;

  Sums(std::size_t rows, std::size_t count, std::size_t width) {
    Draws draws(5);
    for (std::size_t r = 0; r < count; ++r) {
      examples.push_back(static_cast<std::uint32_t>(draws.below(rows)));
      factors.push_back(draws.between(-2, 2));
    }
    for (std::size_t k = 0; k < width; ++k) {
      columns.push_back(static_cast<std::uint32_t>(draws.below(rows)));
      start.push_back(k % 3 == 0 ? 0 : draws.between(-1, 1));
    }
  }

  std::vector<double> of(const RowEngine& engine) const {
    std::vector<double> sums = start;
    engine.add_precise_sums(examples.data(), factors.data(), examples.size(), columns.data(),
                            columns.size(), sums.data());
    return sums;
  }

  // The same sums, cut into parts of so many columns and rows.
  std::vector<double> of(const RowEngine& engine, std::size_t wide, std::size_t high) const {
    std::vector<double> sums = start;
    for (std::size_t k = 0; k < columns.size(); k += wide) {
      for (std::size_t r = 0; r < examples.size(); r += high) {
        engine.add_precise_sums(&examples[r], &factors[r], std::min(high, examples.size() - r),
                                &columns[k], std::min(wide, columns.size() - k), &sums[k]);
      }
    }
    return sums;
  }
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// Judges sums of 23 rows over 40 columns; and sums of a single row, as errors hide in longer sums.
class Judge {
 public:
  Judge(const KernelFunction& kernel, const Data& data) : sums_(data.size(), 23, 40) {
    for (const std::uint32_t example : sums_.examples) {
      for (const std::uint32_t column : sums_.columns) {
        exact_.push_back(exact(kernel, data.row(example), data.row(column)));
      }
    }
  }

  // `by_norms`: the engine may compute squared distances from norms.
  void judge(const RowEngine& engine, bool by_norms) const {
    const std::size_t width = sums_.columns.size();
    const std::vector<double> found = sums_.of(engine);
    for (std::size_t k = 0; k < width; ++k) {
      long double expected = sums_.start[k], most = std::fabs(sums_.start[k]), error = 0;
      for (std::size_t r = 0; r < sums_.examples.size(); ++r) {
        const Exact& value = exact_[r * width + k];
        expected += sums_.factors[r] * value.value;
        most += std::fabs(sums_.factors[r] * value.value);
        error += std::fabs(sums_.factors[r]) * value.error(by_norms);
      }
      error += static_cast<long double>(sums_.examples.size() + 2) * kUnit * most;
      ASSERT_NEAR(found[k], static_cast<double>(expected), static_cast<double>(error)) << k;
    }
    const double one = 1;
    for (std::size_t r = 0; r < 5; ++r) {
      std::vector<double> values(width, 0.0);
      engine.add_precise_sums(&sums_.examples[r], &one, 1, sums_.columns.data(), width,
                              values.data());
      for (std::size_t k = 0; k < width; ++k) {
        const Exact& value = exact_[r * width + k];
        ASSERT_NEAR(values[k], static_cast<double>(value.value),
                    static_cast<double>(value.error(by_norms)))
            << r << ' ' << k;
      }
    }
  }

 private:
  const Sums sums_;
  std::vector<Exact> exact_;  // (row, column)
};

class PreciseSums : public test::EachInstructionSet {};

TEST_P(PreciseSums, AreThoseOfExactValues) {
  for (const double scale : {1e-3, 1.0, 1e6}) {
    for (const Kind& kind : kinds(70, scale)) {
      for (const int type : kKernels) {
        const KernelFunction kernel = kernel_of(type, 0.4);
        const Judge judge(kernel, kind.data);
        for (const char* name : kEngines) {
          SCOPED_TRACE(std::string(name) + ' ' + kind.name + " kernel " + std::to_string(type) +
                       " scale " + std::to_string(scale));
          const bool by_norms = name != std::string("dense");
          const auto engine = engine_for(name, GetParam(), kernel, kind.data);
          ASSERT_NO_FATAL_FAILURE(judge.judge(*engine, by_norms));
        }
      }
    }
  }
}

// All instruction sets except plain C++, which has no fused multiply-add, give the same bits,
// however the work is cut.
TEST_P(PreciseSums, HaveBitsOfTheirOwnWhateverTheCutAndTheInstructionSet) {
  InstructionSet fused = GetParam();
  for (const InstructionSet set : kInstructionSets) {
    if (set != InstructionSet::kPlain && is_supported(set) && fused != InstructionSet::kPlain) {
      fused = set;
    }
  }
  for (const Kind& kind : kinds(90, 2)) {
    const Sums sums(kind.data.size(), 39, 170);
    for (const int type : kKernels) {
      const KernelFunction kernel = kernel_of(type, 0.3);
      for (const char* name : {"bits", "integers", "dense", "columns"}) {
        SCOPED_TRACE(std::string(name) + ' ' + kind.name + " kernel " + std::to_string(type));
        const auto engine = engine_for(name, GetParam(), kernel, kind.data);
        const std::vector<double> whole = sums.of(*engine);
        EXPECT_TRUE(same_bits(whole, sums.of(*engine_for(name, fused, kernel, kind.data))));
        EXPECT_TRUE(same_bits(whole, sums.of(*engine, 1, 39)));
        EXPECT_TRUE(same_bits(whole, sums.of(*engine, 100, 13)));
        EXPECT_TRUE(same_bits(whole, sums.of(*engine, 64, 1)));
      }
    }
  }
}

// As many rows and columns as are packed together, and more than that.
TEST_P(PreciseSums, HaveTheSameBitsWhenLong) {
  const Data data = test::random_data(400, 3, true, 8);
  const auto engine = engine_for("dense", GetParam(), kernel_of(RBF, 0.5), data);
  const Sums sums(data.size(), 517, RowEngine::kMostPreciseColumns);
  EXPECT_TRUE(same_bits(sums.of(*engine), sums.of(*engine, 96, 130)));
}

INSTANTIATE_TEST_SUITE_P(Each, PreciseSums, testing::ValuesIn(kInstructionSets), test::set_name);

TEST(PreciseSumsOfParts, AreThoseOfTheEngineBehindThem) {
  const Data data = test::random_data(60, 4, true, 3);
  const KernelFunction kernel = kernel_of(RBF, 0.7);
  const std::vector<const svm_node*> rows = data.rows();
  const auto engine = make_row_engine(kernel, rows.data(), rows.size());
  const Sums sums(20, 15, 18);
  Sums numbered = sums;
  for (std::uint32_t& example : numbered.examples) example += 30;
  for (std::uint32_t& column : numbered.columns) column += 30;
  const std::vector<double> expected = numbered.of(*engine);

  const std::vector<std::uint32_t> all = test::row_numbers(rows.size());
  const auto shared = make_shared_rows(make_row_engine(kernel, rows.data(), rows.size()), all,
                                       std::size_t{1} << 20);
  EXPECT_TRUE(same_bits(sums.of(*make_part_engine(*shared, {all.begin() + 30, all.begin() + 50})),
                        expected));
}

TEST(PreciseSumsOfNothing, AreWhatTheyWere) {
  const Data data = test::random_data(10, 2, true, 1);
  const std::vector<const svm_node*> rows = data.rows();
  for (const char* name : kEngines) {
    const Setting engine_name("SVM_ENGINE", name);
    const auto engine = make_row_engine(kernel_of(RBF, 1), rows.data(), rows.size());
    double sum = 2.5;
    const std::uint32_t column = 1;
    engine->add_precise_sums(nullptr, nullptr, 0, &column, 1, &sum);
    engine->add_precise_sums(&column, &sum, 1, nullptr, 0, nullptr);
    EXPECT_EQ(sum, 2.5);
  }
}

}  // namespace
}  // namespace svm
