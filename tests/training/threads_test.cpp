// Models, messages and predictions do not depend on the number of threads.
#include <cstddef>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/temp_dir.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::OwnedModel;

struct Outcome {
  std::string model, messages, warnings;
  std::vector<double> targets;
  svm_result result;
};

struct Listener {
  std::string text;
  std::thread::id thread = std::this_thread::get_id();
  static void print(const char* part, void* user) {
    Listener& self = *static_cast<Listener*>(user);
    EXPECT_EQ(std::this_thread::get_id(), self.thread);
    self.text += part;
  }
};

int many_classes = 0;  // if not 0, rows of so many classes that their pairs are trained together

Outcome train(const svm_parameter& param, std::size_t threads, int folds, long long max_iterations,
              bool seeded) {
  const bool classes = test::is_classification(param.svm_type);
  Data data = classes ? test::four_classes(240, 11) : test::random_data(240, 3, false, 11);
  const svm_problem problem = data.problem();
  for (int t = 0; many_classes > 0 && t < problem.l; ++t) problem.y[t] = t * 7 % many_classes;
  svm_options options = test::default_options();
  Listener listener, warned;
  options.print = Listener::print;
  options.print_user = &listener;
  options.warn = Listener::print;
  options.warn_user = &warned;
  options.threads = threads;
  options.max_iter = max_iterations;
  options.seed = seeded ? 5 : -1;
  std::srand(3);
  Outcome outcome;
  outcome.result = test::new_result();
  if (folds > 0) {
    outcome.targets.resize(data.size());
    EXPECT_EQ(test::cross_validate(&problem, &param, folds, &options, outcome.targets.data(),
                                   &outcome.result),
              0);
  } else {
    const OwnedModel model(test::train(&problem, &param, &options, &outcome.result));
    const test::TempDir folder;
    EXPECT_EQ(svm_save_model(folder.file("model").c_str(), model.get()), 0);
    outcome.model = folder.read("model");
    EXPECT_FALSE(outcome.model.empty());
  }
  outcome.targets.push_back(std::rand());  // the number of draws is the same
  outcome.messages = listener.text;
  outcome.warnings = warned.text;
  return outcome;
}

void compare(const svm_parameter& param, int folds = 0, long long max_iterations = 0) {
  SCOPED_TRACE(testing::Message() << "type " << param.svm_type << ", probability "
                                  << param.probability << ", folds " << folds);
  for (const bool seeded : {false, true}) {
    const Outcome one = train(param, 1, folds, max_iterations, seeded);
    for (const std::size_t threads : {2U, 5U}) {
      const Outcome several = train(param, threads, folds, max_iterations, seeded);
      EXPECT_EQ(several.model, one.model);
      EXPECT_EQ(several.messages, one.messages);
      EXPECT_EQ(several.warnings, one.warnings);
      EXPECT_EQ(several.targets, one.targets);
      EXPECT_EQ(several.result.status, one.result.status);
      EXPECT_EQ(several.result.problems, one.result.problems);
      EXPECT_EQ(several.result.iterations, one.result.iterations);
      EXPECT_EQ(several.result.objective, one.result.objective);
      EXPECT_EQ(several.result.violation, one.result.violation);
    }
  }
}

svm_parameter parameters(int svm_type, int probability) {
  svm_parameter param = test::parameters(svm_type, RBF);
  param.C = 10;
  param.nu = 0.2;
  param.probability = probability;
  return param;
}

TEST(Threads, ClassPairs) {
  compare(parameters(C_SVC, 0));
  compare(parameters(NU_SVC, 0));
}

TEST(Threads, ProbabilitiesOfPairs) {
  compare(parameters(C_SVC, 1));
  compare(parameters(NU_SVC, 1));
}

TEST(Threads, PairsOfManyClasses) {
  many_classes = 40;
  for (const int type : {C_SVC, NU_SVC}) {
    compare(parameters(type, 0));
    compare(parameters(type, 1));
    compare(parameters(type, 0), 3, 10);
  }
  many_classes = 0;
}

TEST(Threads, Folds) {
  compare(parameters(C_SVC, 0), 5);
  compare(parameters(C_SVC, 1), 5);
  compare(parameters(NU_SVC, 1), 3);
  compare(parameters(EPSILON_SVR, 0), 5);
  compare(parameters(NU_SVR, 1), 3);
  compare(parameters(ONE_CLASS, 0), 4);
}

TEST(Threads, WidthOfRegression) {
  compare(parameters(EPSILON_SVR, 1));
  compare(parameters(NU_SVR, 1));
}

