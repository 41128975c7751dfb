// Models of the caller's arrays.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
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
    for (int row = 0; row + 1 < model.nr_class; ++row) {
      coefficients_.emplace_back(model.sv_coef[row], model.sv_coef[row] + count);
    }
    for (const std::vector<double>& row : coefficients_) pointers_.push_back(row.data());
    arrays.size = sizeof(arrays);
    arrays.param = &param_;
    arrays.sv = &view_;
    arrays.nr_class = model.nr_class;
    arrays.l = model.l;
    arrays.sv_coef = pointers_.data();
    thresholds_.assign(model.rho, model.rho + value_count(model));
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
  svm_rows view_;
  std::vector<std::vector<double>> coefficients_;
  std::vector<const double*> pointers_;
  std::vector<double> thresholds_;
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
  svm_rows none{};
  none.size = sizeof(none);
  using Parts = svm_model_arrays;
  EXPECT_EQ(refusal([](Parts& a) { a.size = 0; }), "size is wrong");
  EXPECT_EQ(refusal([](Parts& a) { a.size -= 8; }), "size is wrong");
  EXPECT_EQ(refusal([](Parts& a) { a.size += 8; }), "size is wrong");
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
  const double* const missing[] = {model->sv_coef[0], nullptr, model->sv_coef[2]};
  EXPECT_EQ(refusal([&](Parts& a) { a.sv_coef = missing; }), "sv_coef is null");
  EXPECT_EQ(refusal([](Parts& a) { a.rho = nullptr; }), "rho is null");
}

TEST_F(ModelArrays, WithoutSupportVectors) {
  svm_parameter param = parameters(C_SVC, RBF);
  const int label = 3, number = 0;
  svm_rows none{};
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
  param.svm_type = EPSILON_SVR;
  const double rho = -2;
  arrays.rho = &rho;
  const OwnedModel constant(svm_model_from_arrays(&arrays));
  ASSERT_NE(constant, nullptr) << svm_last_error();
  EXPECT_EQ(svm_predict(constant.get(), data_.row(0)), 2);
}

}  // namespace
}  // namespace svm::test
