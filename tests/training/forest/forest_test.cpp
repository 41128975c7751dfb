// Forests: what they predict, and what they do not depend on.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/forests.h"
#include "tests/text.h"
#include "training/train.h"

namespace svm {
namespace {

using test::Data;
using test::text_of;

class TrainedForest : public test::ForestTest {
 protected:
  // Gives the row at i the weight 0.
  void drop(std::size_t i, std::size_t rows) {
    weights_.resize(rows, 1.0);
    weights_[i] = 0;
    options_.row_weights = weights_.data();
  }

  std::vector<double> weights_;
};

TEST_F(TrainedForest, TellsTwoClassesApart) {
  Data data = test::random_data(900, 3, true, 1), others = test::random_data(900, 3, true, 2);
  param_.C = 10;
  const Forest forest = train(data);
  EXPECT_EQ(forest.trees.size(), 2U);
  EXPECT_GE(forest.leaves(), 2U * 900 / 50);
  EXPECT_TRUE(forest.is_complete());
  svm::Run run(Messages([](const char*) {}));
  configure(run, param_, &options_);
  const ModelPtr whole = svm::train(data.problem(), param_, run);
  const Predictor predictor(*whole, Messages(nullptr), 0);
  double right = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    right += predictor.predict(others.row(i)) == others.label(i) ? 1 : 0;
  }
  EXPECT_GE(test::accuracy(forest, others), right / 900 - 0.03);
}

TEST_F(TrainedForest, TellsManyClassesApart) {
  Data data = test::four_classes(1200, 1);
  data.add(99, {0.9, 0.9, 0.9});  // a class of one row, which most cells lack
  param_.C = 10;
  const Forest forest = train(data);
  EXPECT_EQ(forest.common->nr_class, 5);
  EXPECT_EQ(std::vector<int>(forest.common->label, forest.common->label + 5),
            (std::vector<int>{1, 12, 11, 2, 99}));
  std::set<int> sizes;
  for (const ForestNode& node : forest.trees[0]) {
    if (node.machine) sizes.insert(node.machine->nr_class);
  }
  EXPECT_GE(sizes.size(), 2U);
  EXPECT_GT(test::accuracy(forest, data), 0.75);
}

TEST_F(TrainedForest, OfRegressions) {
  Data data = test::random_data(900, 3, false, 1), others = test::random_data(900, 3, false, 2);
  param_.C = 10;
  for (const int type : {EPSILON_SVR, NU_SVR}) {
    param_.svm_type = type;
    const test::Predictions found = predictions(train(data), others);
    double errors = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      errors += std::pow(found.labels[i] - others.label(i), 2) / 900;
    }
    EXPECT_LT(errors, 0.09) << type;  // that of noise is 0.053
    EXPECT_EQ(found.labels, found.values);
  }
}

TEST_F(TrainedForest, OfOneCellHasTheMachineOfAllRows) {
  Data data = test::four_classes(200, 3);
  plan_.cell = 200;
  plan_.trees = 1;
  for (const char* const solver : {"csmo", "smo"}) {
    options_.solver = solver;
    const Forest forest = train(data);
    ASSERT_EQ(forest.trees[0].size(), 1U);
    svm::Run run(Messages([](const char*) {}));
    configure(run, param_, &options_);
    EXPECT_EQ(text_of(*forest.trees[0][0].machine),
              text_of(*svm::train(data.problem(), param_, run)));
  }
}

TEST_F(TrainedForest, TheSeedIsThatOfTheTrees) {
  Data data = test::random_data(300, 3, true, 1);
  const std::string text = text_of(train(data));
  options_.seed = 1;
  EXPECT_NE(text_of(train(data)), text);
  options_.seed = 0;
  EXPECT_EQ(text_of(train(data)), text);
  const Forest forest = train(data);
  EXPECT_NE(forest.trees[0][0].split.threshold, forest.trees[1][0].split.threshold);
}

TEST_F(TrainedForest, ClassWeightsAreWeightsOfRows) {
  Data data = test::four_classes(400, 3);
  int label = 12;
  double weight = 3;
  test::set_class_weight(param_, label, weight);
  const Forest weighted = train(data);
  EXPECT_EQ(weighted.common->param.nr_weight, 0);  // they are the caller's
  EXPECT_EQ(weighted.common->param.weight, nullptr);
  const std::string text = text_of(weighted);
  EXPECT_EQ(warned_, "");
  param_.nr_weight = 0;
  EXPECT_NE(text_of(train(data)), text);
  for (std::size_t i = 0; i < data.size(); ++i) weights_.push_back(data.label(i) == 12 ? 3 : 1);
  options_.row_weights = weights_.data();
  EXPECT_EQ(text_of(train(data)), text);
  label = 5;
  param_.nr_weight = 1;
  EXPECT_EQ(text_of(train(data)), text);
  EXPECT_EQ(warned_, "WARNING: class label 5 specified in weight is not found\n");
}

