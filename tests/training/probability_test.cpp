// Fits of probability estimates.
#include "training/probability.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/model_memory.h"
#include "tests/training_data.h"
#include "training/cross_validation.h"
#include "training/random.h"

namespace svm {
namespace {

using test::Data;
using test::parameters;
using test::Printed;

constexpr double kFitTolerance = 1e-4;  // the fit stops at a gradient of 1e-5

// Decision values +1 for p positive rows and -1 for n negative ones.  The two targets
// (p+1)/(p+2) and 1/(n+2) can be met exactly: slope + offset = -log(p+1),
// -slope + offset = log(n+1).
TEST(FitSigmoid, MeetsTwoTargets) {
  for (const std::size_t positives : {1U, 10U, 30U}) {
    for (const std::size_t negatives : {1U, 10U, 25U}) {
      std::vector<double> values(positives, 1.0), labels(positives, 1.0);
      values.insert(values.end(), negatives, -1.0);
      labels.insert(labels.end(), negatives, -1.0);
      const Printed printed;
      const Sigmoid sigmoid = fit_sigmoid(values, labels.data(), printed.run());
      const double at_plus = -std::log(static_cast<double>(positives) + 1);
      const double at_minus = std::log(static_cast<double>(negatives) + 1);
      EXPECT_NEAR(sigmoid.slope, (at_plus - at_minus) / 2, kFitTolerance);
      EXPECT_NEAR(sigmoid.offset, (at_plus + at_minus) / 2, kFitTolerance);
      EXPECT_EQ(Printed::text(), "");
    }
  }
}

// If labels do not depend on the value, the slope is 0, and the offset -log of the odds of the mean
// target.
TEST(FitSigmoid, FindsNoSlopeWhereThereIsNone) {
  const std::vector<double> values = {-2, -2, 2, 2};
  const std::vector<double> labels = {1, -1, 1, -1};
  const Printed printed;
  const Sigmoid sigmoid = fit_sigmoid(values, labels.data(), printed.run());
  EXPECT_NEAR(sigmoid.slope, 0, kFitTolerance);
  EXPECT_NEAR(sigmoid.offset, 0, kFitTolerance);
}

// The gradient of the likelihood vanishes at the fit.
TEST(FitSigmoid, ReachesAStationaryPoint) {
  test::Draws draws(31);
  std::vector<double> values, labels;
  double positives = 0, negatives = 0;
  for (int i = 0; i < 200; ++i) {
    values.push_back(draws.between(-3, 3));
    labels.push_back(values.back() + draws.between(-2, 2) > 0.5 ? 1 : -1);
    (labels.back() > 0 ? positives : negatives) += 1;
  }
  const Printed printed;
  const Sigmoid sigmoid = fit_sigmoid(values, labels.data(), printed.run());
  double slope_gradient = 0, offset_gradient = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double target = labels[i] > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
    const double p = 1 / (1 + std::exp(sigmoid.slope * values[i] + sigmoid.offset));
    slope_gradient += values[i] * (target - p);
    offset_gradient += target - p;
  }
  EXPECT_LT(sigmoid.slope, 0);
  EXPECT_NEAR(slope_gradient, 0, 2e-5);
  EXPECT_NEAR(offset_gradient, 0, 2e-5);
}

// Folds that lack a class are not trained: their values are +1, -1 or 0.
TEST(PairSigmoid, AClassAloneNeedsNoTraining) {
  Data data;
  for (int i = 0; i < 10; ++i) data.add(1, {static_cast<double>(i)});
  const Printed printed;
  const svm_parameter param = parameters(C_SVC, LINEAR);
  const Sigmoid sigmoid = pair_sigmoid(data.problem(), param, {1, 1}, printed.run());
  EXPECT_EQ(Printed::text().find("optimization"), std::string::npos);
  // All values are +1 with target 11/12.
  EXPECT_NEAR(sigmoid.slope + sigmoid.offset, -std::log(11), 1e-3);
}

TEST(PairSigmoid, TrainsFiveFoldsOtherwise) {
  Data data = test::random_data(40, 2, true, 8);
  const Printed printed;
  const Sigmoid sigmoid =
      pair_sigmoid(data.problem(), parameters(C_SVC, RBF), {1, 1}, printed.run());
  EXPECT_LT(sigmoid.slope, 0);
  std::size_t trainings = 0;
  const std::string& text = Printed::text();
  for (std::size_t at = text.find("Total nSV"); at != std::string::npos;
       at = text.find("Total nSV", at + 1)) {
    ++trainings;
  }
  EXPECT_EQ(trainings, 5U);
}

// A one-class model whose decision value is the row's only feature.
class IdentityModel {
 public:
  IdentityModel() : model_(new_model()), row_(test::dense_row({1})) {
    model_->param = parameters(ONE_CLASS, LINEAR);
    model_->nr_class = 2;
    model_->l = 1;
    model_->SV = malloc_array<svm_node*>(1);
    model_->SV[0] = row_.data();
    model_->sv_coef = malloc_array<double*>(1);
    model_->sv_coef[0] = malloc_array<double>(1);
    model_->sv_coef[0][0] = 1;
    model_->rho = malloc_array<double>(1);
  }
  const svm_model& get() const { return *model_; }

