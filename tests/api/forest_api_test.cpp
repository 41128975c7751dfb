// svm_ext.h: forests.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/temp_dir.h"
#include "tests/text.h"
#include "tests/training_data.h"
#include "tests/view.h"

namespace svm {
namespace {

struct FreeForest {
  void operator()(svm_forest* forest) const { svm_free_forest(forest); }
};
using OwnedForest = std::unique_ptr<svm_forest, FreeForest>;

svm_forest_plan new_plan() {
  svm_forest_plan plan{};
  plan.size = sizeof(plan);
  return plan;
}

std::string text_of(const svm_forest* forest, int digits = 17) {
  std::size_t size = 0;
  char* const text = svm_forest_text(forest, digits, &size);
  if (text == nullptr) return "none";
  std::string copy(text, size);
  EXPECT_EQ(text[size], '\0');
  svm_free_text(text);
  return copy;
}

class Forests : public test::Extension {
 protected:
  Forests() {
    plan_.cell = 40;
    plan_.trees = 2;
    options_.solver = "csmo";
    param_.C = 10;
  }
  OwnedForest train(const svm_rows& rows, const double* y) {
    return OwnedForest(svm_train_forest(&rows, y, &param_, &options_, &plan_, &result_));
  }
  OwnedForest train() { return train(test::rows_of(problem_), problem_.y); }
  std::string refusal() {
    EXPECT_EQ(train(), nullptr);
    return svm_last_error();
  }
  static svm_forest_facts facts_of(const svm_forest* forest) {
    svm_forest_facts facts{};
    facts.size = sizeof(facts);
    EXPECT_EQ(svm_facts_of_forest(forest, &facts), 0);
    return facts;
  }
  std::vector<double> labels(const svm_forest* forest, std::size_t threads = 1) {
    std::vector<double> found(data_.size());
    const svm_rows rows = test::rows_of(problem_);
    EXPECT_EQ(svm_predict_forest(forest, &rows, threads, found.data(), nullptr, nullptr), 0)
        << svm_last_error();
    return found;
  }

