// svm_predict_rows gives the bits of the functions that predict a row, whatever the layout.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/training_data.h"
#include "tests/view.h"

namespace svm::test {
namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

struct Predicted {
  std::vector<double> predictions, values, likely, probabilities;
};

// Predicts by the functions for single rows.  Without probabilities in the model, they stay 77.
Predicted one_by_one(const svm_model& model, const Data& data) {
  Predicted all;
  std::vector<double> values(value_count(model));
  for (std::size_t i = 0; i < data.size(); ++i) {
    all.predictions.push_back(svm_predict_values(&model, data.row(i), values.data()));
    all.values.insert(all.values.end(), values.begin(), values.end());
    std::vector<double> probabilities(static_cast<std::size_t>(model.nr_class), 77);
    all.likely.push_back(svm_predict_probability(&model, data.row(i), probabilities.data()));
    all.probabilities.insert(all.probabilities.end(), probabilities.begin(), probabilities.end());
  }
  return all;
}

void expect_predictions(const svm_predictor* predictor, const svm_rows& rows,
                        const Predicted& wanted, bool likely) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    SCOPED_TRACE(text_of(Layout{rows.layout, rows.value_type}) + ", threads " +
                 std::to_string(threads));
    Predicted got;
    got.predictions.assign(rows.rows, 77);
    got.values.assign(wanted.values.size(), 77);
    got.likely.assign(rows.rows, 77);
    got.probabilities.assign(wanted.probabilities.size(), 77);
    const auto predict = [&](double* predictions, double* values, double* probabilities) {
      ASSERT_EQ(svm_predict_rows(predictor, &rows, threads, predictions, values, probabilities), 0)
          << svm_last_error();
    };
    predict(got.predictions.data(), nullptr, nullptr);
    EXPECT_TRUE(same_bits(got.predictions, wanted.predictions));
    got.predictions.assign(rows.rows, 77);
    predict(got.predictions.data(), got.values.data(), nullptr);
    EXPECT_TRUE(same_bits(got.predictions, wanted.predictions));
    EXPECT_TRUE(same_bits(got.values, wanted.values));
    if (!likely) continue;
    got.values.assign(wanted.values.size(), 77);
    predict(got.likely.data(), got.values.data(), got.probabilities.data());
    EXPECT_TRUE(same_bits(got.likely, wanted.likely));
    EXPECT_TRUE(same_bits(got.values, wanted.values));
    EXPECT_TRUE(same_bits(got.probabilities, wanted.probabilities));
    got.probabilities.assign(wanted.probabilities.size(), 77);
    predict(nullptr, nullptr, got.probabilities.data());
    EXPECT_TRUE(same_bits(got.probabilities, wanted.probabilities));
  }
}

void expect_same(const svm_model& model, const Data& data) {
  const bool likely = is_regression(model.param.svm_type) ? false
                      : model.param.svm_type == ONE_CLASS ? model.prob_density_marks != nullptr
                                                          : model.probA != nullptr;
  const OwnedPredictor predictor = make_predictor(model);
  for (const Layout& layout : all_layouts()) {
    ViewedData viewed(data, layout);
    expect_predictions(predictor.get(), viewed.view(), one_by_one(model, viewed.rows()), likely);
  }
  Data nodes = data;
  expect_predictions(predictor.get(), rows_of(nodes.problem()), one_by_one(model, nodes), likely);
}

// Rows with zeros of both signs, features that no support vector has, and none at all.
Data rows_to_predict(std::size_t count, int features, std::uint64_t seed) {
  Draws draws(seed);
  Data data;
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    for (int k = 1; k <= features; ++k) {
      const std::size_t kind = draws.below(8);
      if (kind < 3) continue;
      row.push_back({k, kind == 3 ? 0.0 : kind == 4 ? -0.0 : draws.between(-1, 1)});
    }
    row.push_back({-1, 0});
    data.add_row(0, row);
  }
  return data;
}

