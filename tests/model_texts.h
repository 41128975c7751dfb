// Texts of model files.
#ifndef SVM_TESTS_MODEL_TEXTS_H_
#define SVM_TESTS_MODEL_TEXTS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "svm_ext.h"
#include "tests/extension.h"

namespace svm::test {

// Three classes, with every optional line of classification.
inline const std::string kThreeClasses =
    "svm_type c_svc\n"
    "kernel_type polynomial\n"
    "degree 3\n"
    "gamma 0.25\n"
    "coef0 -1.5\n"
    "nr_class 3\n"
    "total_sv 4\n"
    "rho 0.5 -0.10000000000000001 nan\n"
    "label 1 -2 7\n"
    "probA -1 -2 -3\n"
    "probB 0.5 0 1\n"
    "nr_sv 2 1 1\n"
    "SV\n"
    "1 0.5 1:0.25 3:-1 \n"
    "0.33333333333333331 1 2:1.2345678 \n"
    "-1 1 \n"
    "-1 -0.5 0:1 2147483647:0 \n";

inline const std::string kOneClass =
    "svm_type one_class\n"
    "kernel_type rbf\n"
    "gamma 1\n"
    "nr_class 2\n"
    "total_sv 1\n"
    "rho inf\n"
    "prob_density_marks 1 2 3 4 5 6 7 8 9 10\n"
    "SV\n"
    "0.5 1:1 \n";

inline const std::string kRegression =
    "svm_type epsilon_svr\n"
    "kernel_type sigmoid\n"
    "gamma 0.5\n"
    "coef0 0\n"
    "nr_class 2\n"
    "total_sv 2\n"
    "rho -inf\n"
    "probA 0.125\n"
    "SV\n"
    "-0.5 1:1 \n"
    "0.5 2:1 \n";

inline const std::string kPrecomputed =
    "svm_type nu_svc\n"
    "kernel_type precomputed\n"
    "nr_class 2\n"
    "total_sv 2\n"
    "rho -nan\n"
    "label 1 -1\n"
    "nr_sv 1 1\n"
    "SV\n"
    "1 0:3 \n"
    "-1 0:12 \n";

inline const std::string kOneLabel =
    "svm_type c_svc\n"
    "kernel_type linear\n"
    "nr_class 1\n"
    "total_sv 0\n"
    "rho\n"
    "label 4\n"
    "nr_sv 0\n"
    "SV\n";

// One model of each kind.
inline const std::vector<std::string>& valid_models() {
  static const std::vector<std::string> models = {kThreeClasses, kOneClass, kRegression,
                                                  kPrecomputed, kOneLabel};
  return models;
}

// The text of a model with LIBSVM's digits; empty if it has none.
inline std::string written(const svm_model& model) {
  std::size_t size = 0;
  char* const text = svm_model_text(&model, 0, &size);
  std::string copy = text == nullptr ? std::string() : std::string(text, size);
  svm_free_text(text);
  return copy;
}

// The model of a text; null if it is refused, for the reason refusal().
inline OwnedModel parsed(const std::string& text) {
  return OwnedModel(svm_parse_model(text.data(), text.size()));
}

inline std::string refusal() {
  const std::string function = "svm_parse_model: ", error = svm_last_error();
  EXPECT_EQ(error.rfind(function, 0), 0U) << error;
  return error.substr(function.size());
}

}  // namespace svm::test

#endif  // SVM_TESTS_MODEL_TEXTS_H_