  svm_forest_plan plan_ = new_plan();
};

TEST_F(Forests, AreTrainedAndPredict) {
  const OwnedForest forest = train();
  ASSERT_NE(forest, nullptr) << svm_last_error();
  EXPECT_EQ(result_.status, SVM_CONVERGED);
  EXPECT_GT(result_.iterations, 0);
  const std::vector<double> found = labels(forest.get());
  int right = 0;
  for (std::size_t i = 0; i < data_.size(); ++i) right += found[i] == data_.label(i) ? 1 : 0;
  EXPECT_GT(right, 160);
  EXPECT_EQ(labels(forest.get(), 3), found);
  EXPECT_EQ(labels(forest.get(), 0), found);
  const svm_forest_facts facts = facts_of(forest.get());
  EXPECT_EQ(facts.trees, 2U);
  EXPECT_GE(facts.cells, 10U);
  EXPECT_GT(facts.support_vectors, 20U);
  EXPECT_LE(facts.support_vectors, data_.size());
  EXPECT_GT(facts.bytes, facts.support_vectors * 4 * sizeof(svm_node));
  EXPECT_EQ(facts.nr_class, 2);
  EXPECT_EQ(std::vector<int>(facts.label, facts.label + 2), (std::vector<int>{1, -1}));
  EXPECT_EQ(facts.probability, 0);
  EXPECT_EQ(facts.width, 0);
}

TEST_F(Forests, HaveDefaults) {
  plan_.cell = plan_.trees = 0;
  const std::string text = text_of(train().get());
  const svm_rows rows = test::rows_of(problem_);
  const OwnedForest forest(
      svm_train_forest(&rows, problem_.y, &param_, &options_, nullptr, nullptr));
  EXPECT_EQ(text_of(forest.get()), text);
  EXPECT_EQ(facts_of(forest.get()).trees, 5U);
  EXPECT_EQ(facts_of(forest.get()).cells, 5U);  // of at most 2000 rows
  options_.solver = nullptr;
  const OwnedForest by_smo(
      svm_train_forest(&rows, problem_.y, &param_, &options_, &plan_, nullptr));
  EXPECT_NE(by_smo, nullptr);
}

TEST_F(Forests, EstimateProbabilities) {
  param_.probability = 1;
  const OwnedForest forest = train();
  EXPECT_EQ(facts_of(forest.get()).probability, 1);
  const svm_rows rows = test::rows_of(problem_);
  const std::size_t count = data_.size();
  std::vector<double> predictions(count), values(count), probabilities(2 * count);
  ASSERT_EQ(svm_predict_forest(forest.get(), &rows, 2, predictions.data(), values.data(),
                               probabilities.data()),
            0);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_NEAR(probabilities[2 * i] + probabilities[2 * i + 1], 1, 1e-12);
    EXPECT_EQ(predictions[i], probabilities[2 * i] > probabilities[2 * i + 1] ? 1 : -1);
    EXPECT_LE(std::fabs(values[i]), 1);
  }
  for (const int type : {EPSILON_SVR, NU_SVR}) {
    param_.svm_type = type;
    const OwnedForest of_targets = train();
    const svm_forest_facts facts = facts_of(of_targets.get());
    EXPECT_EQ(facts.label, nullptr);
    EXPECT_EQ(facts.nr_class, 2);
    EXPECT_EQ(facts.probability, 1);
    EXPECT_GT(facts.width, 0);
  }
}

TEST_F(Forests, OfRowsInEachLayoutAreTheSame) {
  for (const test::Layout& layout : test::all_layouts()) {
    test::ViewedData viewed(data_, layout);
    const OwnedForest of_view = train(viewed.view(), viewed.labels());
    const svm_problem problem = viewed.rows().problem();
    EXPECT_EQ(text_of(of_view.get()), text_of(train(test::rows_of(problem), problem.y).get()))
        << text_of(layout);
  }
}

TEST_F(Forests, TextsAndFilesAreReadAsTheyWere) {
  const test::TempDir folder;
  param_.probability = 1;
  const OwnedForest forest = train();
  const std::string text = text_of(forest.get()), file = folder.file("forest");
  const OwnedForest parsed(svm_parse_forest(text.data(), text.size()));
  EXPECT_EQ(text_of(parsed.get()), text);
  EXPECT_EQ(labels(parsed.get()), labels(forest.get()));
  ASSERT_EQ(svm_write_forest(file.c_str(), forest.get(), 17), 0);
  EXPECT_EQ(folder.read("forest"), text);
  EXPECT_EQ(text_of(OwnedForest(svm_load_forest(file.c_str())).get()), text);
  ASSERT_EQ(svm_write_forest(file.c_str(), forest.get(), 0), 0);
  EXPECT_EQ(folder.read("forest"), text_of(forest.get(), 8));
  EXPECT_LT(text_of(forest.get(), 1).size(), text_of(forest.get(), 0).size());
}

TEST_F(Forests, FilesThatAreNoneAreRefused) {
  const test::TempDir folder;
  EXPECT_EQ(svm_load_forest(folder.file("none").c_str()), nullptr);
  EXPECT_TRUE(test::contains(svm_last_error(), "svm_load_forest: "));
  EXPECT_TRUE(test::contains(svm_last_error(), "No such file"));
  const std::string file = folder.write("file", "svm_forest 1\nsvm_type c_svc\nkernel_type x\n");
  EXPECT_EQ(svm_load_forest(file.c_str()), nullptr);
  EXPECT_TRUE(test::contains(svm_last_error(), file + ": line 3, column 13: 'x': "))
      << svm_last_error();
  EXPECT_EQ(svm_parse_forest("", 0), nullptr);
  EXPECT_EQ(std::string(svm_last_error()), "svm_parse_forest: the file is empty");
  const OwnedForest forest = train();
  for (const int digits : {-1, 18}) {
    EXPECT_EQ(svm_forest_text(forest.get(), digits, nullptr), nullptr);
    EXPECT_TRUE(test::contains(svm_last_error(), "svm_forest_text: digits must be from 1 to 17"));
    EXPECT_EQ(svm_write_forest(file.c_str(), forest.get(), digits), -1);
    EXPECT_TRUE(test::contains(svm_last_error(), "svm_write_forest: digits must be from 1 to 17"));
  }
  EXPECT_EQ(svm_write_forest(folder.file("no/file").c_str(), forest.get(), 0), -1);
  EXPECT_EQ(folder.count(), 1U);
}

TEST_F(Forests, SizesAndPlansAreChecked) {
  plan_.size -= 1;
  EXPECT_EQ(refusal(), "svm_train_forest: svm_forest_plan: wrong size");
  plan_ = new_plan();
  plan_.cell = 1;
  EXPECT_EQ(refusal(), "svm_train_forest: a cell has 2 rows or more");
  plan_ = new_plan();
  plan_.share = 1;
  EXPECT_EQ(refusal(), "svm_train_forest: share >= shares");
  plan_.shares = 1;
  EXPECT_EQ(refusal(), "svm_train_forest: share >= shares");
  plan_ = new_plan();
  const OwnedForest forest = train();
  svm_forest_facts facts{};
  EXPECT_EQ(svm_facts_of_forest(forest.get(), &facts), -1);
  EXPECT_EQ(std::string(svm_last_error()), "svm_facts_of_forest: facts: the size is wrong");
}

TEST_F(Forests, WhatMakesNoneIsRefused) {
  param_.svm_type = NU_SVC;
  EXPECT_TRUE(test::contains(refusal(), "svm_train_forest: a forest is not for nu-SVC"));
  param_.svm_type = C_SVC;
  param_.gamma = -1;
  EXPECT_TRUE(test::contains(refusal(), "gamma < 0"));
  param_.gamma = 1;
  options_.solver = "none";
  EXPECT_TRUE(test::contains(refusal(), "none"));
  options_.solver = "csmo";
  std::vector<double> weights(data_.size(), 0.0);
  options_.row_weights = weights.data();
  EXPECT_TRUE(test::contains(refusal(), "weight"));
  options_.row_weights = nullptr;
  svm_rows rows = test::rows_of(problem_);
  rows.size = 1;
  EXPECT_EQ(train(rows, problem_.y), nullptr);
  EXPECT_EQ(svm_predict_forest(train().get(), &rows, 1, nullptr, nullptr, nullptr), -1);
}

TEST_F(Forests, PredictionsThatAreImpossibleAreRefused) {
  const svm_rows rows = test::rows_of(problem_);
  std::vector<double> found(2 * data_.size());
  EXPECT_EQ(svm_predict_forest(train().get(), &rows, 1, nullptr, nullptr, found.data()), -1);
  EXPECT_EQ(std::string(svm_last_error()),
            "svm_predict_forest: the forest has no probability estimates");
}

TEST_F(Forests, AreTrainedInShares) {
  const std::string text = text_of(train().get());
  std::vector<OwnedForest> shares;
  std::vector<svm_forest*> pointers;
  plan_.shares = 3;
  for (plan_.share = 0; plan_.share < 3; ++plan_.share) {
    shares.push_back(train());
    pointers.push_back(shares.back().get());
  }
  const svm_rows rows = test::rows_of(problem_);
  std::vector<double> found(data_.size());
  EXPECT_EQ(svm_predict_forest(pointers[1], &rows, 1, found.data(), nullptr, nullptr), -1);
  EXPECT_EQ(std::string(svm_last_error()),
            "svm_predict_forest: the forest has cells that are not trained");
  EXPECT_TRUE(test::contains(text_of(pointers[1]), "untrained\n"));
  plan_.share = 0;
  plan_.trained = pointers.data();
  const OwnedForest joined = train();
  EXPECT_EQ(text_of(joined.get()), text);
  EXPECT_EQ(labels(joined.get()),
            labels(OwnedForest(svm_parse_forest(text.data(), text.size())).get()));
  // They are used up.
  EXPECT_EQ(refusal(), "svm_train_forest: the forests are not the shares of such a training");
  EXPECT_EQ(svm_predict_forest(pointers[1], &rows, 1, found.data(), nullptr, nullptr), -1);
}

TEST_F(Forests, OneShareIsUsedUpToo) {
  const OwnedForest whole = train();
  const std::string text = text_of(whole.get());
  svm_forest* const pointer = whole.get();
  plan_.trained = &pointer;
  EXPECT_EQ(text_of(train().get()), text);
  const svm_rows rows = test::rows_of(problem_);
  std::vector<double> found(data_.size());
  EXPECT_EQ(svm_predict_forest(whole.get(), &rows, 1, found.data(), nullptr, nullptr), -1);
}

TEST_F(Forests, MayBeCancelled) {
  plan_.trees = std::numeric_limits<std::size_t>::max();
  options_.time_limit = 0.3;
  const OwnedForest forest = train();
  ASSERT_NE(forest, nullptr) << svm_last_error();
  EXPECT_EQ(result_.status, SVM_TIME_LIMIT);
  EXPECT_EQ(labels(forest.get()).size(), data_.size());
  options_.progress = [](const svm_progress*, void*) { return 1; };
  EXPECT_EQ(refusal(), "svm_train_forest: the call ended before a tree was finished");
}

TEST_F(Forests, MessagesAreOfTrees) {
  std::string printed;
  options_.print = [](const char* text, void* user) { *static_cast<std::string*>(user) += text; };
  options_.print_user = &printed;
  train();
  EXPECT_EQ(printed.rfind("metric: ", 0), 0U) << printed;
  EXPECT_TRUE(test::contains(printed, "\ntree 1 of 2: cells = ")) << printed;
  EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 3) << printed;
}

