// Predictions of models built by hand, and the memory of models.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/model_memory.h"
#include "model/predictor.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::dense_row;
using test::parameters;
using test::Printed;

template <typename T>
T* block(const std::vector<T>& values) {
  T* copy = malloc_array<T>(values.size());
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

// A model with the given support vectors on a line, all nodes in one block.
ModelPtr line_model(int svm_type, const std::vector<double>& points,
                    const std::vector<std::vector<double>>& coefficients,
                    const std::vector<double>& rho) {
  ModelPtr model = new_model();
  model->param = parameters(svm_type, LINEAR);
  model->nr_class = static_cast<int>(coefficients.size()) + 1;
  model->l = static_cast<int>(points.size());
  model->free_sv = 1;
  model->SV = malloc_array<svm_node*>(points.size());
  svm_node* nodes = points.empty() ? nullptr : malloc_array<svm_node>(2 * points.size());
  for (std::size_t s = 0; s < points.size(); ++s) {
    model->SV[s] = nodes + 2 * s;
    model->SV[s][0] = {1, points[s]};
    model->SV[s][1] = {-1, 0};
  }
  model->sv_coef = malloc_array<double*>(coefficients.size());
  for (std::size_t c = 0; c < coefficients.size(); ++c) model->sv_coef[c] = block(coefficients[c]);
  model->rho = block(rho);
  return model;
}

// Classes 10, 20, 30 with one support vector each, at 1, 2 and 4.  Pair (a, b) uses
// sv_coef[b - 1] of class a and sv_coef[a] of class b:
//   10 vs 20: 1 x - 2 * 2 x;  10 vs 30: 3 x - 4 * 4 x;  20 vs 30: 5 * 2 x + 6 * 4 x.
ModelPtr three_classes(const std::vector<double>& rho = {0, 0, 0}) {
  ModelPtr model = line_model(C_SVC, {1, 2, 4}, {{1, -2, -4}, {3, 5, 6}}, rho);
  model->label = block<int>({10, 20, 30});
  model->nSV = block<int>({1, 1, 1});
  return model;
}

TEST(PredictorTest, PairsUseTheirOwnCoefficients) {
  const ModelPtr model = three_classes({0.5, 0.25, -1});
  const Predictor predictor(*model, Messages(nullptr), 0);
  ASSERT_EQ(predictor.functions(), 3U);
  std::vector<double> values(3);
  const double prediction = predictor.predict(dense_row({1}).data(), values.data());
  EXPECT_EQ(values, (std::vector<double>{-3.5, -13.25, 35}));
  EXPECT_EQ(prediction, 20);  // two votes
  EXPECT_EQ(predictor.predict(dense_row({1}).data()), 20);
}

TEST(PredictorTest, ZeroVotesForTheSecondClass) {
  const ModelPtr model = three_classes();
  const Predictor predictor(*model, Messages(nullptr), 0);
  // All values are 0: 10 < 20, 10 < 30, 20 < 30.
  EXPECT_EQ(predictor.predict(dense_row({0}).data()), 30);
}

TEST(PredictorTest, TiesGoToTheFirstClass) {
  // Constant values: 10 beats 20, 30 beats 10, 20 beats 30.
  const ModelPtr model = three_classes({-1, 1, -1});
  const Predictor predictor(*model, Messages(nullptr), 0);
  EXPECT_EQ(predictor.predict(dense_row({0}).data()), 10);
}

TEST(PredictorTest, OneClassIsPlusOneAboveZeroOnly) {
  const ModelPtr model = line_model(ONE_CLASS, {1}, {{1}}, {2});
  const Predictor predictor(*model, Messages(nullptr), 0);
  EXPECT_EQ(predictor.functions(), 1U);
  double value = 0;
  EXPECT_EQ(predictor.predict(dense_row({3}).data(), &value), 1);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(predictor.predict(dense_row({2}).data()), -1);
  EXPECT_EQ(predictor.predict(dense_row({1}).data()), -1);
}

TEST(PredictorTest, RegressionIsTheValue) {
  for (const int type : {EPSILON_SVR, NU_SVR}) {
    const ModelPtr model = line_model(type, {1, 2}, {{0.5, 2}}, {-0.25});
    const Predictor predictor(*model, Messages(nullptr), 0);
    EXPECT_EQ(predictor.predict(dense_row({3}).data()), 0.5 * 3 + 2 * 6 + 0.25);
  }
}

TEST(PredictorTest, AModelMayHaveOneClassOrNoSupportVector) {
  ModelPtr one = new_model();
  one->param = parameters(C_SVC, LINEAR);
  one->nr_class = 1;
  one->label = block<int>({7});
  one->nSV = block<int>({0});
  const Predictor predictor(*one, Messages(nullptr), 0);
  EXPECT_EQ(predictor.functions(), 0U);
  EXPECT_EQ(predictor.predict(dense_row({1}).data()), 7);

  const ModelPtr constant = line_model(EPSILON_SVR, {}, {{}}, {-4});
  EXPECT_EQ(Predictor(*constant, Messages(nullptr), 0).predict(dense_row({1}).data()), 4);
}

TEST(PredictorTest, TwoClassProbabilitiesAreTheSigmoid) {
  ModelPtr model = line_model(C_SVC, {1, -1}, {{1, -1}}, {0});  // value 2x
  model->label = block<int>({1, -1});
  model->nSV = block<int>({1, 1});
  double p[2] = {-1, -1};
  EXPECT_EQ(Predictor(*model, Messages(nullptr), 0)
                .predict_probability(dense_row({1}).data(), nullptr, p),
            1);
  EXPECT_EQ(p[0], -1);  // without sigmoids nothing is written

  model->probA = block<double>({-1.5});
  model->probB = block<double>({0.5});
  const Predictor predictor(*model, Messages(nullptr), 0);
  EXPECT_EQ(predictor.predict_probability(dense_row({1}).data(), nullptr, p), 1);
  EXPECT_DOUBLE_EQ(p[0], 1 / (1 + std::exp(-2.5)));
  EXPECT_DOUBLE_EQ(p[0] + p[1], 1);
  EXPECT_EQ(predictor.predict_probability(dense_row({1}).data(), nullptr, nullptr), 1);
  // The offset moves the boundary: the value is 0.2, but P(+1) < 1/2.
  EXPECT_EQ(predictor.predict_probability(dense_row({0.1}).data(), nullptr, p), -1);
  // Far away, probabilities are clipped.
  predictor.predict_probability(dense_row({1e6}).data(), nullptr, p);
  EXPECT_EQ(p[0], 1 - 1e-7);
  predictor.predict_probability(dense_row({-1e6}).data(), nullptr, p);
  EXPECT_EQ(p[0], 1e-7);
  // So is a value that is NaN, as by LIBSVM's comparison.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(predictor.predict_probability(dense_row({nan}).data(), nullptr, p), -1);
  EXPECT_EQ(p[0], 1e-7);
  EXPECT_EQ(p[1], 1 - 1e-7);
}

TEST(PredictorTest, OneClassProbabilitiesFollowTheMarks) {
  ModelPtr model = line_model(ONE_CLASS, {1}, {{1}}, {0});
  model->prob_density_marks = block<double>({-4, -3, -2, -1, 0, 1, 2, 3, 4, 5});
  const Predictor predictor(*model, Messages(nullptr), 0);
  const auto normal = [&](double x) {
    double p[2];
    EXPECT_EQ(predictor.predict_probability(dense_row({x}).data(), nullptr, p), x > 0 ? 1 : -1);
    EXPECT_DOUBLE_EQ(p[0] + p[1], 1);
    return p[0];
  };
  EXPECT_EQ(normal(-9), 0.001);
  EXPECT_EQ(normal(-4), 0.1);
  EXPECT_EQ(normal(-3.5), 0.1);
  EXPECT_EQ(normal(0.5), 0.5);
  EXPECT_EQ(normal(4.5), 0.9);
  EXPECT_EQ(normal(9), 0.999);
}

TEST(SigmoidProbability, DoesNotOverflow) {
  EXPECT_DOUBLE_EQ(sigmoid_probability(0, -1, 0), 0.5);
  EXPECT_DOUBLE_EQ(sigmoid_probability(2, -1, 0.5), 1 / (1 + std::exp(-1.5)));
  EXPECT_EQ(sigmoid_probability(1e10, -1, 0), 1);
  EXPECT_EQ(sigmoid_probability(-1e10, -1, 0), 0);
}

// If the pairwise probabilities agree with some p, the coupling finds p.
TEST(CoupleProbabilities, FindsWhatThePairsAgreeOn) {
  for (const std::vector<double>& p :
       {std::vector<double>{0.5, 0.3, 0.2}, std::vector<double>{0.25, 0.25, 0.25, 0.25},
        std::vector<double>{0.9, 0.05, 0.03, 0.01, 0.01}}) {
    const std::size_t k = p.size();
    DecisionWork work;
    work.pairwise.resize(k * k);
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = 0; b < k; ++b) {
        if (a != b) work.pairwise[a * k + b] = p[a] / (p[a] + p[b]);
      }
    }
    const Printed printed;
    couple_probabilities(k, work, printed.messages());
    const std::vector<double>& found = work.p;
    double sum = 0;
    for (std::size_t a = 0; a < k; ++a) {
      EXPECT_NEAR(found[a], p[a], 0.02);
      sum += found[a];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(Printed::text(), "");
  }
}

