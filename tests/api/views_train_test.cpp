// Trainings on rows of every layout have the same results as trainings on the same rows in
// svm_nodes, and those the same as svm_train: models, messages, draws and results.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/temp_dir.h"
#include "tests/training_data.h"
#include "tests/view.h"

namespace svm::test {
namespace {

void append(const char* text, void* user) { *static_cast<std::string*>(user) += text; }

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// Zeros of both signs, and rows without a feature, in classes or with targets.
Data sparse_data(std::size_t rows, bool classes, std::size_t number = 2) {
  const Data dense = random_data(rows, 5, false, 17);
  Draws draws(3);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x;
    for (std::size_t k = 0; k < 5; ++k) {
      const std::size_t kind = draws.below(6);
      x.push_back(kind == 0 ? 0.0 : kind == 1 ? -0.0 : dense.row(i)[k].value);
    }
    const double target = dense.label(i);
    const double label = target > 0.6 && number > 2 ? 7 : target > 0 ? 3 : -2;
    data.add(classes ? label : target, i == 5 ? std::vector<double>(5, 0.0) : x);
  }
  return data;
}

Data nonzeros(const Data& data) {
  Data rows;
  for (std::size_t i = 0; i < data.size(); ++i) {
    rows.add_row(data.label(i), without_zeros(data.row(i), false));
  }
  return rows;
}

class ViewsTrain : public testing::Test {
 protected:
  struct Trained {
    OwnedModel model;
    std::string messages, file;
    std::vector<int> indices;
    svm_result result = new_result();
    int next_draw = 0;
  };

  svm_options options(std::string& messages, std::size_t threads, const char* solver) const {
    svm_options options = default_options();
    options.threads = threads;
    options.solver = solver;
    options.print = append;
    options.print_user = &messages;
    return options;
  }

  std::string text_of_model(const svm_model& model) const {
    EXPECT_EQ(svm_save_model(folder_.file("model").c_str(), &model), 0);
    return folder_.read("model");
  }

  // Calls train(options, result), which returns a model.
  template <typename Train>
  Trained training(std::size_t threads, const char* solver, const svm_model* init, Train train) {
    Trained trained;
    svm_options by = options(trained.messages, threads, solver);
    by.init = init;
    std::srand(5);
    trained.model.reset(train(by, trained.result));
    trained.next_draw = std::rand();
    if (trained.model == nullptr) return trained;
    trained.file = text_of_model(*trained.model);
    const svm_model& model = *trained.model;
    if (model.sv_indices != nullptr) {
      trained.indices.assign(model.sv_indices, model.sv_indices + model.l);
    }
    return trained;
  }

  void expect_same(const Data& data, const svm_parameter& param, const char* solver = nullptr,
                   const svm_model* init = nullptr) {
    for (const Layout& layout : all_layouts()) {
      SCOPED_TRACE(text_of(layout) + ", type " + std::to_string(param.svm_type) + ", kernel " +
                   std::to_string(param.kernel_type) + ", solver " +
                   (solver == nullptr ? "default" : solver));
      ViewedData viewed(data, layout);
      const svm_problem problem = viewed.rows().problem();
      const Trained wanted =
          training(1, solver, init, [&](const svm_options& by, svm_result& result) {
            return test::train(&problem, &param, &by, &result);
          });
      const std::size_t threads = layout.value_type == SVM_FLOAT ? 1 : 3;
      const Trained got =
          training(threads, solver, init, [&](const svm_options& by, svm_result& result) {
            return svm_train_rows(&viewed.view(), viewed.labels(), &param, &by, &result);
          });
      ASSERT_NE(wanted.model, nullptr);
      ASSERT_NE(got.model, nullptr);
      EXPECT_EQ(got.file, wanted.file);
      EXPECT_EQ(got.messages, wanted.messages);
      EXPECT_EQ(got.indices, wanted.indices);
      EXPECT_EQ(got.next_draw, wanted.next_draw);
      EXPECT_EQ(got.result.iterations, wanted.result.iterations);
      EXPECT_EQ(got.result.status, wanted.result.status);
      EXPECT_EQ(got.model->free_sv, got.model->l > 0 ? 1 : 0);
    }
  }

