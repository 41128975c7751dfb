// Weights of features, and rows with weighted features.
#include "kernels/feature_weights.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/training_data.h"

namespace svm {
namespace {

using Pairs = std::vector<std::pair<int, double>>;

Pairs pairs_of(const DataRow& row) {
  Pairs pairs;
  row.for_each([&](int index, double value) { pairs.emplace_back(index, value); });
  return pairs;
}

Pairs weighted(const FeatureWeights& weights, const test::Row& row) {
  const svm_node* const nodes = row.data();
  const WeightedRows rows(&nodes, 1, weights);
  return pairs_of(rows.rows()[0]);
}

TEST(FeatureWeights, MultiplyTheFeaturesThatTheyName) {
  const FeatureWeights weights({2, 5, 9}, {0.5, 3, 0}, 10);
  EXPECT_EQ(weighted(weights, {{1, 1}, {2, 4}, {5, -1}, {7, 2}, {9, 8}, {-1, 0}}),
            (Pairs{{1, 10}, {2, 2}, {5, -3}, {7, 20}}));
  EXPECT_EQ(weighted(weights, {{-1, 0}}), Pairs());
  EXPECT_EQ(weighted(weights, {{9, 1}, {5, 1}, {2, 1}, {-1, 0}}), (Pairs{{5, 3}, {2, 0.5}}));
  EXPECT_EQ(weights.of(5), 3);
  EXPECT_EQ(weights.of(6), 10);
}

TEST(FeatureWeights, AreOneByDefault) {
  const test::Row row = {{3, 0}, {4, 2}, {-1, 0}};
  const svm_node* const nodes = row.data();
  const WeightedRows rows(&nodes, 1, FeatureWeights());
  EXPECT_EQ(rows.rows()[0].nodes(), nodes);  // no copy
  EXPECT_EQ(FeatureWeights().of(1), 1);
}

TEST(FeatureWeights, SelectedRowsAreNumberedAnew) {
  test::Data data;
  for (int i = 0; i < 4; ++i) data.add(1, {1.0 + i});
  const std::vector<std::uint32_t> numbers = {3, 1};
  const svm_problem problem = data.problem();
  const WeightedRows rows(DataRows(problem.x).select(numbers.data()), 2,
                          FeatureWeights({1}, {2.0}));
  EXPECT_EQ(pairs_of(rows.rows()[0]), (Pairs{{1, 8}}));
  EXPECT_EQ(pairs_of(rows.rows()[1]), (Pairs{{1, 4}}));
  EXPECT_EQ(rows.rows().number(1), 1U);
}

TEST(FeatureWeights, ReciprocalsHaveFewDigits) {
  EXPECT_EQ(reach_of(1), 1);
  EXPECT_EQ(reach_of(1 / 3.141592653589793), 3.1416);
  EXPECT_EQ(reach_of(1 / reach_of(0.123456789)), reach_of(0.123456789));
}

}  // namespace
}  // namespace svm
