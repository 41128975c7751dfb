// Runs all solvers on the same problems: solutions are optimal, feasible, and no worse than smo's.
#include "solvers/smo/csmo.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/kernel_function.h"
#include "kernels/matrix/kernel_matrix.h"
#include "model/svm_type.h"
#include "solvers/registry.h"
#include "tests/extension.h"
#include "tests/optimality.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::is_classification;
using test::parameters;
using test::Printed;

// Conjugate SMO on one level that checks its invariants after every step.
class CheckedSolver : public ConjugateSolver {
 public:
  using ConjugateSolver::ConjugateSolver;

 private:
  void step(const Pair& pair) override {
    const std::vector<ConjugateDirection::Member> old = d_.members();
    const double delta = delta_, gamma = old.empty() ? 0 : -(q_[pair.i] - q_[pair.j]) / delta;
    const long long conjugate = monitor_.record().conjugate_steps;
    ConjugateSolver::step(pair);
    const bool is_conjugate = monitor_.record().conjugate_steps > conjugate;
    const double added = 2 + (is_conjugate ? std::fabs(gamma) * added_to_q_ : 0);
    if (is_conjugate && !d_.empty()) check_conjugacy(old, delta, added);
    added_to_q_ = added;
    check_feasibility();
  }

  // Checks that d_old'Q d vanishes, up to the rounding to float of the kernel rows that were added
  // to q; that of rows whose weights cancel in d is still there.
  void check_conjugacy(const std::vector<ConjugateDirection::Member>& old, double delta,
                       double added) const {
    double product = 0, scale = 0, largest = 0;
    for (const auto& [t, weight] : old) {
      product += weight * q_[t];
      scale += std::fabs(weight * q_[t]);
      largest = std::max(largest, diagonal_[t]);
    }
    EXPECT_LE(std::fabs(product),
              1e-4 * (scale + std::sqrt(delta_ * delta)) + 1e-6 * added_to_q_ * added * largest);
  }

  void check_feasibility() const {
    double sums[kGroups] = {}, scale = 0;
    for (const auto& [t, weight] : d_.members()) {
      sums[state_.group(t)] += weight;
      scale += std::fabs(weight);
    }
    for (const double sum : sums) EXPECT_LE(std::fabs(sum), 1e-9 * scale);
    for (std::size_t t = 0; t < size_; ++t) {
      const double alpha = state_.alpha[t];
      if (!(alpha >= 0 && alpha <= state_.upper_bound(t))) ADD_FAILURE() << t << ": " << alpha;
    }
  }

  double added_to_q_ = 0;  // the weights of the rows that were added to q
};

// The solver of this name; "checked" is csmo with checks.
SolverEntry entry_of(const std::string& name) {
  const SolverEntry* const known = find_solver(name == "checked" ? "csmo" : name);
  if (known == nullptr) {
    ADD_FAILURE() << "no solver " << name;
    return *solvers().begin();
  }
  SolverEntry entry = *known;
  if (name == "checked") {
    entry.solve = [](DualProblem&& problem, double epsilon, bool shrinking, Monitor& monitor) {
      return CheckedSolver(std::move(problem), epsilon, shrinking, monitor).solve();
    };
  }
  return entry;
}