  // Expects that cross validation of the view and of its rows agree.
  void expect_same_folds(const Data& data, const svm_parameter& param, int folds,
                         const char* solver = nullptr) {
    for (const Layout& layout : all_layouts()) {
      SCOPED_TRACE(text_of(layout) + ", type " + std::to_string(param.svm_type) + ", kernel " +
                   std::to_string(param.kernel_type) + ", folds " + std::to_string(folds));
      ViewedData viewed(data, layout);
      const svm_problem problem = viewed.rows().problem();
      std::vector<double> wanted(data.size(), 77), got(data.size(), 78);
      std::string wanted_messages, messages;
      const svm_options one = options(wanted_messages, 1, solver);
      const svm_options two = options(messages, 2, solver);
      std::srand(5);
      ASSERT_EQ(test::cross_validate(&problem, &param, folds, &one, wanted.data(), nullptr), 0);
      const int next_draw = std::rand();
      std::srand(5);
      ASSERT_EQ(svm_cross_validate_rows(&viewed.view(), viewed.labels(), &param, folds, &two,
                                        got.data(), nullptr),
                0);
      EXPECT_EQ(std::rand(), next_draw);
      EXPECT_TRUE(same_bits(got, wanted));
      EXPECT_EQ(messages, wanted_messages);
    }
  }

  static svm_parameter parameters_for(int type, int kernel) {
    svm_parameter param = parameters(type, kernel);
    param.coef0 = 0.25;
    param.nu = type == NU_SVC ? 0.2 : 0.5;
    return param;
  }

  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
  const TempDir folder_;
};

// With and without a solver of the environment.
TEST_F(ViewsTrain, NodesAsSvmTrainDoes) {
  for (const char* solver : {"", "csmo"}) {
    const Setting variable("LIBSVM_SOLVER", solver);
    for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
      for (const int kernel : {LINEAR, RBF, PRECOMPUTED}) {
        SCOPED_TRACE(std::to_string(type) + ' ' + std::to_string(kernel));
        Data data = nonzeros(sparse_data(60, is_classification(type), 3));
        if (kernel == PRECOMPUTED) data = precomputed(data, parameters(type, RBF));
        const svm_problem problem = data.problem();
        svm_parameter param = parameters_for(type, kernel);
        param.probability = 1;
        const Printed printed;
        svm_set_print_string_function(Printed::print);
        std::srand(5);
        const OwnedModel wanted(svm_train(&problem, &param));
        std::vector<double> wanted_targets(data.size()), targets(data.size());
        svm_cross_validation(&problem, &param, 4, wanted_targets.data());
        const int next_draw = std::rand();
        const std::string messages = std::exchange(Printed::text(), {});
        std::srand(5);
        const OwnedModel got(test::train(&problem, &param, nullptr, nullptr));
        ASSERT_NE(got, nullptr) << svm_last_error();
        EXPECT_EQ(test::cross_validate(&problem, &param, 4, nullptr, targets.data(), nullptr), 0);
        svm_set_print_string_function(nullptr);
        EXPECT_EQ(std::rand(), next_draw);
        EXPECT_EQ(Printed::text(), messages);
        EXPECT_EQ(saved_text(*got), saved_text(*wanted));
        EXPECT_TRUE(same_bits(targets, wanted_targets));
        EXPECT_EQ(got->free_sv, 1);
      }
    }
  }
}

TEST_F(ViewsTrain, TypesAndKernels) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    const Data data = sparse_data(70, is_classification(type), 3);
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      svm_parameter param = parameters_for(type, kernel);
      expect_same(data, param);
      param.probability = 1;
      expect_same(data, param);
    }
  }
}

