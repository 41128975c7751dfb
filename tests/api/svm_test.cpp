// The C interface: all nineteen functions, with failures and messages.
#include "svm.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/temp_dir.h"
#include "tests/training_data.h"
#include "tests/warnings.h"

namespace svm {
namespace {

using test::Data;
using test::parameters;
using test::Printed;
using test::TempDir;

class ApiTest : public testing::Test {
 protected:
  ApiTest() { svm_set_print_string_function(&Printed::print); }
  ~ApiTest() override {
    for (svm_model* model : models_) svm_free_and_destroy_model(&model);
    svm_set_print_string_function(nullptr);
  }

  svm_model* keep(svm_model* model) {
    models_.push_back(model);
    return model;
  }
  svm_model* train(Data& data, const svm_parameter& param) {
    const svm_problem problem = data.problem();
    EXPECT_EQ(svm_check_parameter(&problem, &param), nullptr);
    return keep(svm_train(&problem, &param));
  }
  // The reason why training fails.
  static std::string refused_training(const svm_problem& problem, const svm_parameter& param) {
    EXPECT_EQ(svm_train(&problem, &param), nullptr);
    return svm_last_error();
  }
  svm_model* saved_and_loaded(const svm_model* model) {
    EXPECT_EQ(svm_save_model(folder_.file("model").c_str(), model), 0);
    return keep(svm_load_model(folder_.file("model").c_str()));
  }

  Printed printed_;
  const test::Warnings warnings_;
  TempDir folder_;
  std::vector<svm_model*> models_;
};

TEST_F(ApiTest, ClassifierFromTrainingToPrediction) {
  Data data = test::random_data(60, 2, true, 41);
  svm_parameter param = parameters(C_SVC, RBF);
  const svm_model* model = train(data, param);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(svm_get_svm_type(model), C_SVC);
  EXPECT_EQ(svm_get_nr_class(model), 2);
  int labels[2];
  svm_get_labels(model, labels);
  EXPECT_EQ(labels[0] + labels[1], 0);
  const auto count = static_cast<std::size_t>(svm_get_nr_sv(model));
  ASSERT_GT(count, 0U);
  std::vector<int> indices(count);
  svm_get_sv_indices(model, indices.data());
  for (std::size_t s = 0; s < count; ++s) {
    ASSERT_GE(indices[s], 1);
    EXPECT_EQ(model->SV[s], data.row(static_cast<std::size_t>(indices[s]) - 1));
  }
  EXPECT_EQ(model->free_sv, 0);
  EXPECT_EQ(svm_check_probability_model(model), 0);

  svm_model* loaded = saved_and_loaded(model);
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->free_sv, 1);
  EXPECT_EQ(loaded->param.nr_weight, 0);
  std::vector<int> untouched(count, -7);
  svm_get_sv_indices(loaded, untouched.data());
  EXPECT_EQ(untouched, std::vector<int>(count, -7));
  for (std::size_t t = 0; t < data.size(); ++t) {
    double value = 0, loaded_value = 0;
    EXPECT_EQ(svm_predict_values(model, data.row(t), &value), svm_predict(model, data.row(t)));
    svm_predict_values(loaded, data.row(t), &loaded_value);
    EXPECT_NEAR(value, loaded_value, 1e-6);
  }
}

TEST_F(ApiTest, MultiClassWithProbabilities) {
  Data data;
  test::Draws draws(3);
  for (int i = 0; i < 90; ++i) {
    const int c = i % 3;
    data.add(c + 5, {c + draws.between(-0.7, 0.7), draws.between(0, 1)});
  }
  svm_parameter param = parameters(C_SVC, RBF);
  param.probability = 1;
  const svm_model* model = train(data, param);
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(svm_get_nr_class(model), 3);
  EXPECT_EQ(svm_check_probability_model(model), 1);
  double p[3], values[3];
  const double label = svm_predict_probability(model, data.row(0), p);
  EXPECT_EQ(label, 5);
  EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-9);
  EXPECT_GT(p[0], p[1]);
  EXPECT_EQ(svm_predict_values(model, data.row(0), values), 5);
  const svm_model* loaded = saved_and_loaded(model);
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(svm_check_probability_model(loaded), 1);
}

