// certify() for models of weighted rows, and of solvers that have problems or rules of their own.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/certificate_checker.h"
#include "tests/trained_function.h"
#include "tests/trained_machine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::data_for;
using test::param_for;
using test::solved_problems;
using test::SolvedProblem;
using test::TrainedMachine;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// (y y' (K + 1) + I / C) alpha - 1.
std::vector<double> squared_slack_gradient(const TrainedMachine& trained, const SolvedProblem& s) {
  std::vector<double> gradient;
  for (std::size_t t = 0; t < s.size(); ++t) {
    double sum = s.y[t] * s.beta[t] / trained.param.C - 1;
    for (std::size_t u = 0; u < s.size(); ++u) {
      const test::Real value =
          test::kernel_value(trained.param, trained.data.row(t), trained.data.row(u));
      sum += s.y[t] * s.beta[u] * static_cast<double>(value + 1);
    }
    gradient.push_back(sum);
  }
  return gradient;
}

// The coefficients of nu-SVC are divided by the margin, and rounded.  With kernel values of 1e13
// the rounding may exceed the tolerance, with those of 1e9 it does not.
TEST(Certificate, OfScaledCoefficientsIsTheirOwn) {
  for (const double size : {100.0, 1000.0}) {
    int converged = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
      test::Draws draws(seed);
      test::Data data;
      for (int i = 0; i < 30; ++i) {
        const int label = i % 2 == 0 ? 1 : -1;
        std::vector<double> x(5);
        for (double& value : x) value = size * (draws.between(-1, 1) + 0.25 * label);
        data.add(label, x);
      }
      svm_parameter param = test::parameters(NU_SVC, POLY);
      param.degree = 2;
      param.gamma = 1;
      param.nu = 0.1;
      TrainedMachine trained(std::move(data), param, "csmo");
      trained.train();
      if (trained.run().record.status != SVM_CONVERGED) continue;
      ++converged;
      EXPECT_LE(trained.certificate().violation, param.eps) << size << ' ' << seed;
    }
    EXPECT_GT(converged, 0) << size;
  }
}

TEST(Certificate, OfSquaredSlacks) {
  for (const char* solver : {"mdm", "amdm"}) {
    TrainedMachine trained(data_for({C_SVC, RBF}, 60), param_for({C_SVC, RBF}), solver);
    trained.train();
    const SolvedProblem s = solved_problems(trained.data, *trained.model)[0];
    const std::vector<double> gradient = squared_slack_gradient(trained, s);
    double least = kInfinity, most = -kInfinity, dual = 0;
    double primal = (s.squared_norm() + s.rho * s.rho) / 2;
    for (std::size_t t = 0; t < s.size(); ++t) {
      least = std::min(least, gradient[t]);
      if (s.beta[t] != 0) most = std::max(most, gradient[t]);
      dual += s.y[t] * s.beta[t] * (gradient[t] - 1) / 2;
      const double slack = std::max(0.0, 1 - s.y[t] * s.decisions[t]);
      primal += trained.param.C * slack * slack / 2;
    }
    Certificate found = trained.certificate();
    EXPECT_NEAR(found.violation, most - least, 1e-10);
    EXPECT_LT(found.violation, 1.01 * trained.param.eps);
    EXPECT_LT(found.infeasibility, 1e-12);
    EXPECT_NEAR(found.dual_objective, dual, 1e-9);
    EXPECT_NEAR(found.primal_objective, primal, 1e-9);
    EXPECT_NEAR(found.gap(), 0, 1e-3 * primal);
    trained.model->rho[0] += 0.5;
    found = trained.certificate();
    EXPECT_NEAR(found.infeasibility, 0.5, 1e-12);
  }
}

// Without an equality constraint, each variable is judged alone.
TEST(Certificate, OfPlattWithAFixedThreshold) {
  TrainedMachine trained(data_for({C_SVC, RBF}, 60), param_for({C_SVC, RBF}), "platt");
  trained.run().options.fixed_threshold = true;
  trained.train();
  const SolvedProblem s = solved_problems(trained.data, *trained.model)[0];
  double worst = 0;
  for (std::size_t t = 0; t < s.size(); ++t) {
    const double margin = s.y[t] * s.decisions[t] - 1, alpha = s.y[t] * s.beta[t];
    if (alpha < trained.param.C) worst = std::max(worst, -margin);
    if (alpha > 0) worst = std::max(worst, margin);
  }
  Certificate found = trained.certificate();
  EXPECT_NEAR(found.violation, worst, 1e-10);
  EXPECT_LT(found.violation, 1.01 * trained.param.eps);
  EXPECT_EQ(found.infeasibility, 0);
  EXPECT_NEAR(found.gap(), 0, 1e-3 * found.primal_objective);
  trained.model->rho[0] += 0.1;
  found = trained.certificate();
  EXPECT_NEAR(found.infeasibility, 0.1, 1e-10);
}

