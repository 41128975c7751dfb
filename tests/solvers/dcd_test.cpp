// The linear solvers dcd and avsf: hand-solved problems, agreement with smo, options, models.
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

constexpr const char* kSolvers[] = {"dcd", "avsf"};

// Trains, and expects a single vector of weights.
class WeightVector {
 public:
  explicit WeightVector(const char* solver, double bias = 0) {
    training_.options.solver = solver;
    training_.options.bias = bias;
  }
  void train(Data& data, const svm_parameter& param) {
    found_ = training_.train(data, param);
    ASSERT_NE(found_.model, nullptr);
    ASSERT_EQ(found_.model->l, 1);
    EXPECT_EQ(found_.model->sv_coef[0][0], 1);
    row_.clear();
    for (const svm_node* node = found_.model->SV[0]; node->index != -1; ++node) {
      row_.push_back(*node);
    }
  }
  void train(Data& data, double cost, double eps = 1e-10) {
    train(data, test::linear_problem(cost, eps));
  }
  const std::vector<svm_node>& row() const { return row_; }
  double rho() const { return found_.rho; }
  const std::string& printed() const { return training_.printed; }
  const svm_result& result() const { return training_.result; }
  svm_options& options() { return training_.options; }

 private:
  test::RowTraining training_;
  test::RowFunction found_;
  std::vector<svm_node> row_;
};

// w = (1/2, 0): the rows at distance 2 are on the margin.
TEST(DcdTest, TwoPointsByHand) {
  for (const char* solver : kSolvers) {
    Data data;
    data.add(+1, {2, 0});
    data.add(-1, {-2, 0});
    data.add(+1, {5, 0});
    WeightVector w(solver);
    w.train(data, 10);
    ASSERT_EQ(w.row().size(), 1U) << solver;
    EXPECT_EQ(w.row()[0].index, 1);
    EXPECT_NEAR(w.row()[0].value, 0.5, 1e-9);
    EXPECT_EQ(w.rho(), 0);
    EXPECT_NEAR(w.result().objective, -0.125, 1e-9);
    EXPECT_EQ(w.result().status, SVM_CONVERGED);
    EXPECT_EQ(w.result().problems, 1);
  }
}

// Rows at 1 and -1: C = 1/4 keeps both variables at C, and w = 2 C.
TEST(DcdTest, TheBoundByHand) {
  for (const char* solver : kSolvers) {
    Data data;
    data.add(+1, {1});
    data.add(-1, {-1});
    WeightVector w(solver);
    w.train(data, 0.25);
    EXPECT_NEAR(w.row().at(0).value, 0.5, 1e-12);
    EXPECT_TRUE(test::contains(w.printed(), "nSV = 2, nBSV = 2\n")) << w.printed();
    EXPECT_NEAR(w.result().objective, 0.5 * 0.25 - 0.5, 1e-12);
  }
}

// Points 1 and 3 with bias 1: w x + b = x - 2.  The optimum of w^2 + b^2 has both points on the
// margin.
TEST(DcdTest, TheBiasByHand) {
  for (const char* solver : kSolvers) {
    Data data;
    data.add(+1, {3});
    data.add(-1, {1});
    WeightVector w(solver, 1);
    w.train(data, 100);
    EXPECT_NEAR(w.row().at(0).value, 1, 1e-7) << solver;
    EXPECT_NEAR(w.rho(), 2, 1e-7) << solver;
  }
}

// Target 3 at x = 1, tube 1: w reaches 2, the edge of the tube.
TEST(DcdTest, RegressionByHand) {
  for (const char* solver : kSolvers) {
    Data data;
    data.add(3, {1});
    data.add(-3, {-1});
    svm_parameter param = test::linear_problem(10, 1e-10);
    param.svm_type = EPSILON_SVR;
    param.p = 1;
    WeightVector w(solver);
    w.train(data, param);
    EXPECT_NEAR(w.row().at(0).value, 2, 1e-9) << solver;
    EXPECT_NEAR(w.result().objective, 0.5 * 4 - 2 * 2, 1e-9) << solver;  // sum of a is 2
  }
}

