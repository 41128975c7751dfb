// Solutions that satisfy the tolerance in doubles if it is below the rounding of floats.
#include "solvers/precise/refinement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/registry.h"
#include "tests/fake_engine.h"
#include "tests/optimality.h"
#include "tests/text.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;
using test::Printed;

constexpr std::size_t kPlenty = std::size_t{1} << 26;
constexpr double kEpsilon = 1e-3;

std::vector<signed char> labels_of(const Data& data) {
  std::vector<signed char> labels;
  for (std::size_t t = 0; t < data.size(); ++t) labels.push_back(data.label(t) > 0 ? 1 : -1);
  return labels;
}

DualProblem c_svc(KernelMatrix& kernel, const std::vector<signed char>& labels, double cost) {
  std::vector<double> linear(labels.size());
  for (std::size_t t = 0; t < labels.size(); ++t) linear[t] = -labels[t];
  return {kernel, {linear, labels, std::vector<double>(labels.size(), 0.0), {cost, cost}}};
}

// Features of about 30000: kernel values are about 1e9, and floats are off by up to 32.
Data large_data(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Draws draws(seed);
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x;
    for (std::size_t k = 0; k < features; ++k) x.push_back(draws.between(-3e4, 3e4));
    data.add(x[0] + x[1] + draws.between(-2e4, 2e4) > 0 ? 1 : -1, x);
  }
  return data;
}

// The violation recomputed in long double.
double true_violation(const DualProblem& problem, const std::vector<double>& alpha,
                      const std::function<long double(std::size_t, std::size_t)>& value) {
  test::Violation all;
  for (std::size_t t = 0; t < alpha.size(); ++t) {
    long double f = problem.linear[t];
    for (std::size_t s = 0; s < alpha.size(); ++s) {
      f += value(s, t) * problem.labels[s] * alpha[s];
    }
    all.add(problem.labels[t], alpha[t], problem.upper_bound(t), static_cast<double>(f));
  }
  return all.value();
}

long double exact_dot(const svm_node* x, const svm_node* z) {
  long double sum = 0;
  for (; x->index != -1; ++x, ++z) sum += static_cast<long double>(x->value) * z->value;
  return sum;
}

// x'z plus a ridge: a kernel without the interior point method that the linear kernel has.
class LargeKernel {
 public:
  explicit LargeKernel(const Data& data) : data_(data) {}
  long double operator()(std::size_t s, std::size_t t) const {
    return exact_dot(data_.row(s), data_.row(t)) + (s == t ? 1e3L : 0);
  }
  std::unique_ptr<test::FakeEngine> engine() const {
    return std::make_unique<test::FakeEngine>(
        [this](std::size_t s, std::size_t t) { return static_cast<double>((*this)(s, t)); },
        [this](std::size_t t) { return static_cast<double>((*this)(t, t)); });
  }

 private:
  const Data& data_;
};

TEST(RefinementTest, ReachesTheToleranceThatFloatsHide) {
  const Data data = large_data(120, 6, 4);
  const LargeKernel value(data);
  const std::vector<signed char> labels = labels_of(data);
  const char* const name = "csmo";
  SCOPED_TRACE(name);
  ThreadPool pool(1);
  KernelMatrix kernel(value.engine(), data.size(), 1, kPlenty, kPlenty / 2, pool);
  const Printed printed;
  svm::Run& run = printed.run();
  const SolverEntry& solver = *find_solver(name);
  const DualProblem problem = c_svc(kernel, labels, 1);
  const Solution solution = solve_dual(solver, DualProblem(problem), kEpsilon, true, run);
  EXPECT_EQ(run.record.status, SVM_CONVERGED);
  EXPECT_LT(true_violation(problem, solution.alpha, value), kEpsilon);
  EXPECT_LT(solution.violation, kEpsilon);
}

// The interior point method runs first.
TEST(RefinementTest, ReachesTheToleranceWithALinearKernel) {
  const Data data = large_data(400, 3, 8);
  const auto rows = data.rows();
  const std::vector<signed char> labels = labels_of(data);
  const KernelFunction linear(test::parameters(C_SVC, LINEAR));
  ThreadPool pool(1);
  KernelMatrix kernel(make_row_engine(linear, rows.data(), rows.size()), rows.size(), 1, kPlenty,
                      kPlenty / 2, pool);
  const Printed printed;
  svm::Run& run = printed.run();
  DualProblem problem = c_svc(kernel, labels, 1e-3);
  problem.source = ExactSums(linear, rows.data(), rows.size());
  const Solution solution =
      solve_dual(*find_solver("csmo"), DualProblem(problem), kEpsilon, true, run);
  EXPECT_EQ(run.record.status, SVM_CONVERGED);
  EXPECT_LT(
      true_violation(problem, solution.alpha,
                     [&](std::size_t s, std::size_t t) { return exact_dot(rows[s], rows[t]); }),
      kEpsilon);
  EXPECT_TRUE(solution.reached_upper);
}