// The dual problem of a formulation, and a check of solutions that shares only the kernel rows with
// the solvers.
class Task {
 public:
  Task(const Data& data, const svm_parameter& param, double weight_negative = 1)
      : rows_(data.rows()),
        param_(param),
        size_(is_regression(param.svm_type) ? 2 * data.size() : data.size()),
        two_groups_(param.svm_type == NU_SVC || param.svm_type == NU_SVR),
        upper_{param.C, param.C * weight_negative},
        linear_(size_, 0.0),
        labels_(size_, 1),
        start_(size_, 0.0) {
    const std::size_t l = data.size();
    for (std::size_t t = 0; t < l; ++t) {
      if (is_classification(param.svm_type)) labels_[t] = data.label(t) > 0 ? 1 : -1;
      if (param.svm_type == C_SVC) linear_[t] = -labels_[t];
      if (!is_regression(param.svm_type)) continue;
      const double tube = param.svm_type == EPSILON_SVR ? param.p : 0;
      linear_[t] = tube - data.label(t);
      linear_[t + l] = -tube - data.label(t);
      labels_[t + l] = -1;
    }
    if (param.svm_type == NU_SVC || param.svm_type == ONE_CLASS) upper_[0] = upper_[1] = 1;
    if (param.svm_type == C_SVC || param.svm_type == EPSILON_SVR) return;
    const double part = param.svm_type == ONE_CLASS ? 1 : 0.5;
    double left[2];
    left[0] = left[1] = part * param.nu * static_cast<double>(l) * upper_[0];
    for (std::size_t t = 0; t < size_; ++t) {
      double& rest = left[labels_[t] < 0 ? 1 : 0];
      start_[t] = std::min(rest, upper_[0]);
      rest -= start_[t];
    }
  }

  Solution solve(const char* solver, Run& run) const {
    const std::unique_ptr<KernelMatrix> kernel = matrix(param_.cache_size, *run.services.pool);
    DualProblem dual(*kernel, {linear_, labels_, start_, {upper_[0], upper_[1]}, two_groups_});
    return solve_dual(entry_of(solver), std::move(dual), param_.eps, param_.shrinking != 0, run);
  }

  // By kernel values in doubles, as the objective by smo's rounded rows may be below the optimum.
  double objective(const std::vector<double>& alpha) const {
    const std::vector<double> f = gradient(alpha);
    double objective = 0;
    for (std::size_t t = 0; t < size_; ++t) {
      objective += 0.5 * alpha[t] * labels_[t] * (f[t] + linear_[t]);
    }
    return objective;
  }

  void check(const Solution& found) const {
    ASSERT_EQ(found.alpha.size(), size_);
    double sum[2] = {0, 0}, expected[2] = {0, 0}, scale = 0;
    for (std::size_t t = 0; t < size_; ++t) {
      const int g = group(t);
      ASSERT_GE(found.alpha[t], 0) << t;
      ASSERT_LE(found.alpha[t], upper_[labels_[t] < 0 ? 1 : 0]) << t;
      sum[g] += labels_[t] * found.alpha[t];
      expected[g] += labels_[t] * start_[t];
      scale += found.alpha[t];
    }
    EXPECT_NEAR(sum[0], expected[0], 1e-9 * scale);
    EXPECT_NEAR(sum[1], expected[1], 1e-9 * scale);

    const std::vector<double> f = gradient(found.alpha);
    test::Violation violation[2];
    double objective = 0;
    for (std::size_t t = 0; t < size_; ++t) {
      const double upper = upper_[labels_[t] < 0 ? 1 : 0];
      violation[group(t)].add(labels_[t], found.alpha[t], upper, f[t]);
      objective += 0.5 * found.alpha[t] * labels_[t] * (f[t] + linear_[t]);
    }
    const double rounding = 1e-11 * scale * largest_;  // rounding of gradients that are updated in
                                                       // steps
    EXPECT_LT(violation[0].value(), param_.eps + rounding);
    EXPECT_LT(violation[1].value(), param_.eps + rounding);
    EXPECT_NEAR(found.objective, objective,
                1e-9 * std::fabs(objective) + std::ldexp(products_, -24));
  }

 private:
  int group(std::size_t t) const { return two_groups_ && labels_[t] < 0 ? 1 : 0; }

  std::unique_ptr<KernelMatrix> matrix(double megabytes, ThreadPool& pool) const {
    auto engine = make_row_engine(KernelFunction(param_), rows_.data(), rows_.size());
    const auto bytes = static_cast<std::size_t>(megabytes * 1048576);
    const std::size_t copies = is_regression(param_.svm_type) ? 2 : 1;
    return std::make_unique<KernelMatrix>(std::move(engine), rows_.size(), copies, bytes, bytes / 2,
                                          pool);
  }

