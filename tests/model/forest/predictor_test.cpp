// Predictions by forests do not depend on how many rows are predicted at once, nor on threads.
#include "model/predictor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/caller_rows.h"
#include "model/forest/forest_predictor.h"
#include "tests/forests.h"
#include "tests/view.h"

namespace svm {
namespace {

using test::Data;
using test::predictions;

class ForestPredictions : public test::ForestTest {
 protected:
  void expect_same_however_predicted(const Forest& forest, Data& data) {
    const svm_problem problem = data.problem();
    const test::Predictions all = predictions(forest, problem.x, data.size(), data.size());
    for (const std::size_t at_once : {1U, 3U, 70U}) {
      for (const bool keeps : {false, true}) {
        for (const unsigned threads : {1U, 2U, 5U}) {
          EXPECT_EQ(predictions(forest, problem.x, data.size(), at_once, threads, keeps), all)
              << at_once << " " << keeps << " " << threads;
        }
      }
    }
  }
  // The mean of the decision values in the leaves, each limited to [-1, 1], by the definition.
  static std::vector<double> values_of(const Forest& forest, const svm_node* row) {
    const svm_model& common = *forest.common;
    const auto classes = static_cast<std::size_t>(common.nr_class);
    const bool regression = common.label == nullptr;
    std::vector<double> sums(regression ? 1 : classes * (classes - 1) / 2);
    for (const Tree& tree : forest.trees) {
      const svm_model& leaf = *tree[leaf_of(tree, row)].machine;
      const Predictor predictor(leaf, Messages(nullptr), 0);
      std::vector<double> values(predictor.functions());
      predictor.predict(row, values.data());
      if (regression) {
        sums[0] += values[0];
        continue;
      }
      const auto place = [&](int label) {
        return static_cast<std::size_t>(std::find(leaf.label, leaf.label + leaf.nr_class, label) -
                                        leaf.label);
      };
      const auto of_leaf = static_cast<std::size_t>(leaf.nr_class);
      std::size_t pair = 0;
      for (std::size_t a = 0; a < classes; ++a) {
        for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
          const std::size_t x = place(common.label[a]), y = place(common.label[b]);
          if (x == of_leaf || y == of_leaf) {
            sums[pair] += (x < of_leaf ? 1 : 0) - (y < of_leaf ? 1 : 0);
          } else {
            const double value = values[pair_number(of_leaf, std::min(x, y), std::max(x, y))];
            sums[pair] += (x < y ? 1 : -1) * std::max(-1.0, std::min(1.0, value));
          }
        }
      }
    }
    for (double& sum : sums) sum /= static_cast<double>(forest.trees.size());
    return sums;
  }
};

TEST_F(ForestPredictions, AreTheSameForOneRowAndMany) {
  Data four = test::four_classes(700, 1), two = test::random_data(700, 3, true, 1);
  Data targets = test::random_data(700, 3, false, 1);
  four.add(99, {0.9, 0.9, 0.9});
  for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
    param_ = test::parameters(C_SVC, kernel);
    param_.probability = kernel == RBF ? 1 : 0;
    for (Data* const data : {&four, &two, &targets}) {
      if (data == &targets) param_.svm_type = NU_SVR;
      expect_same_however_predicted(train(*data), *data);
    }
  }
}

TEST_F(ForestPredictions, AreMeansOfDecisionValues) {
  Data four = test::four_classes(500, 1), targets = test::random_data(500, 3, false, 1);
  four.add(99, {0.9, 0.9, 0.9});
  plan_.cell = 20;
  plan_.trees = 3;
  param_.C = 100;
  for (Data* const data : {&four, &targets}) {
    if (data == &targets) param_.svm_type = EPSILON_SVR;
    const Forest forest = train(*data);
    const test::Predictions found = predictions(forest, *data);
    const std::size_t width = data == &targets ? 1 : 10;
    bool has_limits = false;
    for (std::size_t i = 0; i < data->size(); ++i) {
      const std::vector<double> expected = values_of(forest, data->row(i));
      ASSERT_EQ(expected.size(), width);
      for (std::size_t f = 0; f < width; ++f) {
        ASSERT_EQ(found.values[i * width + f], expected[f]) << i << " " << f;
        has_limits = has_limits || std::fabs(expected[f]) == 1;
      }
      const Decisions decisions(*forest.common, Messages(nullptr));
      EXPECT_EQ(found.labels[i], decisions.prediction_of(expected.data()));
    }
    EXPECT_EQ(has_limits, data == &four);
  }
}

TEST_F(ForestPredictions, AreTheSameForEachLayout) {
  Data data = test::random_data(300, 3, true, 1);
  const Forest forest = train(data);
  for (const test::Layout& layout : test::all_layouts()) {
    test::ViewedData viewed(data, layout);
    const CallerRows rows(viewed.view(), RBF);
    for (const std::size_t at_once : {1U, 300U}) {
      EXPECT_EQ(predictions(forest, rows.rows(), data.size(), at_once),
                predictions(forest, viewed.rows()))
          << text_of(layout);
    }
  }
}

TEST_F(ForestPredictions, OfRowsWithOtherFeatures) {
  Data data = test::random_data(300, 3, true, 1), others;
  others.add(1, {});
  others.add_row(1, {{0, 1}, {2, 0.5}, {1000000, 3}, {-1, 0}});
  others.add(1, {std::nan(""), 1e300, -std::numeric_limits<double>::infinity()});
  others.add_row(1, {{7, 1}, {-1, 0}});
  const Forest forest = train(data);
  const svm_problem problem = others.problem();
  const test::Predictions all = predictions(forest, problem.x, 4, 4);
  EXPECT_EQ(predictions(forest, problem.x, 4, 1).labels, all.labels);
}

TEST_F(ForestPredictions, OfOneClass) {
  Data data;
  for (int t = 0; t < 100; ++t) data.add(7, {t * 1.0});
  expect_same_however_predicted(train(data), data);
}

TEST_F(ForestPredictions, NoRowsAreNoWork) {
  Data data = test::random_data(100, 3, true, 1);
  const Forest forest = train(data);
  EXPECT_TRUE(predictions(forest, data.problem().x, 0, 1).labels.empty());
}

TEST_F(ForestPredictions, NeedAllLeaves) {
  Data data = test::random_data(300, 3, true, 1);
  plan_.shares = 2;
  const Forest share = train(data);
  EXPECT_FALSE(share.is_complete());
  EXPECT_THROW(ForestPredictor(share, Messages(nullptr), false), std::invalid_argument);
}

}  // namespace
}  // namespace svm