TEST_F(ApiTest, RegressionProbability) {
  Data data = test::random_data(40, 2, false, 42);
  svm_parameter param = parameters(EPSILON_SVR, RBF);
  const svm_model* plain = train(data, param);
  EXPECT_EQ(svm_get_svr_probability(plain), 0);
  EXPECT_EQ(warnings_.take(), "Model doesn't contain information for SVR probability inference\n");
  EXPECT_EQ(svm_check_probability_model(plain), 0);
  int labels[2] = {-7, -7};
  svm_get_labels(plain, labels);
  EXPECT_EQ(labels[0], -7);

  param.probability = 1;
  param.svm_type = NU_SVR;
  const svm_model* model = train(data, param);
  EXPECT_EQ(svm_check_probability_model(model), 1);
  EXPECT_GT(svm_get_svr_probability(model), 0);
  double untouched = -7;
  EXPECT_EQ(svm_predict_probability(model, data.row(0), &untouched),
            svm_predict(model, data.row(0)));
  EXPECT_EQ(untouched, -7);
}

TEST_F(ApiTest, OneClassProbability) {
  Data data = test::random_data(60, 2, true, 43);
  svm_parameter param = parameters(ONE_CLASS, RBF);
  param.probability = 1;
  const svm_model* model = train(data, param);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(svm_get_nr_class(model), 2);
  EXPECT_EQ(svm_check_probability_model(model), 1);
  double p[2];
  svm_predict_probability(model, data.row(0), p);
  EXPECT_DOUBLE_EQ(p[0] + p[1], 1);
}

TEST_F(ApiTest, WeightsStayTheCallers) {
  Data data = test::random_data(40, 2, true, 44);
  svm_parameter param = parameters(C_SVC, LINEAR);
  param.nr_weight = 1;
  param.weight_label = static_cast<int*>(std::malloc(sizeof(int)));
  param.weight = static_cast<double*>(std::malloc(sizeof(double)));
  param.weight_label[0] = 9;
  param.weight[0] = 2;
  const svm_model* model = train(data, param);
  EXPECT_EQ(warnings_.take(), "WARNING: class label 9 specified in weight is not found\n");
  EXPECT_EQ(model->param.weight, param.weight);
  svm_destroy_param(&param);
}

TEST_F(ApiTest, OneClassOnlyIsWarnedAbout) {
  Data data;
  data.add(3, {1});
  data.add(3, {2});
  const svm_model* model = train(data, parameters(C_SVC, LINEAR));
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(Printed::text(),
            "WARNING: training data in only one class. See README for details.\nTotal nSV = 0\n");
  EXPECT_EQ(svm_get_nr_class(model), 1);
  EXPECT_EQ(svm_predict(model, data.row(0)), 3);
  const svm_model* loaded = saved_and_loaded(model);
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(svm_predict(loaded, data.row(0)), 3);
}

TEST_F(ApiTest, CrossValidationPredictsEveryRow) {
  Data data = test::random_data(30, 2, true, 45);
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, RBF);
  std::vector<double> target(data.size(), -99);
  svm_cross_validation(&problem, &param, 5, target.data());
  for (const double each : target) EXPECT_EQ(std::fabs(each), 1);
}

Data short_precomputed_row() {
  Data data;
  data.add_row(1, {{0, 1}, {1, 1}, {2, 0}, {-1, 0}});
  data.add_row(-1, {{0, 2}, {1, 0}, {-1, 0}});
  return data;
}

TEST_F(ApiTest, AShortPrecomputedRowFailsWithAMessage) {
  Data data = short_precomputed_row();
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, PRECOMPUTED);
  EXPECT_EQ(refused_training(problem, param),
            "svm_train: precomputed kernel: row 2 has 1 values, but the serial numbers go up to 2");
}

// Pairs of classes and folds order rows differently.
TEST_F(ApiTest, AShortPrecomputedRowIsNamedAsTheCallerKnowsIt) {
  Data data;
  for (int i = 1; i <= 6; ++i) {
    test::Row row = {{0, static_cast<double>(i)}};
    for (int k = 1; k <= (i == 5 ? 4 : 6); ++k) row.push_back({k, k == i ? 1.0 : 0.0});
    row.push_back({-1, 0});
    data.add_row(i % 2 == 0 ? 1 : 2, row);
  }
  const svm_problem problem = data.problem();
  const std::string what =
      ": precomputed kernel: row 5 has 4 values, but the serial numbers go up to 6";
  for (const int probability : {0, 1}) {
    svm_parameter param = parameters(C_SVC, PRECOMPUTED);
    param.probability = probability;
    EXPECT_EQ(refused_training(problem, param), "svm_train" + what);
    double target[6];
    svm_cross_validation(&problem, &param, 3, target);
    EXPECT_EQ(svm_last_error(), "svm_cross_validation" + what);
  }
}