TEST(CoupleProbabilities, IsUniformWithoutPreference) {
  DecisionWork work;
  work.pairwise.assign(9, 0.5);
  const Printed printed;
  couple_probabilities(3, work, printed.messages());
  const std::vector<double>& found = work.p;
  ASSERT_EQ(found.size(), 3U);
  for (const double p : found) EXPECT_DOUBLE_EQ(p, 1 / 3.0);
}

TEST(ModelMemory, ContentIsFreedOnce) {
  ModelPtr model = three_classes();
  model->probA = block<double>({1, 2, 3});
  model->probB = block<double>({1, 2, 3});
  double garbage = 1;  // that of a program that was written before the member existed
  model->prob_density_marks = &garbage;
  model->sv_indices = block<int>({1, 2, 3});
  free_model_content(model.get());
  EXPECT_EQ(model->SV, nullptr);
  EXPECT_EQ(model->sv_coef, nullptr);
  EXPECT_EQ(model->rho, nullptr);
  EXPECT_EQ(model->label, nullptr);
  EXPECT_EQ(model->probA, nullptr);
  EXPECT_EQ(model->probB, nullptr);
  EXPECT_EQ(model->prob_density_marks, nullptr);
  EXPECT_EQ(model->sv_indices, nullptr);
  EXPECT_EQ(model->nSV, nullptr);
  free_model_content(model.get());
  free_model_content(nullptr);
}

TEST(ModelMemory, AnUnfinishedModelCanBeFreed) {
  new_model();
  ModelPtr model = new_model();
  model->l = 5;
  model->nr_class = 3;
  model->free_sv = 1;
  model->sv_coef = malloc_array<double*>(2);  // the inner arrays are missing
  free_model_content(model.get());
  EXPECT_EQ(model->sv_coef, nullptr);
}

TEST(ModelMemory, BlocksAreZeroAndNeverNull) {
  double* empty = malloc_array<double>(0);
  EXPECT_NE(empty, nullptr);
  std::free(empty);
  double* values = malloc_array<double>(3);
  EXPECT_EQ(values[0] + values[1] + values[2], 0);
  std::free(values);
  EXPECT_THROW(malloc_array<double>(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
}

}  // namespace
}  // namespace svm
