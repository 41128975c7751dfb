// The support vectors that svm_compact_model merges, removes, or leaves as they are.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "model/compact.h"
#include "model/model_file.h"
#include "tests/model/compact_models.h"
#include "tests/model_texts.h"
#include "tests/training_data.h"

namespace svm::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Line {
  std::vector<double> coefficients;
  Row row;
};

// A model with one support vector per line, by class; without class sizes a regression.
ModelPtr model_of(int kernel, const std::vector<int>& sizes, std::vector<Line>& lines) {
  ModelPtr model = new_model();
  const bool classes = !sizes.empty();
  model->param = parameters(classes ? C_SVC : EPSILON_SVR, kernel);
  model->nr_class = classes ? static_cast<int>(sizes.size()) : 2;
  model->l = static_cast<int>(lines.size());
  const auto width = static_cast<std::size_t>(model->nr_class - 1);
  model->rho = malloc_array<double>(pair_count(width + 1));
  if (classes) {
    model->label = malloc_array<int>(sizes.size());
    std::iota(model->label, model->label + sizes.size(), 1);
    model->nSV = malloc_array<int>(sizes.size());
    std::copy(sizes.begin(), sizes.end(), model->nSV);
  }
  model->sv_coef = malloc_array<double*>(width);
  for (std::size_t n = 0; n < width; ++n) {
    model->sv_coef[n] = malloc_array<double>(lines.size());
    for (std::size_t s = 0; s < lines.size(); ++s) model->sv_coef[n][s] = lines[s].coefficients[n];
  }
  model->SV = malloc_array<svm_node*>(lines.size());
  for (std::size_t s = 0; s < lines.size(); ++s) model->SV[s] = lines[s].row.data();
  return model;
}

Row row_of(std::vector<svm_node> nodes) {
  nodes.push_back({-1, 0});
  return nodes;
}

TEST(CompactVectorsTest, AddsCoefficientsPrecisely) {
  std::vector<Line> lines(1000, {{0.1}, row_of({{1, 1}})});
  for (const double one : {1e16, 1.0, -1e16}) lines.push_back({{one}, row_of({{2, 1}})});
  const OwnedModel compact = compacted(*model_of(RBF, {}, lines));
  ASSERT_EQ(compact->l, 2);
  EXPECT_EQ(compact->sv_coef[0][0], 100);
  EXPECT_EQ(compact->sv_coef[0][1], 1);
}

TEST(CompactVectorsTest, AddsWeightsPrecisely) {
  std::vector<Line> lines;
  lines.reserve(1003);
  for (int i = 0; i < 1000; ++i)
    lines.push_back({{0.5}, row_of({{1, 0.2}, {i + 2, 1}, {9999, 0}})});
  for (const double one : {1e16, 1.0, -1e16}) lines.push_back({{one}, row_of({{1, 1}})});
  const OwnedModel compact = compacted(*model_of(LINEAR, {}, lines));
  ASSERT_EQ(compact->l, 1);
  EXPECT_EQ(compact->sv_coef[0][0], 1);
  const std::vector<svm_node> weights = nodes_of(compact->SV[0]);
  ASSERT_EQ(weights.size(), 1001U);
  EXPECT_EQ(weights[0].index, 1);
  EXPECT_EQ(weights[0].value, 101);
  EXPECT_EQ(weights[1000].index, 1001);
  EXPECT_EQ(weights[1000].value, 0.5);
}

TEST(CompactVectorsTest, KeepsVectorsThatAreSmallerThanTheirWeights) {
  std::vector<Line> lines = {{{1, 2}, row_of({{1, 1}, {2, 1}, {3, 1}, {4, 1}})},
                             {{3, 4}, row_of({{5, 1}, {6, 1}, {7, 1}, {8, 1}})},
                             {{5, 6}, row_of({{10, 1}, {11, 1}, {12, 1}, {13, 1}})}};
  const OwnedModel compact = compacted(*model_of(LINEAR, {1, 1, 1}, lines));
  EXPECT_EQ(compact->l, 3);
  EXPECT_EQ(compact->sv_coef[1][2], 6);
}

