// Models of the caller's arrays.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm.h"
#include "tests/extension.h"
#include "tests/view.h"

namespace svm::test {
namespace {

// The contents of a model as arrays, its support vectors in some layout.
class Arrays {
 public:
  Arrays(const svm_model& model, Layout layout)
      : vectors_(vectors_of(model), layout), param_(model.param), view_(vectors_.view()) {
    const auto count = static_cast<std::size_t>(model.l);
    const std::size_t functions = svm_get_nr_values(&model);
    const auto rows = static_cast<std::size_t>(model.nr_class) - 1;
    coefficients_.resize(rows * count);
    svm_get_sv_coef(&model, coefficients_.data());
    arrays.size = sizeof(arrays);
    arrays.param = &param_;
    arrays.sv = &view_;
    arrays.nr_class = model.nr_class;
    arrays.l = model.l;
    arrays.sv_coef = coefficients_.data();
    thresholds_.assign(model.rho, model.rho + functions);
    arrays.rho = thresholds_.data();
    arrays.label = model.label;
    arrays.nr_sv = model.nSV;
    arrays.prob_a = model.probA;
    arrays.prob_b = model.probB;
    arrays.prob_density_marks = model.prob_density_marks;
    arrays.sv_indices = model.sv_indices;
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  OwnedModel make() const { return OwnedModel(svm_model_from_arrays(&arrays)); }
  std::string refusal() const {
    EXPECT_EQ(make(), nullptr);
    return svm_last_error();
  }

  svm_model_arrays arrays{};

 private:
  static Data vectors_of(const svm_model& model) {
    Data data;
    for (int s = 0; s < model.l; ++s) {
      Row row;
      const svm_node* node = model.SV[s];
      while (node->index != -1) row.push_back(*node++);
      row.push_back({-1, 0});
      data.add_row(0, row);
    }
    return data;
  }

  ViewedData vectors_;
  svm_parameter param_;
  svm_problem_view view_;
  std::vector<double> coefficients_, thresholds_;
};

class ModelArrays : public Extension {};

TEST_F(ModelArrays, GiveTheModelBack) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    for (const int kernel : {LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED}) {
      data_ = four_classes(80, 5);
      param_ = parameters(type, RBF);
      if (kernel == PRECOMPUTED) data_ = precomputed(data_, param_);
      problem_ = data_.problem();
      param_.kernel_type = kernel;
      param_.gamma = 0.25;
      param_.coef0 = 0.125;
      param_.nu = 0.25;
      param_.probability = 1;
      const OwnedModel model = train();
      ASSERT_NE(model, nullptr) << svm_last_error();
      for (const Layout& layout : all_layouts()) {
        if (layout.value_type == SVM_FLOAT) continue;
        SCOPED_TRACE(text_of(layout) + ", type " + std::to_string(type));
        Arrays parts(*model, layout);
        if (kernel == PRECOMPUTED) parts.arrays.sv = nullptr;
        const OwnedModel made = parts.make();
        ASSERT_NE(made, nullptr) << svm_last_error();
        EXPECT_EQ(saved_text(*made), saved_text(*model));
        EXPECT_EQ(std::vector<int>(made->sv_indices, made->sv_indices + made->l),
                  std::vector<int>(model->sv_indices, model->sv_indices + model->l));
        EXPECT_EQ(made->free_sv, 1);
        for (std::size_t i = 0; i < data_.size(); i += 7) {
          EXPECT_EQ(svm_predict(made.get(), data_.row(i)), svm_predict(model.get(), data_.row(i)));
        }
        parts.arrays.sv_indices = nullptr;
        if (kernel == PRECOMPUTED) {
          EXPECT_EQ(parts.refusal(), "svm_model_from_arrays: svm_model_arrays: sv_indices is null");
        } else {
          EXPECT_EQ(parts.make()->sv_indices, nullptr);
        }
      }
    }
  }
}

TEST_F(ModelArrays, AreChecked) {
  data_ = four_classes(40, 5);
  problem_ = data_.problem();
  const OwnedModel model = train();
  const auto refusal = [&](auto change) {
    Arrays parts(*model, {SVM_DENSE, SVM_DOUBLE});
    change(parts.arrays);
    const std::string start = "svm_model_from_arrays: svm_model_arrays: ", text = parts.refusal();
    EXPECT_EQ(text.rfind(start, 0), 0U) << text;
    return text.substr(start.size());
  };
  const std::vector<int> too_many(4, model->l), negative = {-1, 0, 0, model->l + 1};
  svm_parameter param = model->param;
  svm_problem_view none{};
  none.size = sizeof(none);
  using Parts = svm_model_arrays;
  EXPECT_EQ(refusal([](Parts& a) { a.size = 0; }), "size is not set");
  EXPECT_EQ(refusal([](Parts& a) { a.size -= 8; }), "size is too small");
  EXPECT_EQ(refusal([](Parts& a) { a.size += 8; }),
            "size is larger than this version of the library knows");
  EXPECT_EQ(refusal([](Parts& a) { a.param = nullptr; }), "param is null");
  param.svm_type = 5;
  EXPECT_EQ(refusal([&](Parts& a) { a.param = &param; }), "unknown svm type");
  param.svm_type = C_SVC;
  param.kernel_type = -1;
  EXPECT_EQ(refusal([&](Parts& a) { a.param = &param; }), "unknown kernel type");
  EXPECT_EQ(refusal([](Parts& a) { a.sv = nullptr; }), "sv is null");
  EXPECT_EQ(refusal([&](Parts& a) { a.sv = &none; }), "sv does not have l rows");
  EXPECT_EQ(refusal([](Parts& a) { a.l = -1; }), "l < 0");
  EXPECT_EQ(refusal([](Parts& a) { a.nr_class = 0; }), "nr_class < 1");
  EXPECT_EQ(refusal([](Parts& a) { a.nr_class = 1; }),
            "a model of one class has no support vectors");
  EXPECT_EQ(refusal([](Parts& a) { a.label = nullptr; }), "label or nr_sv is null");
  EXPECT_EQ(refusal([](Parts& a) { a.nr_sv = nullptr; }), "label or nr_sv is null");
  EXPECT_EQ(refusal([&](Parts& a) { a.nr_sv = too_many.data(); }), "nr_sv does not sum to l");
  EXPECT_EQ(refusal([&](Parts& a) { a.nr_sv = negative.data(); }), "nr_sv < 0");
  EXPECT_EQ(refusal([](Parts& a) { a.sv_coef = nullptr; }), "sv_coef is null");
  EXPECT_EQ(refusal([](Parts& a) { a.rho = nullptr; }), "rho is null");
}

TEST_F(ModelArrays, WithoutSupportVectors) {
  svm_parameter param = parameters(C_SVC, RBF);
  const int label = 3, number = 0;
  svm_problem_view none{};
  none.size = sizeof(none);
  svm_model_arrays arrays{};
  arrays.size = sizeof(arrays);
  arrays.param = &param;
  arrays.sv = &none;
  arrays.nr_class = 1;
  arrays.label = &label;
  arrays.nr_sv = &number;
  const OwnedModel model(svm_model_from_arrays(&arrays));
  ASSERT_NE(model, nullptr) << svm_last_error();
  EXPECT_EQ(svm_predict(model.get(), data_.row(0)), 3);
}

TEST(Aliases, AreTheFunctionsThatTheyStandFor) {
  Data data = random_data(20, 2, true, 4);
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, LINEAR);
  svm_set_print_string_function([](const char*) {});
  const OwnedModel model(svm_train(&problem, &param));
  svm_set_print_string_function(nullptr);
  const std::string text = saved_text(*model);
  svm_model* const parsed = svm_parse_model_from_buffer(text.data(), text.size());
  EXPECT_EQ(saved_text(*parsed), text);
  svm_destroy_model(parsed);
  svm_destroy_model(nullptr);
}

}  // namespace
}  // namespace svm::test