TEST_F(ApiTest, FailedCrossValidationGivesNaN) {
  Data data = short_precomputed_row();
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(EPSILON_SVR, PRECOMPUTED);
  double target[2] = {5, 5};
  svm_cross_validation(&problem, &param, 2, target);
  EXPECT_EQ(std::string(svm_last_error()).rfind("svm_cross_validation: ", 0), 0U);
  EXPECT_TRUE(std::isnan(target[0]));
  EXPECT_TRUE(std::isnan(target[1]));
}

// --- few rows ---

constexpr int kTypes[] = {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR};

// Rows 1, 2 ..., each of its own class.
Data different_rows(int count) {
  Data data;
  for (int i = 1; i <= count; ++i) data.add(i, {static_cast<double>(i)});
  return data;
}

TEST_F(ApiTest, NoRowsAreAnError) {
  for (const int type : kTypes) {
    for (const int count : {0, -1}) {
      for (const int probability : {0, 1}) {
        svm_problem problem{};
        problem.l = count;
        svm_parameter param = parameters(type, RBF);
        param.probability = probability;
        EXPECT_EQ(refused_training(problem, param), "svm_train: there are no rows to train on");
        svm_cross_validation(&problem, &param, 5, nullptr);
        EXPECT_STREQ(svm_last_error(),
                     "svm_cross_validation: cross validation needs 2 rows or more");
      }
    }
  }
}

// The folds of one row leave nothing to train on, and so does a single fold.
TEST_F(ApiTest, CrossValidationNeedsTwoRowsAndTwoFolds) {
  for (const int type : kTypes) {
    for (const int probability : {0, 1}) {
      svm_parameter param = parameters(type, RBF);
      param.probability = probability;
      const auto refusal = [&](int rows, int folds) {
        Data data = different_rows(rows);
        const svm_problem problem = data.problem();
        std::vector<double> target(data.size(), 7);
        svm_cross_validation(&problem, &param, folds, target.data());
        for (const double value : target) EXPECT_TRUE(std::isnan(value));
        return warnings_.take() + svm_last_error();
      };
      EXPECT_EQ(refusal(1, 3),
                "WARNING: # folds (3) > # data (1). Will use # folds = # data instead (i.e., "
                "leave-one-out cross validation)\n"
                "svm_cross_validation: cross validation needs 2 rows or more");
      for (const int folds : {1, 0, -3}) {
        EXPECT_EQ(refusal(6, folds),
                  "svm_cross_validation: cross validation needs 2 folds or more");
      }
      if (!test::is_classification(type)) continue;
      EXPECT_EQ(refusal(3, 2),
                "svm_cross_validation: cross validation with fewer folds than rows needs a "
                "class of 2 rows or more");
    }
  }
}

// Estimates need several rows; without them, the model is otherwise the same.
TEST_F(ApiTest, FewRowsAreTrainedOn) {
  for (const int type : kTypes) {
    for (const int rows : {1, 2, 3, 4, 6}) {
      for (const int probability : {0, 1}) {
        Data data = different_rows(rows);
        svm_parameter param = parameters(type, RBF);
        param.probability = probability;
        const svm_model* model = train(data, param);
        const std::string text = warnings_.take();
        ASSERT_NE(model, nullptr);
        EXPECT_TRUE(std::isfinite(svm_predict(model, data.row(0))));
        const bool regression = type == EPSILON_SVR || type == NU_SVR;
        if (!regression || probability == 0) continue;
        EXPECT_EQ(svm_check_probability_model(model), rows > 1 ? 1 : 0);
        if (rows == 1) {
          EXPECT_EQ(text,
                    "WARNING: one row is too few to estimate the width of the errors; the model "
                    "has no probability estimates\n");
        } else {
          EXPECT_TRUE(std::isfinite(svm_get_svr_probability(model)));
        }
      }
    }
  }
}

