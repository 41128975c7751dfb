// Random problems: checks optimality conditions with a full kernel matrix, and that results do not
// depend on shrinking or on the cache.
#include "tests/optimality.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/row_training.h"
#include "tests/trained_function.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::is_classification;
using test::parameters;
using test::RowFunction;
using test::RowTraining;
using test::Violation;

// The values of a trained function at the training rows, from all kernel values.
class FullMatrix {
 public:
  FullMatrix(const Data& data, const svm_parameter& param,
             const std::vector<double>& coefficients) {
    for (std::size_t t = 0; t < data.size(); ++t) {
      test::Real sum = 0;
      for (std::size_t s = 0; s < data.size(); ++s) {
        const test::Real value = test::kernel_value(param, data.row(t), data.row(s));
        sum += coefficients[s] * value;
        largest_ = std::max(largest_, static_cast<double>(std::fabs(value)));
      }
      values_.push_back(static_cast<double>(sum));
    }
    for (const double coefficient : coefficients) sum_ += std::fabs(coefficient);
  }
  double value(std::size_t t) const { return values_[t]; }
  double sum_of_sizes() const { return sum_; }
  // The solver works with kernel values rounded to float, which may cause such a violation.
  double rounding() const { return 4 * sum_ * largest_ * std::ldexp(1.0, -24); }

 private:
  std::vector<double> values_;
  double largest_ = 0, sum_ = 0;
};

struct Case {
  int svm_type;
  int kernel_type;
  int shrinking;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << "type " << c.svm_type << ", kernel " << c.kernel_type << ", shrinking " << c.shrinking;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (int type = C_SVC; type <= NU_SVR; ++type) {
    for (int kernel = LINEAR; kernel <= PRECOMPUTED; ++kernel) {
      for (int shrinking = 0; shrinking <= 1; ++shrinking)
        cases.push_back({type, kernel, shrinking});
    }
  }
  return cases;
}

Data data_for(const Case& c, std::size_t rows, std::uint64_t seed) {
  Data data = test::random_data(rows, 3, is_classification(c.svm_type), seed);
  svm_parameter rbf = parameters(C_SVC, RBF);
  rbf.gamma = 0.5;
  return c.kernel_type == PRECOMPUTED ? test::precomputed(data, rbf) : data;
}

svm_parameter param_for(const Case& c) {
  svm_parameter param = parameters(c.svm_type, c.kernel_type);
  param.gamma = 0.5;
  param.coef0 = c.kernel_type == SIGMOID ? -0.5 : 1;
  param.nu = 0.3;
  param.C = 2;
  param.shrinking = c.shrinking;
  return param;
}

class Optimality : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Optimality, testing::ValuesIn(all_cases()));

void check_c_svc(const Data& data, const svm_parameter& param, const FullMatrix& full,
                 const RowFunction& found, double c_positive, double c_negative) {
  Violation violation;
  double sum = 0;
  for (std::size_t t = 0; t < data.size(); ++t) {
    const int y = data.label(t) > 0 ? 1 : -1;
    const double alpha = y * found.coefficients[t], upper = y > 0 ? c_positive : c_negative;
    ASSERT_GE(alpha, 0);
    ASSERT_LE(alpha, upper);
    violation.add(y, alpha, upper, full.value(t) - y);
    sum += found.coefficients[t];
  }
  EXPECT_NEAR(sum, 0, 1e-12 * full.sum_of_sizes());
  EXPECT_LT(violation.value(), param.eps + full.rounding());
}

// Coefficients are divided by the margin r; sum |c| = nu l / r recovers it.
void check_nu_svc(const Data& data, const svm_parameter& param, const FullMatrix& full,
                  const RowFunction& found) {
  const double margin = param.nu * static_cast<double>(data.size()) / full.sum_of_sizes();
  Violation violation[2];
  double sum[2] = {0, 0};
  for (std::size_t t = 0; t < data.size(); ++t) {
    const int y = data.label(t) > 0 ? 1 : -1;
    double alpha = y * found.coefficients[t] * margin;
    if (alpha > 1 - 1e-12) alpha = 1;
    ASSERT_GE(alpha, 0);
    violation[y > 0].add(y, alpha, 1, full.value(t) * margin);
    sum[y > 0] += alpha;
  }
  EXPECT_NEAR(sum[0], sum[1], 1e-9);
  for (const Violation& each : violation) {
    EXPECT_LT(each.value(), param.eps + full.rounding() * margin);
  }
}

void check_one_class(const Data& data, const svm_parameter& param, const FullMatrix& full,
                     const RowFunction& found) {
  Violation violation;
  double sum = 0;
  for (std::size_t t = 0; t < data.size(); ++t) {
    ASSERT_GE(found.coefficients[t], 0);
    ASSERT_LE(found.coefficients[t], 1);
    violation.add(+1, found.coefficients[t], 1, full.value(t));
    sum += found.coefficients[t];
  }
  EXPECT_NEAR(sum, param.nu * static_cast<double>(data.size()), 1e-9);
  EXPECT_LT(violation.value(), param.eps + full.rounding());
}

