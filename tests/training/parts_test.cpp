// Class grouping, random draws, folds and the parameter check.
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/predictor.h"
#include "tests/training_data.h"
#include "training/check.h"
#include "training/cross_validation.h"
#include "training/problem.h"
#include "training/random.h"
#include "training/train.h"

namespace svm {
namespace {

using test::Data;
using test::parameters;

Data labelled(const std::vector<double>& labels) {
  Data data;
  for (const double label : labels) data.add(label, {static_cast<double>(data.size())});
  return data;
}

TEST(ClassLabel, IsTruncated) {
  EXPECT_EQ(class_label(1), 1);
  EXPECT_EQ(class_label(1.7), 1);
  EXPECT_EQ(class_label(-1.2), -1);
  EXPECT_EQ(class_label(-0.9), 0);
  EXPECT_EQ(class_label(2147483647.5), INT_MAX);
  EXPECT_EQ(class_label(-2147483648.5), INT_MIN);
}

TEST(ClassLabel, IsTheLeastIntWhereItDoesNotFit) {
  EXPECT_EQ(class_label(3e9), INT_MIN);
  EXPECT_EQ(class_label(-3e9), INT_MIN);
  EXPECT_EQ(class_label(HUGE_VAL), INT_MIN);
  EXPECT_EQ(class_label(std::nan("")), INT_MIN);
}

TEST(GroupClasses, KeepsTheOrderOfFirstAppearance) {
  Data data = labelled({3, 1, 3, 2, 1, 3});
  const Classes classes = group_classes(data.problem());
  EXPECT_EQ(classes.labels, (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(classes.start, (std::vector<std::size_t>{0, 3, 5}));
  EXPECT_EQ(classes.count, (std::vector<std::size_t>{3, 2, 1}));
  EXPECT_EQ(classes.order, (std::vector<std::size_t>{0, 2, 5, 1, 4, 3}));
}

TEST(GroupClasses, TurnsMinusOnePlusOneRound) {
  Data data = labelled({-1, 1, -1, 1, 1});
  const Classes classes = group_classes(data.problem());
  EXPECT_EQ(classes.labels, (std::vector<int>{1, -1}));
  EXPECT_EQ(classes.start, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(classes.count, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(classes.order, (std::vector<std::size_t>{1, 3, 4, 0, 2}));
}

TEST(GroupClasses, TurnsNothingElseRound) {
  const auto labels = [](const std::vector<double>& values) {
    Data data = labelled(values);
    return group_classes(data.problem()).labels;
  };
  EXPECT_EQ(labels({1, -1}), (std::vector<int>{1, -1}));
  EXPECT_EQ(labels({-1, 1, 2}), (std::vector<int>{-1, 1, 2}));
  EXPECT_EQ(labels({-2, 2}), (std::vector<int>{-2, 2}));
  EXPECT_EQ(labels({0, 1}), (std::vector<int>{0, 1}));
  EXPECT_EQ(labels({-1.5, 1.5}), (std::vector<int>{1, -1}));  // labels are cast to int first
}

TEST(GroupClasses, SortsIfAsked) {
  Data data = labelled({3, 1, 3, -2, 1, 3});
  const Classes classes = group_classes(data.problem(), true);
  EXPECT_EQ(classes.labels, (std::vector<int>{-2, 1, 3}));
  EXPECT_EQ(classes.start, (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(classes.count, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(classes.order, (std::vector<std::size_t>{3, 1, 4, 0, 2, 5}));
  EXPECT_EQ(group_classes(labelled({1, -1}).problem(), true).labels, (std::vector<int>{-1, 1}));
}

TEST(GroupClasses, LabelsWithOneIntAreOneClass) {
  Data data = labelled({1.2, 1.9, 2, 1});
  EXPECT_EQ(group_classes(data.problem()).count, (std::vector<std::size_t>{3, 1}));
}

// j = i + rand() % (n - i) for each place i.
std::vector<std::size_t> drawn_order(std::vector<std::size_t> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t j = i + static_cast<std::size_t>(std::rand()) % (items.size() - i);
    const std::size_t item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
  return items;
}

TEST(RandomOrder, DrawsFromTheCLibrary) {
  std::srand(1);
  const std::vector<std::size_t> expected = drawn_order({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const int next = std::rand();
  std::srand(1);
  EXPECT_EQ(random_order(10, test::Printed().run()), expected);
  EXPECT_EQ(std::rand(), next);  // exactly ten draws
}

#ifdef __GLIBC__
// 1804289383 % 5 = 3, 846930886 % 4 = 2, 1681692777 % 3 = 0, 1714636915 % 2 = 1.
TEST(RandomOrder, IsThatOfLibsvmOnLinux) {
  std::srand(1);
  EXPECT_EQ(random_order(5, test::Printed().run()), (std::vector<std::size_t>{3, 0, 2, 4, 1}));
}
#endif

// Predicts the rows of each given fold by a model of the other rows.
std::vector<double> predictions_by_folds(const Data& data, const svm_parameter& param,
                                         const std::vector<std::vector<std::size_t>>& folds) {
  const test::Printed printed;
  std::vector<double> predictions(data.size(), -99);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    Data others;
    for (std::size_t g = 0; g < folds.size(); ++g) {
      if (g == f) continue;
      for (const std::size_t row : folds[g]) {
        const svm_node* begin = data.row(row);
        const svm_node* end = begin;
        while (end->index != -1) ++end;
        others.add_row(data.label(row), test::Row(begin, end + 1));
      }
    }
    const svm_problem problem = others.problem();
    const ModelPtr model = train(problem, param, printed.run());
    for (const std::size_t row : folds[f]) {
      EXPECT_EQ(predictions[row], -99) << "row " << row << " is in two folds";
      predictions[row] = Predictor(*model, printed.messages(), 0).predict(data.row(row));
    }
  }
  return predictions;
}

// Every class is shuffled, in the order of the classes, and cut into as many parts as folds.
TEST(CrossValidate, StratifiesClasses) {
  constexpr std::size_t kFolds = 4;
  Data data = test::random_data(61, 2, true, 21);
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, RBF);
  std::srand(5);
  const Classes classes = group_classes(problem);
  std::vector<std::vector<std::size_t>> folds(kFolds);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < classes.count[c]; ++k) {
      rows.push_back(classes.order[classes.start[c] + k]);
    }
    rows = drawn_order(rows);
    for (std::size_t f = 0; f < kFolds; ++f) {
      for (std::size_t k = f * rows.size() / kFolds; k < (f + 1) * rows.size() / kFolds; ++k) {
        folds[f].push_back(rows[k]);
      }
    }
  }
  std::srand(5);
  const test::Printed printed;
  EXPECT_EQ(cross_validate(problem, param, kFolds, printed.run()),
            predictions_by_folds(data, param, folds));
}

TEST(CrossValidate, CutsOneShuffledListForRegression) {
  constexpr std::size_t kFolds = 3;
  Data data = test::random_data(40, 2, false, 22);
  const svm_parameter param = parameters(EPSILON_SVR, RBF);
  std::srand(6);
  std::vector<std::size_t> rows(data.size());
  for (std::size_t t = 0; t < rows.size(); ++t) rows[t] = t;
  rows = drawn_order(rows);
  std::vector<std::vector<std::size_t>> folds(kFolds);
  for (std::size_t f = 0; f < kFolds; ++f) {
    for (std::size_t k = f * rows.size() / kFolds; k < (f + 1) * rows.size() / kFolds; ++k) {
      folds[f].push_back(rows[k]);
    }
  }
  std::srand(6);
  const test::Printed printed;
  EXPECT_EQ(cross_validate(data.problem(), param, kFolds, printed.run()),
            predictions_by_folds(data, param, folds));
}

TEST(CrossValidate, MoreFoldsThanRowsLeavesOneOut) {
  Data data = test::random_data(9, 2, true, 23);
  const svm_parameter param = parameters(C_SVC, LINEAR);
  const test::Printed printed;
  const std::vector<double> predictions = cross_validate(data.problem(), param, 12, printed.run());
  EXPECT_EQ(test::Printed::warnings(),
            "WARNING: # folds (12) > # data (9). Will use # folds = # data instead (i.e., "
            "leave-one-out cross validation)\n");
  EXPECT_EQ(predictions.size(), 9U);
}

class ParameterCheck : public testing::Test {
 protected:
  ParameterCheck() { data_ = labelled({1, 1, 1, 2, 2, 3}); }
  std::string message(const svm_parameter& param) {
    const char* text = check_parameters(data_.problem(), param);
    return text == nullptr ? "" : text;
  }
  template <typename Change>
  std::string message(int svm_type, int kernel_type, Change change) {
    svm_parameter param = parameters(svm_type, kernel_type);
    change(param);
    return message(param);
  }
  Data data_;
};

TEST_F(ParameterCheck, AcceptsDefaults) {
  for (int kernel = LINEAR; kernel <= PRECOMPUTED; ++kernel) {
    for (const int type : {C_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
      EXPECT_EQ(message(parameters(type, kernel)), "");
    }
  }
}

TEST_F(ParameterCheck, Types) {
  EXPECT_EQ(message(parameters(-1, RBF)), "unknown svm type");
  EXPECT_EQ(message(parameters(5, RBF)), "unknown svm type");
  EXPECT_EQ(message(parameters(C_SVC, -1)), "unknown kernel type");
  EXPECT_EQ(message(parameters(C_SVC, 5)), "unknown kernel type");
}

TEST_F(ParameterCheck, Gamma) {
  const auto negative = [](svm_parameter& p) { p.gamma = -1; };
  const auto nan = [](svm_parameter& p) { p.gamma = std::nan(""); };
  for (const int kernel : {POLY, RBF, SIGMOID}) {
    EXPECT_EQ(message(C_SVC, kernel, negative), "gamma < 0");
    EXPECT_EQ(message(C_SVC, kernel, nan), "gamma < 0");
    EXPECT_EQ(message(C_SVC, kernel, [](svm_parameter& p) { p.gamma = 0; }), "");
  }
  EXPECT_EQ(message(C_SVC, LINEAR, negative), "");
  EXPECT_EQ(message(C_SVC, PRECOMPUTED, nan), "");
}

TEST_F(ParameterCheck, Degree) {
  const auto negative = [](svm_parameter& p) { p.degree = -1; };
  EXPECT_EQ(message(C_SVC, POLY, negative), "degree of polynomial kernel < 0");
  EXPECT_EQ(message(C_SVC, RBF, negative), "");
  EXPECT_EQ(message(C_SVC, POLY, [](svm_parameter& p) { p.degree = 0; }), "");
}

TEST_F(ParameterCheck, CacheAndTolerance) {
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    EXPECT_EQ(message(C_SVC, RBF, [bad](svm_parameter& p) { p.cache_size = bad; }),
              "cache_size <= 0");
    EXPECT_EQ(message(C_SVC, RBF, [bad](svm_parameter& p) { p.eps = bad; }), "eps <= 0");
  }
}

TEST_F(ParameterCheck, Cost) {
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    const auto cost = [bad](svm_parameter& p) { p.C = bad; };
    for (const int type : {C_SVC, EPSILON_SVR, NU_SVR}) {
      EXPECT_EQ(message(type, RBF, cost), "C <= 0");
    }
    EXPECT_EQ(message(ONE_CLASS, RBF, cost), "");
  }
}

TEST_F(ParameterCheck, Nu) {
  for (const double bad : {0.0, -0.5, 1.001, std::nan("")}) {
    const auto nu = [bad](svm_parameter& p) { p.nu = bad; };
    for (const int type : {NU_SVC, ONE_CLASS, NU_SVR}) {
      EXPECT_EQ(message(type, RBF, nu), "nu <= 0 or nu > 1");
    }
    EXPECT_EQ(message(C_SVC, RBF, nu), "");
  }
  EXPECT_EQ(message(NU_SVR, RBF, [](svm_parameter& p) { p.nu = 1; }), "");
}

TEST_F(ParameterCheck, TubeAndSwitches) {
  for (const double bad : {-0.1, std::nan("")}) {
    const auto tube = [bad](svm_parameter& p) { p.p = bad; };
    EXPECT_EQ(message(EPSILON_SVR, RBF, tube), "p < 0");
    EXPECT_EQ(message(NU_SVR, RBF, tube), "");
  }
  EXPECT_EQ(message(EPSILON_SVR, RBF, [](svm_parameter& p) { p.p = 0; }), "");
  EXPECT_EQ(message(C_SVC, RBF, [](svm_parameter& p) { p.shrinking = 2; }),
            "shrinking != 0 and shrinking != 1");
  EXPECT_EQ(message(C_SVC, RBF, [](svm_parameter& p) { p.probability = -1; }),
            "probability != 0 and probability != 1");
  EXPECT_EQ(message(ONE_CLASS, RBF, [](svm_parameter& p) { p.probability = 1; }), "");
}

// Classes of 3, 2 and 1 rows: the pair (3, 1) allows nu up to 2 * 1 / 4.
TEST_F(ParameterCheck, FeasibilityOfNu) {
  EXPECT_EQ(message(NU_SVC, RBF, [](svm_parameter& p) { p.nu = 0.5; }), "");
  EXPECT_EQ(message(NU_SVC, RBF, [](svm_parameter& p) { p.nu = 0.501; }),
            "specified nu is infeasible");
  EXPECT_EQ(message(NU_SVR, RBF, [](svm_parameter& p) { p.nu = 0.501; }), "");
  EXPECT_DOUBLE_EQ(largest_feasible_nu(data_.problem()), 0.5);
  Data one_class = labelled({1, 1});
  EXPECT_EQ(largest_feasible_nu(one_class.problem()), 1);
}

// Everything is wrong at first, and one fault after another is corrected: the messages come in
// LIBSVM's order.
TEST_F(ParameterCheck, OrderOfMessages) {
  svm_parameter p = parameters(9, 9);
  p.gamma = p.cache_size = p.eps = p.C = p.nu = p.p = -1;
  p.degree = -1;
  p.shrinking = p.probability = 7;
  EXPECT_EQ(message(p), "unknown svm type");
  p.svm_type = EPSILON_SVR;
  EXPECT_EQ(message(p), "unknown kernel type");
  p.kernel_type = POLY;
  EXPECT_EQ(message(p), "gamma < 0");
  p.gamma = 1;
  EXPECT_EQ(message(p), "degree of polynomial kernel < 0");
  p.degree = 3;
  EXPECT_EQ(message(p), "cache_size <= 0");
  p.cache_size = 1;
  EXPECT_EQ(message(p), "eps <= 0");
  p.eps = 1;
  EXPECT_EQ(message(p), "C <= 0");
  p.C = 1;
  EXPECT_EQ(message(p), "p < 0");
  p.svm_type = NU_SVR;
  EXPECT_EQ(message(p), "nu <= 0 or nu > 1");
  p.nu = 0.9;
  p.svm_type = NU_SVC;
  EXPECT_EQ(message(p), "shrinking != 0 and shrinking != 1");
  p.shrinking = 1;
  EXPECT_EQ(message(p), "probability != 0 and probability != 1");
  p.probability = 1;
  EXPECT_EQ(message(p), "specified nu is infeasible");
  p.nu = 0.1;
  EXPECT_EQ(message(p), "");
}

}  // namespace
}  // namespace svm