 private:
  ModelPtr model_;
  test::Row row_;
};

std::vector<double> marks_of(const std::vector<double>& values) {
  Data data;
  for (const double value : values) data.add(0, {value});
  const IdentityModel model;
  const Printed printed;
  return one_class_marks(data.problem(), model.get(), printed.run());
}

// Negative values -10 ... -1 give the cuts -10, -8, -6, -4, -2; then 0; 0 ... 9 give 1, 3, 5, 7, 9.
// Marks are half way between cuts.
TEST(OneClassMarks, HalveTheGapsBetweenQuantiles) {
  std::vector<double> values;
  for (int i = 9; i >= -10; --i) values.push_back(i);
  EXPECT_EQ(marks_of(values), (std::vector<double>{-9, -7, -5, -3, -1, 0.5, 2, 4, 6, 8}));
}

// A value that is NaN stays where the C library's merge sort leaves it, here at the end.
TEST(OneClassMarks, OfValuesOneOfWhichIsNan) {
  std::vector<double> values;
  for (int i = 9; i >= -10; --i) values.push_back(i == 0 ? std::nan("") : i);
  std::vector<double> marks = marks_of(values);
  ASSERT_EQ(marks.size(), 10U);
  EXPECT_TRUE(std::isnan(marks.back()));
  marks.pop_back();
  EXPECT_EQ(marks, (std::vector<double>{-9, -7, -5, -3, -1, 1, 3, 5, 7}));
}

TEST(OneClassMarks, NeedFiveValuesOfEachSign) {
  EXPECT_EQ(marks_of({-5, -4, -3, -2, -1, 0, 1, 2, 3, 4}).size(), 10U);
  const std::string warning =
      "WARNING: number of positive or negative decision values <5; too few to do a probability "
      "estimation.\n";
  for (const std::vector<double>& values :
       {std::vector<double>{-4, -3, -2, -1, 0, 1, 2, 3, 4, 5},
        std::vector<double>{-5, -4, -3, -2, -1, 0, 1, 2, 3}, std::vector<double>{1, 2},
        std::vector<double>{-9, -8, -7, -6, -5, -4, -3, -2, -1}}) {
    EXPECT_TRUE(marks_of(values).empty());
    EXPECT_EQ(Printed::warnings(), warning);
  }
}

// The mean absolute error of a five-fold cross validation without errors beyond five deviations.
TEST(RegressionErrorWidth, LeavesOutOutliers) {
  Data data = test::random_data(60, 2, false, 12);
  data.add(1000, {0, 0});
  const svm_problem problem = data.problem();
  svm_parameter param = parameters(EPSILON_SVR, RBF);
  const Printed printed;
  std::srand(9);
  const std::vector<double> predictions = cross_validate(problem, param, 5, printed.run());
  double all = 0, without_last = 0;
  for (std::size_t t = 0; t < data.size(); ++t) {
    const double error = std::fabs(data.label(t) - predictions[t]);
    all += error;
    if (t + 1 < data.size()) without_last += error;
  }
  const double mean = all / static_cast<double>(data.size());
  ASSERT_GT(std::fabs(1000 - predictions.back()), 5 * std::sqrt(2.0) * mean);
  std::srand(9);
  param.probability = 1;  // does not recurse
  const std::optional<double> width = regression_error_width(problem, param, printed.run());
  ASSERT_TRUE(width);
  EXPECT_DOUBLE_EQ(*width, without_last / static_cast<double>(data.size() - 1));
  EXPECT_NE(Printed::text().find("Prob. model for test data: target value = predicted value + z,\n"
                                 "z: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma= "),
            std::string::npos);
}

// Squares of errors are 0, and so is the deviation, but not all errors are outliers.
TEST(RegressionErrorWidth, OfTinyErrorsIsTheirMean) {
  Data data;
  for (int i = 0; i < 20; ++i) data.add(1e-200, {static_cast<double>(i)});
  const svm_problem problem = data.problem();
  const Printed printed;
  const std::optional<double> width =
      regression_error_width(problem, parameters(EPSILON_SVR, RBF), printed.run());
  ASSERT_TRUE(width);
  EXPECT_DOUBLE_EQ(*width, 1e-200);
}

TEST(RegressionErrorWidth, OfOneRowIsNotEstimated) {
  Data data;
  data.add(1, {1});
  const Printed printed;
  svm::Run& run = printed.run();
  int draws = 0;
  run.services.draw = remainders_of([&] { return draws++; });
  EXPECT_FALSE(regression_error_width(data.problem(), parameters(EPSILON_SVR, RBF), run));
  EXPECT_NE(Printed::warnings().find("one row is too few"), std::string::npos);
  EXPECT_EQ(draws, 1);  // the number announced for one row
}

}  // namespace
}  // namespace svm
