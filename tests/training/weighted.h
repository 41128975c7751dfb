// Shared by the tests of row weights.
#ifndef SVM_TESTS_TRAINING_WEIGHTED_H_
#define SVM_TESTS_TRAINING_WEIGHTED_H_

#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/temp_dir.h"
#include "tests/training_data.h"

namespace svm::test {

inline void append_text(const char* part, void* user) { *static_cast<std::string*>(user) += part; }

// A training by svm_train_rows and its results.
struct WeightedTraining {
  const char* solver = "smo";
  const double* weights = nullptr;
  const svm_model* init = nullptr;
  long long max_iterations = 0;
  std::string printed = {};
  svm_result result = new_result();

  svm_options options() {
    svm_options given = default_options();
    given.solver = solver;
    given.row_weights = weights;
    given.init = init;
    given.max_iter = max_iterations;
    given.print = append_text;
    given.print_user = &printed;
    given.seed = 4;
    return given;
  }
  OwnedModel train(const svm_problem& problem, const svm_parameter& param) {
    const svm_options given = options();
    return OwnedModel(test::train(&problem, &param, &given, &result));
  }
  std::vector<double> cross_validate(const svm_problem& problem, const svm_parameter& param,
                                     int folds) {
    const svm_options given = options();
    std::vector<double> targets(static_cast<std::size_t>(problem.l));
    EXPECT_EQ(test::cross_validate(&problem, &param, folds, &given, targets.data(), &result), 0);
    return targets;
  }
};

// The text of the model file.
inline std::string text_of(const OwnedModel& model) {
  if (model == nullptr) return "no model";
  const TempDir folder;
  EXPECT_EQ(svm_save_model(folder.file("model").c_str(), model.get()), 0);
  return folder.read("model");
}

inline Data rows_for(int svm_type, std::size_t rows, std::uint64_t seed = 7) {
  return random_data(rows, 3, svm_type != EPSILON_SVR && svm_type != NU_SVR, seed);
}

// The data with row i repeated copies[i] times.
inline Data repeated(const Data& data, const std::vector<double>& copies) {
  Data all;
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (int k = 0; k < static_cast<int>(copies[i]); ++k) {
      all.add(data.label(i), {data.row(i)[0].value, data.row(i)[1].value, data.row(i)[2].value});
    }
  }
  return all;
}

constexpr int kAllTypes[] = {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR};

}  // namespace svm::test

#endif  // SVM_TESTS_TRAINING_WEIGHTED_H_
