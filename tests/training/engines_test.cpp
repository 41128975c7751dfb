// Trains small problems of all kinds by every engine, on every instruction set and on several
// threads: models and messages are those of the plain engine in plain C++ on one thread, byte for
// byte.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/instruction_sets.h"
#include "tests/temp_dir.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;
using test::Row;
using test::Setting;

constexpr const char* kEngines[] = {"", "plain", "bits", "integers", "dense", "columns"};
constexpr std::size_t kThreads[] = {1, 2, 5};
constexpr int kProblemsOfEachKind = 5;  // a kind is an SVM type and a kernel

// Kinds of values in a data set; each suits another engine.
enum class Values { kOnes, kIntegers, kBytes, kReals, kTwoScales, kOdd, kCount };

double value_of(Values values, Draws& draws) {
  switch (values) {
    case Values::kOnes:
      return 1;
    case Values::kIntegers:
      return static_cast<double>(draws.below(511)) - 255;
    case Values::kBytes:
      return static_cast<double>(draws.below(256));
    case Values::kReals:
      return draws.between(-2, 2);
    case Values::kTwoScales:
      return draws.below(2) == 0 ? 1 : draws.between(0, 300);
    default: {
      constexpr double kOdd[] = {0.0, -0.0,   1.0,     -1.0,     1e18, -1e18, 1e-18, 3e-39,
                                 0.5, 1e-300, -1e-310, 4.9e-324, 1e30, 2.5,   -7.0,  1e9};
      return kOdd[draws.below(std::size(kOdd))];
    }
  }
}

std::vector<Row> random_rows(Draws& draws) {
  constexpr std::size_t kSizes[] = {2, 3, 7, 16, 31, 40, 63, 64, 65, 90, 129};
  constexpr std::size_t kFeatures[] = {1, 2, 5, 13, 33, 70, 130};
  const std::size_t size = kSizes[draws.below(std::size(kSizes))];
  const std::size_t features = kFeatures[draws.below(std::size(kFeatures))];
  const auto values = static_cast<Values>(draws.below(static_cast<std::size_t>(Values::kCount)));
  const int step = draws.below(4) == 0 ? 1000 : 1;  // between indices
  const std::size_t there = 1 + draws.below(10);    // of ten
  std::vector<Row> rows;
  while (rows.size() < size) {
    if (!rows.empty() && draws.below(7) == 0) {
      Row copy = rows[draws.below(rows.size())];
      rows.push_back(std::move(copy));
      continue;
    }
    Row row;
    const bool empty = draws.below(25) == 0;
    for (std::size_t k = 0; k < features && !empty; ++k) {
      if (draws.below(10) >= there) continue;
      row.push_back({static_cast<int>(k) * step + 1, value_of(values, draws)});
    }
    row.push_back({-1, 0});
    rows.push_back(std::move(row));
  }
  return rows;
}

// The kernel matrix of the rows, as rows of a data set.
std::vector<Row> precomputed(const std::vector<Row>& rows) {
  std::vector<Row> matrix;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row row = {{0, static_cast<double>(i + 1)}};
    for (std::size_t j = 0; j < rows.size(); ++j) {
      double sum = i == j ? 0.5 : 0;
      for (const svm_node *a = rows[i].data(), *b = rows[j].data();
           a->index != -1 && b->index != -1;) {
        if (a->index == b->index) sum += std::tanh(a->value) * std::tanh(b->value);
        a->index<b->index ? ++a : a->index> b->index ? ++b : (++a, ++b);
      }
      row.push_back({static_cast<int>(j + 1), sum});
    }
    row.push_back({-1, 0});
    matrix.push_back(std::move(row));
  }
  return matrix;
}

// A problem with its parameters.
struct Case {
  Data data;
  svm_parameter param;
  std::string solver;
  std::size_t folds = 0;  // 0: a model is trained
};