// Two rows of a linear kernel with all variables at the bound, where K(s, t) = x_s x_t.
class OptimalStartTest : public testing::Test {
 protected:
  Solution solve(double cost) {
    const auto rows = data_.rows();
    ThreadPool pool(1);
    const auto value = [this](std::size_t s, std::size_t t) {
      ++values_;
      return data_.row(s)[0].value * data_.row(t)[0].value;
    };
    KernelMatrix kernel(
        std::make_unique<test::FakeEngine>(
            value, [this](std::size_t t) { return std::pow(data_.row(t)[0].value, 2); }),
        data_.size(), 1, kPlenty, kPlenty / 2, pool);
    DualProblem problem = c_svc(kernel, labels_of(data_), cost);
    problem.alpha = {cost, cost};
    const double w = cost * (data_.row(0)[0].value - data_.row(1)[0].value);
    for (std::size_t t = 0; t < data_.size(); ++t) {
      problem.f.push_back(w * data_.row(t)[0].value + problem.linear[t]);
    }
    problem.source.emplace(KernelFunction(test::parameters(C_SVC, LINEAR)), rows.data(),
                           data_.size());
    return solve_dual(*find_solver("csmo"), std::move(problem), kEpsilon, true, printed_.run());
  }

  Data data_;
  const Printed printed_;
  int values_ = 0;  // of the kernel that were asked for
};

TEST_F(OptimalStartTest, IsTheSolution) {
  data_.add(1, {0.5});
  data_.add(-1, {-0.25});
  const Solution solution = solve(0.125);
  EXPECT_EQ(solution.alpha, (std::vector<double>{0.125, 0.125}));
  EXPECT_EQ(solution.rho, (0.125 * 0.75 * 0.25) / 2);
  EXPECT_EQ(solution.objective, std::pow(0.125 * 0.75, 2) / 2 - 0.25);
  EXPECT_TRUE(solution.has_converged && solution.reached_upper);
  EXPECT_EQ(values_, 0);
}

TEST_F(OptimalStartTest, GoesToTheSolverIfItIsNotOptimal) {
  data_.add(1, {0.5});
  data_.add(-1, {-0.25});
  EXPECT_NEAR(solve(8).alpha[0], 2 / (0.75 * 0.75), kEpsilon);
  EXPECT_GT(values_, 0);
}

// At the start f is 0 but for -y, and each of its terms is 1e13: the rounding of kernel values, and
// even that of doubles, may hide any violation.
TEST_F(OptimalStartTest, GoesToTheSolverIfRoundingMayHideThatItIsNot) {
  data_.add(1, {1e7});
  data_.add(-1, {1e7});
  const Solution solution = solve(0.1);
  EXPECT_GT(values_, 0);
  EXPECT_EQ(solution.alpha, (std::vector<double>{0.1, 0.1}));
}

// A run that refines a given solution.
struct Given {
  explicit Given(KernelMatrix& kernel_matrix) : kernel(kernel_matrix) {}
  Solution improved(const DualProblem& problem, std::vector<double> alpha, svm_status before,
                    double epsilon = kEpsilon) {
    Monitor monitor(run, alpha.size(), {iteration_cap(alpha.size())});
    Refinement refinement(problem, epsilon, true, monitor);
    Solution solution(problem);
    solution.alpha = std::move(alpha);
    if (before != SVM_CONVERGED) monitor.stop(before);
    refinement.improve(solution, Refinement::Finish::kIfUnresolved);
    monitor.finish(solution.objective, solution.violation);
    return solution;
  }
  KernelMatrix& kernel;
  std::string warning;
  svm::Run run{Messages(nullptr, [this](const char* text) { warning = text; })};
};

// A kernel matrix of two examples with 1 on the diagonal and `value` beside it.
KernelMatrix of_two(double value, ThreadPool& pool) {
  return {std::make_unique<test::FakeEngine>(
              [=](std::size_t s, std::size_t t) { return s == t ? 1.0 : value; },
              [](std::size_t) { return 1.0; }),
          2,
          1,
          kPlenty,
          0,
          pool};
}

