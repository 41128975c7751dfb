// A forest does not depend on the threads that train it, nor on the processes: each trains a share.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/forests.h"

namespace svm {
namespace {

using test::Data;
using test::text_of;

class ForestShares : public test::ForestTest {
 protected:
  // Expects the same bytes with any number of threads, and in three shares that are joined.
  void expect_one_text(Data& data) {
    options_.threads = 1;
    const std::string text = text_of(train(data));
    for (const std::size_t threads : {2U, 5U}) {
      options_.threads = threads;
      EXPECT_EQ(text_of(train(data)), text) << threads;
    }
    EXPECT_EQ(text_of(joined(data, 3)), text);
  }
  // Shares, each written and read as by a process of its own.
  std::vector<Forest> shares(Data& data, std::size_t count) {
    std::vector<Forest> all;
    plan_.shares = count;
    for (plan_.share = 0; plan_.share < count; ++plan_.share) {
      all.push_back(parse_forest(text_of(train(data))));
    }
    plan_.share = 0;
    return all;
  }
  Forest join(Data& data, std::vector<Forest>& all) {
    plan_.shares = all.size();
    for (Forest& forest : all) plan_.trained.push_back(&forest);
    struct Reset {
      ForestPlan& plan;
      ~Reset() { plan.trained.clear(), plan.shares = 1; }
    } const reset{plan_};
    return train(data);
  }
  Forest joined(Data& data, std::size_t count) {
    std::vector<Forest> all = shares(data, count);
    return join(data, all);
  }
  std::string refusal_of_join(Data& data, std::vector<Forest>& all) {
    try {
      join(data, all);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(ForestShares, OfEachKernelDoesNotDependOnThreadsOrShares) {
  Data classes = test::random_data(300, 3, true, 1), targets = test::random_data(300, 3, false, 1);
  Data many = test::four_classes(300, 1);
  for (const char* const solver : {"csmo", "smo"}) {
    options_.solver = solver;
    for (int kernel = 0; kernel < static_cast<int>(kKernelCount); ++kernel) {
      if (kernel == PRECOMPUTED) continue;
      SCOPED_TRACE(std::string(solver) + ", kernel " + std::to_string(kernel));
      param_ = test::parameters(C_SVC, kernel);
      expect_one_text(classes);
      if (kernel != RBF) continue;
      expect_one_text(many);
      param_.probability = 1;
      expect_one_text(many);
      param_.svm_type = EPSILON_SVR;
      expect_one_text(targets);
      param_.svm_type = NU_SVR;
      param_.probability = 0;
      expect_one_text(targets);
    }
  }
}

// More rows than the upper part of a tree is cut from.
TEST_F(ForestShares, OfManyRowsDoesNotDependOnThreadsOrShares) {
  Data data = test::random_data(18000, 2, true, 1);
  plan_.cell = 150;
  param_.eps = 0.1;
  options_.threads = 2;
  const Forest forest = train(data);
  for (const Tree& tree : forest.trees) {
    std::vector<int> rows(tree.size());
    for (std::size_t i = 0; i < data.size(); ++i) ++rows[leaf_of(tree, data.row(i))];
    EXPECT_LE(*std::max_element(rows.begin(), rows.end()), 150);
    for (const ForestNode& node : tree) {
      for (int s = 0; node.machine && s < node.machine->l; ++s) {  // those of rows in this leaf
        const auto row = static_cast<std::size_t>(node.machine->sv_indices[s]) - 1;
        ASSERT_EQ(&tree[leaf_of(tree, data.row(row))], &node);
      }
    }
  }
  EXPECT_GT(test::accuracy(forest, data), 0.75);
  options_.threads = 5;
  EXPECT_EQ(text_of(train(data)), text_of(forest));
  EXPECT_EQ(text_of(joined(data, 3)), text_of(forest));
}

constexpr const char* kNoShares = "the forests are not the shares of such a training";

TEST_F(ForestShares, OthersThanItsSharesAreRefused) {
  Data data = test::random_data(300, 3, true, 1);
  std::vector<Forest> all = shares(data, 3);
  std::rotate(all.begin(), all.begin() + 1, all.end());
  EXPECT_EQ(refusal_of_join(data, all), kNoShares);
  all = shares(data, 3);
  all.pop_back();
  EXPECT_EQ(refusal_of_join(data, all), kNoShares);
  all = shares(data, 3);
  all[1] = Forest(param_, 2, all[1].common->label);
  EXPECT_EQ(refusal_of_join(data, all), kNoShares);
  all = shares(data, 3);
  options_.seed = 1;
  EXPECT_EQ(refusal_of_join(data, all), kNoShares);
  options_.seed = 0;
  all = shares(data, 3);
  plan_.trees = 1;
  EXPECT_EQ(refusal_of_join(data, all), kNoShares);
  plan_.trees = 2;
}

// Trees of one cell fit any training by their splits.
TEST_F(ForestShares, SharesOfOtherClassesAreRefused) {
  Data data = test::random_data(40, 3, true, 1), four = test::four_classes(40, 1);
  Data targets = test::random_data(40, 3, false, 1);
  std::vector<Forest> all = shares(four, 2);
  EXPECT_EQ(refusal_of_join(data, all), kNoShares);
  all = shares(four, 2);
  param_.svm_type = EPSILON_SVR;
  EXPECT_EQ(refusal_of_join(targets, all), kNoShares);
  all = shares(targets, 2);
  param_.svm_type = C_SVC;
  EXPECT_EQ(refusal_of_join(four, all), kNoShares);
  all = shares(four, 2);
  all[0] = std::move(shares(four, 2)[1]);
  EXPECT_EQ(refusal_of_join(four, all), kNoShares);  // one that lacks the cell, twice
}

// Splits at the same threshold, but of other features.
TEST_F(ForestShares, SharesOfOtherSplitsAreRefused) {
  Data data, turned;
  test::Draws draws(1);
  for (int t = 0; t < 300; ++t) {
    const double a = draws.below(2) == 0 ? 0 : 1, b = draws.below(2) == 0 ? 0 : 1;
    data.add(a > 0 ? 1 : 2, {a, b});
    turned.add(a > 0 ? 1 : 2, {b, a});
  }
  plan_.cell = 200;
  std::vector<Forest> all = shares(turned, 2);
  EXPECT_EQ(refusal_of_join(data, all), kNoShares);
}

}  // namespace
}  // namespace svm
