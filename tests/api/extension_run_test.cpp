// svm_ext.h: limits, progress, cancelling, random draws, printing.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"

namespace svm {
namespace {

using test::coefficients;
using test::OwnedModel;

class ExtensionRunTest : public test::Extension {};

// --- limits, progress, cancelling ---

TEST_F(ExtensionRunTest, IterationLimit) {
  options_.max_iter = 10;
  const OwnedModel model = train();
  EXPECT_NE(warnings_.take().find("reaching max number of iterations"), std::string::npos);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(result_.status, SVM_ITERATION_LIMIT);
  EXPECT_EQ(result_.iterations, 10);
  EXPECT_GE(result_.violation, param_.eps);
}

TEST_F(ExtensionRunTest, TimeLimit) {
  options_.time_limit = 1e-9;
  const OwnedModel model = train();
  EXPECT_NE(warnings_.take().find("time limit"), std::string::npos);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(result_.status, SVM_TIME_LIMIT);
}

// Counts progress calls, and cancels at one of them.
struct Watch {
  test::SteadyLooks steady;
  int cancel_at = 0;                // number of the call; 0: never
  long long cancel_at_problem = 0;  // at the first call for this problem; 0: never
  std::vector<svm_progress> looks;
  static int look(const svm_progress* progress, void* user) {
    Watch& self = *static_cast<Watch*>(user);
    if (!self.steady.has(*progress)) return 0;
    self.looks.push_back(*progress);
    const bool is_last = static_cast<int>(self.looks.size()) == self.cancel_at ||
                         progress->problem == self.cancel_at_problem;
    return is_last ? 1 : 0;
  }
};

TEST_F(ExtensionRunTest, ProgressIsReportedFromStartToEnd) {
  Watch watch;
  options_.progress = Watch::look;
  options_.progress_user = &watch;
  const OwnedModel watched = train();
  ASSERT_GE(watch.looks.size(), 3U);
  const svm_progress& first = watch.looks.front();
  EXPECT_EQ(first.size, sizeof(svm_progress));
  EXPECT_EQ(first.problem, 1);
  EXPECT_EQ(first.iterations, 0);
  EXPECT_EQ(first.objective, 0);
  EXPECT_EQ(first.violation, 2);  // gradients of -1 with labels of both signs
  EXPECT_EQ(first.active, data_.size());
  EXPECT_EQ(first.variables, data_.size());
  EXPECT_EQ(first.finished, 0);
  EXPECT_EQ(first.reserved, 0);
  for (std::size_t i = 1; i < watch.looks.size(); ++i) {
    const svm_progress& look = watch.looks[i];
    EXPECT_GE(look.iterations, watch.looks[i - 1].iterations);
    EXPECT_GE(look.seconds, watch.looks[i - 1].seconds);
    EXPECT_LE(look.objective, watch.looks[i - 1].objective + 1e-9);
    EXPECT_EQ(look.finished, i + 1 == watch.looks.size() ? 1 : 0);
  }
  EXPECT_EQ(watch.looks.back().iterations, result_.iterations);
  EXPECT_EQ(watch.looks.back().objective, result_.objective);
  EXPECT_EQ(watch.looks.back().violation, result_.violation);
  options_.progress = nullptr;
  EXPECT_EQ(coefficients(*train()), coefficients(*watched));
}

TEST_F(ExtensionRunTest, ProblemsAreNumbered) {
  Watch watch;
  options_.progress = Watch::look;
  options_.progress_user = &watch;
  param_.probability = 1;  // five folds and the whole problem
  ASSERT_NE(train(), nullptr);
  EXPECT_EQ(result_.problems, 6);
  std::set<long long> numbers;
  for (const svm_progress& look : watch.looks) numbers.insert(look.problem);
  EXPECT_EQ(numbers, (std::set<long long>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(watch.looks.back().total_iterations, result_.iterations);
}

TEST_F(ExtensionRunTest, CancelledAtTheThirdLook) {
  Watch watch;
  watch.cancel_at = 3;
  options_.progress = Watch::look;
  options_.progress_user = &watch;
  const OwnedModel model = train();
  EXPECT_NE(warnings_.take().find("cancelled"), std::string::npos);
  ASSERT_NE(model, nullptr);
  EXPECT_GT(model->l, 0);
  EXPECT_EQ(result_.status, SVM_CANCELLED);
  ASSERT_EQ(watch.looks.size(), 4U);  // the last one reports the end
  EXPECT_EQ(watch.looks[2].iterations, watch.looks[3].iterations);
  EXPECT_EQ(watch.looks[3].finished, 1);
  EXPECT_EQ(result_.iterations, watch.looks[2].iterations);
  // The model equals one trained with this cap on iterations.
  options_.progress = nullptr;
  options_.max_iter = result_.iterations;
  const OwnedModel limited = train();
  EXPECT_EQ(coefficients(*model), coefficients(*limited));
}

TEST_F(ExtensionRunTest, ACancelledCallFitsNoProbabilities) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    Watch watch;
    watch.cancel_at = 2;
    options_.progress = Watch::look;
    options_.progress_user = &watch;
    param_.svm_type = type;
    param_.probability = 1;
    const OwnedModel model = train();
    EXPECT_NE(warnings_.take().find("no probability estimates"), std::string::npos);
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(svm_check_probability_model(model.get()), 0);
    EXPECT_EQ(result_.status, SVM_CANCELLED);
  }
}

TEST_F(ExtensionRunTest, ACancelledCrossValidationMarksWhatIsMissing) {
  Watch watch;
  options_.progress = Watch::look;
  options_.progress_user = &watch;
  options_.seed = 0;
  options_.threads = 1;  // one fold after the other
  std::vector<double> target(data_.size());
  const auto validate = [&] {
    return test::cross_validate(&problem_, &param_, 4, &options_, target.data(), &result_);
  };
  ASSERT_EQ(validate(), 0);
  EXPECT_EQ(result_.problems, 4);
  for (const double prediction : target) EXPECT_EQ(std::fabs(prediction), 1);
  // The same again, cancelled at the first call for the second fold.
  const std::vector<double> complete = target;
  watch.looks.clear();
  watch.cancel_at_problem = 2;
  ASSERT_EQ(validate(), 0);
  EXPECT_EQ(result_.status, SVM_CANCELLED);
  EXPECT_EQ(result_.problems, 2);
  std::size_t missing = 0;
  for (std::size_t t = 0; t < target.size(); ++t) {
    if (std::isnan(target[t])) {
      ++missing;
    } else {
      EXPECT_EQ(target[t], complete[t]);
    }
  }
  EXPECT_GT(missing, data_.size() / 2);
  EXPECT_LT(missing, data_.size());
}

// --- binary problems ---

TEST_F(ExtensionRunTest, TellsTheIterationsOfEachProblem) {
  data_ = test::four_classes(120, 3);
  problem_ = data_.problem();
  param_.C = 1000;
  std::vector<long long> printed;
  for (const int probability : {0, 1}) {
    param_.probability = probability;
    for (const std::size_t threads : {1U, 3U}) {
      options_.threads = threads;
      std::vector<svm_count> iterations(8, -7);
      std::vector<int> status(8, -7);
      options_.problem_iterations = iterations.data();
      options_.problem_status = status.data();
      options_.problem_room = 8;
      ASSERT_NE(train(), nullptr);
      const std::vector<svm_count> counts(iterations.begin(), iterations.begin() + 6);
      if (probability == 0) {
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0LL), result_.iterations);
        printed.assign(counts.begin(), counts.end());
      }
      EXPECT_EQ(std::vector<long long>(counts.begin(), counts.end()), printed);
      EXPECT_EQ(iterations[6], -7);
      EXPECT_EQ(status, (std::vector<int>{0, 0, 0, 0, 0, 0, -7, -7}));
    }
  }
  param_.probability = 0;
  std::vector<int> status(8, -7);
  options_.problem_iterations = nullptr;
  options_.problem_status = status.data();
  options_.problem_room = 2;
  options_.max_iter = 3;
  ASSERT_NE(train(), nullptr);
  EXPECT_EQ(status,
            (std::vector<int>{SVM_ITERATION_LIMIT, SVM_ITERATION_LIMIT, -7, -7, -7, -7, -7, -7}));
}

