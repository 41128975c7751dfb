// Trains by svm_ext.h; the decision function comes row by row.
#ifndef SVM_TESTS_ROW_TRAINING_H_
#define SVM_TESTS_ROW_TRAINING_H_

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/training_data.h"

namespace svm::test {

// A function of two classes, or of a type without classes.
struct RowFunction {
  OwnedModel model;  // null if training failed
  // f(x) = sum over the rows of coefficient * K(row, x) - rho; all 0 if the solver, such as dcd,
  // stores another vector than rows.
  std::vector<double> coefficients;
  double rho = std::numeric_limits<double>::quiet_NaN();

  // f(x) by prediction.
  double at(const svm_node* x) const {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (model != nullptr) svm_predict_values(model.get(), x, &value);
    return value;
  }
};

class RowTraining {
 public:
  RowTraining() { options.solver = "smo"; }

  // Expects that training succeeds.  Classes are +1, the first one of the model, and -1.
  RowFunction train(Data& data, const svm_parameter& param) {
    const svm_problem problem = data.problem();
    printed.clear();
    warned.clear();
    options.print = append;
    options.print_user = &printed;
    options.warn = append;
    options.warn_user = &warned;
    RowFunction found;
    found.coefficients.assign(data.size(), 0);
    found.model.reset(test::train(&problem, &param, &options, &result));
    if (found.model == nullptr) {
      ADD_FAILURE() << svm_last_error();
      return found;
    }
    const svm_model& model = *found.model;
    if (model.label != nullptr) {
      EXPECT_EQ(model.label[0], 1);
    }
    found.rho = model.rho[0];
    for (int s = 0; s < model.l && model.sv_indices != nullptr; ++s) {
      found.coefficients[static_cast<std::size_t>(model.sv_indices[s] - 1)] = model.sv_coef[0][s];
    }
    return found;
  }
  // With costs of the two classes.
  RowFunction train(Data& data, svm_parameter param, double positive, double negative) {
    int label = -1;
    double weight = negative / positive;
    param.C = positive;
    if (negative != positive) set_class_weight(param, label, weight);
    return train(data, param);
  }

  svm_options options = default_options();
  svm_result result = new_result();
  std::string printed, warned;  // by the last training

 private:
  static void append(const char* text, void* all) { *static_cast<std::string*>(all) += text; }
};

}  // namespace svm::test

#endif  // SVM_TESTS_ROW_TRAINING_H_