TEST(RefinementTest, LeavesWhatIsFineAlone) {
  ThreadPool pool(1);
  KernelMatrix kernel = of_two(0.25, pool);
  Given given(kernel);
  const std::vector<double> alpha = {0.5, 0.5};
  EXPECT_EQ(given.improved(c_svc(kernel, {1, -1}, 10), alpha, SVM_CONVERGED).alpha, alpha);
  EXPECT_FALSE(kernel.in_doubles());
  // A solution at the cap or after an interruption is not refined.
  for (const svm_status status : {SVM_ITERATION_LIMIT, SVM_TIME_LIMIT, SVM_CANCELLED}) {
    Given stopped(kernel);
    EXPECT_EQ(stopped.improved(c_svc(kernel, {1, -1}, 10), alpha, status).alpha, alpha);
    EXPECT_EQ(stopped.run.record.status, status);
  }
}

// Refines any point, after a solver that gave up.  The optimum is alpha = 1 / (1 - 1/4).
TEST(RefinementTest, GoesOnWhereASolverStalled) {
  ThreadPool pool(1);
  KernelMatrix kernel = of_two(0.25, pool);
  Given given(kernel);
  const Solution solution =
      given.improved(c_svc(kernel, {1, -1}, 10), {0.125, 0.125}, SVM_STALLED, 1e-9);
  EXPECT_EQ(given.run.record.status, SVM_CONVERGED);
  EXPECT_NEAR(solution.alpha[0], 4.0 / 3, 1e-8);
  EXPECT_NEAR(solution.alpha[1], 4.0 / 3, 1e-8);
  EXPECT_NEAR(solution.rho, 0, 1e-8);
  EXPECT_NEAR(solution.objective, -4.0 / 3, 1e-8);
}

// The two variables of an example in a regression have the same kernel values.
TEST(RefinementTest, TakesTwoVariablesOfAnExample) {
  const Data data = large_data(60, 4, 2);
  const LargeKernel value(data);
  ThreadPool pool(1);
  KernelMatrix kernel(value.engine(), data.size(), 2, kPlenty, kPlenty / 2, pool);
  const std::size_t size = data.size();
  DualProblem problem(kernel, {{}, {}, std::vector<double>(2 * size, 0.0), {1, 1}});
  for (std::size_t t = 0; t < 2 * size; ++t) {
    const int y = t < size ? 1 : -1;
    problem.labels.push_back(static_cast<signed char>(y));
    problem.linear.push_back(y * 0.1 - data.row(t % size)[0].value * 1e-3);
  }
  const Printed printed;
  svm::Run& run = printed.run();
  const Solution solution =
      solve_dual(*find_solver("csmo"), DualProblem(problem), kEpsilon, true, run);
  EXPECT_EQ(run.record.status, SVM_CONVERGED);
  EXPECT_LT(true_violation(problem, solution.alpha,
                           [&](std::size_t s, std::size_t t) { return value(s % size, t % size); }),
            kEpsilon);
}

// Bounds met in the refinement count: larger ones would give another solution.
TEST(RefinementTest, SaysThatAVariableMetItsUpperBound) {
  ThreadPool pool(1);
  KernelMatrix kernel = of_two(0.25, pool);
  svm::Run run{Messages(nullptr)};
  for (const double upper : {1.0, 10.0}) {
    Monitor monitor(run, 2, {1000});
    const DualProblem problem = c_svc(kernel, {1, -1}, upper);
    Refinement refinement(problem, 1e-9, true, monitor);
    Solution solution(problem);
    solution.alpha = {0.125, 0.125};
    monitor.stop(SVM_STALLED);
    refinement.improve(solution, Refinement::Finish::kIfUnresolved);
    EXPECT_NEAR(solution.alpha[0], std::min(upper, 4.0 / 3), 1e-8);
    EXPECT_EQ(solution.reached_upper, upper == 1);
  }
}

// --- what cannot be done ---