  // The signed gradient f.
  std::vector<double> gradient(const std::vector<double>& alpha) const {
    ThreadPool pool(1);
    const std::unique_ptr<KernelMatrix> kernel = matrix(1, pool);
    kernel->use_doubles();
    products_ = 0;
    std::vector<double> f = linear_;
    for (std::size_t s = 0; s < size_; ++s) {
      if (alpha[s] == 0) continue;
      const KernelRow row = kernel->row(s);
      for (std::size_t t = 0; t < size_; ++t) {
        f[t] += labels_[s] * alpha[s] * row[t];
        largest_ = std::max(largest_, std::fabs(row[t]));
        products_ += 0.5 * alpha[s] * alpha[t] * std::fabs(row[t]);
      }
    }
    return f;
  }

  const std::vector<const svm_node*> rows_;
  const svm_parameter param_;
  const std::size_t size_;
  const bool two_groups_;
  double upper_[2];
  std::vector<double> linear_;
  std::vector<signed char> labels_;
  std::vector<double> start_;
  mutable double largest_ = 0;   // largest kernel value so far
  mutable double products_ = 0;  // sum of sizes of the objective's terms
};

struct Variant {
  const char* solver;
  bool free_set;
};
constexpr Variant kVariants[] = {
    {"csmo", true}, {"csmo", false}, {"checked", true}, {"checked", false}, {"smo1", true}};

struct Outcome {
  Solution solution;
  Record report;
};

Outcome run_solver(const Task& task, const Variant& variant) {
  const Printed printed;
  Run& run = printed.run();
  run.options.free_set = variant.free_set;
  Outcome outcome;
  outcome.solution = task.solve(variant.solver, run);
  outcome.report = run.record;
  return outcome;
}

void check_report(const Variant& variant, const Outcome& outcome, double eps) {
  const Record& report = outcome.report;
  EXPECT_EQ(report.status, SVM_CONVERGED);
  EXPECT_EQ(report.problems, 1);
  EXPECT_GT(report.iterations, 0);
  EXPECT_GT(report.kernel_rows, 0);
  EXPECT_LE(report.clipped_steps, report.conjugate_steps);
  EXPECT_LT(report.conjugate_steps, report.iterations);  // every direction begins with a plain step
  EXPECT_LT(report.violation, eps);
  EXPECT_EQ(report.objective, outcome.solution.objective);
  if (!variant.free_set) {
    EXPECT_EQ(report.phases, 0);
  }
}

// `smo` may be null: the objective is not compared.
Outcome check_variant(const Task& task, const Variant& variant, double eps, const Outcome* smo) {
  SCOPED_TRACE(variant.solver + std::string(variant.free_set ? "" : " without phases"));
  Outcome outcome = run_solver(task, variant);
  check_report(variant, outcome, eps);
  task.check(outcome.solution);
  if (smo != nullptr) {
    const double limit = task.objective(smo->solution.alpha);
    EXPECT_LE(task.objective(outcome.solution.alpha), limit + 1e-6 * std::fabs(limit) + 1e-6);
  }
  return outcome;
}

// --- every SVM type and kernel ---

// Parameters: SVM type, kernel, shrinking.
class EverySolver : public testing::TestWithParam<std::tuple<int, int, int>> {};
INSTANTIATE_TEST_SUITE_P(All, EverySolver,
                         testing::Combine(testing::Range(0, 5), testing::Range(0, 5),
                                          testing::Range(0, 2)));