// A row of zeros cannot be classified; its variable goes to the bound at once.
TEST(DcdTest, RowsWithoutFeatures) {
  for (const char* solver : kSolvers) {
    Data data;
    data.add_row(+1, {{-1, 0}});
    data.add_row(-1, {{-1, 0}});
    WeightVector w(solver);
    w.train(data, 2);
    EXPECT_TRUE(w.row().empty());
    EXPECT_NEAR(w.result().objective, -4, 1e-12);
    EXPECT_EQ(w.result().status, SVM_CONVERGED);
  }
}

// Indices that are far apart are preserved.
TEST(DcdTest, KeepsLargeIndices) {
  Data data;
  data.add_row(+1, {{7, 1}, {2000000000, 1}, {-1, 0}});
  data.add_row(-1, {{9, 1}, {-1, 0}});
  WeightVector w("dcd");
  w.train(data, 10);
  ASSERT_EQ(w.row().size(), 3U);
  EXPECT_EQ(w.row()[0].index, 7);
  EXPECT_EQ(w.row()[1].index, 9);
  EXPECT_EQ(w.row()[2].index, 2000000000);
  EXPECT_GT(w.row()[0].value, 0);
  EXPECT_LT(w.row()[1].value, 0);
}

// A check after a sweep fails as long as the sweep's own steps move w, which is not rounding.
TEST(DcdTest, StepsOfTheLastSweepAreNoRounding) {
  Data data;
  for (int i = 0; i < 40; ++i) {
    data.add(i % 2 == 0 ? -1 : +1,
             {6 + i * 7 % 13 / 10.0 + i % 2, 3 + i * 5 % 11 / 10.0, 4 + i % 2 + i * 3 % 7 / 10.0});
  }
  for (unsigned seed = 0; seed < 10; ++seed) {
    WeightVector w("dcd", 1);
    w.options().seed = seed;
    w.train(data, 1, 1e-3);
    EXPECT_EQ(w.result().status, SVM_CONVERGED) << seed;
  }
}

TEST(DcdTest, LimitsEndARun) {
  Data data = test::random_data(200, 3, true, 5);
  for (const char* solver : kSolvers) {
    test::expect_limits_end_a_run(solver, data, test::linear_problem(1000, 1e-10));
  }
}

// --- through the library ---

class LinearSolvers : public test::Extension {
 protected:
  LinearSolvers() {
    param_.kernel_type = LINEAR;
    param_.C = 10;
    param_.eps = 1e-6;
    options_.solver = "dcd";
  }
};

// Every row occurs twice, once mirrored and with the other label: smo's threshold is then 0, and
// both solve the same problem.
TEST_F(LinearSolvers, AgreeWithSmo) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    Data both;
    Data rows = test::random_data(60, 3, type == C_SVC, 11);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      std::vector<double> x, turned;
      for (int k = 0; k < 3; ++k) {
        x.push_back(rows.row(t)[k].value);
        turned.push_back(-x.back());
      }
      both.add(rows.label(t), x);
      both.add(-rows.label(t), turned);
    }
    problem_ = both.problem();
    param_.svm_type = type;
    param_.p = 0.05;
    options_.solver = "smo";
    ASSERT_NE(train(), nullptr);
    const double wanted = result_.objective;
    for (const char* solver : kSolvers) {
      options_.solver = solver;
      ASSERT_NE(train(), nullptr);
      EXPECT_EQ(result_.status, SVM_CONVERGED);
      EXPECT_NEAR(result_.objective, wanted, 1e-6 * std::fabs(wanted)) << solver;
    }
  }
}

TEST_F(LinearSolvers, AModelOwnsItsRow) {
  const test::OwnedModel model = train();
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->l, 1);
  EXPECT_EQ(model->free_sv, 1);
  EXPECT_EQ(model->sv_indices, nullptr);
  EXPECT_EQ(model->nSV[0], 1);
  EXPECT_EQ(model->nSV[1], 0);
  EXPECT_EQ(model->sv_coef[0][0], 1);
  EXPECT_EQ(model->rho[0], 0);
}

