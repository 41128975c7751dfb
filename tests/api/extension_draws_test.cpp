// Random draws from a function of the caller.
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