void drop(const char*) {}

class ViewsPredict : public testing::Test {
 protected:
  ViewsPredict() { svm_set_print_string_function(drop); }
  ~ViewsPredict() override { svm_set_print_string_function(nullptr); }

  OwnedModel train(Data& data, const svm_parameter& param, const char* solver = nullptr) {
    svm_options options = default_options();
    options.seed = 0;
    options.solver = solver;
    const svm_problem problem = data.problem();
    return OwnedModel(test::train(&problem, &param, &options, nullptr));
  }

  std::string refusal(const svm_model& model, const svm_rows& view, std::size_t threads = 1,
                      double* probabilities = nullptr) {
    std::vector<double> predictions(100, 77);
    EXPECT_EQ(predict_rows(&model, &view, threads, predictions.data(), nullptr, probabilities), -1);
    return svm_last_error();
  }

  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
};

TEST_F(ViewsPredict, TypesAndKernels) {
  const Data rows = rows_to_predict(150, 6, 3);
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      for (const int probability : {0, 1}) {
        SCOPED_TRACE(std::to_string(type) + " " + std::to_string(kernel));
        Data data = is_classification(type) ? four_classes(120, 5) : random_data(80, 3, false, 5);
        svm_parameter param = parameters(type, kernel);
        param.nu = type == ONE_CLASS ? 0.5 : 0.1;
        param.coef0 = 0.25;
        param.probability = probability;
        const OwnedModel model = train(data, param);
        ASSERT_NE(model, nullptr);
        expect_same(*model, rows);
      }
    }
  }
}

TEST_F(ViewsPredict, PolynomialsOfDegreeZero) {
  Data data = four_classes(60, 5);
  svm_parameter param = parameters(C_SVC, POLY);
  param.degree = 0;
  const OwnedModel model = train(data, param);
  expect_same(*model, rows_to_predict(70, 5, 9));
}

TEST_F(ViewsPredict, PackedFormsOfManyFeatures) {
  Data sparse = rows_to_predict(200, 3, 11), ones;
  Data training;
  Draws draws(4);
  for (std::size_t i = 0; i < 120; ++i) {
    Row row;
    for (int k = 1; k < 400; ++k) {
      if (draws.below(50) == 0) row.push_back({k, 1});
    }
    row.push_back({-1, 0});
    training.add_row(i % 2 == 0 ? 1 : -1, row);
    ones.add_row(0, row);
  }
  for (const int kernel : {LINEAR, RBF}) {
    const OwnedModel model = train(training, parameters(C_SVC, kernel));
    expect_same(*model, sparse);
    expect_same(*model, ones);
  }
}

TEST_F(ViewsPredict, ValuesThatAreNotFinite) {
  Data data = four_classes(60, 5);
  Data rows = rows_to_predict(40, 4, 21);
  rows.add(0, {1, std::numeric_limits<double>::infinity(), 0, 2});
  rows.add(0, {0, 1, -std::numeric_limits<double>::infinity()});
  rows.add(0, {0, std::numeric_limits<double>::quiet_NaN()});
  for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
    const OwnedModel model = train(data, parameters(C_SVC, kernel));
    expect_same(*model, rows);
  }
}

TEST_F(ViewsPredict, FewRowsAndNone) {
  Data data = four_classes(60, 5);
  const OwnedModel model = train(data, parameters(C_SVC, RBF));
  for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 33U}) {
    expect_same(*model, rows_to_predict(count, 4, 2));
  }
  svm_rows none{};
  none.size = sizeof(none);
  EXPECT_EQ(predict_rows(model.get(), &none, 1, nullptr, nullptr, nullptr), 0);
}

TEST_F(ViewsPredict, ModelsWithARowOfTheirOwn) {
  Data data = four_classes(80, 5);
  const OwnedModel model = train(data, parameters(C_SVC, LINEAR), "dcd");
  ASSERT_NE(model, nullptr);
  expect_same(*model, rows_to_predict(70, 5, 9));
}

