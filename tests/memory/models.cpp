// Models and predictions that lack memory.
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/extension.h"
#include "tests/memory/failures.h"
#include "tests/temp_dir.h"
#include "tests/view.h"

namespace svm::test {
namespace {

using Text = std::optional<std::string>;

// This must be the first test of the process, because the table is made once.
TEST(Failures, OfTheTableOfSolvers) {
  allocations::restart(1, Failing::kOne);
  std::size_t failing = 1;
  const auto table = [] { return std::string(counted(svm_list_solvers)); };
  std::string text = table();
  for (; allocations::failed() > 0; text = table()) {
    EXPECT_EQ(text, "");
    EXPECT_STREQ(svm_last_error(), "svm_list_solvers: out of memory");
    EXPECT_EQ(allocations::live(), 0U) << "allocation " << failing;
    allocations::restart(++failing, Failing::kOne);
  }
  EXPECT_GT(text.size(), 100U);
  if (failing == 1) GTEST_SKIP() << "the table was made already";
}

class ModelFailures : public testing::Test {
 protected:
  ModelFailures() : data_(four_classes(40, 5)) {
    param_ = parameters(C_SVC, RBF);
    param_.probability = 1;
    train();
  }
  void train() {
    const svm_problem problem = data_.problem();
    svm_options options = default_options();
    options.print = drop_text;
    options.seed = 0;
    const OwnedModel model(test::train(&problem, &param_, &options, nullptr));
    ASSERT_NE(model, nullptr) << svm_last_error();
    text_ = text_of(*model);
    model_ = loaded();
  }

  OwnedModel loaded() const { return OwnedModel(svm_parse_model(text_.data(), text_.size())); }