// --- random draws ---

TEST_F(ExtensionRunTest, DrawsOfASeedAreThoseOfTheGnuLibrary) {
  // What rand() returns there after srand(1), which is the same on every system.
  static constexpr int kDraws[] = {1804289383, 846930886, 1681692777, 1714636915, 1957747793};
  data_ = test::random_data(std::size(kDraws), 1, false, 2);
  problem_ = data_.problem();
  param_.svm_type = EPSILON_SVR;
  const auto targets = [&] {
    std::vector<double> target(data_.size());
    EXPECT_EQ(test::cross_validate(&problem_, &param_, 2, &options_, target.data(), &result_), 0);
    return target;
  };
  std::size_t drawn = 0;
  options_.random_user = &drawn;
  options_.random = [](int n, void* count) {
    return kDraws[(*static_cast<std::size_t*>(count))++ % std::size(kDraws)] % n;
  };
  const std::vector<double> expected = targets();
  EXPECT_EQ(drawn, std::size(kDraws));
  options_.random = nullptr;
  options_.seed = 1;
  EXPECT_EQ(targets(), expected);
  options_.seed = 3;
  EXPECT_NE(targets(), expected);
}

TEST_F(ExtensionRunTest, ASeedFixesTheFolds) {
  param_.C = 1;
  const auto targets = [&] {
    std::vector<double> target(data_.size());
    EXPECT_EQ(test::cross_validate(&problem_, &param_, 3, &options_, target.data(), &result_), 0);
    return target;
  };
  options_.seed = 5;
  const std::vector<double> five = targets();
  std::srand(99);
  const int expected_next = std::rand();
  std::srand(99);
  EXPECT_EQ(targets(), five);
  EXPECT_EQ(std::rand(), expected_next);  // the process's draws are left alone
  options_.seed = 6;
  EXPECT_NE(targets(), five);
#ifdef __GLIBC__
  for (const unsigned seed : {0U, 1U, 2U, 5U, 12345U, 2147483647U, 2147483648U, 4294967295U}) {
    options_.seed = seed;
    const std::vector<double> expected = targets();
    options_.seed = -1;
    std::srand(seed);
    EXPECT_EQ(targets(), expected) << seed;
  }
#endif
  std::srand(1);
}

// --- printing ---

void append_text(const char* text, void* user) { *static_cast<std::string*>(user) += text; }

TEST_F(ExtensionRunTest, PrintingOfOneCall) {
  std::string mine;
  options_.print = append_text;
  options_.print_user = &mine;
  testing::internal::CaptureStdout();
  ASSERT_NE(train(), nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_NE(mine.find("optimization finished, #iter = "), std::string::npos);
  test::Printed others;
  svm_set_print_string_function(&test::Printed::print);
  const std::string before = mine;
  const OwnedModel plain(svm_train(&problem_, &param_));
  svm_set_print_string_function(nullptr);
  EXPECT_EQ(test::Printed::text(), before);
  EXPECT_EQ(mine, before);
}

}  // namespace
}  // namespace svm