TEST_P(EverySolver, IsOptimalAndNoWorseThanSmo) {
  const auto [svm_type, kernel_type, shrinking] = GetParam();
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Data data = test::random_data(seed < 3 ? 40 : 120, 3, is_classification(svm_type), seed);
    svm_parameter rbf = parameters(C_SVC, RBF);
    rbf.gamma = 2;
    if (kernel_type == PRECOMPUTED) data = test::precomputed(data, rbf);
    svm_parameter param = parameters(svm_type, kernel_type);
    param.gamma = 0.5;
    param.coef0 = kernel_type == SIGMOID ? -0.5 : 1;
    param.nu = 0.3;
    param.C = seed % 2 == 0 ? 20 : 2;
    param.eps = 1e-6;
    param.shrinking = shrinking;
    const Task task(data, param, svm_type == C_SVC && seed > 1 ? 0.3 : 1);
    const Outcome smo = run_solver(task, {"smo", true});
    SCOPED_TRACE("seed " + std::to_string(seed));
    // The sigmoid kernel is not positive definite: there are many local optima.
    const Outcome* limit = kernel_type == SIGMOID ? nullptr : &smo;
    for (const Variant& variant : kVariants) check_variant(task, variant, param.eps, limit);
  }
}

// --- a problem on which shrinking and phases take place ---

svm_parameter hard_parameters(int svm_type, double cost) {
  svm_parameter param = parameters(svm_type, RBF);
  param.gamma = 5;
  param.C = cost;
  param.nu = 0.4;
  return param;
}

Data hard_data(int svm_type, std::size_t rows = 1100) {
  return test::random_data(rows, 3, is_classification(svm_type), 99);
}

class HardProblem : public testing::TestWithParam<double> {};  // C
INSTANTIATE_TEST_SUITE_P(Costs, HardProblem, testing::Values(1, 100, 1000));

TEST_P(HardProblem, EverySolverIsOptimalAndNoWorseThanSmo) {
  const Data data = hard_data(C_SVC);
  for (const int shrinking : {0, 1}) {
    svm_parameter param = hard_parameters(C_SVC, GetParam());
    param.shrinking = shrinking;
    param.eps = 1e-4;
    const Task task(data, param);
    const Outcome smo = run_solver(task, {"smo", true});
    SCOPED_TRACE("shrinking " + std::to_string(shrinking));
    for (const Variant& variant : kVariants) {
      const Outcome outcome = check_variant(task, variant, param.eps, &smo);
      if (std::string(variant.solver) == "smo1") continue;
      EXPECT_EQ(outcome.report.phases > 0, variant.free_set) << variant.solver;
      EXPECT_LT(outcome.report.iterations, smo.report.iterations) << variant.solver;
    }
  }
}

TEST(CsmoTest, TakesFewerIterationsOnAHardProblem) {
  const Data data = hard_data(C_SVC);
  const Task task(data, hard_parameters(C_SVC, 1000));
  const Record smo = run_solver(task, {"smo", true}).report;
  const Record plain = run_solver(task, {"csmo", false}).report;
  const Record phases = run_solver(task, {"csmo", true}).report;
  EXPECT_LT(plain.iterations, smo.iterations / 2);
  EXPECT_LT(phases.iterations, plain.iterations / 4);
  EXPECT_GT(phases.phases, 0);
  EXPECT_GT(plain.conjugate_steps, plain.iterations * 9 / 10);
  EXPECT_EQ(smo.conjugate_steps, 0);
  EXPECT_EQ(smo.phases, 0);
}