TEST_F(ViewsTrain, Folds) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    const Data data = sparse_data(60, is_classification(type), 3);
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
      svm_parameter param = parameters_for(type, kernel);
      expect_same_folds(data, param, 4);
      param.probability = is_classification(type) ? 1 : 0;
      expect_same_folds(data, param, 3);
    }
  }
  expect_same_folds(sparse_data(20, true), parameters_for(C_SVC, RBF), 20);
}

TEST_F(ViewsTrain, Precomputed) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    const Data data = sparse_data(50, is_classification(type), 3);
    const Data kernels = precomputed(data, parameters(C_SVC, RBF));
    svm_parameter param = parameters_for(type, PRECOMPUTED);
    expect_same(kernels, param);
    expect_same_folds(kernels, param, 3);
    param.probability = 1;
    expect_same(kernels, param);
  }
}

TEST_F(ViewsTrain, EverySolver) {
  for (const std::string& solver : solver_names()) {
    for (const int type : {C_SVC, EPSILON_SVR, ONE_CLASS}) {
      const Data data = sparse_data(60, is_classification(type));
      for (const int kernel : {LINEAR, RBF}) {
        if (!supports(solver, type, kernel)) continue;
        expect_same(data, parameters_for(type, kernel), solver.c_str());
      }
    }
  }
}

// Tests every form in which engines store rows.
TEST_F(ViewsTrain, EveryEngine) {
  Data bits, bytes, fractions;
  Draws draws(9);
  for (std::size_t i = 0; i < 90; ++i) {
    Row bit_row, byte_row, row;
    for (int k = 1; k <= 60; ++k) {
      if (draws.below(4) == 0) bit_row.push_back({k, 1});
      if (draws.below(3) == 0) byte_row.push_back({k, static_cast<double>(draws.below(256))});
      if (draws.below(9) == 0) row.push_back({k * 3, draws.between(-1, 1)});
    }
    for (Row* each : {&bit_row, &byte_row, &row}) each->push_back({-1, 0});
    const double label = bit_row.size() % 2 == 0 ? 1 : 2;
    bits.add_row(label, bit_row);
    bytes.add_row(label, byte_row);
    fractions.add_row(label, row);
  }
  for (const char* engine : {"bits", "integers", "dense", "columns", "plain"}) {
    const Setting wish("SVM_ENGINE", engine);
    for (const Data* data : {&bits, &bytes, &fractions}) {
      for (const int kernel : {LINEAR, RBF}) {
        svm_parameter param = parameters_for(C_SVC, kernel);
        param.gamma = data == &bytes ? 1e-6 : 0.1;
        param.C = data == &bytes ? 1e-3 : 1;
        expect_same(*data, param);
      }
    }
  }
  for (const char* engine : {"floats", "bytes", "columns"}) {
    const Setting wish("SVM_ENGINE", engine);
    for (const Data* data : {&bits, &bytes, &fractions}) {
      svm_parameter param = parameters_for(C_SVC, RBF);
      param.gamma = data == &bytes ? 1e-6 : 0.1;
      expect_same(*data, param, "csmo");
    }
  }
}

// Kernel values would be rounded so much that they are computed from the rows.
TEST_F(ViewsTrain, LargeValues) {
  Data data;
  for (std::size_t i = 0; i < 40; ++i) {
    data.add(i % 2 == 0 ? 1 : -1, {1e8 + static_cast<double>(i % 7), 0, static_cast<double>(i)});
  }
  expect_same(data, parameters_for(C_SVC, RBF), "csmo");
  expect_same(data, parameters_for(C_SVC, RBF));
}

TEST_F(ViewsTrain, ValuesThatAreNotFinite) {
  Data data = sparse_data(30, true);
  data.add(3, {0, 1, std::numeric_limits<double>::infinity()});
  for (const Layout& layout : all_layouts()) {
    ViewedData viewed(data, layout);
    const svm_parameter param = parameters(C_SVC, RBF);
    const svm_problem problem = viewed.rows().problem();
    std::string messages, wanted_messages;
    const svm_options by = options(messages, 1, nullptr);
    const svm_options wanted_by = options(wanted_messages, 1, nullptr);
    const OwnedModel got(svm_train_rows(&viewed.view(), viewed.labels(), &param, &by, nullptr));
    const OwnedModel wanted(test::train(&problem, &param, &wanted_by, nullptr));
    ASSERT_EQ(got == nullptr, wanted == nullptr);
    EXPECT_EQ(messages, wanted_messages);
  }
}

