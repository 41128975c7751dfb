// svm_arrays_of_model, which gives bindings the contents of a model.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/model_texts.h"

namespace svm {
namespace {

using test::OwnedModel;

// The contents of a model.
struct Contents {
  explicit Contents(const svm_model& model) {
    arrays.size = sizeof(arrays);
    rows.size = sizeof(rows);
    status = svm_arrays_of_model(&model, &arrays, &rows);
  }
  svm_model_arrays arrays{};
  svm_rows rows{};
  int status = -1;
};

void expect_vectors(const svm_model& model, const svm_rows& rows) {
  EXPECT_EQ(rows.layout, SVM_NODES);
  ASSERT_EQ(rows.rows, static_cast<std::size_t>(model.l));
  for (std::size_t s = 0; s < rows.rows; ++s) {
    const svm_node* expected = model.SV[s];
    for (const svm_node* node = rows.nodes[s]; node->index != -1; ++node, ++expected) {
      EXPECT_EQ(node->index, expected->index);
      EXPECT_EQ(node->value, expected->value);
    }
    if (model.param.kernel_type != PRECOMPUTED) {
      EXPECT_EQ(expected->index, -1);
    }
  }
}

// Compares everything with the structure, and makes the same model of it.
void expect_access(const svm_model& model) {
  const Contents found(model);
  const svm_model_arrays& arrays = found.arrays;
  ASSERT_EQ(found.status, 0) << svm_last_error();
  EXPECT_EQ(arrays.size, sizeof(arrays));
  EXPECT_EQ(found.rows.size, sizeof(svm_rows));
  EXPECT_EQ(arrays.param, &model.param);
  EXPECT_EQ(arrays.sv, &found.rows);
  EXPECT_EQ(arrays.nr_class, model.nr_class);
  EXPECT_EQ(arrays.l, model.l);
  EXPECT_EQ(arrays.sv_coef, model.sv_coef);
  EXPECT_EQ(arrays.rho, model.rho);
  EXPECT_EQ(arrays.label, model.label);
  EXPECT_EQ(arrays.nr_sv, model.nSV);
  EXPECT_EQ(arrays.prob_a, model.probA);
  EXPECT_EQ(arrays.prob_b, model.probB);
  EXPECT_EQ(arrays.prob_density_marks, model.prob_density_marks);
  EXPECT_EQ(arrays.sv_indices, model.sv_indices);
  EXPECT_EQ(arrays.nr_values, test::value_count(model));
  expect_vectors(model, found.rows);
  if (model.param.kernel_type == PRECOMPUTED && model.sv_indices == nullptr) return;
  const OwnedModel made(svm_model_from_arrays(&arrays));
  ASSERT_NE(made, nullptr) << svm_last_error();
  EXPECT_EQ(test::saved_text(*made), test::saved_text(model));
}

class ModelAccess : public test::Extension {
 protected:
  void expect_trained_and_loaded() {
    const OwnedModel model = train();
    ASSERT_NE(model, nullptr) << svm_last_error();
    expect_access(*model);
    const std::string text = test::saved_text(*model);
    const OwnedModel loaded(svm_parse_model(text.data(), text.size()));
    ASSERT_NE(loaded, nullptr) << svm_last_error();
    expect_access(*loaded);
  }
  void use(const test::Data& data) {
    data_ = data;
    problem_ = data_.problem();
  }
};

TEST_F(ModelAccess, OfAllTypes) {
  options_.seed = 0;
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
}

TEST_F(ModelAccess, OfTexts) {
  for (const std::string& text : test::valid_models()) {
    const OwnedModel model(svm_parse_model(text.data(), text.size()));
    ASSERT_NE(model, nullptr);
    expect_access(*model);
  }
}

// A model after free_model_content.
TEST_F(ModelAccess, OfAnEmptiedModel) {
  const OwnedModel model = train();
  svm_free_model_content(model.get());
  const Contents found(*model);
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(found.arrays.rho, nullptr);
  EXPECT_EQ(found.arrays.sv_coef, nullptr);
  EXPECT_EQ(found.rows.nodes, nullptr);
}

TEST_F(ModelAccess, NeedsTheSizes) {
  const OwnedModel model = train();
  for (const std::size_t wrong : {std::size_t{0}, sizeof(svm_model_arrays) + 8}) {
    svm_model_arrays arrays{};
    svm_rows rows{};
    rows.size = sizeof(rows);
    arrays.size = wrong;
    EXPECT_EQ(svm_arrays_of_model(model.get(), &arrays, &rows), -1);
    arrays.size = sizeof(arrays);
    rows.size = wrong;
    EXPECT_EQ(svm_arrays_of_model(model.get(), &arrays, &rows), -1);
    EXPECT_STREQ(svm_last_error(), "svm_arrays_of_model: svm_model_arrays: size is wrong");
    EXPECT_EQ(arrays.l, 0);
  }
}

}  // namespace
}  // namespace svm
