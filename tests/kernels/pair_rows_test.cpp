// Kernel rows of class pairs, and squares of values, compared with single rows.
#include "kernels/engines/pair_rows.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

float value(std::size_t s, std::size_t t) {
  const double product = static_cast<double>((s + 1) * (t + 1) % 1009);
  return static_cast<float>(product / 1009);
}

class Counted {
 public:
  Counted()
      : engine_(
            [this](std::size_t s, std::size_t t) {
              ++values_;
              if (fails_) throw std::bad_alloc();
              return static_cast<double>(value(s, t));
            },
            [](std::size_t) { return 1.0; }) {}

  const test::FakeEngine& engine() const { return engine_; }
  std::size_t values() const { return values_; }
  void fail() { fails_ = true; }

 private:
  std::atomic<std::size_t> values_{0};
  std::atomic<bool> fails_{false};
  test::FakeEngine engine_;
};

// Rows of floats that no value has.
struct Rows {
  explicit Rows(std::size_t count) : values(count * count, -7), pointers(count) {
    for (std::size_t r = 0; r < count; ++r) pointers[r] = values.data() + r * count;
  }
  std::vector<float> values;
  std::vector<float*> pointers;
};

TEST(SquareRowsTest, HalfOfTheValuesAreComputed) {
  for (const std::size_t count : {1U, 63U, 64U, 65U, 300U}) {
    Counted counted;
    ThreadPool pool(3);
    std::vector<std::uint32_t> examples(count);
    for (std::size_t k = 0; k < count; ++k) {
      examples[k] = static_cast<std::uint32_t>(k * 7 % 1000);
    }
    Rows rows(count);
    ASSERT_TRUE(compute_square(counted.engine(), examples, pool, nullptr, rows.pointers.data()));
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t k = 0; k < count; ++k) {
        ASSERT_EQ(rows.pointers[r][k], value(examples[r], examples[k])) << count << ' ' << r;
      }
    }
    EXPECT_LE(counted.values(), count * (count + kSquareRows) / 2);
  }
}

TEST(SquareRowsTest, EndsWhenThePollSaysSo) {
  Counted counted;
  ThreadPool pool(1);
  std::vector<std::uint32_t> examples(500);
  std::iota(examples.begin(), examples.end(), 0U);
  Rows rows(examples.size());
  int polls = 0;
  EXPECT_FALSE(compute_square(
      counted.engine(), examples, pool, [&] { return ++polls < 3; }, rows.pointers.data()));
  EXPECT_LT(counted.values(), examples.size() * examples.size() / 4);
}

// Classes of very different sizes; several groups of columns, and classes larger than a group.
const std::vector<std::size_t>& class_sizes() {
  static const std::vector<std::size_t> sizes = {70, 1, 1100, 3, 400, 650, 64};
  return sizes;
}

struct ClassOrder {
  ClassOrder() : start{0} {
    for (const std::size_t size : class_sizes()) start.push_back(start.back() + size);
    for (std::size_t k = 0; k < start.back(); ++k) {
      order.push_back(static_cast<std::uint32_t>(k * 5 % start.back()));  // each once
    }
  }
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> order;
};

bool is_right(const ClassOrder& classes, std::size_t a, std::size_t b, const Rows& rows) {
  std::vector<std::uint32_t> examples;
  for (const std::size_t c : {a, b}) {
    for (std::size_t k = classes.start[c]; k < classes.start[c + 1]; ++k) {
      examples.push_back(classes.order[k]);
    }
  }
  for (std::size_t r = 0; r < examples.size(); ++r) {
    for (std::size_t k = 0; k < examples.size(); ++k) {
      if (rows.pointers[r][k] != value(examples[r], examples[k])) return false;
    }
  }
  return true;
}

