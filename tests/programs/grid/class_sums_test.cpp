// Sums over classes that folds share.
#include "programs/grid/class_sums.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

constexpr std::uint32_t kRows = 40;

double value_of(std::size_t i, std::size_t j) {
  return 1.0 / static_cast<double>(1 + std::max(i, j)) + static_cast<double>(std::min(i, j));
}

// Rows with labels -3, 2 and 5, and a store that has them in another order.
class ClassSumsTest : public testing::Test {
 protected:
  ClassSumsTest() {
    for (std::size_t t = 0; t < kRows; ++t) data_.add(labels_[t % 3], {static_cast<double>(t)});
    for (std::uint32_t t = 0; t < kRows; ++t) order_.push_back((t * 7 + 3) % kRows);
    shared_ = std::make_unique<RowStore<float>>(std::make_unique<test::FakeEngine>(
                                                    [this](std::size_t i, std::size_t j) {
                                                      ++computed_;
                                                      return value_of(order_[i], order_[j]);
                                                    },
                                                    [](std::size_t) { return 1.0; }),
                                                order_, std::make_shared<RowBudget>(0), false);
  }

  const double labels_[3] = {-3, 2, 5};
  test::Data data_;
  std::vector<std::uint32_t> order_;
  std::atomic<std::size_t> computed_{0};
  std::unique_ptr<RowStore<float>> shared_;
  const test::Printed printed_;
};

TEST_F(ClassSumsTest, AreThoseOfTheOtherFolds) {
  const Problem problem(data_.problem());
  ClassSums sums(problem, *shared_);
  std::size_t of_first = 0;
  for (std::size_t fold = 0; fold < 4; ++fold) {
    Subset others(problem);
    std::vector<std::uint32_t> held_out;
    for (std::uint32_t t = 0; t < kRows; ++t) {
      if (t % 4 == fold) {
        held_out.push_back(t);
      } else if (t % 3 != 2) {
        others.add(t);  // rows of two classes
      }
    }
    const Problem training_set = others.problem();
    std::vector<double> found(training_set.size(), 0.5);
    const std::size_t before = computed_;
    ASSERT_TRUE(sums.add(2, 3.0, held_out, training_set, printed_.run(), found));
    ASSERT_TRUE(sums.add(-3, -1.5, held_out, training_set, printed_.run(), found));
    for (std::size_t k = 0; k < training_set.size(); ++k) {
      double expected = 0.5;
      for (std::size_t t = 0; t < kRows; ++t) {
        if (t % 4 == fold || t % 3 == 2) continue;
        const auto value = static_cast<float>(value_of(t, training_set.x.number(k)));
        expected += (t % 3 == 1 ? 3.0 : -1.5) * static_cast<double>(value);
      }
      EXPECT_NEAR(found[k], expected, 1e-9) << fold << ", " << k;
    }
    if (fold == 0) {
      of_first = computed_ - before;
    } else {
      EXPECT_LT(computed_ - before, of_first / 3);  // only the rows of the fold
    }
  }
}

TEST_F(ClassSumsTest, MayBeStopped) {
  const Problem problem(data_.problem());
  ClassSums sums(problem, *shared_);
  svm::Run& run = printed_.run();
  run.services.progress = [](const Progress&) { return false; };
  while (run.poll()) {
  }
  std::vector<double> found(kRows, 0.0);
  EXPECT_FALSE(sums.add(2, 1, {}, problem, run, found));
}

}  // namespace
}  // namespace svm
