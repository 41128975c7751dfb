// Compares the log of bounds with sums that are kept up to date.
#include "solvers/smo/gradient_log.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/matrix/kernel_matrix.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Draws;

// Values whose sums depend on the order of addition.
double kernel_value(std::size_t i, std::size_t j) {
  const double low = static_cast<double>(std::min(i, j)),
               high = static_cast<double>(std::max(i, j));
  return 10 * std::sin(12.9898 * low + 78.233 * high) + 1 / (1 + high - low);
}

std::unique_ptr<RowEngine> engine() {
  return std::make_unique<test::FakeEngine>(kernel_value,
                                            [](std::size_t i) { return kernel_value(i, i); });
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

constexpr double kUntouched = 12345.5;

// A log as the solver uses it, and sums by place in the problem that are updated in every step.
class Model {
 public:
  Model(std::size_t examples, std::size_t copies, std::size_t bytes, unsigned threads,
        std::uint64_t seed)
      : examples_(examples),
        size_(copies * examples),
        pool_(threads),
        kernel_(engine(), examples, copies, bytes, 0, pool_),
        active_(size_),
        eager_(size_),
        change_(size_),
        draws_(seed) {
    for (std::size_t t = 0; t < size_; ++t) {
      original_.push_back(t);
      linear_.push_back(draws_.between(-1, 1));
      gradient_.push_back(kUntouched);
    }
  }

  // Lets a variable reach or leave its upper bound.
  void record() {
    const std::size_t place = original_[draws_.below(active_)];
    change_[place] = change_[place] == 0 ? draws_.between(-3, 3) : -change_[place];
    log_.record(place % examples_, change_[place]);
    const double change = change_[place];
    if (change_[place] < 0 && draws_.below(2) == 0) change_[place] = 0;
    for (std::size_t p = 0; p < size_; ++p) {
      const double product = change * value(place, p);
      eager_[p] = eager_[p] + product;
    }
  }

  void shrink() {
    std::size_t out = draws_.below(active_ / 3 + 1);
    for (; out > 0; --out) {
      const std::size_t i = draws_.below(active_), j = --active_;
      kernel_.swap(i, j);
      std::swap(original_[i], original_[j]);
      std::swap(linear_[i], linear_[j]);
    }
    kernel_.set_in_play(active_);
  }

  void take_row() { kernel_.row(draws_.below(active_)); }

  void take_all_up() {
    active_ = size_;
    kernel_.set_in_play(size_);
  }

  void replay() { log_.replay(kernel_); }

  // Rebuilds the variables out of play, or some of all variables.
  void rebuild(bool any) {
    std::vector<std::size_t> columns;
    for (std::size_t t = any ? 0 : active_; t < size_; ++t) {
      if (!any || draws_.below(3) == 0) columns.push_back(t);
    }
    std::vector<Term> free_part;
    for (std::size_t t = 0; t < active_; ++t) {
      if (draws_.below(4) == 0) free_part.push_back({t, draws_.between(-2, 2)});
    }
    std::vector<double> gradient = gradient_;
    log_.rebuild(kernel_, columns, linear_, free_part, gradient);
    std::vector<double> expected = gradient_;
    for (const std::size_t t : columns) {
      expected[t] = eager_[original_[t]] + linear_[t];
      for (const Term& term : free_part) {
        const double product = term.change * value(original_[term.variable], original_[t]);
        expected[t] = expected[t] + product;
      }
    }
    for (std::size_t t = 0; t < size_; ++t) {
      ASSERT_TRUE(same_bits(gradient[t], expected[t]))
          << "variable " << t << ": " << gradient[t] << ", expected " << expected[t];
    }
  }

  bool is_long() const { return log_.is_long(size_); }
  Draws& draws() { return draws_; }
  std::size_t active() const { return active_; }

 private:
  double value(std::size_t place, std::size_t other) const {
    return static_cast<float>(kernel_value(place % examples_, other % examples_));
  }

  const std::size_t examples_, size_;
  ThreadPool pool_;
  KernelMatrix kernel_;
  GradientLog log_;
  std::size_t active_;
  std::vector<double> eager_;
  std::vector<double> change_;  // of each place, as last recorded; 0 if it is not at its bound
  std::vector<std::size_t> original_;
  std::vector<double> linear_, gradient_;
  Draws draws_;
};

struct Setting {
  std::size_t copies, bytes;
  unsigned threads;
  friend void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name(); }
  std::string name() const {
    return "Copies" + std::to_string(copies) + "Bytes" + std::to_string(bytes) + "Threads" +
           std::to_string(threads);
  }
};

