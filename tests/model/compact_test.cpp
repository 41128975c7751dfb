// svm_compact_model keeps the decision functions and removes what they do not need.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/model/compact_models.h"
#include "tests/model_texts.h"
#include "tests/training_data.h"

namespace svm::test {
namespace {

// Rows of `features` values that occur about `times` times, with or without zeros and with
// different labels.
Data repeated_rows(std::size_t rows, std::size_t features, std::size_t classes,
                   std::size_t times = 4) {
  Draws draws(5);
  Data data;
  std::vector<std::vector<double>> different(rows / times);
  for (std::vector<double>& row : different) {
    for (std::size_t k = 0; k < features; ++k) {
      row.push_back(draws.below(3) == 0 ? 0 : draws.between(-1, 1));
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const std::vector<double>& values = different[draws.below(different.size())];
    Row row;
    for (std::size_t k = 0; k < features; ++k) {
      if (values[k] == 0 && i % 3 == 0) continue;
      row.push_back({static_cast<int>(3 * k + 1), values[k] == 0 && i % 3 == 1 ? -0.0 : values[k]});
    }
    row.push_back({-1, 0});
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double noise = draws.between(-0.5, 0.5);
    data.add_row(
        classes == 0
            ? sum + noise
            : static_cast<double>(
                  static_cast<std::size_t>(std::fabs(std::floor(3 * (sum + noise)))) % classes),
        row);
  }
  return data;
}

class CompactModelTest : public testing::Test {
 protected:
  OwnedModel trained(Data& data, const svm_parameter& param) {
    problem_ = data.problem();
    svm_options options = default_options();
    options.print = drop_text;
    OwnedModel model(test::train(&problem_, &param, &options, nullptr));
    EXPECT_NE(model, nullptr);
    return model;
  }

 private:
  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
  svm_problem problem_{};
};

TEST_F(CompactModelTest, KeepsDecisionValuesOfAllTypesAndKernels) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    for (const std::size_t classes : {2U, 4U}) {
      if (!is_classification(type) && classes > 2) continue;
      for (const int kernel : {LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED}) {
        SCOPED_TRACE(testing::Message() << "type " << type << " kernel " << kernel);
        svm_parameter param = parameters(type, kernel);
        param.nu = 0.2;
        param.gamma = 0.3;
        param.coef0 = kernel == POLY ? 1 : 0;
        Data data = repeated_rows(200, 5, is_classification(type) ? classes : 0);
        Data matrix;
        if (kernel == PRECOMPUTED) matrix = precomputed(data, parameters(type, RBF));
        Data& rows = kernel == PRECOMPUTED ? matrix : data;
        const OwnedModel model = trained(rows, param);
        const OwnedModel compact = compacted(*model);
        expect_same_functions(*model, *compact, rows.rows());
        if (kernel == LINEAR) {
          EXPECT_EQ(compact->l, static_cast<int>(value_count(*model)));
        } else if (kernel != PRECOMPUTED) {
          EXPECT_LT(compact->l, model->l);
        }
        for (std::size_t i = 0; i < rows.size(); i += 7) {
          std::vector<double> old_values(6), new_values(6);
          svm_predict_values(model.get(), rows.row(i), old_values.data());
          svm_predict_values(compact.get(), rows.row(i), new_values.data());
          const std::vector<Value> exact = exact_values(*model, rows.row(i));
          for (std::size_t v = 0; v < exact.size(); ++v) {
            EXPECT_LE(std::fabs(old_values[v] - new_values[v]), 1e-12L * exact[v].size);
          }
        }
        const OwnedModel again = compacted(*compact);
        EXPECT_EQ(written(*again), written(*compact));
      }
    }
  }
}

TEST_F(CompactModelTest, MakesOneVectorOfWeightsForEachPair) {
  for (std::size_t classes = 2; classes <= 26; classes += 3) {
    Data data = repeated_rows(30 * classes, 4, classes, 1);
    const OwnedModel model = trained(data, parameters(C_SVC, LINEAR));
    const OwnedModel compact = compacted(*model);
    expect_same_functions(*model, *compact, data.rows());
    const auto k = static_cast<std::size_t>(model->nr_class);
    ASSERT_EQ(compact->l, static_cast<int>(value_count(*model))) << classes;
    std::size_t s = 0;
    for (std::size_t a = 0; a < k; ++a) {
      EXPECT_EQ(compact->nSV[a], static_cast<int>(k - 1 - a));
      for (std::size_t b = a + 1; b < k; ++b, ++s) {
        std::vector<double> expected(k - 1, 0);
        expected[b - 1] = 1;
        EXPECT_EQ(coefficients_of(*compact, s), expected);
      }
    }
  }
}

TEST_F(CompactModelTest, KeepsAModelOfOneVectorOfWeights) {
  Data data = repeated_rows(100, 4, 3);
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, LINEAR);
  svm_options options = default_options();
  options.print = drop_text;
  options.solver = "dcd";
  const OwnedModel model(test::train(&problem, &param, &options, nullptr));
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(written(*compacted(*model)), written(*model));
}

TEST_F(CompactModelTest, CarriesProbabilitiesOver) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    svm_parameter param = parameters(type, LINEAR);
    param.probability = 1;
    param.nu = 0.3;
    Data data = repeated_rows(120, 4, is_classification(type) ? 3 : 0);
    const OwnedModel model = trained(data, param);
    const OwnedModel compact = compacted(*model);
    ASSERT_EQ(svm_check_probability_model(compact.get()), 1) << type;
    for (std::size_t i = 0; i < data.size(); ++i) {
      std::vector<double> old_ones(3), new_ones(3);
      const double old_one = svm_predict_probability(model.get(), data.row(i), old_ones.data());
      const double new_one = svm_predict_probability(compact.get(), data.row(i), new_ones.data());
      EXPECT_NEAR(old_one, new_one, 1e-10);
      if (type == ONE_CLASS)
        continue;  // marks are decision values of rows, so rounding decides on which side a row is
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(old_ones[c], new_ones[c], 1e-9);
    }
  }
}

TEST_F(CompactModelTest, NeedsNothingOfTheCaller) {
  OwnedModel compact;
  std::string text;
  {
    Data data = repeated_rows(50, 3, 2);
    int label[] = {0};
    double weight[] = {2};
    svm_parameter param = parameters(C_SVC, RBF);
    param.nr_weight = 1;
    param.weight_label = label;
    param.weight = weight;
    const OwnedModel model = trained(data, param);
    compact = compacted(*model);
    text = written(*compact);
  }
  EXPECT_EQ(written(*compact), text);
}

TEST_F(CompactModelTest, TakesLoadedModels) {
  for (const std::string& text : valid_models()) {
    const OwnedModel model = parsed(text);
    const OwnedModel compact = compacted(*model);
    const std::string smaller = written(*compact);
    EXPECT_EQ(written(*parsed(smaller)), smaller);
    EXPECT_EQ(compact->l, model->l);
  }
}

TEST_F(CompactModelTest, MayBeCalledByManyThreads) {
  Data data = repeated_rows(100, 4, 3);
  const OwnedModel model = trained(data, parameters(C_SVC, RBF));
  const std::string expected = written(*compacted(*model));
  std::vector<OwnedModel> compact(4);
  std::vector<std::thread> threads;
  threads.reserve(compact.size());
  for (OwnedModel& one : compact) {
    threads.emplace_back([&] { one.reset(svm_compact_model(model.get())); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const OwnedModel& one : compact) {
    ASSERT_NE(one, nullptr);
    EXPECT_EQ(written(*one), expected);
  }
}
}  // namespace
}  // namespace svm::test
