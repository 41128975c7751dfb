// Metrics: what is learned, taken and refused.
#include "training/metric/learn_metric.h"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/text.h"
#include "tests/training_data.h"
#include "training/call.h"
#include "training/cross_validation.h"
#include "training/forest/train_forest.h"

namespace svm {
namespace {

using test::Data;

Data one_of_many(std::size_t rows, std::size_t features, bool classes, double scale = 1) {
  return test::one_decides(rows, features, classes, 7, scale);
}

class LearnedMetric : public testing::Test {
 protected:
  LearnedMetric() : param_(test::parameters(C_SVC, RBF)), options_(default_options()) {
    param_.gamma = 2;
    param_.C = 10;
    options_.solver = "csmo";
    options_.threads = 1;
  }

  svm::Run& configured() {
    svm::Run& run = printed_.run();
    configure(run, param_, &options_);
    return run;
  }
  Metric learned(Data& data) { return machine_metric(data.problem(), param_, configured()); }

  // Expects that only the first feature counts.
  void expect_first(const Metric& metric) {
    ASSERT_FALSE(metric.weights.empty()) << metric_text(metric, param_);
    EXPECT_LT(metric.error_with, metric.error_without / 2);
    for (std::size_t d = 1; d < metric.weights.indices().size(); ++d) {
      EXPECT_LT(metric.weights.weights()[d], metric.weights.weights()[0] / 2) << d;
    }
  }