TEST(CompactVectorsTest, VectorsAreEqualWithoutTheirZeros) {
  std::vector<Line> lines = {{{1}, row_of({{1, 1}, {3, 0}, {4, 2}})},
                             {{2}, row_of({{1, 1}, {2, -0.0}, {4, 2}})},
                             {{4}, row_of({{1, 1}, {4, 2}})},
                             {{8}, row_of({{1, 1}, {5, 2}})},
                             {{16}, row_of({{1, 1}, {4, std::nextafter(2.0, 3.0)}})},
                             {{32}, row_of({{3, 0}})},
                             {{64}, row_of({})}};
  const OwnedModel compact = compacted(*model_of(RBF, {}, lines));
  ASSERT_EQ(compact->l, 4);
  EXPECT_EQ(array_of(compact->sv_coef[0], 4), (std::vector<double>{7, 8, 16, 96}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), {{1, 1}, {4, 2}}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[3]), {}));
}

TEST(CompactVectorsTest, LeavesOutVectorsWithoutCoefficients) {
  std::vector<Line> lines = {{{1}, row_of({{1, 1}})},
                             {{0}, row_of({{2, 1}})},
                             {{-1}, row_of({{1, 1}})},
                             {{-0.0}, row_of({{3, 1}})}};
  for (const int kernel : {LINEAR, RBF}) {
    const OwnedModel compact = compacted(*model_of(kernel, {2, 2}, lines));
    EXPECT_EQ(compact->l, 0);
    EXPECT_EQ(class_sizes(*compact), (std::vector<int>{0, 0}));
    double value = 1;
    EXPECT_EQ(svm_predict_values(compact.get(), lines[0].row.data(), &value), 2);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(written(*parse_model(written(*compact))), written(*compact));
  }
}

TEST(CompactVectorsTest, WeightsOfZeroNeedNoVector) {
  std::vector<Line> lines = {{{1, 0}, row_of({{1, 1}, {2, 1}})},
                             {{1, 0}, row_of({{1, -1}, {2, -1}})},
                             {{0, 1}, row_of({{1, 2}, {2, 2}})},
                             {{0, 3}, row_of({{1, 5}, {2, 7}})}};
  const OwnedModel compact = compacted(*model_of(LINEAR, {2, 1, 1}, lines));
  ASSERT_EQ(compact->l, 1);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(coefficients_of(*compact, 0), (std::vector<double>{0, 1}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), {{1, 17}, {2, 23}}));
}

TEST(CompactVectorsTest, EqualVectorsOfTwoClassesAreOne) {
  std::vector<Line> lines = {
      {{1}, row_of({{1, 1}})}, {{2}, row_of({{2, 1}})}, {{-4}, row_of({{1, 1}})}};
  const OwnedModel compact = compacted(*model_of(RBF, {2, 1}, lines));
  ASSERT_EQ(compact->l, 2);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{2, 0}));
  EXPECT_EQ(array_of(compact->sv_coef[0], 2), (std::vector<double>{-3, 2}));
}

// The columns are the pairs with the other two classes, in their order.
TEST(CompactVectorsTest, EqualVectorsOfMoreClassesAreOneWherePairsAllowIt) {
  const Row same = row_of({{1, 1}}), other = row_of({{2, 1}});
  const std::vector<const svm_node*> rows = {same.data(), other.data()};
  // The vector in classes 1 and 2 has a coefficient in the pairs of both with class 3.
  std::vector<Line> apart = {{{1, 2}, same}, {{4, 8}, same}, {{16, 32}, other}};
  ModelPtr model = model_of(RBF, {1, 1, 1}, apart);
  OwnedModel compact = compacted(*model);
  EXPECT_EQ(compact->l, 3);
  expect_same_functions(*model, *compact, rows);
  // The vector of class 2 has no such coefficient.
  std::vector<Line> together = {{{1, 2}, same}, {{4, 0}, same}, {{16, 32}, other}};
  model = model_of(RBF, {1, 1, 1}, together);
  compact = compacted(*model);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(coefficients_of(*compact, 0), (std::vector<double>{5, 2}));
  expect_same_functions(*model, *compact, rows);
  // The vector is in all classes: two of them cover every pair.
  std::vector<Line> all = {{{1, 2}, same}, {{4, 8}, same}, {{16, 32}, same}, {{64, 128}, other}};
  model = model_of(RBF, {1, 1, 2}, all);
  compact = compacted(*model);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(coefficients_of(*compact, 0), (std::vector<double>{1, 18}));
  EXPECT_EQ(coefficients_of(*compact, 1), (std::vector<double>{4, 40}));
  expect_same_functions(*model, *compact, rows);
}

