// Shared by the tests of svm_ext.h.
#ifndef SVM_TESTS_EXTENSION_H_
#define SVM_TESTS_EXTENSION_H_

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/rows.h"
#include "tests/training_data.h"
#include "tests/warnings.h"

namespace svm::test {

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using OwnedModel = std::unique_ptr<svm_model, FreeModel>;

inline svm_options default_options() {
  svm_options options;
  svm_init_options(&options, sizeof(options));
  return options;
}

inline svm_result new_result() {
  svm_result result{};
  result.size = sizeof(result);
  return result;
}

inline void drop_text(const char*, void*) {}

// The names of all solvers, the default first.
inline std::vector<std::string> solver_names() {
  std::istringstream table(svm_list_solvers());
  std::vector<std::string> names;
  std::string line;
  std::getline(table, line);  // the heading
  while (std::getline(table, line)) {
    if (line[0] != ' ')
      names.push_back(line.substr(0, line.find(' ')));  // a second line is indented
  }
  return names;
}

// True if the solver trains this SVM type with this kernel.
inline bool supports(const std::string& solver, int svm_type, int kernel_type) {
  const svm_parameter param = parameters(svm_type, kernel_type);
  svm_options options = default_options();
  options.solver = solver.c_str();
  return svm_check_options(&param, &options) == nullptr;
}

// Selects the progress calls at certain iterations, once each and the same on every machine, from
// the additional ones during long work.
class SteadyLooks {
 public:
  bool has(const svm_progress& look) {
    const std::pair<long long, long long> place(look.problem, look.iterations);
    const bool is_known = look.violation > 0;  // false before a solver's first iteration
    if (look.finished == 0 && (!is_known || place == last_)) return false;
    last_ = place;
    return true;
  }

 private:
  std::pair<long long, long long> last_{0, 0};
};

class Extension : public testing::Test {
 protected:
  Extension()
      : data_(random_data(200, 3, true, 7)),
        problem_(data_.problem()),
        param_(parameters(C_SVC, RBF)),
        options_(default_options()),
        result_(new_result()) {
    param_.C = 100;
    options_.print = drop_text;
  }

  OwnedModel train() { return OwnedModel(test::train(&problem_, &param_, &options_, &result_)); }
  // The reason why training fails.
  std::string refusal() {
    EXPECT_EQ(train(), nullptr);
    return svm_last_error();
  }

  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
  const Warnings warnings_;
  Data data_;
  svm_problem problem_;
  svm_parameter param_;
  svm_options options_;
  svm_result result_;
};

// The model file, with all digits.
inline std::string saved_text(const svm_model& model) {
  char* const text = svm_model_text(&model, 17, nullptr);
  std::string result = text;
  svm_free_text(text);
  return result;
}

// The coefficients of the first pair, and its threshold.
inline std::vector<double> coefficients(const svm_model& model) {
  std::vector<double> all(model.sv_coef[0], model.sv_coef[0] + model.l);
  all.push_back(model.rho[0]);
  return all;
}

}  // namespace svm::test

#endif  // SVM_TESTS_EXTENSION_H_