class GradientLogTest : public testing::TestWithParam<Setting> {};
constexpr std::size_t kTiny = 0, kSome = 20000, kPlenty = std::size_t{1} << 24;
INSTANTIATE_TEST_SUITE_P(All, GradientLogTest,
                         testing::Values(Setting{1, kTiny, 1}, Setting{1, kSome, 1},
                                         Setting{1, kPlenty, 1}, Setting{2, kTiny, 1},
                                         Setting{2, kSome, 1}, Setting{2, kPlenty, 1},
                                         Setting{1, kPlenty, 3}, Setting{2, kSome, 3}),
                         [](const testing::TestParamInfo<Setting>& each) {
                           return each.param.name();
                         });

TEST_P(GradientLogTest, EqualsSumsKeptUpToDate) {
  const Setting& setting = GetParam();
  for (const std::size_t examples : {1U, 7U, 60U, 151U}) {
    Model model(examples, setting.copies, setting.bytes, setting.threads, examples);
    Draws& draws = model.draws();
    for (int step = 0; step < 600; ++step) {
      const std::size_t what = draws.below(40);
      if (what < 20) {
        model.record();
      } else if (what < 30) {
        model.take_row();
      } else if (what < 34) {
        model.shrink();
      } else if (what < 36) {
        model.rebuild(true);
      } else if (what < 39) {
        model.rebuild(false);
        if (draws.below(2) == 0) model.take_all_up();
      } else {
        model.replay();
      }
      if (model.active() == 0) model.take_all_up();
      if (HasFatalFailure()) return;
    }
    model.rebuild(false);
    model.replay();
    model.rebuild(true);
  }
}

// Enough columns for more than one block.
TEST_P(GradientLogTest, ManyColumns) {
  const Setting& setting = GetParam();
  Model model(2500, setting.copies, setting.bytes, setting.threads, 3);
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < 12; ++k) model.record();
    for (int k = 0; k < 5; ++k) model.take_row();
    for (int k = 0; k < 4; ++k) model.shrink();
    model.rebuild(round == 1);
  }
}

TEST(GradientLogLengthTest, ALongLogIsReplayed) {
  Model model(6, 1, kPlenty, 1, 1);
  EXPECT_FALSE(model.is_long());
  int events = 0;
  for (; !model.is_long(); ++events) {
    ASSERT_LT(events, 1000000);
    model.record();
    if (events == 7) model.rebuild(true);
  }
  EXPECT_GT(events, 1000);
  model.replay();
  EXPECT_FALSE(model.is_long());
  for (int k = 0; k < 20; ++k) model.record();
  model.rebuild(true);
}

TEST(GradientLogLengthTest, WithoutEventsTheLinearPartIsLeft) {
  ThreadPool pool(1);
  KernelMatrix kernel(engine(), 3, 1, kPlenty, 0, pool);
  GradientLog log;
  std::vector<double> gradient(3, kUntouched);
  log.rebuild(kernel, {0, 2}, {-1, -2, 0.5}, {}, gradient);
  EXPECT_EQ(gradient, (std::vector<double>{-1, kUntouched, 0.5}));
  EXPECT_EQ(kernel.rows_computed(), 0);
}

}  // namespace
}  // namespace svm