  svm_parameter param_;
  svm_options options_;
  const test::Printed printed_;
};

TEST_F(LearnedMetric, FindsTheFeatureThatTells) {
  Data data = one_of_many(1500, 8, true);
  const Metric metric = learned(data);
  expect_first(metric);
  EXPECT_EQ(metric.weights.others(), 1 / reach_of(metric.weights.others()));
  EXPECT_TRUE(test::contains(metric_text(metric, param_), "largest weights 1: "));
  EXPECT_EQ(printed_.text() + printed_.warnings(), "");  // trials are silent
}

TEST_F(LearnedMetric, OfEveryType) {
  for (const int type : {NU_SVC, EPSILON_SVR, NU_SVR}) {
    Data data = one_of_many(1500, 8, type == NU_SVC);
    param_.svm_type = type;
    param_.nu = type == NU_SVC ? 0.2 : 0.5;
    expect_first(learned(data));
  }
}

TEST_F(LearnedMetric, OfCellsIfThereAreMoreRows) {
  Data data = one_of_many(5000, 8, true);
  expect_first(learned(data));
}

TEST_F(LearnedMetric, DoesNotDependOnThreads) {
  Data data = one_of_many(3000, 5, false);
  param_.svm_type = EPSILON_SVR;
  const Metric one = learned(data);
  options_.threads = 4;
  const Metric four = learned(data);
  EXPECT_TRUE(one.weights.is_same(four.weights));
  EXPECT_EQ(one.error_with, four.error_with);
}

TEST_F(LearnedMetric, BySmoIsNearlyThatByCsmo) {
  Data data = one_of_many(1000, 5, true);
  const Metric by_csmo = learned(data);
  options_.solver = "smo";
  const Metric by_smo = learned(data);
  ASSERT_FALSE(by_smo.weights.empty());
  EXPECT_NEAR(by_smo.weights.weights()[0], by_csmo.weights.weights()[0],
              0.1 * by_csmo.weights.weights()[0]);
}

TEST_F(LearnedMetric, FollowsTheScaleOfTheFeatures) {
  for (const double scale : {1e-8, 1e6, 1e12}) {
    Data data = one_of_many(1200, 6, true, scale);
    param_.gamma = 2 / (scale * scale);
    expect_first(learned(data));
  }
}

TEST_F(LearnedMetric, IsRefusedIfItDoesNotHelp) {
  // All features tell the same, or none tells anything.
  test::Draws draws(3);
  for (const bool noise : {false, true}) {
    Data data;
    for (int i = 0; i < 1500; ++i) {
      std::vector<double> x;
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += x.emplace_back(draws.between(-1, 1));
      data.add((noise ? draws.between(-1, 1) : sum) > 0 ? 1 : -1, x);
    }
    const Metric metric = learned(data);
    EXPECT_TRUE(metric.weights.empty()) << noise;
    EXPECT_EQ(metric.error_with, metric.error_without);
    EXPECT_TRUE(test::contains(metric_text(metric, param_), "do not lower ")) << noise;
  }
}

TEST_F(LearnedMetric, ConstantFeaturesAndLabelsGiveNone) {
  Data constant, one_class;
  for (int i = 0; i < 60; ++i) {
    constant.add(i % 2, {1, 2});
    one_class.add(1, {1.0 * i, 2});
  }
  EXPECT_TRUE(learned(constant).weights.empty());
  EXPECT_TRUE(learned(one_class).weights.empty());
}

TEST_F(LearnedMetric, OfFewRowsEndsWell) {
  for (const std::size_t rows : {1U, 2U, 3U, 5U, 9U}) {
    Data data = one_of_many(rows, 3, rows % 2 == 0);
    EXPECT_TRUE(learned(data).weights.empty()) << rows;
  }
}

TEST_F(LearnedMetric, HugeValuesAreRefusedAsByATraining) {
  Data data = one_of_many(300, 3, true, 1e200);
  EXPECT_THROW(learned(data), std::exception);  // as kernel values are beyond the range of numbers
  Data large = one_of_many(300, 3, true, 1e100);
  learned(large);  // ends
}

TEST_F(LearnedMetric, LeavesOutRowsOfWeight0) {
  Data data = one_of_many(1500, 6, true), wrong = one_of_many(1500, 6, true);
  std::vector<double> weights(1500, 1.0);
  for (std::size_t i = 0; i < 400; ++i) weights[i] = 0;
  Data mixed;
  for (std::size_t i = 0; i < 1500; ++i) {
    mixed.add_row(i < 400 ? 3 - data.label(i) : data.label(i),
                  test::Row(data.row(i), data.row(i) + 7));
  }
  const svm_problem problem = mixed.problem();
  expect_first(machine_metric(Problem(problem.l, problem.y, problem.x, weights.data()), param_,
                              configured()));
}

TEST_F(LearnedMetric, NeedsTheRbfKernelAndLabels) {
  Data data = one_of_many(50, 3, true);
  const auto refusal = [&](int type, int kernel, const char* solver) {
    param_.svm_type = type;
    param_.kernel_type = kernel;
    options_.solver = solver;
    try {
      learned(data);
    } catch (const std::invalid_argument& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_TRUE(test::contains(refusal(C_SVC, LINEAR, "csmo"), "RBF kernel"));
  EXPECT_TRUE(test::contains(refusal(ONE_CLASS, RBF, "csmo"), "one-class"));
}

TEST_F(LearnedMetric, TooManyFeaturesAreRefused) {
  Data data;
  for (int i = 0; i < 20; ++i) {
    test::Row row;
    for (int k = 0; k < 2000; ++k) row.push_back({1 + 2000 * i + k, 1});
    row.push_back({-1, 0});
    data.add_row(i % 2, std::move(row));
  }
  EXPECT_THROW(learned(data), std::invalid_argument);
}

TEST_F(LearnedMetric, StopsWhenItIsCancelled) {
  Data data = one_of_many(3000, 8, true);
  int calls = 0;
  options_.progress_user = &calls;
  options_.progress = [](const svm_progress* progress, void* user) {
    EXPECT_EQ(progress->iterations, 0);  // only the seconds are shown
    return ++*static_cast<int*>(user) > 3 ? 1 : 0;
  };
  svm::Run& run = configured();
  const Metric metric = machine_metric(data.problem(), param_, run);
  EXPECT_EQ(run.interruption(), SVM_CANCELLED);
  EXPECT_TRUE(metric.weights.empty());
}

TEST_F(LearnedMetric, IsLearnedForEachFoldOfACrossValidation) {
  Data data = one_of_many(600, 8, true);
  const std::vector<double> found =
      cross_validate_by_metrics(data.problem(), param_, 3, configured());
  std::size_t wrong = 0, wrong_without = 0;
  const std::vector<double> without = cross_validate(data.problem(), param_, 3, configured());
  for (std::size_t i = 0; i < found.size(); ++i) {
    wrong += found[i] != data.label(i) ? 1U : 0U;
    wrong_without += without[i] != data.label(i) ? 1U : 0U;
  }
  EXPECT_LT(2 * wrong, wrong_without);
}

}  // namespace
}  // namespace svm
