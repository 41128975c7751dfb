// Forests with a metric.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/forests.h"
#include "tests/text.h"

namespace svm {
namespace {

using test::Data;
using test::text_of;

Data one_of_six(std::size_t rows, std::uint64_t seed) {
  return test::one_decides(rows, 6, true, seed);
}

class ForestMetric : public test::ForestTest {
 protected:
  ForestMetric() {
    param_.C = 10;
    param_.gamma = 3;
    plan_.cell = 300;
  }
};

TEST_F(ForestMetric, IsLearnedByDefault) {
  Data data = one_of_six(3000, 1), others = one_of_six(1000, 2);
  const Forest forest = train(data);
  ASSERT_FALSE(forest.weights.empty());
  EXPECT_GT(forest.weights.of(1), 2 * forest.weights.of(2));
  plan_.learns_metric = false;
  const Forest plain = train(data);
  EXPECT_TRUE(plain.weights.empty());
  EXPECT_LT(2 * (1 - test::accuracy(forest, others)), 1 - test::accuracy(plain, others));
  plan_.learns_metric = true;
  param_.kernel_type = LINEAR;
  EXPECT_TRUE(train(data).weights.empty());
}

TEST_F(ForestMetric, IsInTheFile) {
  Data data = one_of_six(2000, 1), others = one_of_six(200, 2);
  const Forest forest = train(data);
  ASSERT_FALSE(forest.weights.empty());
  const std::string text = text_of(forest);
  EXPECT_EQ(text.rfind("svm_forest 2\n", 0), 0U);
  const Forest read = parse_forest(text);
  EXPECT_TRUE(read.weights.is_same(forest.weights));
  EXPECT_EQ(text_of(read), text);
  EXPECT_EQ(test::predictions(read, others), test::predictions(forest, others));
  EXPECT_EQ(test::predictions(read, others.problem().x, 200, 1),
            test::predictions(read, others.problem().x, 200, 200, 3, true));
  plan_.learns_metric = false;
  EXPECT_EQ(text_of(train(data)).rfind("svm_forest 1\n", 0), 0U);
}

TEST_F(ForestMetric, MalformedWeightsAreRefused) {
  Data data = one_of_six(2000, 1);
  const std::string text = text_of(train(data));
  const std::size_t place = text.find("\nweights ") + 1;
  const std::size_t end = text.find('\n', place);
  ASSERT_NE(end, std::string::npos);
  const auto refusal = [&](const std::string& line) {
    try {
      parse_forest(text.substr(0, place) + line + text.substr(end));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(test::contains(refusal("wights 6 1"), "expected the weights of features"));
  EXPECT_TRUE(test::contains(refusal("weights 6 -1"), "a weight is negative"));
  EXPECT_TRUE(test::contains(refusal("weights 6 inf"), "weight"));
  EXPECT_TRUE(test::contains(refusal("weights 7 1"), "trees"));
  EXPECT_TRUE(test::contains(refusal("weights 6 1\n2 1"), "must ascend"));
}

TEST_F(ForestMetric, WeightsCanBeGiven) {
  Data data = one_of_six(2000, 1);
  plan_.weights = FeatureWeights({1, 2, 3, 4, 5, 6}, {2, 0.5, 0.5, 0.5, 0.5, 0.5});
  const Forest forest = train(data);
  EXPECT_TRUE(forest.weights.is_same(plan_.weights));
  EXPECT_GT(test::accuracy(forest, data), 0.9);
}

}  // namespace
}  // namespace svm
