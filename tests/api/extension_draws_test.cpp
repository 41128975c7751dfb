// Random draws from a function of the caller.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"

namespace svm {
namespace {

constexpr std::size_t kThreadCounts[] = {1, 2, 4};

// Draws as LIBSVM does, and keeps the bounds.
struct Source {
  int draws = 0, throw_at = 0;
  int excess = 0;  // multiples of the bounds that are added
  std::vector<int> bounds;
  std::vector<std::thread::id> threads;
  static int draw(int n, void* user) {
    Source& self = *static_cast<Source*>(user);
    if (++self.draws == self.throw_at) throw self.draws;
    self.threads.push_back(std::this_thread::get_id());
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
  ~ExtensionDraws() override { svm_set_random_function(nullptr, nullptr); }
  void draw_from(Source& source) {
    options_.random = Source::draw;
    options_.random_user = &source;
  }
  // Predictions, and rand()'s next draw.
  std::vector<double> targets(int* status = nullptr) {
    std::srand(5);
    std::vector<double> all(data_.size(), 7);
    const int got = test::cross_validate(&problem_, &param_, 4, &options_, all.data(), &result_);
    if (status != nullptr) *status = got;
    all.push_back(std::rand());
    return all;
  }
};

TEST_F(ExtensionDraws, OfRandGiveTheFoldsOfRand) {
  const std::vector<double> expected = targets();
  Source process, call;
  svm_set_random_function(Source::draw, &process);
  EXPECT_EQ(targets(), expected);
  EXPECT_GT(process.draws, 90);
  const std::vector<int> bounds = process.bounds;
  svm_set_random_function(nullptr, nullptr);
  draw_from(call);
  EXPECT_EQ(targets(), expected);
  EXPECT_EQ(call.bounds, bounds);
  options_.random = nullptr;
  EXPECT_EQ(targets(), expected);  // the function of the process was reset
  EXPECT_EQ(process.bounds, bounds);
  // The shuffles of four classes for the folds, then those of six pairs in each of four folds.
  EXPECT_EQ(bounds.back(), 1);
  EXPECT_EQ(std::count(bounds.begin(), bounds.end(), 1), 4 + 4 * 6);
  EXPECT_GT(*std::max_element(bounds.begin(), bounds.end()), 30);
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
    EXPECT_EQ(source.bounds, one.bounds);  // draws that were made ahead have the same bounds
  }
}

TEST_F(ExtensionDraws, OfACallTakeThePlaceOfThoseOfTheProcess) {
  Source process, source;
  svm_set_random_function(Source::draw, &process);
  draw_from(source);
  targets();
  EXPECT_EQ(process.draws, 0);
  EXPECT_GT(source.draws, 0);
}

TEST_F(ExtensionDraws, BeyondTheirBoundsAreReduced) {
  const std::vector<double> expected = targets();
  Source source;
  source.excess = 3;
  draw_from(source);
  EXPECT_EQ(targets(), expected);
  options_.random = [](int, void*) { return -1; };
  int status = -1;
  targets(&status);
  EXPECT_EQ(status, 0);
}

TEST_F(ExtensionDraws, OfAModelAreCountedAsWell) {
  Source source;
  svm_set_random_function(Source::draw, &source);
  EXPECT_NE(train(), nullptr);
  EXPECT_GT(source.draws, 0);
  param_.probability = 0;
  source.draws = 0;
  EXPECT_NE(train(), nullptr);
  EXPECT_EQ(source.draws, 0);
}

TEST_F(ExtensionDraws, ASeedIsNotMixedWithThem) {
  Source source;
  draw_from(source);
  options_.seed = 0;
  EXPECT_STREQ(svm_check_options(&param_, &options_), "random and seed exclude each other");
  EXPECT_EQ(refusal(), "svm_train_rows: random and seed exclude each other");
  options_.random = nullptr;
  svm_set_random_function(Source::draw, &source);
  EXPECT_NE(train(), nullptr);
  EXPECT_EQ(source.draws, 0);
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
        status = test::cross_validate(&problem_, &param_, 4, &options_, all.data(), nullptr);
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