TEST_F(ViewsPredict, Precomputed) {
  Data data = four_classes(60, 5);
  Data kernels = precomputed(data, parameters(C_SVC, RBF));
  const OwnedModel model = train(kernels, parameters(C_SVC, PRECOMPUTED));
  ASSERT_NE(model, nullptr);
  const Data with_zeros = precomputed(data, [](std::size_t s, std::size_t t) {
    return (s + t) % 3 == 0 ? 0.0 : 1.0 / static_cast<double>(1 + s);
  });
  expect_same(*model, kernels);
  expect_same(*model, with_zeros);

  ViewedData dense(kernels, {SVM_DENSE, SVM_DOUBLE});
  svm_rows narrow = dense.view();
  narrow.columns = 7;
  EXPECT_NE(refusal(*model, narrow).find("a row has no value for serial number"),
            std::string::npos);
}

TEST_F(ViewsPredict, SparseRowsOfAPrecomputedKernelMayLeaveOutZeros) {
  Data data = four_classes(40, 5);
  Data kernels = precomputed(data, [](std::size_t s, std::size_t t) {
    return s == t ? 1 : s + t == 7 ? 0.5 : 0;
  });
  const OwnedModel model = train(kernels, parameters(C_SVC, PRECOMPUTED));
  const Predicted wanted = one_by_one(*model, kernels);
  std::vector<double> values;
  std::vector<std::int32_t> starts = {0}, columns;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    for (const svm_node* node = kernels.row(i) + 1; node->index != -1; ++node) {
      if (node->value == 0) continue;
      values.push_back(node->value);
      columns.push_back(node->index - 1);
    }
    starts.push_back(static_cast<std::int32_t>(values.size()));
  }
  svm_rows view{};
  view.size = sizeof(view);
  view.rows = view.columns = kernels.size();
  view.layout = SVM_CSR_INT32;
  view.values = values.data();
  view.row_starts = starts.data();
  view.column_numbers = columns.data();
  std::vector<double> predictions(view.rows), decision_values(wanted.values.size());
  ASSERT_EQ(
      predict_rows(model.get(), &view, 2, predictions.data(), decision_values.data(), nullptr), 0);
  EXPECT_TRUE(same_bits(predictions, wanted.predictions));
  EXPECT_TRUE(same_bits(decision_values, wanted.values));
}