Case random_case(int svm_type, int kernel_type, Draws& draws) {
  constexpr double kCosts[] = {0.03, 1, 10, 1000};
  constexpr double kGammas[] = {1e-6, 0.01, 0.3, 5};
  Case all;
  svm_parameter& param = all.param = test::parameters(svm_type, kernel_type);
  param.C = kCosts[draws.below(std::size(kCosts))];
  param.gamma = kGammas[draws.below(std::size(kGammas))];
  param.coef0 = draws.below(2) == 0 ? 0 : 0.5;
  param.degree = static_cast<int>(draws.below(5));
  param.nu = draws.between(0.05, 0.6);
  param.shrinking = static_cast<int>(draws.below(2));
  param.probability = draws.below(5) == 0 && svm_type != ONE_CLASS ? 1 : 0;
  if (draws.below(4) == 0) param.cache_size = 1e-4;
  all.solver = draws.below(4) == 0 && param.cache_size > 1 ? "csmo" : "smo";
  all.folds = draws.below(6) == 0 ? 3 : 0;
  const std::size_t classes = 2 + draws.below(3);
  const bool regression = svm_type == EPSILON_SVR || svm_type == NU_SVR;
  std::vector<Row> rows = random_rows(draws);
  if (kernel_type == PRECOMPUTED) rows = precomputed(rows);
  for (Row& row : rows) {
    const double label =
        regression ? draws.between(-3, 3) : static_cast<double>(draws.below(classes));
    all.data.add_row(label, std::move(row));
  }
  return all;
}

void append(const char* text, void* all) { *static_cast<std::string*>(all) += text; }

// All results of a training, as text.
std::string outcome(Case& all, std::size_t threads) {
  const svm_problem problem = all.data.problem();
  if (const char* fault = svm_check_parameter(&problem, &all.param)) return fault;
  std::string text;
  svm_options options = test::default_options();
  options.solver = all.solver.c_str();
  options.print = append;
  options.print_user = &text;
  options.threads = threads;
  options.max_iter = 1500;
  options.seed = 0;
  if (all.solver == "csmo" && svm_check_options(&all.param, &options) != nullptr) {
    options.solver = "smo";
  }
  svm_result result = test::new_result();
  if (all.folds > 0) {
    std::vector<double> targets(all.data.size());
    EXPECT_EQ(test::cross_validate(&problem, &all.param, static_cast<int>(all.folds), &options,
                                   targets.data(), &result),
              0);
    for (const double target : targets) text += testing::PrintToString(target) + "\n";
  } else {
    const test::OwnedModel model(test::train(&problem, &all.param, &options, &result));
    if (model == nullptr) {
      ADD_FAILURE() << "no model";
      return text;
    }
    const test::TempDir folder;
    EXPECT_EQ(svm_save_model(folder.file("model").c_str(), model.get()), 0);
    text += folder.read("model");
  }
  return text + std::to_string(result.iterations) + " iterations\n";
}

std::string type_name(const testing::TestParamInfo<int>& type) {
  constexpr const char* kNames[] = {"CSvc", "NuSvc", "OneClass", "EpsilonSvr", "NuSvr"};
  return kNames[type.param];
}

class TrainingEngines : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Types, TrainingEngines,
                         testing::Values(C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR), type_name);

TEST_P(TrainingEngines, GiveTheSameModels) {
  Draws draws(static_cast<std::uint64_t>(GetParam()) + 1);
  std::size_t models = 0;
  for (const int kernel : {LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED}) {
    for (int number = 0; number < kProblemsOfEachKind; ++number) {
      Case all = random_case(GetParam(), kernel, draws);
      std::string expected;
      {
        const Setting engine("SVM_ENGINE", "plain"), set("SVM_INSTRUCTION_SET", "plain");
        expected = outcome(all, 1);
      }
      if (expected.find("SV\n") != std::string::npos) ++models;
      // The engine chooses the order of csmo's sums in doubles, with the same bits on all
      // processors.
      const bool is_free = all.solver == "csmo";
      std::map<std::string, std::string> of_engine;
      for (const InstructionSet set : kInstructionSets) {
        if (!is_supported(set)) continue;
        for (const char* engine : kEngines) {
          const Setting engine_setting("SVM_ENGINE", engine);
          const Setting set_setting("SVM_INSTRUCTION_SET", name(set));
          const std::size_t threads = kThreads[draws.below(std::size(kThreads))];
          if (is_free && set == InstructionSet::kPlain) continue;
          const std::string found = outcome(all, threads);
          if (is_free) expected = of_engine.emplace(engine, found).first->second;
          ASSERT_EQ(found, expected)
              << "problem " << number << ", kernel " << kernel << ", rows " << all.data.size()
              << ", engine '" << engine << "', " << name(set) << ", threads " << threads
              << ", solver " << all.solver;
        }
      }
    }
  }
  EXPECT_GE(models, 10U);  // the rest are folds and refused parameters
}

}  // namespace
}  // namespace svm