// Steps are negligible beside the variables, and the objective is always 0.
TEST(RefinementTest, GivesUpWhereDoublesAreTooCoarse) {
  ThreadPool pool(1);
  KernelMatrix kernel = of_two(-1.0, pool);
  Given given(kernel);
  DualProblem problem = c_svc(kernel, {1, 1}, 2e17);
  problem.linear = {1, -1};
  problem.alpha = {1e17, 1e17};
  const Solution solution = given.improved(problem, {1e17, 1e17}, SVM_STALLED);
  EXPECT_EQ(given.run.record.status, SVM_IMPRECISE);
  EXPECT_TRUE(test::contains(given.warning, "too large for the tolerance"));
  EXPECT_GE(solution.violation, kEpsilon);
}

// The third variable stays at 0; its f by float values is infinite.
TEST(RefinementTest, SumsUpAgainWhatFloatsCannotHold) {
  const auto value = [](std::size_t s, std::size_t t) {
    if (s == t) return 1.0;
    return s + t == 1 ? 0.25 : (s + t == 2 ? 1e39 : 0.0);
  };
  ThreadPool pool(1);
  KernelMatrix kernel(std::make_unique<test::FakeEngine>(value, [](std::size_t) { return 1.0; }), 3,
                      1, kPlenty, 0, pool);
  Given given(kernel);
  const Solution solution = given.improved(c_svc(kernel, {1, -1, 1}, 10), {2, 2, 0}, SVM_STALLED);
  EXPECT_EQ(given.run.record.status, SVM_CONVERGED);
  EXPECT_NEAR(solution.alpha[0], 4.0 / 3, 1e-3);
  EXPECT_EQ(solution.alpha[2], 0);
  EXPECT_NEAR(Solution(solution).kernel_sums()[2] / 1e39, solution.alpha[0], 1e-3);
}

// The values are in the range of doubles, but sums are not, so no round makes progress.
TEST(RefinementTest, GivesUpWhereSumsAreBeyondDoubles) {
  constexpr double kHuge = 1.7e308;
  ThreadPool pool(1);
  const auto matrix = [&](const test::FakeEngine::Value& value) {
    return KernelMatrix(
        std::make_unique<test::FakeEngine>(value, [](std::size_t) { return kHuge; }), 4, 1, kPlenty,
        0, pool);
  };
  KernelMatrix some = matrix([](std::size_t s, std::size_t t) { return s + t == 1 ? kHuge : 1.0; });
  Given with_some(some);
  with_some.improved(c_svc(some, {1, 1, -1, -1}, 10), {2, 2, 2, 2}, SVM_STALLED);
  EXPECT_EQ(with_some.run.record.status, SVM_IMPRECISE);
  KernelMatrix all = matrix([](std::size_t, std::size_t) { return kHuge; });
  Given with_all(all);
  DualProblem one_label = c_svc(all, {1, 1, 1, 1}, 10);
  one_label.alpha = {2, 2, 2, 2};
  const Solution solution = with_all.improved(one_label, one_label.alpha, SVM_STALLED);
  EXPECT_EQ(with_all.run.record.status, SVM_IMPRECISE);
  EXPECT_FALSE(std::isfinite(solution.violation));
}

TEST(RefinementTest, TakesNothingForANumber) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  ThreadPool pool(1);
  KernelMatrix kernel(std::make_unique<test::FakeEngine>(
                          [](std::size_t s, std::size_t t) { return s + t == 1 ? kNan : 1.0; },
                          [](std::size_t) { return 1.0; }),
                      4, 1, kPlenty, 0, pool);
  Given given(kernel);
  given.improved(c_svc(kernel, {1, 1, -1, -1}, 1), {1, 0, 1, 0}, SVM_STALLED);
  EXPECT_EQ(given.run.record.status, SVM_IMPRECISE);
  svm::Run run{Messages(nullptr)};
  solve_dual(*find_solver("csmo"), c_svc(kernel, {1, 1, -1, -1}, 1), kEpsilon, true, run);
  EXPECT_EQ(run.record.status, SVM_IMPRECISE);
}

TEST(SolveDualTest, RefusesDiagonalsThatAreNoNumbers) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    ThreadPool pool(1);
    KernelMatrix kernel(
        std::make_unique<test::FakeEngine>([](std::size_t, std::size_t) { return 1.0; },
                                           [=](std::size_t t) { return t == 1 ? bad : 1.0; }),
        2, 1, kPlenty, 0, pool);
    svm::Run run{Messages(nullptr)};
    EXPECT_THROW(solve_dual(*find_solver("csmo"), c_svc(kernel, {1, -1}, 1), kEpsilon, true, run),
                 std::invalid_argument);
  }
}

}  // namespace
}  // namespace svm