TEST_F(TrainedForest, RowsOfWeightZeroDoNotCount) {
  Data data = test::random_data(300, 3, true, 1);
  data.add(7, {0.1, 0.2, 0.3});
  data.add(1, {1e9, 0.2, 0.3});
  drop(300, 302);
  drop(301, 302);
  Data counted = test::random_data(300, 3, true, 1);
  const std::string text = text_of(train(data));
  options_.row_weights = nullptr;
  EXPECT_EQ(text_of(train(counted)), text);
}

TEST_F(TrainedForest, EstimatesProbabilities) {
  param_.probability = 1;
  param_.C = 10;
  Data two = test::random_data(1500, 3, true, 1), four = test::four_classes(1500, 1);
  for (Data* const data : {&two, &four}) {
    const Forest forest = train(*data);
    ASSERT_TRUE(has_probabilities(*forest.common));
    const std::size_t classes = data == &two ? 2 : 4;
    const test::Predictions found = predictions(forest, *data);
    double likelihood = 0;
    for (std::size_t i = 0; i < data->size(); ++i) {
      const double* const of_row = found.probabilities.data() + i * classes;
      EXPECT_NEAR(std::accumulate(of_row, of_row + classes, 0.0), 1, 1e-9);
      const std::ptrdiff_t likeliest = std::max_element(of_row, of_row + classes) - of_row;
      EXPECT_EQ(found.labels[i], forest.common->label[likeliest]);
      const int* const labels = forest.common->label;
      const std::ptrdiff_t own = std::find(labels, labels + classes, data->label(i)) - labels;
      likelihood += std::log(of_row[own]) / static_cast<double>(data->size());
    }
    EXPECT_GT(likelihood, 0.7 * std::log(1.0 / static_cast<double>(classes)));
  }
}

TEST_F(TrainedForest, EstimatesTheErrorOfRegressions) {
  param_ = test::parameters(EPSILON_SVR, RBF);
  param_.probability = 1;
  Data data = test::random_data(1500, 3, false, 1);
  const Forest forest = train(data);
  ASSERT_NE(forest.common->probA, nullptr);
  EXPECT_NEAR(forest.common->probA[0], 0.2, 0.05);  // the mean of |noise|
}

TEST_F(TrainedForest, IsNotTrainedOnRowsThatAreHeldOut) {
  Data data = test::random_data(1000, 3, true, 1);
  param_.probability = 1;
  std::atomic<std::size_t> rows{0};
  plan_.on_cell = [&](const Problem& cell, const svm_parameter&, const svm_model&) {
    rows += cell.size();
  };
  train(data);
  EXPECT_GT(rows, 2 * 850U);
  EXPECT_LT(rows, 2 * 950U);
}

// Notes how many rows it is asked for.
class NotingSource : public RowSource {
 public:
  using RowSource::RowSource;
  LoadedRows load(const RowNumbers& rows, svm::Run&) override {
    loaded.push_back(rows.size());
    return nullptr;
  }
  std::vector<std::size_t> loaded;
};

TEST_F(TrainedForest, CutsManyRowsBySomeOfThem) {
  Data data = test::random_data(30000, 1, true, 1);
  plan_.cell = 1000;
  param_ = test::parameters(C_SVC, LINEAR);
  svm::Run run(Messages(nullptr));
  configure(run, param_, &options_);
  const svm_problem problem = data.problem();
  NotingSource source{Problem(problem)};
  EXPECT_GE(train_forest(source, param_, plan_, run).leaves(), 60U);
  // The sample of each tree, and the rows by which the width of the kernel is judged.
  ASSERT_EQ(source.loaded.size(), 3U);
  EXPECT_NEAR(static_cast<double>(source.loaded[0]), 16384, 500);
  EXPECT_NEAR(static_cast<double>(source.loaded[1]), 2048, 200);
  EXPECT_NEAR(static_cast<double>(source.loaded[2]), 16384, 500);
}

// Held-out rows of weight 0 do not count either, even if they are all of a class.
TEST_F(TrainedForest, EstimatesAreOfRowsThatCount) {
  param_.probability = 1;
  Data data = test::random_data(300, 3, true, 1);
  for (int i = 0; i < 200; ++i) {
    data.add(7, {0.1, 0.2, 0.3});
    drop(data.size() - 1, data.size());
  }
  const Forest forest = train(data);
  EXPECT_EQ(forest.common->nr_class, 2);
  EXPECT_TRUE(has_probabilities(*forest.common));
}

// If nothing but held-out rows would be left, no row is held out.
TEST_F(TrainedForest, HoldsNothingOutOfVeryFewRows) {
  param_.probability = 1;
  Data data;
  data.add(1, {1, 2});
  for (int seed = 0; seed < 40; ++seed) {
    options_.seed = seed;
    EXPECT_EQ(train(data).leaves(), 2U);
  }
  data.add(2, {1, 2});
  for (int seed = 0; seed < 200; ++seed) {
    options_.seed = seed;
    EXPECT_EQ(train(data).leaves(), 2U);
  }
}