TEST_F(ApiTest, PredictionOfAShortPrecomputedRowGivesNaN) {
  Data data;
  data.add_row(1, {{0, 1}, {1, 1}, {2, 0}, {-1, 0}});
  data.add_row(-1, {{0, 2}, {1, 0}, {2, 1}, {-1, 0}});
  const svm_model* model = train(data, parameters(C_SVC, PRECOMPUTED));
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(svm_predict(model, data.row(0)), 1);
  const test::Row brief = {{0, 1}, {1, 1}, {-1, 0}};
  double value;
  EXPECT_TRUE(std::isnan(svm_predict(model, brief.data())));
  EXPECT_EQ(std::string(svm_last_error()).rfind("svm_predict: ", 0), 0U) << svm_last_error();
  EXPECT_TRUE(std::isnan(svm_predict_values(model, brief.data(), &value)));
  EXPECT_EQ(std::string(svm_last_error()).rfind("svm_predict_values: ", 0), 0U);
  EXPECT_TRUE(std::isnan(svm_predict_probability(model, brief.data(), &value)));
  EXPECT_EQ(std::string(svm_last_error()).rfind("svm_predict_probability: ", 0), 0U);
}

TEST_F(ApiTest, SerialNumbersMustBeWholeNumbers) {
  Data data;
  data.add_row(1, {{0, 1}, {1, 1}, {2, 0}, {3, 0}, {-1, 0}});
  data.add_row(-1, {{0, 2.5}, {1, 0}, {2, 1}, {3, 1}, {-1, 0}});
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, PRECOMPUTED);
  EXPECT_EQ(refused_training(problem, param),
            "svm_train: precomputed kernel: row 2 begins with 0:2.5, not with its serial number, "
            "a whole number from 1");
}

TEST_F(ApiTest, SavingFailsWithoutTrace) {
  Data data = test::random_data(20, 2, true, 46);
  const svm_model* model = train(data, parameters(C_SVC, LINEAR));
  EXPECT_EQ(svm_save_model(folder_.file("missing/model").c_str(), model), -1);
  EXPECT_EQ(svm_save_model(folder_.path().c_str(), model), -1);
  EXPECT_EQ(warnings_.take(), "");
  EXPECT_EQ(folder_.count(), 0U);
}

TEST_F(ApiTest, LoadingFailsWithLibsvmsMessageFirst) {
  EXPECT_EQ(svm_load_model(folder_.file("missing").c_str()), nullptr);
  EXPECT_EQ(svm_load_model(folder_.path().c_str()), nullptr);
  EXPECT_EQ(warnings_.take(), "");
  const std::string file = folder_.write("model", "svm_type x_svc\n");
  EXPECT_EQ(svm_load_model(file.c_str()), nullptr);
  const std::string what = file + ": line 1, column 10: 'x_svc': not one of the types of LIBSVM";
  EXPECT_EQ(warnings_.take(),
            "unknown svm type.\nERROR: fscanf failed to read model\n" + what + "\n");
  EXPECT_EQ(svm_last_error(), "svm_load_model: " + what);
}

TEST_F(ApiTest, NullIsAllowedWhereDocumented) {
  svm_free_model_content(nullptr);
  svm_free_and_destroy_model(nullptr);
  svm_model* none = nullptr;
  svm_free_and_destroy_model(&none);
  EXPECT_EQ(none, nullptr);
  svm_parameter without_weights = parameters(C_SVC, LINEAR);
  svm_destroy_param(&without_weights);
}

TEST_F(ApiTest, ContentMayBeFreedTwice) {
  Data data = test::random_data(20, 2, true, 47);
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, LINEAR);
  svm_model* model = svm_train(&problem, &param);
  svm_free_model_content(model);
  svm_free_model_content(model);
  svm_free_and_destroy_model(&model);
  EXPECT_EQ(model, nullptr);
}

TEST_F(ApiTest, MessagesGoWhereTheyAreSent) {
  Data data = test::random_data(20, 2, true, 48);
  train(data, parameters(C_SVC, LINEAR));
  EXPECT_NE(Printed::text().find("Total nSV = "), std::string::npos);
  const std::string kept = Printed::text();
  svm_set_print_string_function(nullptr);
  testing::internal::CaptureStdout();
  train(data, parameters(C_SVC, LINEAR));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), kept);
}

}  // namespace
}  // namespace svm
