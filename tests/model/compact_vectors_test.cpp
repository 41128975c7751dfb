// The support vectors that svm_compact_model merges, removes, or leaves as they are.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
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
class LineModel {
 public:
  LineModel(int kernel, const std::vector<int>& sizes, std::vector<Line>& lines) : sizes_(sizes) {
    const bool classes = !sizes.empty();
    model_.param = parameters(classes ? C_SVC : EPSILON_SVR, kernel);
    model_.nr_class = classes ? static_cast<int>(sizes.size()) : 2;
    model_.l = static_cast<int>(lines.size());
    rho_.resize(value_count(model_));
    model_.rho = rho_.data();
    if (classes) {
      labels_.resize(sizes.size());
      std::iota(labels_.begin(), labels_.end(), 1);
      model_.label = labels_.data();
      model_.nSV = sizes_.data();
    }
    columns_.resize(static_cast<std::size_t>(model_.nr_class - 1));
    for (std::size_t n = 0; n < columns_.size(); ++n) {
      for (const Line& line : lines) columns_[n].push_back(line.coefficients[n]);
      coefficients_.push_back(columns_[n].data());
    }
    model_.sv_coef = coefficients_.data();
    for (Line& line : lines) rows_.push_back(line.row.data());
    model_.SV = rows_.data();
  }
  LineModel(LineModel&&) = default;
  LineModel& operator=(LineModel&&) = default;
  const svm_model& operator*() const { return model_; }

 private:
  svm_model model_{};
  std::vector<double> rho_;
  std::vector<int> labels_, sizes_;
  std::vector<std::vector<double>> columns_;
  std::vector<double*> coefficients_;
  std::vector<svm_node*> rows_;
};

Row row_of(std::vector<svm_node> nodes) {
  nodes.push_back({-1, 0});
  return nodes;
}

TEST(CompactVectorsTest, AddsCoefficientsPrecisely) {
  std::vector<Line> lines(1000, {{0.1}, row_of({{1, 1}})});
  for (const double one : {1e16, 1.0, -1e16}) lines.push_back({{one}, row_of({{2, 1}})});
  const OwnedModel compact = compacted(*LineModel(RBF, {}, lines));
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
  const OwnedModel compact = compacted(*LineModel(LINEAR, {}, lines));
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
  const OwnedModel compact = compacted(*LineModel(LINEAR, {1, 1, 1}, lines));
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
  const OwnedModel compact = compacted(*LineModel(RBF, {}, lines));
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
    const OwnedModel compact = compacted(*LineModel(kernel, {2, 2}, lines));
    EXPECT_EQ(compact->l, 0);
    EXPECT_EQ(class_sizes(*compact), (std::vector<int>{0, 0}));
    double value = 1;
    EXPECT_EQ(svm_predict_values(compact.get(), lines[0].row.data(), &value), 2);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(written(*parsed(written(*compact))), written(*compact));
  }
}

TEST(CompactVectorsTest, WeightsOfZeroNeedNoVector) {
  std::vector<Line> lines = {{{1, 0}, row_of({{1, 1}, {2, 1}})},
                             {{1, 0}, row_of({{1, -1}, {2, -1}})},
                             {{0, 1}, row_of({{1, 2}, {2, 2}})},
                             {{0, 3}, row_of({{1, 5}, {2, 7}})}};
  const OwnedModel compact = compacted(*LineModel(LINEAR, {2, 1, 1}, lines));
  ASSERT_EQ(compact->l, 1);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(coefficients_of(*compact, 0), (std::vector<double>{0, 1}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), {{1, 17}, {2, 23}}));
}