TEST_F(LinearSolvers, ManyClassesAndProbabilities) {
  Data data;
  test::Draws draws(3);
  for (int t = 0; t < 150; ++t) {
    const int label = t % 3;
    data.add(label, {draws.between(-0.5, 0.5) + (label == 0 ? 1.0 : 0.0),
                     draws.between(-0.5, 0.5) + (label == 1 ? 1.0 : 0.0), 1});
  }
  problem_ = data.problem();
  param_.probability = 1;
  const test::OwnedModel model = train();
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->l, 3);
  EXPECT_EQ(std::vector<int>(model->nSV, model->nSV + 3), (std::vector<int>{2, 1, 0}));
  int right = 0;
  for (std::size_t t = 0; t < data.size(); ++t) {
    double p[3] = {};
    right += svm_predict_probability(model.get(), data.row(t), p) == data.label(t) ? 1 : 0;
    EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-9);
  }
  EXPECT_GE(right, 140);
  param_.probability = 0;
  std::vector<double> targets(data.size());
  EXPECT_EQ(test::cross_validate(&problem_, &param_, 5, &options_, targets.data(), &result_), 0);
  right = 0;
  for (std::size_t t = 0; t < data.size(); ++t) right += targets[t] == data.label(t) ? 1 : 0;
  EXPECT_GE(right, 135);
}

// The class of weight 100 has no errors.
TEST_F(LinearSolvers, ClassWeights) {
  int label = 1;
  double weight = 100;
  const auto missed = [&] {
    const test::OwnedModel model = train();
    int count = 0;
    for (std::size_t t = 0; t < data_.size(); ++t) {
      if (data_.label(t) > 0 && svm_predict(model.get(), data_.row(t)) < 0) ++count;
    }
    return count;
  };
  options_.bias = 1;
  const int plain = missed();
  test::set_class_weight(param_, label, weight);
  EXPECT_LT(missed(), plain);
}

TEST_F(LinearSolvers, SeedAndThreads) {
  param_.eps = 1e-2;
  const auto first_value = [&] { return train()->SV[0][0].value; };
  for (const char* solver : kSolvers) {
    options_.solver = solver;
    options_.seed = -1;
    options_.threads = 1;
    const double value = first_value();
    EXPECT_EQ(first_value(), value);
    options_.threads = 3;
    EXPECT_EQ(first_value(), value);
    options_.seed = 77;
    EXPECT_NE(first_value(), value);
  }
}

TEST_F(LinearSolvers, WhatTheyDoNotSupport) {
  param_.kernel_type = RBF;
  EXPECT_NE(refusal().find("solver dcd supports SVM types: C-SVC, epsilon-SVR; kernels: linear"),
            std::string::npos);
  param_.kernel_type = LINEAR;
  param_.svm_type = NU_SVC;
  EXPECT_NE(refusal().find("solver dcd supports"), std::string::npos);
  param_.svm_type = C_SVC;
  options_.bias = -1;
  EXPECT_NE(refusal().find("bias < 0"), std::string::npos);
  options_.bias = 1;
  options_.solver = "smo";
  EXPECT_NE(refusal().find("bias is an option of the solvers: dcd, avsf"), std::string::npos);
}

// --- the programs ---

using test::ProcessResult;

class LinearCli : public test::TrainSolverCli {};

TEST_F(LinearCli, OptionsThatDoNotGoTogether) {
  ProcessResult result = train({"--bias", "1", "-t", "0", "data", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "ERROR: bias is an option of the solvers: dcd, avsf\n");
  result = train({"-a", "avsf", "--bias", "-1", "-t", "0", "data", "model"});
  EXPECT_EQ(result.status, 1);
  result = train({"-a", "avsf", "data", "model"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(test::contains(result.err, "solver avsf supports SVM types")) << result.err;
  EXPECT_FALSE(folder_.exists("model"));
}

using LinearLibsvmPredict = test::LibsvmPredict;

TEST_F(LinearLibsvmPredict, PredictsTheSame) {
  for (const char* solver : kSolvers) {
    for (const char* type : {"0", "3"}) {
      expect_same({"-a", solver, "-s", type, "-t", "0", "--bias", "1"});
    }
  }
}

}  // namespace
}  // namespace svm