TEST(Threads, OneClass) { compare(parameters(ONE_CLASS, 1)); }

TEST(Threads, WeightsAndTheirWarnings) {
  svm_parameter param = parameters(C_SVC, 1);
  int labels[] = {1, 12, 77};
  double weights[] = {3, 0.5, 2};
  param.nr_weight = 3;
  param.weight_label = labels;
  param.weight = weights;
  compare(param);
}

TEST(Threads, IterationLimitAndItsWarnings) {
  compare(parameters(C_SVC, 1), 0, 10);
  compare(parameters(C_SVC, 0), 4, 10);
}

TEST(Threads, LittleMemory) {
  svm_parameter param = parameters(C_SVC, 1);
  param.cache_size = 0.01;
  compare(param);
}

TEST(Threads, LeaveOneOut) { compare(parameters(C_SVC, 0), 1000, 5); }

// Rows with many features around the centres of their classes.
Data large_data(std::size_t rows, std::size_t classes) {
  constexpr std::size_t kFeatures = 120;
  test::Draws draws(4);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = i % classes;
    std::vector<double> x;
    for (std::size_t k = 0; k < kFeatures; ++k) {
      x.push_back(draws.between(-1, 1) + (k % classes == label ? 0.25 : 0));
    }
    data.add(static_cast<double>(label), x);
  }
  return data;
}

// csmo solves large problems on two levels if memory is too small for their rows.  Here it suffices
// for a single solver, but not for two.
TEST(Threads, LevelsOfLargeProblems) {
  svm_parameter param = test::parameters(C_SVC, RBF);
  param.gamma = 0.01;
  param.eps = 0.1;
  const char* const solver = "csmo";
  for (const bool folds : {false, true}) {
    constexpr std::size_t kRows = 4100;  // per binary problem
    Data data = folds ? large_data(kRows * 5 / 4, 2) : large_data(kRows * 3 / 2, 3);
    param.cache_size = folds ? 50 : 25;
    const svm_problem problem = data.problem();
    std::string first;
    for (const std::size_t threads : {1U, 2U, 3U}) {
      svm_options options = test::default_options();
      Listener listener;
      options.print = Listener::print;
      options.print_user = &listener;
      options.solver = solver;
      options.threads = threads;
      options.seed = 0;
      if (folds) {
        std::vector<double> targets(data.size());
        ASSERT_EQ(test::cross_validate(&problem, &param, 5, &options, targets.data(), nullptr), 0);
      } else {
        ASSERT_NE(OwnedModel(test::train(&problem, &param, &options, nullptr)), nullptr);
      }
      if (threads == 1) first = listener.text;
      EXPECT_EQ(listener.text, first) << solver << (folds ? ", folds, " : ", pairs, ") << threads;
    }
  }
}

// The environment variable SVM_NUM_THREADS.
class ThreadsVariable : public test::Extension {};

TEST_F(ThreadsVariable, SetsTheNumber) {
  for (const char* value : {"", "1", "2", "1024"}) {
    const test::Setting threads("SVM_NUM_THREADS", value);
    EXPECT_EQ(svm_check_options(nullptr, nullptr), nullptr) << value;
  }
  const test::Setting threads("SVM_NUM_THREADS", "2");
  EXPECT_NE(train(), nullptr);
}

TEST_F(ThreadsVariable, WithABadValueIsAnError) {
  for (const char* value : {"0", "-1", "two", "2x", " 2", "1025", "99999999999999999999"}) {
    const test::Setting threads("SVM_NUM_THREADS", value);
    EXPECT_STREQ(svm_check_options(nullptr, nullptr),
                 "environment variable SVM_NUM_THREADS is not a whole number from 1 to 1024");
    EXPECT_EQ(refusal(),
              "svm_train_rows: environment variable SVM_NUM_THREADS is not a whole number "
              "from 1 to 1024: '" +
                  std::string(value) + "'");
  }
  const test::Setting bad("SVM_NUM_THREADS", "two");
  options_.threads = 2;  // takes precedence over the variable
  EXPECT_EQ(svm_check_options(nullptr, &options_), nullptr);
}

TEST_F(ThreadsVariable, TooManyThreadsAreRefused) {
  options_.threads = 1025;
  EXPECT_STREQ(svm_check_options(nullptr, &options_), "threads > 1024");
  EXPECT_EQ(refusal(), "svm_train_rows: threads > 1024");
}

}  // namespace
}  // namespace svm