TEST(PairRowsTest, ComputesEachValueOnce) {
  const ClassOrder classes;
  const std::size_t count = class_sizes().size(), all = classes.start.back();
  ASSERT_NE(all % 5, 0U);
  Counted counted;
  PairRows pairs(counted.engine(), classes.order, classes.start);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      Rows rows(class_sizes()[a] + class_sizes()[b]);
      ASSERT_TRUE(
          pairs.fill(a, b, nullptr, test::row_numbers(rows.pointers.size()), rows.pointers.data()));
      EXPECT_TRUE(is_right(classes, a, b, rows)) << a << ' ' << b;
      pairs.release(a, b);
      EXPECT_LE(counted.engine().packed(), 5);  // of the groups; those of a class are padded
    }
  }
  EXPECT_LE(counted.values(), all * (all + kSquareRows) / 2);
  EXPECT_GT(pairs.bytes(), std::size_t{1100} * 1100 * sizeof(float));
}

// A solver may have exchanged variables before it wants the rows.
TEST(PairRowsTest, FillsRowsInAnyOrder) {
  const ClassOrder classes;
  Counted counted;
  PairRows pairs(counted.engine(), classes.order, classes.start);
  Rows rows(class_sizes()[0] + class_sizes()[3]), shuffled(rows.pointers.size());
  std::vector<std::uint32_t> order = test::row_numbers(rows.pointers.size());
  ASSERT_TRUE(pairs.fill(0, 3, nullptr, order, rows.pointers.data()));
  std::swap(order[0], order[72]);
  std::swap(order[5], order[30]);
  ASSERT_TRUE(pairs.fill(0, 3, nullptr, order, shuffled.pointers.data()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      ASSERT_EQ(shuffled.pointers[i][k], rows.pointers[order[i]][order[k]]) << i << ' ' << k;
    }
  }
}

TEST(PairRowsTest, ThreadsShareTheWork) {
  const ClassOrder classes;
  const std::size_t count = class_sizes().size(), all = classes.start.back();
  Counted counted;
  PairRows pairs(counted.engine(), classes.order, classes.start);
  std::vector<std::pair<std::size_t, std::size_t>> todo;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) todo.emplace_back(a, b);
  }
  std::atomic<std::size_t> next{0}, wrong{0};
  const auto work = [&] {
    for (std::size_t k = next++; k < todo.size(); k = next++) {
      const auto [a, b] = todo[k];
      Rows rows(class_sizes()[a] + class_sizes()[b]);
      const bool done =
          pairs.fill(a, b, nullptr, test::row_numbers(rows.pointers.size()), rows.pointers.data());
      if (!done || !is_right(classes, a, b, rows)) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int t = 0; t < 3; ++t) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_LE(counted.values(), all * (all + kSquareRows) / 2);
}

TEST(PairRowsTest, EndsWhenThePollSaysSo) {
  const ClassOrder classes;
  Counted counted;
  PairRows pairs(counted.engine(), classes.order, classes.start);
  Rows rows(class_sizes()[0] + class_sizes()[2]);
  EXPECT_FALSE(pairs.fill(
      0, 2, [] { return false; }, test::row_numbers(rows.pointers.size()), rows.pointers.data()));
  EXPECT_TRUE(pairs.fill(
      0, 2, [] { return true; }, test::row_numbers(rows.pointers.size()), rows.pointers.data()));
  EXPECT_TRUE(is_right(classes, 0, 2, rows));
}

TEST(PairRowsTest, AFailureReachesAllThatWait) {
  const ClassOrder classes;
  Counted counted;
  PairRows pairs(counted.engine(), classes.order, classes.start);
  counted.fail();
  for (int attempt = 0; attempt < 2; ++attempt) {
    Rows rows(class_sizes()[0] + class_sizes()[2]);
    EXPECT_THROW(
        pairs.fill(0, 2, nullptr, test::row_numbers(rows.pointers.size()), rows.pointers.data()),
        std::bad_alloc);
  }
}

}  // namespace
}  // namespace svm