  Data data_;
  svm_parameter param_{};
  std::string text_;
  OwnedModel model_;
};

Text text_or_none(const OwnedModel& model) {
  if (model == nullptr) return {};
  return text_of(*model);
}

TEST_F(ModelFailures, OfLoadingFromMemory) {
  survives_failures("svm_parse_model",
                    [&] { return text_or_none(counted([&] { return loaded(); })); });
}

TEST_F(ModelFailures, OfLoadingFromAFile) {
  const TempDir folder;
  const std::string path = folder.write("model", text_);
  const Warnings warnings;
  survives_failures("svm_load_model", [&] {
    const OwnedModel model(counted([&] { return svm_load_model(path.c_str()); }));
    EXPECT_EQ(warnings.take(), "");
    return text_or_none(model);
  });
}

TEST_F(ModelFailures, OfSavingToMemory) {
  survives_failures("svm_model_text", [&]() -> Text {
    std::size_t size = 7;
    char* const text = counted([&] { return svm_model_text(model_.get(), 0, &size); });
    if (text == nullptr) {
      EXPECT_EQ(size, 7U);
      return {};
    }
    std::string copy = text;
    svm_free_text(text);
    EXPECT_EQ(size, copy.size());
    return copy;
  });
}

// If saving fails, the folder has what it had before; otherwise it has the new file alone.
TEST_F(ModelFailures, OfSavingToAFile) {
  const TempDir folder;
  const std::string path = folder.file("model");
  for (const bool exists : {false, true}) {
    survives_failures("svm_save_model", [&]() -> Text {
      std::filesystem::remove(path);
      if (exists) folder.write("model", "what there was");
      const int status = counted([&] { return svm_save_model(path.c_str(), model_.get()); });
      if (status == 0) {
        EXPECT_EQ(folder.count(), 1U);
        return folder.read("model");
      }
      EXPECT_EQ(folder.count(), exists ? 1U : 0U);
      EXPECT_TRUE(!exists || folder.read("model") == "what there was");
      return {};
    });
  }
}

TEST_F(ModelFailures, OfMakingItFromArrays) {
  Data vectors;
  for (int s = 0; s < model_->l; ++s) {
    Row row;
    for (const svm_node* node = model_->SV[s]; node->index != -1; ++node) row.push_back(*node);
    row.push_back({-1, 0});
    vectors.add_row(0, row);
  }
  const ViewedData view(vectors, {SVM_CSR_INT32, SVM_DOUBLE});
  svm_model_arrays arrays{};
  arrays.size = sizeof(arrays);
  arrays.param = &model_->param;
  arrays.sv = &view.view();
  arrays.nr_class = model_->nr_class;
  arrays.l = model_->l;
  arrays.sv_coef = model_->sv_coef;
  arrays.rho = model_->rho;
  arrays.label = model_->label;
  arrays.nr_sv = model_->nSV;
  arrays.prob_a = model_->probA;
  arrays.prob_b = model_->probB;
  survives_failures("svm_model_from_arrays", [&] {
    return text_or_none(OwnedModel(counted([&] { return svm_model_from_arrays(&arrays); })));
  });
}

TEST_F(ModelFailures, OfMakingItSmaller) {
  for (const int kernel : {RBF, LINEAR}) {
    param_.kernel_type = kernel;
    train();
    survives_failures("svm_compact_model", [&] {
      return text_or_none(OwnedModel(counted([&] { return svm_compact_model(model_.get()); })));
    });
  }
}

// Prints the predictions of rows, or returns nothing if one of them is NaN, which marks a failure.
Text numbers(const std::vector<double>& predictions, const std::vector<double>& others) {
  for (const double prediction : predictions) {
    if (std::isnan(prediction)) return {};
  }
  return testing::PrintToString(predictions) + testing::PrintToString(others);
}

// A prediction of one of the functions with a model: it packs the model at the second call.
class PredictionFailures : public ModelFailures {
 protected:
  template <typename Predict>
  void check(const char* function, const Predict& predict) {
    for (const int kernel : {RBF, LINEAR, POLY}) {
      param_.kernel_type = kernel;
      train();
      survives_failures(function, [&] {
        const OwnedModel model = loaded();
        std::vector<double> predictions(4);
        std::array<double, 6> others{};
        std::size_t row = 0;
        for (double& prediction : predictions) {
          prediction = counted([&] { return predict(*model, data_.row(row++), others.data()); });
        }
        return numbers(predictions, {others.begin(), others.end()});
      });
    }
  }
};

TEST_F(PredictionFailures, OfLabels) {
  check("svm_predict",
        [](const svm_model& model, const svm_node* x, double*) { return svm_predict(&model, x); });
}

TEST_F(PredictionFailures, OfDecisionValues) {
  check("svm_predict_values", [](const svm_model& model, const svm_node* x, double* values) {
    return svm_predict_values(&model, x, values);
  });
}

TEST_F(PredictionFailures, OfProbabilities) {
  check("svm_predict_probability", [](const svm_model& model, const svm_node* x, double* values) {
    return svm_predict_probability(&model, x, values);
  });
}

TEST_F(PredictionFailures, OfMakingAPredictor) {
  for (const int copy : {0, 1}) {
    survives_failures("svm_make_predictor", [&]() -> Text {
      const OwnedPredictor made(counted([&] { return svm_make_predictor(model_.get(), copy); }));
      if (made == nullptr) return {};
      return testing::PrintToString(predict_row(made.get(), data_.row(3), nullptr, nullptr));
    });
  }
}

TEST_F(PredictionFailures, OfAPredictor) {
  survives_failures("svm_predict_rows", [&] {
    const OwnedPredictor made(svm_make_predictor(model_.get(), 1));
    std::vector<double> predictions, values(6), probabilities(4);
    for (std::size_t row = 0; row < 4; ++row) {
      predictions.push_back(0);
      predictions.back() = counted([&] {
        return predict_row(made.get(), data_.row(row), row % 2 == 0 ? nullptr : values.data(),
                           row < 2 ? nullptr : probabilities.data());
      });
    }
    values.insert(values.end(), probabilities.begin(), probabilities.end());
    return numbers(predictions, values);
  });
}

TEST_F(PredictionFailures, OfManyRows) {
  const ViewedData view(data_, {SVM_DENSE, SVM_FLOAT});
  std::vector<double> predictions(data_.size()), values(6 * data_.size());
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    survives_failures("svm_predict_rows", [&]() -> Text {
      const OwnedPredictor predictor = make_predictor(*model_);  // keeps what calls allocated
      const int status = counted([&] {
        return svm_predict_rows(predictor.get(), &view.view(), threads, predictions.data(),
                                values.data(), nullptr);
      });
      if (status != 0) return {};
      return numbers(predictions, values);
    });
  }
}

}  // namespace
}  // namespace svm::test
