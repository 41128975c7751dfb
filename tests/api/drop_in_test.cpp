// What programs that were written for LIBSVM rely on, although no header says so.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/training_data.h"
#include "tests/warnings.h"

namespace svm::test {
namespace {

class DropIn : public testing::Test {
 protected:
  DropIn() {
    svm_set_print_string_function([](const char*) {});
  }
  ~DropIn() override { svm_set_print_string_function(nullptr); }
  static OwnedModel train(Data& data, const svm_parameter& param) {
    const svm_problem problem = data.problem();
    return OwnedModel(svm_train(&problem, &param));
  }

  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
  const Warnings warnings_;
};

// LIBSVM's own functions for MATLAB and Octave number the places of a row from 1.
TEST_F(DropIn, IndicesOfPrecomputedRowsAreNotRead) {
  Data rows = random_data(30, 2, true, 12);
  svm_parameter param = parameters(C_SVC, RBF);
  Data usual = precomputed(rows, param);
  Data shifted;
  for (std::size_t i = 0; i < usual.size(); ++i) {
    Row row;
    for (const svm_node* node = usual.row(i); node->index != -1; ++node) {
      row.push_back({node->index + 1, node->value});
    }
    row.push_back({-1, 0});
    shifted.add_row(usual.label(i), row);
  }
  param.kernel_type = PRECOMPUTED;
  const OwnedModel expected = train(usual, param), model = train(shifted, param);
  EXPECT_EQ(saved_text(*model), saved_text(*expected));
  for (std::size_t i = 0; i < usual.size(); ++i) {
    EXPECT_EQ(svm_predict(model.get(), shifted.row(i)), svm_predict(expected.get(), usual.row(i)));
  }
  const svm_problem problem = shifted.problem();
  std::vector<double> target(shifted.size(), 7);
  svm_cross_validation(&problem, &param, 3, target.data());
  for (const double value : target) EXPECT_EQ(std::fabs(value), 1);
}

TEST_F(DropIn, ChecksWhatWouldMakeTrainingFail) {
  Data data = random_data(20, 2, true, 3);
  const svm_problem problem = data.problem();
  svm_parameter param = parameters(C_SVC, RBF);
  int label = -1;
  double weight = -2;
  set_class_weight(param, label, weight);
  EXPECT_STREQ(svm_check_parameter(&problem, &param), "weight of a class < 0");
  weight = std::nan("");
  EXPECT_STREQ(svm_check_parameter(&problem, &param), "weight of a class is NaN");
  label = 5;  // does not occur, so that the weight is not used
  EXPECT_EQ(svm_check_parameter(&problem, &param), nullptr);
  label = -1;
  weight = 0;
  EXPECT_EQ(svm_check_parameter(&problem, &param), nullptr);
  EXPECT_EQ(warnings_.take(), "");
  param = parameters(NU_SVR, RBF);
  param.C = std::numeric_limits<double>::infinity();
  EXPECT_STREQ(svm_check_parameter(&problem, &param), "C is infinite");
  param.svm_type = C_SVC;
  EXPECT_EQ(svm_check_parameter(&problem, &param), nullptr);
}

// LIBSVM's svm_train() never returns null after svm_check_parameter() has passed, and programs rely
// on it.
TEST_F(DropIn, InvalidVariablesAreIgnoredWithAWarning) {
  struct Case {
    const char *name, *value, *warning;
  };
  constexpr Case kCases[] = {
      {"SVM_NUM_THREADS", "0",
       "WARNING: environment variable SVM_NUM_THREADS is not a whole number from 1 to 1024: '0'; "
       "it is ignored\n"},
      {"SVM_NUM_THREADS", "auto",
       "WARNING: environment variable SVM_NUM_THREADS is not a whole number from 1 to 1024: "
       "'auto'; it is ignored\n"},
      {"LIBSVM_SOLVER", "newton", ", not 'newton'; it is ignored\n"},
      {"LIBSVM_SOLVER", "dcd",
       "WARNING: environment variable LIBSVM_SOLVER: solver dcd supports SVM types: "},
      {"SVM_INSTRUCTION_SET", "altivec",
       "WARNING: environment variable SVM_INSTRUCTION_SET: 'altivec' is none of "},
      {"SVM_ENGINE", "fast", "WARNING: environment variable SVM_ENGINE: 'fast' is none of "}};
  Data data = random_data(40, 2, true, 5);
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, RBF);
  const std::string expected = saved_text(*train(data, param));
  for (const Case& each : kCases) {
    const Setting variable(each.name, each.value);
    EXPECT_EQ(saved_text(*train(data, param)), expected) << each.value;
    const std::string text = warnings_.take();
    EXPECT_NE(text.find(each.warning), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    std::vector<double> target(data.size(), 7);
    svm_cross_validation(&problem, &param, 2, target.data());
    EXPECT_EQ(std::fabs(target[0]), 1);
    EXPECT_EQ(warnings_.take(), text);
    EXPECT_EQ(test::train(&problem, &param, nullptr, nullptr), nullptr);
    EXPECT_EQ(warnings_.take(), "");
    EXPECT_STRNE(svm_last_error(), "");
  }
}

// Programs that fill a model, and were written before the last member existed, leave garbage there.
TEST_F(DropIn, DensityMarksOfOtherModelsAreNotRead) {
  Data data = random_data(40, 2, true, 5);
  for (const int type : {C_SVC, NU_SVC, EPSILON_SVR, NU_SVR, ONE_CLASS}) {
    const OwnedModel model = train(data, parameters(type, RBF));
    const std::string text = saved_text(*model);
    double garbage[10] = {1, 2, 3};
    model->prob_density_marks = garbage;
    const bool is_read = type == ONE_CLASS;
    EXPECT_EQ(saved_text(*model) == text, !is_read);
    svm_model_arrays arrays{};
    svm_rows sv{};
    arrays.size = sizeof(arrays);
    sv.size = sizeof(sv);
    ASSERT_EQ(svm_arrays_of_model(model.get(), &arrays, &sv), 0);
    EXPECT_EQ(arrays.prob_density_marks != nullptr, is_read);
    EXPECT_EQ(svm_check_probability_model(model.get()), is_read ? 1 : 0);
    const OwnedModel compact(svm_compact_model(model.get()));
    EXPECT_EQ(compact->prob_density_marks != nullptr, is_read);
    // e1071 has written such lines.
    std::string spoilt = text;
    spoilt.insert(spoilt.find("\nSV\n"), "\nprob_density_marks 1 2 3 4 5 6 7 8 9 10");
    const OwnedModel loaded(svm_parse_model(spoilt.data(), spoilt.size()));
    ASSERT_NE(loaded, nullptr) << svm_last_error();
    EXPECT_EQ(loaded->prob_density_marks != nullptr, is_read);
    if (is_read) model->prob_density_marks = nullptr;
  }
}

}  // namespace
}  // namespace svm::test