TEST_F(TrainedForest, RefusesWhatMakesNoForest) {
  Data data = test::random_data(100, 3, true, 1);
  param_.svm_type = NU_SVC;
  EXPECT_TRUE(test::contains(refusal(data), "not for nu-SVC"));
  param_.svm_type = ONE_CLASS;
  EXPECT_TRUE(test::contains(refusal(data), "not for one-class SVM"));
  param_ = test::parameters(C_SVC, PRECOMPUTED);
  EXPECT_TRUE(test::contains(refusal(data), "precomputed"));
  param_ = test::parameters(C_SVC, LINEAR);
  options_.solver = "dcd";
  EXPECT_TRUE(test::contains(refusal(data), "support vectors are rows"));
  options_.solver = "csmo";
  const svm_problem problem = data.problem();
  const test::OwnedModel model(test::train(&problem, &param_, &options_, nullptr));
  options_.init = model.get();
  EXPECT_TRUE(test::contains(refusal(data), "no model to start from"));
}

TEST_F(TrainedForest, CancelledHasTheTreesThatWereFinished) {
  Data data = test::random_data(300, 3, true, 1);
  param_.probability = 1;
  plan_.trees = 1000000;
  std::atomic<std::size_t> rows{0};
  plan_.on_cell = [&](const Problem& cell, const svm_parameter&, const svm_model&) {
    rows += cell.size();
  };
  options_.progress_user = &rows;
  options_.progress = [](const svm_progress*, void* user) {
    return *static_cast<std::atomic<std::size_t>*>(user) > 300 ? 1 : 0;  // more than a tree has
  };
  const Forest forest = train(data);
  EXPECT_EQ(interruption_, SVM_CANCELLED);
  ASSERT_FALSE(forest.trees.empty());
  EXPECT_TRUE(forest.is_complete());
  EXPECT_FALSE(has_probabilities(*forest.common));
  EXPECT_TRUE(test::contains(warned_, "the forest has no probability estimates"));
  const auto trees_of = [](const Forest& trained) {
    const std::string text = text_of(trained);
    return text.substr(text.find('\n', text.find("\ntrees ") + 1));
  };
  plan_.trees = forest.trees.size();
  options_.progress = nullptr;
  EXPECT_EQ(trees_of(train(data)), trees_of(forest));
}

TEST_F(TrainedForest, CancelledBeforeTheFirstTreeIsEmpty) {
  Data data = test::random_data(300, 3, true, 1);
  options_.progress = [](const svm_progress*, void*) { return 1; };
  const Forest forest = train(data);
  EXPECT_TRUE(forest.trees.empty());
  EXPECT_EQ(forest.common->l, 0);
}

TEST_F(TrainedForest, EndsAtTheTimeLimit) {
  Data data = test::random_data(300, 3, true, 1);
  options_.time_limit = 0.2;
  plan_.trees = 1000000;
  const Forest forest = train(data);
  EXPECT_EQ(interruption_, SVM_TIME_LIMIT);
  EXPECT_LT(forest.trees.size(), plan_.trees);
  EXPECT_TRUE(forest.is_complete());
}

TEST_F(TrainedForest, CrossValidates) {
  Data data = test::random_data(900, 3, true, 1);
  const auto validated = [&] {
    svm::Run run(Messages(nullptr));
    std::srand(1);  // for the folds
    configure(run, param_, &options_);
    return cross_validate_forest(data.problem(), param_, plan_, 3, run);
  };
  const std::vector<double> found = validated();
  double right = 0;
  for (std::size_t i = 0; i < data.size(); ++i) right += found[i] == data.label(i) ? 1 : 0;
  EXPECT_GT(right / 900, 0.75);
  options_.threads = 3;
  EXPECT_EQ(validated(), found);
  param_.probability = 1;
  const std::vector<double> by_probability = validated();
  EXPECT_NE(by_probability, found);
  options_.progress = [](const svm_progress*, void*) { return 1; };
  for (const double value : validated()) EXPECT_TRUE(std::isnan(value));
}

// Warnings of cells are counted.
TEST_F(TrainedForest, WarnsOncePerKind) {
  Data data = test::random_data(300, 3, true, 1);
  options_.max_iter = 2;
  train(data);
  EXPECT_EQ(warned_.rfind("WARNING: in ", 0), 0U) << warned_;
  EXPECT_EQ(std::count(warned_.begin(), warned_.end(), '\n'), 1) << warned_;
  EXPECT_TRUE(test::contains(warned_, " problems of cells: reaching max number of iterations"))
      << warned_;
}

}  // namespace
}  // namespace svm
