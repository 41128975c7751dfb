// The solvers pegasos and snacks: hand-solved problems, agreement with smo, options, models.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/extension.h"
#include "tests/row_training.h"
#include "tests/solvers/example_solver.h"
#include "tests/train_solver_cli.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::linear_problem;
using test::RowFunction;
using test::RowTraining;

constexpr const char* kSolvers[] = {"pegasos", "snacks"};
constexpr double kEps = 1e-5;

// The w of the solution; rows have one or two features.
std::vector<double> weights(const RowFunction& found, const Data& data) {
  std::vector<double> w(2, 0.0);
  for (std::size_t t = 0; t < data.size(); ++t) {
    for (const svm_node* node = data.row(t); node->index != -1; ++node) {
      w.at(static_cast<std::size_t>(node->index - 1)) += found.coefficients[t] * node->value;
    }
  }
  return w;
}

// w = (1/2, 0): the rows at distance 2 are on the margin.  The objective is 1/8 there.
TEST(SubgradientTest, TwoPointsByHand) {
  for (const char* solver : kSolvers) {
    Data data;
    data.add(+1, {2, 0});
    data.add(-1, {-2, 0});
    data.add(+1, {5, 1});
    RowTraining training;
    training.options.solver = solver;
    const RowFunction found = training.train(data, linear_problem(1, kEps));
    const std::vector<double> w = weights(found, data);
    EXPECT_NEAR(w[0], 0.5, 0.02) << solver;
    EXPECT_NEAR(w[1], 0, 0.05) << solver;
    EXPECT_NEAR(training.result.objective, -0.125, 0.01) << solver;
    EXPECT_EQ(found.rho, 0);
    EXPECT_EQ(training.result.status, SVM_CONVERGED);
  }
}

// If every row has a loss, w is C times the sum of y x.
TEST(SubgradientTest, SmallCostByHand) {
  for (const char* solver : kSolvers) {
    Data data;
    data.add(+1, {1, 0});
    data.add(-1, {0, 1});
    RowTraining training;
    training.options.solver = solver;
    const std::vector<double> w = weights(training.train(data, linear_problem(0.01, kEps)), data);
    EXPECT_NEAR(w[0], 0.01, 1e-4) << solver;
    EXPECT_NEAR(w[1], -0.01, 1e-4) << solver;
    EXPECT_NEAR(training.result.objective, -(2 * 0.01 * 0.99 + 0.0001), 1e-5) << solver;
  }
}

TEST(SubgradientTest, MemoryDoesNotChangeTheAnswer) {
  for (const char* solver : kSolvers) {
    Data data = test::random_data(1500, 4, true, 6);
    svm_parameter param = linear_problem(1, kEps);
    RowTraining training;
    training.options.solver = solver;
    training.options.landmarks = 40;
    const RowFunction kept = training.train(data, param);
    EXPECT_EQ(training.result.kernel_rows, 1500);
    const double objective = training.result.objective;
    param.cache_size = 1e-6;
    const RowFunction anew = training.train(data, param);
    EXPECT_GT(training.result.kernel_rows, 15000);
    EXPECT_EQ(kept.coefficients, anew.coefficients);
    EXPECT_EQ(objective, training.result.objective);
  }
}

TEST(SubgradientTest, LimitsEndARun) {
  Data data = test::random_data(200, 3, true, 5);
  for (const char* solver : kSolvers) {
    test::expect_limits_end_a_run(solver, data, linear_problem(1, kEps));
  }
}

// --- through the library ---

class Landmarks : public test::Extension {
 protected:
  Landmarks() {
    param_.C = 1;
    options_.solver = "snacks";
  }
  double agreement(const svm_model& a, const svm_model& b) const {
    double same = 0;
    for (std::size_t t = 0; t < data_.size(); ++t) {
      same += svm_predict(&a, data_.row(t)) == svm_predict(&b, data_.row(t)) ? 1 : 0;
    }
    return same / static_cast<double>(data_.size());
  }
};