TEST_F(ViewsTrain, StartFromAModel) {
  Data data = sparse_data(70, true, 3);
  for (const int kernel : {RBF, PRECOMPUTED}) {
    Data rows = kernel == RBF ? sparse_data(70, true, 3) : precomputed(data, parameters(0, RBF));
    ViewedData viewed(rows, {SVM_DENSE, SVM_FLOAT});
    svm_parameter param = parameters(C_SVC, kernel);
    std::string messages;
    const svm_options by = options(messages, 1, nullptr);
    const OwnedModel init(svm_train_rows(&viewed.view(), viewed.labels(), &param, &by, nullptr));
    ASSERT_NE(init, nullptr);
    param.C = 2;
    expect_same(viewed.rows(), param, nullptr, init.get());
  }
}

TEST_F(ViewsTrain, TheModelOutlivesItsView) {
  const Data data = sparse_data(70, true, 3);
  svm_parameter param = parameters(C_SVC, RBF);
  std::string messages;
  const svm_options by = options(messages, 1, nullptr);
  OwnedModel model;
  {
    int label = 1;
    double weight = 2;
    test::set_class_weight(param, label, weight);
    ViewedData viewed(data, {SVM_CSR_INT32, SVM_FLOAT});
    model.reset(svm_train_rows(&viewed.view(), viewed.labels(), &param, &by, nullptr));
  }
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->param.nr_weight, 0);
  EXPECT_EQ(model->param.weight, nullptr);
  EXPECT_TRUE(std::isfinite(svm_predict(model.get(), data.row(0))));
}

TEST_F(ViewsTrain, NoSupportVectors) {
  Data data;
  for (int i = 0; i < 5; ++i) data.add(4, {1.0 * i});
  expect_same(data, parameters(C_SVC, RBF));
}

// Whether nu is feasible depends on the weights.
TEST_F(ViewsTrain, WeightsOfRows) {
  Data data;
  std::vector<double> weights;
  for (int i = 0; i < 20; ++i) {
    data.add(i % 5 == 0 ? 1 : -1, {0.1 * (i + 1), 0.01 * i * i + 1});
    weights.push_back(i % 5 == 0 ? 4 : 1);
  }
  ViewedData viewed(data, {SVM_DENSE, SVM_DOUBLE});
  svm_parameter param = parameters(NU_SVC, RBF);
  param.nu = 0.8;
  EXPECT_EQ(svm_train_rows(&viewed.view(), viewed.labels(), &param, nullptr, nullptr), nullptr);
  std::string messages;
  svm_options by = options(messages, 1, nullptr);
  by.row_weights = weights.data();
  const svm_problem problem = data.problem();
  const OwnedModel model(svm_train_rows(&viewed.view(), viewed.labels(), &param, &by, nullptr));
  const OwnedModel expected(test::train(&problem, &param, &by, nullptr));
  ASSERT_NE(model, nullptr) << svm_last_error();
  ASSERT_NE(expected, nullptr);
  EXPECT_EQ(text_of_model(*model), text_of_model(*expected));
  std::vector<double> target(20);
  EXPECT_EQ(svm_cross_validate_rows(&viewed.view(), viewed.labels(), &param, 2, &by, target.data(),
                                    nullptr),
            0);
  weights[7] = -1;
  EXPECT_EQ(svm_train_rows(&viewed.view(), viewed.labels(), &param, &by, nullptr), nullptr);
  EXPECT_EQ(std::string(svm_last_error()),
            "svm_train_rows: the weight of row 8 is not a finite number >= 0: -1");
}

