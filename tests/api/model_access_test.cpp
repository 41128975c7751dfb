// Functions that give bindings the contents of a model.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm.h"
#include "tests/extension.h"
#include "tests/model_texts.h"
#include "tests/temp_dir.h"

namespace svm {
namespace {

using test::OwnedModel;

constexpr double kUntouched = -77;

std::size_t count_of(int number) { return static_cast<std::size_t>(number); }

// Expects that `get` writes the `count` numbers of `expected` and no more; nothing if that is null.
template <typename T, typename Get>
void expect_array(const svm_model& model, Get get, const T* expected, std::size_t count,
                  const char* name) {
  std::vector<T> found(count + 3, static_cast<T>(kUntouched));
  EXPECT_EQ(get(&model, found.data()), expected == nullptr ? 0 : 1) << name;
  std::vector<T> wanted(count + 3, static_cast<T>(kUntouched));
  if (expected != nullptr) std::copy_n(expected, count, wanted.begin());
  // Compares texts, so that a NaN equals another.
  EXPECT_EQ(testing::PrintToString(found), testing::PrintToString(wanted)) << name;
}

void expect_vectors(const svm_model& model) {
  for (int s = 0; s < model.l; ++s) {
    const std::size_t count = svm_get_sv(&model, s, nullptr, nullptr);
    std::vector<int> index(count + 1, -7);
    std::vector<double> value(count + 1, kUntouched);
    EXPECT_EQ(svm_get_sv(&model, s, index.data(), nullptr), count);
    EXPECT_EQ(svm_get_sv(&model, s, nullptr, value.data()), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(index[i], model.SV[s][i].index);
      EXPECT_EQ(value[i], model.SV[s][i].value);
    }
    EXPECT_EQ(model.SV[s][count].index, -1);
    EXPECT_EQ(index[count], -7);
    EXPECT_EQ(value[count], kUntouched);
  }
  for (const int outside : {-1, model.l, model.l + 100}) {
    EXPECT_EQ(svm_get_sv(&model, outside, nullptr, nullptr), 0U);
  }
}

// Compares all functions with the structure.
void expect_access(const svm_model& model) {
  const svm_parameter& param = model.param;
  EXPECT_EQ(svm_get_kernel_type(&model), param.kernel_type);
  EXPECT_EQ(svm_get_degree(&model), param.degree);
  EXPECT_EQ(svm_get_gamma(&model), param.gamma);
  EXPECT_EQ(svm_get_coef0(&model), param.coef0);
  const std::size_t k = count_of(model.nr_class), l = count_of(model.l);
  const std::size_t values = test::is_classification(param.svm_type) ? k * (k - 1) / 2 : 1;
  EXPECT_EQ(svm_get_nr_values(&model), values);
  expect_array(model, svm_get_rho, model.rho, values, "rho");
  expect_array(model, svm_get_prob_a, model.probA, values, "prob_a");
  expect_array(model, svm_get_prob_b, model.probB, values, "prob_b");
  expect_array(model, svm_get_prob_density_marks, model.prob_density_marks, 10, "marks");
  expect_array(model, svm_get_nr_sv_by_class, model.nSV, k, "nr_sv");
  std::vector<double> coefficients;
  for (std::size_t row = 0; row + 1 < k; ++row) {
    coefficients.insert(coefficients.end(), model.sv_coef[row], model.sv_coef[row] + l);
  }
  coefficients.reserve(1);  // not null
  expect_array(model, svm_get_sv_coef, coefficients.data(), coefficients.size(), "sv_coef");
  expect_vectors(model);
}

class ModelAccess : public test::Extension {
 protected:
  void expect_trained_and_loaded() {
    const OwnedModel model = train();
    ASSERT_NE(model, nullptr) << svm_last_error();
    expect_access(*model);
    const test::TempDir folder;
    const std::string file = folder.file("model");
    ASSERT_EQ(svm_save_model(file.c_str(), model.get()), 0);
    const OwnedModel loaded(svm_load_model(file.c_str()));
    ASSERT_NE(loaded, nullptr) << svm_last_error();
    expect_access(*loaded);
    EXPECT_EQ(svm_get_nr_values(loaded.get()), svm_get_nr_values(model.get()));
  }
  void use(const test::Data& data) {
    data_ = data;
    problem_ = data_.problem();
  }
};

TEST_F(ModelAccess, OfAllTypes) {
  options_.use_seed = 1;
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    for (const int probability : {0, 1}) {
      use(test::is_classification(type) ? test::four_classes(90, 3)
                                        : test::random_data(90, 3, false, 3));
      param_ = test::parameters(type, POLY);
      param_.coef0 = 0.5;
      param_.nu = 0.2;
      param_.probability = probability;
      expect_trained_and_loaded();
    }
  }
}

TEST_F(ModelAccess, OfKernelValues) {
  use(test::precomputed(test::random_data(30, 2, true, 3), test::parameters(C_SVC, RBF)));
  param_ = test::parameters(C_SVC, PRECOMPUTED);
  expect_trained_and_loaded();
}

// Its only support vector is w.
TEST_F(ModelAccess, OfALinearMachine) {
  options_.solver = "dcd";
  param_ = test::parameters(C_SVC, LINEAR);
  expect_trained_and_loaded();
  use(test::four_classes(90, 3));
  expect_trained_and_loaded();
  param_.svm_type = EPSILON_SVR;
  use(test::random_data(90, 3, false, 3));
  expect_trained_and_loaded();
}

TEST_F(ModelAccess, OfOneClassOnly) {
  test::Data data;
  data.add(3, {1});
  data.add(3, {2});
  use(data);
  expect_trained_and_loaded();
  const OwnedModel model = train();
  EXPECT_EQ(svm_get_nr_values(model.get()), 0U);
}

TEST_F(ModelAccess, OfTexts) {
  for (const std::string& text : test::valid_models()) {
    const OwnedModel model(svm_load_model_from_memory(text.data(), text.size()));
    ASSERT_NE(model, nullptr);
    expect_access(*model);
  }
}

// A model after free_model_content.
TEST_F(ModelAccess, OfAnEmptiedModel) {
  const OwnedModel model = train();
  svm_free_model_content(model.get());
  double number = kUntouched;
  int whole = -7;
  EXPECT_EQ(svm_get_rho(model.get(), &number), 0);
  EXPECT_EQ(svm_get_sv_coef(model.get(), &number), 0);
  EXPECT_EQ(svm_get_prob_a(model.get(), &number), 0);
  EXPECT_EQ(svm_get_nr_sv_by_class(model.get(), &whole), 0);
  EXPECT_EQ(svm_get_sv(model.get(), 0, &whole, &number), 0U);
  EXPECT_EQ(number, kUntouched);
  EXPECT_EQ(whole, -7);
}

}  // namespace
}  // namespace svm