// A tube of positive width keeps alpha or alpha* at 0.
void check_regression(const Data& data, const svm_parameter& param, const FullMatrix& full,
                      const RowFunction& found) {
  const bool groups = param.svm_type == NU_SVR;
  const double tube = groups ? 0 : param.p;
  Violation violation[2];
  double sum = 0;
  for (std::size_t t = 0; t < data.size(); ++t) {
    const double coefficient = found.coefficients[t];
    ASSERT_LE(std::fabs(coefficient), param.C);
    const double error = full.value(t) - data.label(t);
    violation[0].add(+1, std::max(coefficient, 0.0), param.C, error + tube);
    violation[groups ? 1 : 0].add(-1, std::max(-coefficient, 0.0), param.C, error - tube);
    sum += coefficient;
  }
  EXPECT_NEAR(sum, 0, 1e-9);
  if (groups) {
    EXPECT_NEAR(full.sum_of_sizes(), param.C * param.nu * static_cast<double>(data.size()), 1e-9);
  }
  for (const Violation& each : violation) {
    EXPECT_LT(each.value(), param.eps + full.rounding());
  }
}

TEST_P(Optimality, ConditionsHold) {
  RowTraining training;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Data data = data_for(GetParam(), 40, seed);
    const svm_parameter param = param_for(GetParam());
    const bool weighted = param.svm_type == C_SVC && seed % 2 == 0;
    const double c_negative = weighted ? 0.3 * param.C : param.C;
    const RowFunction found = training.train(data, param, param.C, c_negative);
    const FullMatrix full(data, param, found.coefficients);
    switch (param.svm_type) {
      case C_SVC:
        check_c_svc(data, param, full, found, param.C, c_negative);
        break;
      case NU_SVC:
        check_nu_svc(data, param, full, found);
        break;
      case ONE_CLASS:
        check_one_class(data, param, full, found);
        break;
      default:
        check_regression(data, param, full, found);
    }
  }
}

struct ProblemKind {
  int svm_type;
  int kernel_type;
};

void PrintTo(const ProblemKind& m, std::ostream* out) {
  *out << "type " << m.svm_type << ", kernel " << m.kernel_type;
}

class LargeProblem : public testing::TestWithParam<ProblemKind> {
 protected:
  // There are more than 1000 variables and steps, so that shrinking takes place.
  static Data data() {
    return test::random_data(1100, 3, is_classification(GetParam().svm_type), 99);
  }
  static svm_parameter param() {
    svm_parameter param = param_for({GetParam().svm_type, GetParam().kernel_type, 1});
    param.gamma = GetParam().kernel_type == RBF ? 5 : 0.5;
    param.C = 10;
    param.nu = 0.4;
    param.eps = param.svm_type == NU_SVC || param.svm_type == ONE_CLASS ? 1e-6 : 1e-5;
    return param;
  }
};

INSTANTIATE_TEST_SUITE_P(Types, LargeProblem,
                         testing::Values(ProblemKind{C_SVC, RBF}, ProblemKind{NU_SVC, RBF},
                                         ProblemKind{ONE_CLASS, RBF}, ProblemKind{EPSILON_SVR, RBF},
                                         ProblemKind{NU_SVR, RBF}, ProblemKind{C_SVC, POLY},
                                         ProblemKind{EPSILON_SVR, LINEAR}));

// Differences of objectives are of the order of eps times the sum of alpha.
TEST_P(LargeProblem, ShrinkingReachesTheSameObjective) {
  Data rows = data();
  svm_parameter with = param(), without = param();
  without.shrinking = 0;
  RowTraining training;
  const RowFunction shrunk = training.train(rows, with);
  const double objective = training.result.objective;
  const RowFunction plain = training.train(rows, without);
  double sum = 0;
  for (const double coefficient : plain.coefficients) sum += std::fabs(coefficient);
  EXPECT_NEAR(objective, training.result.objective, 2 * with.eps * sum);
  EXPECT_NEAR(shrunk.rho, plain.rho, 50 * with.eps * std::max(1.0, std::fabs(plain.rho)));
}

TEST_P(LargeProblem, TheCacheChangesNoBit) {
  Data rows = data();
  svm_parameter small = param(), large = param();
  small.cache_size = 0.0001;
  RowTraining training;
  const RowFunction a = training.train(rows, small);
  const std::string text = training.printed;
  EXPECT_TRUE(text[0] == '.' || text.rfind("*.", 0) == 0) << text;  // dots show that the solver
                                                                    // could shrink
  const RowFunction b = training.train(rows, large);
  EXPECT_EQ(text, training.printed);
  EXPECT_EQ(a.coefficients, b.coefficients);
  EXPECT_EQ(a.rho, b.rho);
}

TEST(SmallProblem, TheCacheChangesNoBit) {
  RowTraining training;
  for (const Case& c : all_cases()) {
    Data rows = data_for(c, 60, 5);
    svm_parameter small = param_for(c), large = param_for(c);
    small.cache_size = 0.0001;
    const RowFunction a = training.train(rows, small), b = training.train(rows, large);
    EXPECT_EQ(a.coefficients, b.coefficients) << testing::PrintToString(c);
    EXPECT_EQ(a.rho, b.rho);
  }
}

}  // namespace
}  // namespace svm
