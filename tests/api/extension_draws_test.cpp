// Random draws from a function of the caller.
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "svm.h"
#include "tests/extension.h"

namespace svm {
namespace {

constexpr std::size_t kThreadCounts[] = {1, 2, 4};

// Draws as rand() does, and counts the draws.
struct Source {
  int draws = 0, throw_at = 0, flags = 0;
  std::vector<int> all;
  std::vector<std::thread::id> threads;
  static int draw(void* user) {
    Source& self = *static_cast<Source*>(user);
    if (++self.draws == self.throw_at) throw self.draws;
    self.threads.push_back(std::this_thread::get_id());
    self.all.push_back(std::rand());
    return self.all.back() | self.flags;
  }
};

int calls = 0;
int counted_rand() {
  ++calls;
  return std::rand();
}

// Draws numbers below a bound as LIBSVM does, and keeps the bounds.
struct BoundedSource {
  int excess = 0;  // added to the numbers
  std::vector<int> bounds;
  static int draw(int n, void* user) {
    BoundedSource& self = *static_cast<BoundedSource*>(user);
    self.bounds.push_back(n);
    return std::rand() % n + self.excess * n;
  }
};

class ExtensionDraws : public test::Extension {
 protected:
  ExtensionDraws() {
    data_ = test::four_classes(90, 11);
    problem_ = data_.problem();
    param_.probability = 1;  // draws for the folds, and for the folds of each pair of classes
    options_.threads = 1;
  }
  ~ExtensionDraws() override { svm_set_random_function(nullptr); }
  void draw_from(Source& source) {
    options_.random = Source::draw;
    options_.random_user = &source;
  }
  // Predictions, and rand()'s next draw.
  std::vector<double> targets(int* status = nullptr) {
    std::srand(5);
    std::vector<double> all(data_.size(), 7);
    const int got = svm_cross_validation_ex(&problem_, &param_, 4, &options_, all.data(), &result_);
    if (status != nullptr) *status = got;
    all.push_back(std::rand());
    return all;
  }
};

TEST_F(ExtensionDraws, OfRandGiveTheFoldsOfRand) {
  const std::vector<double> expected = targets();
  svm_set_random_function(counted_rand);
  calls = 0;
  EXPECT_EQ(targets(), expected);
  EXPECT_GT(calls, 90);
  const int expected_calls = calls;
  svm_set_random_function(nullptr);
  Source source;
  draw_from(source);
  EXPECT_EQ(targets(), expected);
  EXPECT_EQ(source.draws, expected_calls);
  options_.random = nullptr;
  EXPECT_EQ(targets(), expected);  // the function of the process was reset
  EXPECT_EQ(calls, expected_calls);
}

TEST_F(ExtensionDraws, DoNotDependOnThreads) {
  Source one;
  draw_from(one);
  const std::vector<double> expected = targets();
  for (const std::thread::id thread : one.threads) EXPECT_EQ(thread, std::this_thread::get_id());
  for (const std::size_t threads : {2U, 4U}) {
    options_.threads = threads;
    Source source;
    draw_from(source);
    EXPECT_EQ(targets(), expected);
    EXPECT_EQ(source.all, one.all);
  }
}

TEST_F(ExtensionDraws, OfACallTakeThePlaceOfThoseOfTheProcess) {
  svm_set_random_function(counted_rand);
  calls = 0;
  Source source;
  draw_from(source);
  targets();
  EXPECT_EQ(calls, 0);
  EXPECT_GT(source.draws, 0);
}

TEST_F(ExtensionDraws, OfNegativeNumbersAreTheirLowBits) {
  const std::vector<double> expected = targets();
  Source source;
  source.flags = INT_MIN;
  draw_from(source);
  EXPECT_EQ(targets(), expected);
}

TEST_F(ExtensionDraws, MayHaveTheirBounds) {
  const std::vector<double> expected = targets();
  std::vector<int> bounds;
  for (const std::size_t threads : kThreadCounts) {
    options_.threads = threads;
    BoundedSource source;
    options_.random_below = BoundedSource::draw;
    options_.random_below_user = &source;
    EXPECT_EQ(targets(), expected);
    if (threads == 1) bounds = source.bounds;
    EXPECT_EQ(source.bounds, bounds);  // draws that were made ahead have the same bounds
    source.excess = 3;
    EXPECT_EQ(targets(), expected);  // results beyond the bound are reduced to it
    options_.random_below = nullptr;
    svm_set_random_below_function(BoundedSource::draw, &source);
    EXPECT_EQ(targets(), expected);
    EXPECT_EQ(source.bounds.size(), 3 * bounds.size());
  }
  // The shuffles of four classes for the folds, then those of six pairs in each of four folds.
  EXPECT_EQ(bounds.back(), 1);
  EXPECT_EQ(std::count(bounds.begin(), bounds.end(), 1), 4 + 4 * 6);
  EXPECT_GT(*std::max_element(bounds.begin(), bounds.end()), 30);
  svm_set_random_function(counted_rand);  // the last function that was set decides
  calls = 0;
  EXPECT_EQ(targets(), expected);
  EXPECT_EQ(calls, static_cast<int>(bounds.size()));
  svm_set_random_below_function(nullptr, nullptr);
  EXPECT_EQ(targets(), expected);
  EXPECT_EQ(calls, static_cast<int>(bounds.size()));
}

TEST_F(ExtensionDraws, WithBoundsExcludeOthers) {
  BoundedSource source;
  options_.random_below = BoundedSource::draw;
  options_.random_below_user = &source;
  options_.use_seed = 1;
  EXPECT_EQ(refusal(), "svm_train_ex: random_below excludes random and use_seed");
  options_.use_seed = 0;
  Source other;
  draw_from(other);
  EXPECT_EQ(refusal(), "svm_train_ex: random_below excludes random and use_seed");
}

TEST_F(ExtensionDraws, OfAModelAreCountedAsWell) {
  svm_set_random_function(counted_rand);
  calls = 0;
  EXPECT_NE(train(), nullptr);
  EXPECT_GT(calls, 0);
  param_.probability = 0;
  calls = 0;
  EXPECT_NE(train(), nullptr);
  EXPECT_EQ(calls, 0);
}

TEST_F(ExtensionDraws, ASeedIsNotMixedWithThem) {
  Source source;
  draw_from(source);
  options_.use_seed = 1;
  EXPECT_STREQ(svm_check_options(&param_, &options_), "random and use_seed exclude each other");
  EXPECT_EQ(refusal(), "svm_train_ex: random and use_seed exclude each other");
  EXPECT_EQ(source.draws, 0);
  options_.random = nullptr;
  svm_set_random_function(counted_rand);
  calls = 0;
  EXPECT_NE(train(), nullptr);
  EXPECT_EQ(calls, 0);
}

TEST_F(ExtensionDraws, ExceptionsReachTheCaller) {
  for (const std::size_t threads : kThreadCounts) {
    for (const int at : {1, 50, 100, 250}) {
      options_.threads = threads;
      Source source;
      source.throw_at = at;
      draw_from(source);
      int thrown = 0, status = 7;
      std::vector<double> all(data_.size(), 7);
      try {
        status = svm_cross_validation_ex(&problem_, &param_, 4, &options_, all.data(), nullptr);
      } catch (int number) {
        thrown = number;
      }
      EXPECT_EQ(thrown, at) << threads;
      EXPECT_EQ(status, 7);
      for (const double target : all) EXPECT_TRUE(std::isnan(target));
    }
  }
  Source whole;  // the next call is not affected
  draw_from(whole);
  int status = 7;
  targets(&status);
  EXPECT_EQ(status, 0);
  EXPECT_GT(whole.draws, 250);
}

}  // namespace
}  // namespace svm
