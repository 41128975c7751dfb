// Notes about trainings that went as LIBSVM's.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/extension.h"
#include "tests/text.h"

namespace svm::test {
namespace {

class TrainingNotes : public Extension {
 protected:
  TrainingNotes() {
    options_.warn = [](const char* text, void* user) { *static_cast<std::string*>(user) += text; };
    options_.warn_user = &texts_;
  }
  // The notes on a training, and expects the same of a cross validation if asked for.
  std::string notes(Data& data, int folds = 0) {
    problem_ = data.problem();
    EXPECT_NE(train(), nullptr);
    std::string texts = std::exchange(texts_, {});
    std::vector<double> targets(data.size());
    if (folds > 0) {
      test::cross_validate(&problem_, &param_, folds, &options_, targets.data(), nullptr);
      EXPECT_EQ(std::exchange(texts_, {}), texts);
    }
    return texts;
  }
  static bool begins_with_one(const std::string& texts, const std::string& note) {
    return texts.rfind("NOTE: " + note, 0) == 0 && texts.find('\n') + 1 == texts.size();
  }

 private:
  std::string texts_;
};

TEST_F(TrainingNotes, OfNothingUnusual) {
  for (const int type : {C_SVC, ONE_CLASS, EPSILON_SVR}) {
    param_.svm_type = type;
    EXPECT_EQ(notes(data_, 3), "") << type;
  }
}

// Two rows that differ in a small feature beside a large one, which floats cannot tell apart.
TEST_F(TrainingNotes, OfAViolationThatRoundingHides) {
  Data data;
  data.add(+1, {1, 9999});
  data.add(-1, {2, 9999});
  param_ = parameters(C_SVC, POLY);
  param_.degree = 2;
  param_.gamma = 0.5;
  EXPECT_TRUE(begins_with_one(notes(data), "smo ended at a KKT violation of 1.6"));
  options_.solver = "csmo";
  EXPECT_EQ(notes(data), "");
}

TEST_F(TrainingNotes, OfWeightsWithoutEffect) {
  int label = 1;
  double weight = 2;
  param_.nr_weight = 1;
  param_.weight_label = &label;
  param_.weight = &weight;
  EXPECT_EQ(notes(data_, 3), "");
  for (const int type : {NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    param_.svm_type = type;
    EXPECT_TRUE(begins_with_one(notes(data_, 3), "class weights have an effect on C-SVC only"));
  }
  param_.svm_type = NU_SVC;
  weight = 1;
  EXPECT_EQ(notes(data_), "");
  weight = 2;
  options_.warn = nullptr;
  EXPECT_NE(train(), nullptr);
  EXPECT_EQ(warnings_.take(), "");  // the function of the process gets no notes
}

// No row is near another one, so a row that was left out has the value of the other class.
TEST_F(TrainingNotes, OfProbabilitiesThatAreTurnedRound) {
  param_.probability = 1;
  EXPECT_EQ(notes(data_), "");
  param_.gamma = 1e9;
  const std::string once = notes(data_);
  EXPECT_TRUE(begins_with_one(once, "probability estimates are turned round")) << once;
}

TEST_F(TrainingNotes, OfOutliersWithoutSupportVectors) {
  param_.svm_type = ONE_CLASS;
  param_.nu = 1e-3;  // few outliers in spite of it
  EXPECT_EQ(notes(data_), "");
  param_.nu = 1e-9;
  EXPECT_TRUE(begins_with_one(notes(data_, 3), "nu is below 1 / rows"));
}

TEST_F(TrainingNotes, OfAnAsymmetricMatrix) {
  param_ = parameters(C_SVC, PRECOMPUTED);
  Data matrix;
  for (const double difference : {0.0, 0.5}) {
    matrix = Data();
    for (int i = 0; i < 6; ++i) {
      std::vector<svm_node> row = {{0, i + 1.0}};
      for (int j = 0; j < 6; ++j) {
        row.push_back({j + 1, (i == j ? 2 : 0.25 * (i + j)) + (i > j ? difference : 0)});
      }
      row.push_back({-1, 0});
      matrix.add_row(i % 2 == 0 ? 1 : -1, row);
    }
    const std::string texts = notes(matrix);
    if (difference == 0) {
      EXPECT_EQ(texts, "");
    } else {
      EXPECT_TRUE(begins_with_one(texts, "the precomputed kernel matrix is not symmetric"))
          << texts;
    }
  }
}

}  // namespace
}  // namespace svm::test
