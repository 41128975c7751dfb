// The meaning of weights of rows: the optimum is that of a problem with repeated rows.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/certificate_checker.h"
#include "tests/environment.h"
#include "tests/training/weighted.h"

namespace svm::test {
namespace {

struct SolverOfTypes {
  const char* name;
  Objective objective;
  std::vector<int> types;
  bool linear_only = false;
};

std::vector<SolverOfTypes> exact_solvers() {
  const std::vector<int> all(std::begin(kAllTypes), std::end(kAllTypes));
  return {{"smo", Objective::kLibsvm, all},
          {"csmo", Objective::kLibsvm, all},
          {"smo1", Objective::kLibsvm, all},
          {"platt", Objective::kLibsvm, {C_SVC}},
          {"pcg", Objective::kLibsvm, {C_SVC}},
          {"mdm", Objective::kSquaredSlacks, {C_SVC}},
          {"amdm", Objective::kSquaredSlacks, {C_SVC}},
          {"dcd", Objective::kNoThreshold, {C_SVC, EPSILON_SVR}, true},
          {"avsf", Objective::kNoThreshold, {C_SVC, EPSILON_SVR}, true}};
}

std::vector<double> small_numbers(std::size_t rows) {
  std::vector<double> weights;
  Draws draws(17);
  for (std::size_t i = 0; i < rows; ++i) weights.push_back(static_cast<double>(draws.below(4)));
  return weights;
}

std::vector<double> decision_values(const svm_model& model, const Data& data) {
  std::vector<double> values(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    svm_predict_values(&model, data.row(i), &values[i]);
  }
  return values;
}

class Weights : public testing::Test {
 protected:
  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
};

void expect_optimum_of_copies(const char* solver, const svm_parameter& param, double tolerance) {
  SCOPED_TRACE(std::string(solver) + " -s " + std::to_string(param.svm_type) + " -t " +
               std::to_string(param.kernel_type) + " -c " + std::to_string(param.C));
  Data data = rows_for(param.svm_type, 80);
  const std::vector<double> weights = small_numbers(data.size());
  Data copies = repeated(data, weights);
  WeightedTraining weighted{solver, weights.data()}, plain{solver};
  const OwnedModel one = weighted.train(data.problem(), param);
  const OwnedModel other = plain.train(copies.problem(), param);
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(weighted.result.status, SVM_CONVERGED);
  EXPECT_NEAR(weighted.result.objective, plain.result.objective,
              tolerance * std::fabs(plain.result.objective));
  const std::vector<double> found = decision_values(*one, data);
  const std::vector<double> wanted = decision_values(*other, data);
  double largest = 0;
  for (const double value : wanted) largest = std::max(largest, std::fabs(value));
  for (std::size_t i = 0; i < data.size(); ++i) {
    ASSERT_NEAR(found[i], wanted[i], 100 * tolerance * largest) << i;
  }
}

TEST_F(Weights, AreNumbersOfCopies) {
  for (const SolverOfTypes& solver : exact_solvers()) {
    for (const int type : solver.types) {
      for (const int kernel : {LINEAR, RBF}) {
        const bool has_cost = type == C_SVC || type == EPSILON_SVR;
        if (kernel == LINEAR ? !has_cost : solver.linear_only) continue;
        svm_parameter param = parameters(type, kernel);
        param.eps = solver.linear_only ? 1e-6 : 1e-7;
        param.shrinking = solver.linear_only ? 0 : 1;
        param.nu = 0.3;
        for (const double cost : {0.1, 10.0}) {
          param.C = cost;
          expect_optimum_of_copies(solver.name, param, 1e-5);
        }
      }
    }
  }
}

// The number of their steps depends on that of the rows, so that both solutions are approximate.
TEST_F(Weights, OfApproximateSolversToo) {
  for (const char* solver : {"pegasos", "snacks"}) {
    svm_parameter param = parameters(C_SVC, RBF);
    param.eps = 1e-4;
    expect_optimum_of_copies(solver, param, 2e-3);
  }
}

// There are so many rows that csmo solves parts of the problem.
TEST_F(Weights, OfManyRows) {
  for (const int type : {C_SVC, ONE_CLASS}) {
    Data data = rows_for(type, 4500);
    std::vector<double> weights;
    Draws draws(29);
    for (std::size_t i = 0; i < data.size(); ++i) weights.push_back(draws.between(0.1, 4));
    svm_parameter param = parameters(type, RBF);
    param.nu = 0.2;
    double objectives[2] = {0, 0};
    for (const char* solver : {"smo", "csmo"}) {
      WeightedTraining training{solver, weights.data()};
      const OwnedModel model = training.train(data.problem(), param);
      EXPECT_EQ(training.result.status, SVM_CONVERGED);
      objectives[std::string(solver) == "smo" ? 0 : 1] = training.result.objective;
    }
    EXPECT_NEAR(objectives[0], objectives[1], 1e-4 * std::fabs(objectives[0]));
  }
}

TEST_F(Weights, MultiplyTheWeightsOfClasses) {
  int labels[] = {1, -1};
  double factors[] = {3, 0.5};
  svm_parameter param = parameters(C_SVC, RBF);
  param.nr_weight = 2;
  param.weight_label = labels;
  param.weight = factors;
  param.eps = 1e-7;
  for (const SolverOfTypes& solver : exact_solvers()) {
    param.kernel_type = solver.linear_only ? LINEAR : RBF;
    expect_optimum_of_copies(solver.name, param, 1e-5);
  }
}

// Checks the model from its data alone, in units of C.
void expect_optimal(const SolverOfTypes& solver, Data& data, const std::vector<double>& weights,
                    const svm_parameter& param) {
  SCOPED_TRACE(std::string(solver.name) + " -s " + std::to_string(param.svm_type) + " -t " +
               std::to_string(param.kernel_type) + " -c " + std::to_string(param.C));
  const svm_problem problem = data.problem();
  WeightedTraining training{solver.name, weights.data()};
  training.max_iterations = 20000;
  testing::internal::CaptureStderr();
  const OwnedModel model = training.train(problem, param);
  testing::internal::GetCapturedStderr();
  ASSERT_NE(model, nullptr);
  const Trained trained = {&problem,
                           &param,
                           solver.objective,
                           0,
                           model.get(),
                           training.result.objective,
                           training.result.iterations,
                           std::string(solver.name) == "smo",
                           weights.data()};
  const Verdict verdict = check_model(trained);
  if (training.result.status == SVM_CONVERGED) {
    EXPECT_EQ(complaint(trained, verdict), "");
  }
  EXPECT_LE(verdict.infeasibility, 1e-9);
}

TEST_F(Weights, AreInTheConditionsOfOptimality) {
  std::vector<double> weights;
  Draws draws(23);
  for (std::size_t i = 0; i < 60; ++i) {
    const double any = draws.between(0.1, 5);
    weights.push_back(i % 7 == 0 ? 0 : i % 11 == 0 ? 50 : any);
  }
  for (const SolverOfTypes& solver : exact_solvers()) {
    for (const int type : solver.types) {
      Data data = rows_for(type, weights.size(), 9);
      for (const int kernel : {LINEAR, RBF}) {
        if (solver.linear_only && kernel != LINEAR) continue;
        for (const double cost : {1e-3, 1.0, 1e6}) {
          svm_parameter param = parameters(type, kernel);
          param.C = cost;
          param.nu = 0.4;
          expect_optimal(solver, data, weights, param);
        }
      }
    }
  }
}

// Solved by hand: rows at -1 and +1, and one at +1 that counts four times.  The median of the
// targets 0, 1, 1, 1, 1 is 1, so with a small C the function is constantly 1.
TEST_F(Weights, MoveTheMedianOfARegression) {
  Data data;
  data.add(0, {-1});
  data.add(0, {1});
  data.add(1, {1});
  svm_parameter param = parameters(EPSILON_SVR, LINEAR);
  param.C = 1e-6;
  param.p = 0;
  const double weights[] = {1, 1, 4};
  const svm_problem problem = data.problem();
  for (const char* solver : {"smo", "csmo"}) {
    WeightedTraining plain{solver}, weighted{solver, weights};
    const OwnedModel without = plain.train(problem, param);
    const OwnedModel with = weighted.train(problem, param);
    EXPECT_NEAR(svm_predict(without.get(), problem.x[1]), 0, 1e-3);
    EXPECT_NEAR(svm_predict(with.get(), problem.x[1]), 1, 1e-3);
  }
}

}  // namespace
}  // namespace svm::test
