// Trainings that lack memory.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/extension.h"
#include "tests/memory/failures.h"
#include "tests/view.h"

namespace svm::test {
namespace {

// Returns few rows, because a training is repeated for each of its allocations.
Data few_rows(int classes) {
  Draws draws(3);
  Data data;
  for (int i = 0; i < 6 * classes; ++i) {
    const int label = i % classes;
    data.add(label, {0.4 * label + draws.between(-1, 1), draws.between(-1, 1)});
  }
  return data;
}

struct Case {
  const char* name;
  const char* solver;
  int svm_type, kernel, classes;
  bool probability;
  std::size_t threads;
  svm_count most_iterations = 0;
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class TrainingFailures : public testing::TestWithParam<Case> {
 protected:
  TrainingFailures() {
    const Case& test = GetParam();
    data_ = few_rows(test.classes);
    param_ = parameters(test.svm_type, test.kernel);
    if (test.kernel == PRECOMPUTED) data_ = precomputed(data_, parameters(test.svm_type, RBF));
    param_.probability = test.probability ? 1 : 0;
    problem_ = data_.problem();
    options_ = default_options();
    options_.solver = test.solver;
    options_.threads = test.threads;
    options_.max_iter = test.most_iterations;
    options_.seed = 0;
    options_.print = drop_text;
  }

  Data data_;
  svm_problem problem_{};
  svm_parameter param_{};
  svm_options options_{};
};

TEST_P(TrainingFailures, AreErrors) {
  survives_failures("svm_train_rows", [&]() -> std::optional<std::string> {
    const OwnedModel model(
        counted([&] { return test::train(&problem_, &param_, &options_, nullptr); }));
    if (model == nullptr) return {};
    return text_of(*model);
  });
}

INSTANTIATE_TEST_SUITE_P(
    Cases, TrainingFailures,
    testing::Values(Case{"SmoProbabilities", "smo", C_SVC, RBF, 3, true, 1},
                    Case{"SmoThreads", "smo", C_SVC, RBF, 3, false, 2},
                    Case{"SmoOneClass", "smo", ONE_CLASS, RBF, 2, true, 1},
                    Case{"SmoPrecomputed", "smo", NU_SVC, PRECOMPUTED, 2, false, 1},
                    Case{"CsmoProbabilities", "csmo", C_SVC, RBF, 2, true, 1},
                    Case{"CsmoThreads", "csmo", C_SVC, RBF, 3, false, 2},
                    Case{"CsmoRegression", "csmo", EPSILON_SVR, LINEAR, 2, false, 1},
                    Case{"DcdClasses", "dcd", C_SVC, LINEAR, 3, false, 1},
                    Case{"PegasosClasses", "pegasos", C_SVC, RBF, 2, false, 1, 300}),
    name_of);

class CallFailures : public testing::Test {
 protected:
  CallFailures() {
    svm_set_print_string_function([](const char*) {});
  }
  ~CallFailures() override { svm_set_print_string_function(nullptr); }

  static svm_options options_of_threads(std::size_t threads) {
    svm_options options = default_options();
    options.threads = threads;
    options.seed = 0;
    options.print = drop_text;
    return options;
  }

  Data data_ = few_rows(2);
  svm_problem problem_ = data_.problem();
  svm_parameter param_ = parameters(C_SVC, RBF);
};

TEST_F(CallFailures, OfPlainTraining) {
  survives_failures("svm_train", [&]() -> std::optional<std::string> {
    const OwnedModel model(counted([&] { return svm_train(&problem_, &param_); }));
    if (model == nullptr) return {};
    return text_of(*model);
  });
}

TEST_F(CallFailures, OfTrainingOnNumbers) {
  const ViewedData viewed(data_, {SVM_DENSE, SVM_FLOAT});
  const svm_options options = options_of_threads(1);
  survives_failures("svm_train_rows", [&]() -> std::optional<std::string> {
    const OwnedModel model(counted([&] {
      return svm_train_rows(&viewed.view(), viewed.labels(), &param_, &options, nullptr);
    }));
    if (model == nullptr) return {};
    return text_of(*model);
  });
}

TEST_F(CallFailures, OfTrainingByAFunction) {
  svm_rows rows{};
  rows.size = sizeof(rows);
  rows.rows = data_.size();
  rows.layout = SVM_FUNCTION;
  rows.kernel = [](void*, int row, const int* others, int count, double* values) {
    for (int k = 0; k < count; ++k) values[k] = 1 + std::min(row, others[k]);
  };
  param_.kernel_type = PRECOMPUTED;
  const svm_options options = options_of_threads(1);
  survives_failures("svm_train_rows", [&]() -> std::optional<std::string> {
    const OwnedModel model(
        counted([&] { return svm_train_rows(&rows, problem_.y, &param_, &options, nullptr); }));
    if (model == nullptr) return {};
    return text_of(*model);
  });
}

// Cross validation with two threads, as its folds run at the same time.
TEST_F(CallFailures, OfCrossValidation) {
  const svm_options options = options_of_threads(2);
  std::vector<double> targets(data_.size());
  survives_failures("svm_cross_validate_rows", [&]() -> std::optional<std::string> {
    const int status = counted([&] {
      return test::cross_validate(&problem_, &param_, 3, &options, targets.data(), nullptr);
    });
    for (const double target : targets) EXPECT_EQ(std::isnan(target), status != 0);
    if (status != 0) return {};
    return testing::PrintToString(targets);
  });
}

TEST_F(CallFailures, OfPlainCrossValidation) {
  std::vector<double> targets(data_.size());
  param_.svm_type = EPSILON_SVR;
  survives_failures("svm_cross_validation", [&]() -> std::optional<std::string> {
    std::srand(1);
    counted([&] { svm_cross_validation(&problem_, &param_, 3, targets.data()); });
    for (const double target : targets) EXPECT_EQ(std::isnan(target), std::isnan(targets[0]));
    if (std::isnan(targets[0])) return {};
    return testing::PrintToString(targets);
  });
}

}  // namespace
}  // namespace svm::test