TEST_F(ViewsPredict, BadViews) {
  Data data = four_classes(60, 5);
  const OwnedModel model = train(data, parameters(C_SVC, RBF));
  ViewedData dense(data, {SVM_DENSE, SVM_DOUBLE}), sparse(data, {SVM_CSR_INT64, SVM_FLOAT}, 0);
  const std::string begin = "svm_predict_rows: svm_rows: ";
  const auto refused = [&](const svm_rows& good, auto change) {
    svm_rows view = good;
    change(view);
    const std::string text = refusal(*model, view);
    EXPECT_EQ(text.substr(0, begin.size()), begin);
    return text.substr(begin.size());
  };
  using View = svm_rows;
  const View& rows = dense.view();
  EXPECT_EQ(refused(rows, [](View& v) { v.size = 0; }), "size is not set");
  EXPECT_EQ(refused(rows, [](View& v) { v.size += 8; }),
            "size is larger than this version of the library knows");
  EXPECT_EQ(refused(rows, [](View& v) { v.rows = std::size_t{1} << 31U; }), "rows > INT_MAX");
  EXPECT_EQ(refused(rows, [](View& v) { v.columns = (std::size_t{1} << 31U) - 1; }),
            "columns > INT_MAX - 1");
  EXPECT_EQ(refused(rows, [](View& v) { v.layout = SVM_FUNCTION + 1; }), "unknown layout");
  EXPECT_EQ(refused(rows, [](View& v) { v.layout = SVM_NODES; }), "nodes is null");
  EXPECT_EQ(refused(rows, [](View& v) { v.layout = SVM_FUNCTION; }), "kernel is null");
  EXPECT_EQ(refused(rows, [](View& v) { v.value_type = -1; }), "unknown value_type");
  EXPECT_EQ(refused(rows, [](View& v) { v.stride = v.columns - 1; }), "stride < columns");
  EXPECT_EQ(refused(rows, [](View& v) { v.stride = static_cast<std::size_t>(-1) / 16; }),
            "stride is too large");
  EXPECT_EQ(refused(rows, [](View& v) { v.values = nullptr; }), "values is null");
  const View& packed = sparse.view();
  EXPECT_EQ(refused(packed, [](View& v) { v.row_starts = nullptr; }), "row_starts is null");
  EXPECT_EQ(refused(packed, [](View& v) { v.column_numbers = nullptr; }),
            "values or column_numbers is null");
  EXPECT_EQ(refused(packed, [](View& v) { v.values = nullptr; }),
            "values or column_numbers is null");
  EXPECT_EQ(refused(packed, [](View& v) { v.columns = 2; }), "row 0, from 0: there is no column 2");

  const std::vector<std::int64_t> falling = {0, 3, 2}, negative = {-1, 1, 2}, good = {0, 2, 4},
                                  rising = {0, 1, 2, 0}, equal = {0, 1, 1, 1},
                                  below = {0, 1, 0, -2};
  const auto two_rows = [&](const std::vector<std::int64_t>& starts,
                            const std::vector<std::int64_t>& columns) {
    return refused(packed, [&](View& v) {
      v.rows = 2;
      v.row_starts = starts.data();
      v.column_numbers = columns.data();
    });
  };
  EXPECT_EQ(two_rows(falling, rising), "row 1, from 0: it ends before it begins");
  EXPECT_EQ(two_rows(negative, rising), "row_starts begins below 0");
  EXPECT_EQ(two_rows(good, equal), "row 1, from 0: its column numbers do not rise");
  EXPECT_EQ(two_rows(good, below), "row 1, from 0: there is no column -2");
}

TEST_F(ViewsPredict, BadThreadsAndMissingProbabilities) {
  Data data = four_classes(60, 5);
  const OwnedModel model = train(data, parameters(C_SVC, RBF));
  svm_parameter param = parameters(EPSILON_SVR, RBF);
  param.probability = 1;
  const OwnedModel regression = train(data, param);
  ViewedData viewed(data, {SVM_DENSE, SVM_DOUBLE});
  EXPECT_EQ(refusal(*model, viewed.view(), 1025), "svm_predict_rows: threads > 1024");
  const Setting variable("SVM_NUM_THREADS", "many");
  EXPECT_EQ(refusal(*model, viewed.view(), 0),
            "svm_predict_rows: environment variable SVM_NUM_THREADS is not a whole number from 1 "
            "to 1024: 'many'");
  std::vector<double> probabilities(1000);
  const std::string missing = "svm_predict_rows: the model has no probability estimates";
  EXPECT_EQ(refusal(*model, viewed.view(), 1, probabilities.data()), missing);
  EXPECT_EQ(refusal(*regression, viewed.view(), 1, probabilities.data()), missing);
}

TEST_F(ViewsPredict, PrintsNothing) {
  Data data = four_classes(60, 5);
  svm_parameter param = parameters(C_SVC, RBF);
  param.probability = 1;
  const OwnedModel model = train(data, param);
  ViewedData viewed(data, {SVM_DENSE, SVM_FLOAT});
  std::vector<double> probabilities(data.size() * 4);
  svm_set_print_string_function([](const char*) { ADD_FAILURE(); });
  EXPECT_EQ(predict_rows(model.get(), &viewed.view(), 2, nullptr, nullptr, probabilities.data()),
            0);
}

}  // namespace
}  // namespace svm::test