// Rows whose label depends on the first of six features.
class ForestWeights : public Forests {
 protected:
  static constexpr std::size_t kRows = 3000, kFeatures = 6;
  ForestWeights() : values_(kRows * kFeatures), labels_(kRows) {
    const test::Data data = test::one_decides(kRows, kFeatures, true, 5);
    for (std::size_t i = 0; i < kRows; ++i) {
      labels_[i] = data.label(i);
      for (std::size_t j = 0; j < kFeatures; ++j) {
        values_[i * kFeatures + j] = data.row(i)[j].value;
      }
    }
    rows_.size = sizeof(rows_);
    rows_.rows = kRows;
    rows_.columns = rows_.stride = kFeatures;
    rows_.layout = SVM_DENSE;
    rows_.values = values_.data();
    plan_.cell = 300;
    param_.gamma = 3;
    options_.quiet = 1;
  }
  int learn(const svm_forest_plan* plan, double* weights, std::size_t features = kFeatures) {
    return svm_learn_metric(&rows_, labels_.data(), &param_, &options_, plan, features, weights);
  }

  std::vector<double> values_, labels_;
  svm_rows rows_{};
};

TEST_F(ForestWeights, AreLearnedForMachinesAndForests) {
  for (const svm_forest_plan* plan : {static_cast<const svm_forest_plan*>(nullptr),
                                      static_cast<const svm_forest_plan*>(&plan_)}) {
    std::vector<double> weights(kFeatures + 2, -1);
    ASSERT_EQ(learn(plan, weights.data(), kFeatures + 2), 1) << svm_last_error();
    for (std::size_t j = 1; j < kFeatures; ++j) EXPECT_GT(weights[0], 2 * weights[j]) << j;
    EXPECT_EQ(weights[kFeatures], weights[kFeatures + 1]);
  }
  EXPECT_EQ(learn(nullptr, values_.data(), 2), -1);
  EXPECT_TRUE(test::contains(svm_last_error(), "feature beyond"));
  param_.kernel_type = LINEAR;
  EXPECT_EQ(learn(nullptr, values_.data()), -1);
  EXPECT_TRUE(test::contains(svm_last_error(), "RBF"));
}