// The primal objective for a given w'w / 2.
double primal_of(const SolvedProblem& s, const svm_parameter& param, double half_norm) {
  double objective = half_norm;
  for (std::size_t t = 0; t < s.size(); ++t) {
    objective += param.svm_type == EPSILON_SVR
                     ? param.C * std::max(0.0, std::fabs(s.decisions[t] - s.y[t]) - param.p)
                     : param.C * std::max(0.0, 1 - s.y[t] * s.decisions[t]);
  }
  return objective;
}

TEST(Certificate, OfAWeightVectorIsThePrimalObjective) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    for (const double bias : {0.0, 2.0}) {
      svm_parameter param = param_for({type, LINEAR});
      param.eps = 1e-6;
      TrainedMachine trained(data_for({type, LINEAR}, 60), param, "dcd");
      trained.run().options.bias = bias;
      trained.train();
      double norm = bias > 0 ? std::pow(trained.model->rho[0] / bias, 2) : 0;
      for (const svm_node* node = trained.model->SV[0]; node->index != -1; ++node) {
        norm += node->value * node->value;
      }
      const Certificate found = trained.certificate();
      EXPECT_FALSE(found.has_dual);
      EXPECT_NEAR(found.primal_objective,
                  primal_of(solved_problems(trained.data, *trained.model)[0], param, norm / 2),
                  1e-10);
      // At the optimum it equals the dual objective, which the solver reports.
      EXPECT_NEAR(found.primal_objective, -trained.run().record.objective, 1e-3);
    }
  }
}

TEST(Certificate, OfAWeightVectorForEachPair) {
  svm_parameter param = param_for({C_SVC, LINEAR});
  param.eps = 1e-6;
  TrainedMachine trained(test::four_classes(120, 5), param, "dcd");
  trained.train();
  const Certificate found = trained.certificate();
  EXPECT_EQ(found.problems, 6U);
  EXPECT_FALSE(found.has_dual);
  EXPECT_NEAR(found.primal_objective, -trained.run().record.objective,
              1e-4 * found.primal_objective);
}

TEST(Certificate, OfLandmarksIsThePrimalObjective) {
  for (const char* solver : {"pegasos", "snacks"}) {
    TrainedMachine trained(data_for({C_SVC, RBF}, 60), param_for({C_SVC, RBF}), solver);
    trained.run().options.landmarks = 20;
    trained.train();
    const SolvedProblem s = solved_problems(trained.data, *trained.model)[0];
    const Certificate found = trained.certificate();
    EXPECT_FALSE(found.has_dual);
    EXPECT_NEAR(found.primal_objective, primal_of(s, trained.param, s.squared_norm() / 2), 1e-9);
  }
}

// Compares with the independent checker.
void expect_verdict(TrainedMachine& trained, test::Objective objective) {
  trained.train();
  const test::Verdict verdict =
      test::check_model({&trained.problem, &trained.param, objective, 0, trained.model.get(),
                         trained.run().record.objective, trained.run().record.iterations, false,
                         trained.run().options.row_weights});
  const Certificate found = trained.certificate();
  // The margin of nu-SVC is not unique, and the two choose it differently.
  const double digits = trained.param.svm_type == NU_SVC ? 1e-4 : 1e-5;
  EXPECT_NEAR(found.primal_objective, verdict.primal, digits * std::fabs(verdict.primal) + 1e-9);
  if (!found.has_dual) return;
  EXPECT_NEAR(found.violation, verdict.violation, 1e-5 + 2 * verdict.rounding);
  EXPECT_NEAR(found.dual_objective, verdict.dual, 1e-6 * std::fabs(verdict.dual) + 1e-9);
}

TEST(Certificate, OfWeightedRows) {
  std::vector<double> weights;
  test::Draws draws(23);
  for (std::size_t i = 0; i < 60; ++i) {
    const double any = draws.between(0.1, 5);
    weights.push_back(i % 7 == 0 ? 0 : i % 11 == 0 ? 50 : any);
  }
  const auto check = [&](const char* solver, int type, int kernel, test::Objective objective) {
    for (const double cost : {1e-3, 1.0, 1e6}) {
      SCOPED_TRACE(testing::Message()
                   << solver << " -s " << type << " -t " << kernel << " -c " << cost);
      svm_parameter param = param_for({type, kernel});
      param.C = cost;
      param.nu = 0.4;
      TrainedMachine trained(data_for({type, kernel}, weights.size()), param, solver);
      trained.run().options.row_weights = weights.data();
      trained.run().options.max_iter = 20000;
      expect_verdict(trained, objective);
    }
  };
  for (const int kernel : {LINEAR, RBF}) {
    for (const char* solver : {"smo", "csmo", "smo1"}) {
      for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
        check(solver, type, kernel, test::Objective::kLibsvm);
      }
    }
    for (const char* solver : {"platt", "pcg"}) {
      check(solver, C_SVC, kernel, test::Objective::kLibsvm);
    }
    for (const char* solver : {"mdm", "amdm"}) {
      check(solver, C_SVC, kernel, test::Objective::kSquaredSlacks);
    }
  }
  for (const char* solver : {"dcd", "avsf"}) {
    for (const int type : {C_SVC, EPSILON_SVR}) {
      check(solver, type, LINEAR, test::Objective::kNoThreshold);
    }
  }
}

}  // namespace
}  // namespace svm
