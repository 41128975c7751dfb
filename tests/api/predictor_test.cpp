// Prepared predictors give the results of the functions that take a model.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/training_data.h"
#include "tests/view.h"

namespace svm::test {
namespace {

class PreparedPredictor : public testing::Test {
 protected:
  PreparedPredictor() {
    svm_set_print_string_function([](const char*) {});
  }
  ~PreparedPredictor() override { svm_set_print_string_function(nullptr); }

  OwnedModel train(int svm_type, int kernel, bool probability) {
    data_ = random_data(120, 5, is_classification(svm_type), 3);
    svm_parameter param = parameters(svm_type, kernel);
    param.probability = probability ? 1 : 0;
    const svm_problem problem = data_.problem();
    return OwnedModel(svm_train(&problem, &param));
  }

  Data data_;
};

TEST_F(PreparedPredictor, AnswersAreThoseOfTheModel) {
  const Data rows = random_data(30, 7, true, 5);
  for (const int svm_type : {C_SVC, ONE_CLASS, EPSILON_SVR}) {
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      for (const int copy : {0, 1}) {
        SCOPED_TRACE(std::to_string(svm_type) + std::to_string(kernel) + std::to_string(copy));
        OwnedModel model = train(svm_type, kernel, true);
        const svm_model plain = *model;  // which is not packed
        const OwnedPredictor predictor = make_predictor(*model, copy);
        ASSERT_NE(predictor, nullptr);
        std::vector<double> wanted_labels, wanted_values, wanted_likely, wanted_probabilities;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          double value = 0, probabilities[2] = {77, 77};
          wanted_labels.push_back(svm_predict_values(&plain, rows.row(i), &value));
          wanted_values.push_back(value);
          wanted_likely.push_back(svm_predict_probability(&plain, rows.row(i), probabilities));
          wanted_probabilities.insert(wanted_probabilities.end(), probabilities, probabilities + 2);
        }
        if (copy != 0) {  // neither the model nor the data are needed any more
          model.reset();
          data_ = Data();
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
          EXPECT_EQ(predict_row(predictor.get(), rows.row(i), nullptr, nullptr), wanted_labels[i]);
          double value = 77;
          EXPECT_EQ(predict_row(predictor.get(), rows.row(i), &value, nullptr), wanted_labels[i]);
          EXPECT_EQ(value, wanted_values[i]);
          double probabilities[2] = {77, 77};
          if (svm_type == EPSILON_SVR) continue;
          value = 77;
          EXPECT_EQ(predict_row(predictor.get(), rows.row(i), &value, probabilities),
                    wanted_likely[i]);
          EXPECT_EQ(value, wanted_values[i]);
          EXPECT_EQ(probabilities[0], wanted_probabilities[2 * i]);
          EXPECT_EQ(probabilities[1], wanted_probabilities[2 * i + 1]);
        }
        const bool has_probabilities = svm_type != EPSILON_SVR;
        for (const Layout& layout : all_layouts()) {
          if (layout.value_type == SVM_FLOAT) continue;
          ViewedData viewed(rows, layout);
          for (const std::size_t count : {std::size_t{1}, rows.size()}) {
            svm_rows view = viewed.view();
            view.rows = count;
            std::vector<double> predictions(count), values(count), estimates(2 * count);
            ASSERT_EQ(svm_predict_rows(predictor.get(), &view, 2, predictions.data(), values.data(),
                                       nullptr),
                      0);
            for (std::size_t i = 0; i < count; ++i) {
              EXPECT_EQ(predictions[i], wanted_labels[i]);
              EXPECT_EQ(values[i], wanted_values[i]);
            }
            EXPECT_EQ(svm_predict_rows(predictor.get(), &view, 2, predictions.data(), nullptr,
                                       estimates.data()),
                      has_probabilities ? 0 : -1);
            if (!has_probabilities) continue;
            for (std::size_t i = 0; i < count; ++i) {
              EXPECT_EQ(predictions[i], wanted_likely[i]);
              EXPECT_EQ(estimates[2 * i], wanted_probabilities[2 * i]);
            }
          }
        }
      }
    }
  }
}

TEST_F(PreparedPredictor, TellsItsMemory) {
  const OwnedModel model = train(C_SVC, RBF, false);
  const std::size_t borrowed = svm_predictor_bytes(make_predictor(*model).get());
  EXPECT_GT(borrowed, static_cast<std::size_t>(model->l) * 5 * sizeof(double));
  EXPECT_GT(svm_predictor_bytes(make_predictor(*model, 1).get()),
            borrowed + static_cast<std::size_t>(model->l) * 5 * sizeof(svm_node));
}

TEST_F(PreparedPredictor, PrecomputedRowsAndFailures) {
  Data all = random_data(40, 3, true, 8);
  svm_parameter param = parameters(C_SVC, RBF);
  Data matrix = precomputed(all, param);
  param.kernel_type = PRECOMPUTED;
  const svm_problem problem = matrix.problem();
  const OwnedModel model(svm_train(&problem, &param));
  const OwnedPredictor predictor = make_predictor(*model, 1);
  double value = 0, wanted = 0;
  svm_predict_values(model.get(), matrix.row(7), &wanted);
  predict_row(predictor.get(), matrix.row(7), &value, nullptr);
  EXPECT_EQ(value, wanted);
  const svm_node too_short[] = {{0, 1}, {1, 1}, {-1, 0}};
  EXPECT_TRUE(std::isnan(predict_row(predictor.get(), too_short, nullptr, nullptr)));
  EXPECT_EQ(std::string(svm_last_error()).find("svm_predict_rows: "), 0U) << svm_last_error();
  svm_free_predictor(nullptr);
}

}  // namespace
}  // namespace svm::test