TEST_F(ViewsTrain, Refusals) {
  const Data data = sparse_data(30, true);
  ViewedData viewed(data, {SVM_DENSE, SVM_DOUBLE});
  svm_parameter param = parameters(C_SVC, RBF);
  std::vector<double> labels(viewed.labels(), viewed.labels() + data.size()), target(30, 77);
  const double* y = nullptr;
  const auto refused = [&](auto change) {
    svm_rows view = viewed.view();
    svm_parameter changed = param;
    change(view, changed);
    EXPECT_EQ(svm_train_rows(&view, y, &changed, nullptr, nullptr), nullptr);
    const std::string text = svm_last_error();
    target.assign(30, 77);
    EXPECT_EQ(svm_cross_validate_rows(&view, y, &changed, 3, nullptr, target.data(), nullptr), -1);
    const std::string begin = "svm_train_rows: ", other = "svm_cross_validate_rows: ";
    EXPECT_EQ(text.substr(0, begin.size()), begin);
    EXPECT_EQ(svm_last_error(), other + text.substr(begin.size()));
    return text.substr(begin.size());
  };
  using View = svm_rows;
  EXPECT_EQ(refused([](View&, svm_parameter&) {}), "y is null");
  EXPECT_TRUE(std::isnan(target[29]));
  y = labels.data();
  for (const double value : {std::nan(""), HUGE_VAL}) {
    labels[4] = value;
    EXPECT_EQ(refused([](View&, svm_parameter&) {}), "y[4] is not finite");
  }
  labels[4] = 3;
  EXPECT_EQ(refused([](View& v, svm_parameter&) { v.rows = 0; }), "there are no rows to train on");
  EXPECT_EQ(target[0], 77);
  EXPECT_EQ(refused([](View& v, svm_parameter&) { v.size = 0; }), "svm_rows: size is not set");
  EXPECT_EQ(refused([](View& v, svm_parameter&) { v.layout = SVM_FUNCTION + 1; }),
            "svm_rows: unknown layout");
  EXPECT_EQ(refused([](View& v, svm_parameter&) { v.layout = SVM_NODES; }),
            "svm_rows: nodes is null");
  EXPECT_EQ(refused([](View& v, svm_parameter&) { v.stride = 1; }), "svm_rows: stride < columns");
  EXPECT_EQ(refused([](View&, svm_parameter& p) { p.C = 0; }), "C <= 0");
  EXPECT_EQ(refused([](View&, svm_parameter& p) {
              p.svm_type = NU_SVC;
              p.nu = 1;
            }),
            "specified nu is infeasible");
  EXPECT_EQ(refused([](View& v, svm_parameter& p) {
              p.kernel_type = PRECOMPUTED;
              v.columns = 3;
            }),
            "precomputed kernel: row 1 has 3 values, but the serial numbers go up to 30");
  EXPECT_EQ(refused([](View&, svm_parameter& p) { p.gamma = HUGE_VAL; }), "gamma is not finite");
  EXPECT_EQ(refused([](View&, svm_parameter& p) {
              p.kernel_type = POLY;
              p.coef0 = std::nan("");
            }),
            "coef0 is not finite");
  EXPECT_EQ(refused([](View&, svm_parameter& p) { p.nr_weight = -1; }), "nr_weight < 0");
  svm_options wrong = default_options();
  wrong.solver = "none such";
  EXPECT_EQ(svm_train_rows(&viewed.view(), viewed.labels(), &param, &wrong, nullptr), nullptr);
  EXPECT_EQ(std::string(svm_last_error()).substr(0, 38), "svm_train_rows: there is no such solve");
  EXPECT_EQ(svm_cross_validate_rows(&viewed.view(), viewed.labels(), &param, 1, nullptr,
                                    target.data(), nullptr),
            -1);
  EXPECT_EQ(std::string(svm_last_error()),
            "svm_cross_validate_rows: cross validation needs 2 folds or more");
}

}  // namespace
}  // namespace svm::test