TEST(CompactVectorsTest, LeavesUnusualVectorsAsTheyAre) {
  const std::vector<Row> unusual = {row_of({{2, 1}, {1, 1}}), row_of({{1, 1}, {1, 0}}),
                                    row_of({{1, kInfinity}, {2, 0}}), row_of({{1, kNan}})};
  for (const int kernel : {LINEAR, RBF}) {
    for (const Row& row : unusual) {
      std::vector<Line> lines = {
          {{1}, row}, {{0}, row}, {{4}, row_of({{1, 1}})}, {{8}, row_of({{1, 1}})}};
      const OwnedModel compact = compacted(*model_of(kernel, {}, lines));
      ASSERT_EQ(compact->l, 3);
      EXPECT_EQ(array_of(compact->sv_coef[0], 3), (std::vector<double>{1, 0, 12}));
      EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), nodes_of(row.data())));
      EXPECT_TRUE(is_same(nodes_of(compact->SV[1]), nodes_of(row.data())));
    }
    for (const double coefficient : {kInfinity, kNan}) {
      std::vector<Line> lines = {
          {{coefficient}, row_of({{1, 1}})}, {{4}, row_of({{1, 1}})}, {{8}, row_of({{1, 1}})}};
      const OwnedModel compact = compacted(*model_of(kernel, {}, lines));
      ASSERT_EQ(compact->l, 2);
      EXPECT_EQ(compact->sv_coef[0][1], 12);
    }
  }
}

TEST(CompactVectorsTest, LeavesWhatWouldOverflowOrLoseDigits) {
  std::vector<Line> large = {{{1e308}, row_of({{1, 1}})}, {{1e308}, row_of({{1, 1}})}};
  EXPECT_EQ(compacted(*model_of(RBF, {}, large))->l, 2);
  EXPECT_EQ(compacted(*model_of(LINEAR, {}, large))->l, 2);
  EXPECT_EQ(compacted(*model_of(RBF, {1, 1}, large))->l, 2);
  std::vector<Line> products = {{{1e200}, row_of({{1, 1e200}})}, {{1}, row_of({{1, 1}})}};
  EXPECT_EQ(compacted(*model_of(LINEAR, {}, products))->l, 2);
  std::vector<Line> small = {{{1e-200}, row_of({{1, 1e-200}})}, {{1e-200}, row_of({{1, 2e-200}})}};
  EXPECT_EQ(compacted(*model_of(LINEAR, {}, small))->l, 2);
}

TEST(CompactVectorsTest, MergesSerialNumbers) {
  std::vector<Line> lines = {{{1}, row_of({{0, 2}, {1, 0.5}, {2, 1}, {3, 0}})},
                             {{2}, row_of({{0, 2}})},
                             {{4}, row_of({{0, 3}, {1, 0.25}})},
                             {{8}, row_of({{0, 1.5}})},
                             {{16}, row_of({{0, 1.5}})},
                             {{32}, row_of({{7, 2}})}};
  const OwnedModel compact = compacted(*model_of(PRECOMPUTED, {}, lines));
  ASSERT_EQ(compact->l, 5);
  EXPECT_EQ(array_of(compact->sv_coef[0], 5), (std::vector<double>{3, 4, 8, 16, 32}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), {{0, 2}}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[1]), {{0, 3}}));
}

TEST(CompactVectorsTest, RefusesNumbersOfVectorsThatDoNotFit) {
  std::vector<Line> lines = {{{1}, row_of({{1, 1}})}, {{2}, row_of({{2, 1}})}};
  for (const std::vector<int>& sizes : {std::vector<int>{1, 0}, {2, 1}, {-1, 2}, {3, -1}}) {
    const ModelPtr model = model_of(RBF, sizes, lines);
    EXPECT_THROW(compact_model(*model), std::invalid_argument);
    testing::internal::CaptureStderr();
    EXPECT_EQ(svm_compact_model(model.get()), nullptr);
    testing::internal::GetCapturedStderr();
  }
}

}  // namespace
}  // namespace svm::test