TEST(CompactVectorsTest, EqualVectorsOfTwoClassesAreOne) {
  std::vector<Line> lines = {
      {{1}, row_of({{1, 1}})}, {{2}, row_of({{2, 1}})}, {{-4}, row_of({{1, 1}})}};
  const OwnedModel compact = compacted(*LineModel(RBF, {2, 1}, lines));
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
  LineModel model(RBF, {1, 1, 1}, apart);
  OwnedModel compact = compacted(*model);
  EXPECT_EQ(compact->l, 3);
  expect_same_functions(*model, *compact, rows);
  // The vector of class 2 has no such coefficient.
  std::vector<Line> together = {{{1, 2}, same}, {{4, 0}, same}, {{16, 32}, other}};
  model = LineModel(RBF, {1, 1, 1}, together);
  compact = compacted(*model);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(coefficients_of(*compact, 0), (std::vector<double>{5, 2}));
  expect_same_functions(*model, *compact, rows);
  // The vector is in all classes: two of them cover every pair.
  std::vector<Line> all = {{{1, 2}, same}, {{4, 8}, same}, {{16, 32}, same}, {{64, 128}, other}};
  model = LineModel(RBF, {1, 1, 2}, all);
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
      const OwnedModel compact = compacted(*LineModel(kernel, {}, lines));
      ASSERT_EQ(compact->l, 3);
      EXPECT_EQ(array_of(compact->sv_coef[0], 3), (std::vector<double>{1, 0, 12}));
      EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), nodes_of(row.data())));
      EXPECT_TRUE(is_same(nodes_of(compact->SV[1]), nodes_of(row.data())));
    }
    for (const double coefficient : {kInfinity, kNan}) {
      std::vector<Line> lines = {
          {{coefficient}, row_of({{1, 1}})}, {{4}, row_of({{1, 1}})}, {{8}, row_of({{1, 1}})}};
      const OwnedModel compact = compacted(*LineModel(kernel, {}, lines));
      ASSERT_EQ(compact->l, 2);
      EXPECT_EQ(compact->sv_coef[0][1], 12);
    }
  }
}

TEST(CompactVectorsTest, LeavesWhatWouldOverflowOrLoseDigits) {
  std::vector<Line> large = {{{1e308}, row_of({{1, 1}})}, {{1e308}, row_of({{1, 1}})}};
  EXPECT_EQ(compacted(*LineModel(RBF, {}, large))->l, 2);
  EXPECT_EQ(compacted(*LineModel(LINEAR, {}, large))->l, 2);
  EXPECT_EQ(compacted(*LineModel(RBF, {1, 1}, large))->l, 2);
  std::vector<Line> products = {{{1e200}, row_of({{1, 1e200}})}, {{1}, row_of({{1, 1}})}};
  EXPECT_EQ(compacted(*LineModel(LINEAR, {}, products))->l, 2);
  std::vector<Line> small = {{{1e-200}, row_of({{1, 1e-200}})}, {{1e-200}, row_of({{1, 2e-200}})}};
  EXPECT_EQ(compacted(*LineModel(LINEAR, {}, small))->l, 2);
}

TEST(CompactVectorsTest, MergesSerialNumbers) {
  std::vector<Line> lines = {{{1}, row_of({{0, 2}, {1, 0.5}, {2, 1}, {3, 0}})},
                             {{2}, row_of({{0, 2}})},
                             {{4}, row_of({{0, 3}, {1, 0.25}})},
                             {{8}, row_of({{0, 1.5}})},
                             {{16}, row_of({{0, 1.5}})},
                             {{32}, row_of({{7, 2}})}};
  const OwnedModel compact = compacted(*LineModel(PRECOMPUTED, {}, lines));
  ASSERT_EQ(compact->l, 5);
  EXPECT_EQ(array_of(compact->sv_coef[0], 5), (std::vector<double>{3, 4, 8, 16, 32}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), {{0, 2}}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[1]), {{0, 3}}));
}

TEST(CompactVectorsTest, RefusesNumbersOfVectorsThatDoNotFit) {
  std::vector<Line> lines = {{{1}, row_of({{1, 1}})}, {{2}, row_of({{2, 1}})}};
  for (const std::vector<int>& sizes : {std::vector<int>{1, 0}, {2, 1}, {-1, 2}, {3, -1}}) {
    const LineModel model(RBF, sizes, lines);
    EXPECT_EQ(svm_compact_model(&*model), nullptr);
    EXPECT_EQ(std::string(svm_last_error()).rfind("svm_compact_model: ", 0), 0U);
    EXPECT_EQ(std::string(svm_last_error()).find("memory"), std::string::npos);
  }
}

}  // namespace
}  // namespace svm::test