TEST_F(ForestWeights, AreToldAndCanBeGivenOrLeftOut) {
  const OwnedForest learned = train(rows_, labels_.data());
  std::vector<double> weights(kFeatures);
  ASSERT_EQ(learn(&plan_, weights.data()), 1);
  const svm_forest_facts facts = facts_of(learned.get());
  ASSERT_EQ(facts.features, kFeatures);
  EXPECT_EQ(std::vector<int>(facts.weighted, facts.weighted + kFeatures),
            (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(std::vector<double>(facts.weights, facts.weights + kFeatures), weights);
  plan_.weights = weights.data();
  plan_.features = kFeatures;
  const OwnedForest given = train(rows_, labels_.data());
  std::vector<double> by_learned(kRows), by_given(kRows);
  ASSERT_EQ(svm_predict_forest(learned.get(), &rows_, 1, by_learned.data(), nullptr, nullptr), 0);
  ASSERT_EQ(svm_predict_forest(given.get(), &rows_, 2, by_given.data(), nullptr, nullptr), 0);
  EXPECT_EQ(by_learned, by_given);
  weights[2] = -1;
  EXPECT_EQ(train(rows_, labels_.data()), nullptr);
  EXPECT_TRUE(test::contains(svm_last_error(), "weights[2]"));
  plan_.weights = nullptr;
  plan_.no_metric = 1;
  EXPECT_EQ(facts_of(train(rows_, labels_.data()).get()).weights, nullptr);
}

TEST_F(ForestWeights, LargeIndicesTakeNoMemory) {
  std::string text = text_of(train(rows_, labels_.data()).get());
  const std::size_t last = text.find("\n6 ", text.find("\nweights 6 "));
  ASSERT_NE(last, std::string::npos);
  text.replace(last, 3, "\n2147483646 ");
  const OwnedForest forest(svm_parse_forest(text.data(), text.size()));
  ASSERT_NE(forest, nullptr) << svm_last_error();
  EXPECT_EQ(facts_of(forest.get()).weighted[5], 2147483646);
}

TEST_F(ForestWeights, SharesWithTheSameWeightsAreJoined) {
  const std::string whole = text_of(train(rows_, labels_.data()).get());
  plan_.shares = 2;
  OwnedForest parts[2];
  for (plan_.share = 0; plan_.share < 2; ++plan_.share) {
    parts[plan_.share] = train(rows_, labels_.data());
  }
  svm_forest* const trained[] = {parts[0].get(), parts[1].get()};
  plan_.share = 0;
  plan_.trained = trained;
  EXPECT_EQ(text_of(train(rows_, labels_.data()).get()), whole);
}

TEST_F(Forests, NullIsFreed) { svm_free_forest(nullptr); }

}  // namespace
}  // namespace svm