// smo has a threshold, so its objective is slightly better.
TEST_F(Landmarks, AgreeWithSmo) {
  options_.solver = "smo";
  const test::OwnedModel smo = train();
  const double wanted = result_.objective;
  for (const char* solver : kSolvers) {
    options_.solver = solver;
    const test::OwnedModel model = train();
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(result_.status, SVM_CONVERGED);
    EXPECT_NEAR(result_.objective, wanted, 0.05 * std::fabs(wanted)) << solver;
    EXPECT_GE(agreement(*smo, *model), 0.95) << solver;
  }
}

TEST_F(Landmarks, AreRowsOfTheProblem) {
  options_.landmarks = 25;
  const test::OwnedModel model = train();
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->l, 25);
  ASSERT_NE(model->sv_indices, nullptr);
  for (int s = 0; s < model->l; ++s) {
    const svm_node* const row = problem_.x[model->sv_indices[s] - 1];
    for (int k = 0; row[k].index != -1; ++k) EXPECT_EQ(model->SV[s][k].value, row[k].value);
  }
}

TEST_F(Landmarks, ProbabilitiesWeightsAndFolds) {
  options_.landmarks = 50;
  param_.probability = 1;
  int label = 1;
  double weight = 3;
  test::set_class_weight(param_, label, weight);
  const test::OwnedModel model = train();
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(svm_check_probability_model(model.get()), 1);
  param_.probability = 0;
  std::vector<double> targets(data_.size());
  ASSERT_EQ(test::cross_validate(&problem_, &param_, 4, &options_, targets.data(), nullptr), 0);
  int right = 0;
  for (std::size_t t = 0; t < data_.size(); ++t) right += targets[t] == data_.label(t) ? 1 : 0;
  EXPECT_GE(right, 150);
}

TEST_F(Landmarks, SeedAndThreads) {
  options_.landmarks = 30;
  for (const char* solver : kSolvers) {
    options_.solver = solver;
    options_.seed = -1;
    options_.threads = 1;
    const std::vector<double> first = test::coefficients(*train());
    EXPECT_EQ(test::coefficients(*train()), first);
    options_.threads = 3;
    EXPECT_EQ(test::coefficients(*train()), first);
    options_.seed = 77;
    EXPECT_NE(test::coefficients(*train()), first);
  }
}

TEST_F(Landmarks, WhatTheyDoNotSupport) {
  param_.svm_type = EPSILON_SVR;
  EXPECT_NE(refusal().find("solver snacks supports SVM types: C-SVC; kernels: all"),
            std::string::npos);
  param_.svm_type = C_SVC;
  options_.solver = "smo";
  options_.landmarks = 5;
  EXPECT_NE(refusal().find("the number of landmarks is an option of the solvers: pegasos, snacks"),
            std::string::npos);
  options_.solver = "pegasos";
  options_.bias = 1;
  EXPECT_NE(refusal().find("bias is an option of the solvers: dcd, avsf"), std::string::npos);
}

TEST_F(Landmarks, DegenerateOnesAreAnError) {
  Data zeros;
  zeros.add(+1, {0});
  zeros.add(-1, {0});
  problem_ = zeros.problem();
  param_.kernel_type = LINEAR;
  EXPECT_NE(refusal().find("svm_train_rows: the landmarks are degenerate"), std::string::npos);
}

// --- the programs ---

class LandmarksCli : public test::TrainSolverCli {};

TEST_F(LandmarksCli, BadOptions) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--landmarks", "5"},
                                                  {"-a", "dcd", "-t", "0", "--landmarks", "5"},
                                                  {"-a", "snacks", "--landmarks", "0"},
                                                  {"-a", "snacks", "-s", "3"}}) {
    std::vector<std::string> arguments = options;
    arguments.insert(arguments.end(), {"data", "model"});
    const test::ProcessResult result = train(arguments);
    EXPECT_EQ(result.status, 1) << options.back();
    EXPECT_NE(result.err, "");
    EXPECT_FALSE(folder_.exists("model"));
  }
}

using LandmarksLibsvmPredict = test::LibsvmPredict;

TEST_F(LandmarksLibsvmPredict, PredictsTheSame) {
  for (const char* solver : kSolvers) expect_same({"-a", solver, "--landmarks", "50"});
}

}  // namespace
}  // namespace svm