// Each type with phases, at a tolerance at which they pay.
TEST(CsmoTest, EveryTypeOnALargeProblem) {
  for (const int type : {NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    const Data data = hard_data(type);
    svm_parameter param = hard_parameters(type, 10);
    param.eps = 1e-5;
    const Task task(data, param);
    const Outcome smo = run_solver(task, {"smo", true});
    SCOPED_TRACE("type " + std::to_string(type));
    for (const char* const solver : {"csmo", "checked"}) {
      const Outcome outcome = check_variant(task, {solver, true}, param.eps, &smo);
      EXPECT_GT(outcome.report.phases, 0) << solver;
    }
  }
}

TEST(CsmoTest, ARepeatedRunGivesTheSameBits) {
  const Data data = hard_data(C_SVC);
  const Task task(data, hard_parameters(C_SVC, 1000));
  for (const Variant& variant : kVariants) {
    const Outcome first = run_solver(task, variant), second = run_solver(task, variant);
    EXPECT_EQ(first.solution.alpha, second.solution.alpha) << variant.solver;
    EXPECT_EQ(first.solution.rho, second.solution.rho);
    EXPECT_EQ(first.report.iterations, second.report.iterations);
    EXPECT_EQ(first.report.phases, second.report.phases);
  }
}

// Without memory for a factor there are no phases.
TEST(CsmoTest, ATinyCacheIsEnough) {
  for (const int type : {C_SVC, NU_SVR}) {
    const Data data = hard_data(type, 400);
    for (const double megabytes : {1.0, 0.0001}) {
      svm_parameter param = hard_parameters(type, 100);
      param.cache_size = megabytes;
      const Task task(data, param);
      SCOPED_TRACE("type " + std::to_string(type) + ", cache " + std::to_string(megabytes));
      const char* const solver = "csmo";
      const Outcome outcome = check_variant(task, {solver, true}, param.eps, nullptr);
      if (megabytes < 1) {
        EXPECT_EQ(outcome.report.phases, 0);
      }
    }
  }
}

// --- through the interface ---

// Folds are drawn with a seed, so that every solver gets the same ones.
class CsmoApi : public test::Extension {
 protected:
  CsmoApi() {
    Data data;
    test::Draws draws(3);
    for (int t = 0; t < 300; ++t) {
      const double x = draws.between(-1, 1), y = draws.between(-1, 1);
      data.add(x + draws.between(-0.5, 0.5) > 0 ? 1 : y > 0 ? 2 : 3, {x, y});
    }
    data_ = std::move(data);
    problem_ = data_.problem();
    param_.eps = 1e-4;
    options_.seed = 5;
  }

  // The percentage of rows on which two solvers agree.
  static double agreement(const std::vector<double>& a, const std::vector<double>& b) {
    std::size_t same = 0;
    for (std::size_t t = 0; t < a.size(); ++t) same += a[t] == b[t] ? 1 : 0;
    return 100 * static_cast<double>(same) / static_cast<double>(a.size());
  }

  std::vector<double> predictions(const char* solver) {
    options_.solver = solver;
    const test::OwnedModel model = train();
    EXPECT_EQ(result_.status, SVM_CONVERGED);
    std::vector<double> all, estimates(3);
    for (std::size_t t = 0; t < data_.size(); ++t) {
      all.push_back(svm_predict_probability(model.get(), data_.row(t), estimates.data()));
    }
    return all;
  }
};

TEST_F(CsmoApi, MultiClassPredictionsAreThoseOfSmo) {
  for (param_.probability = 0; param_.probability <= 1; ++param_.probability) {
    const std::vector<double> expected = predictions("smo");
    EXPECT_EQ(result_.conjugate_steps, 0);
    EXPECT_GE(agreement(predictions("csmo"), expected), 99);
    EXPECT_EQ(result_.problems, param_.probability == 1 ? 18 : 3);
    EXPECT_GT(result_.conjugate_steps, 0);
  }
}

TEST_F(CsmoApi, CrossValidationIsThatOfSmo) {
  std::vector<double> found[2];
  for (int which = 0; which < 2; ++which) {
    options_.solver = which == 0 ? "smo" : "csmo";
    found[which].resize(data_.size());
    ASSERT_EQ(test::cross_validate(&problem_, &param_, 5, &options_, found[which].data(), &result_),
              0);
    EXPECT_EQ(result_.conjugate_steps > 0, which == 1);
  }
  EXPECT_GE(agreement(found[0], found[1]), 99);
}

}  // namespace
}  // namespace svm
