// The solver on its own, on problems given as matrices.
#include "solvers/smo/solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/matrix/kernel_matrix.h"
#include "tests/fake_engine.h"
#include "tests/solvers/solve.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::Printed;

constexpr std::size_t kPlenty = std::size_t{1} << 26;

ThreadPool& one_thread() {
  static ThreadPool pool(1);
  return pool;
}

// The linear kernel of points on a line.
KernelMatrix line_matrix(const std::vector<double>& points) {
  auto engine = std::make_unique<test::FakeEngine>(
      [points](std::size_t i, std::size_t j) { return points[i] * points[j]; },
      [points](std::size_t i) { return points[i] * points[i]; });
  return KernelMatrix(std::move(engine), points.size(), 1, kPlenty, 0, one_thread());
}

DualProblem c_svc(KernelMatrix& kernel, const std::vector<signed char>& labels, double cost) {
  std::vector<double> linear;
  for (const signed char label : labels) linear.push_back(-label);
  return {kernel, {linear, labels, std::vector<double>(labels.size(), 0.0), {cost, cost}}};
}

TEST(SolverTest, AnswersInTheOrderOfTheProblem) {
  KernelMatrix kernel = line_matrix({5, 1, -1, -7});
  const Printed printed;
  svm::Run& run = printed.run();
  const Solution solution = test::solve<Solver>(c_svc(kernel, {1, 1, -1, -1}, 10), 1e-9, true, run);
  ASSERT_EQ(solution.alpha.size(), 4U);
  EXPECT_NEAR(solution.alpha[0], 0, 1e-9);
  EXPECT_NEAR(solution.alpha[1], 0.5, 1e-9);
  EXPECT_NEAR(solution.alpha[2], 0.5, 1e-9);
  EXPECT_NEAR(solution.alpha[3], 0, 1e-9);
  EXPECT_NEAR(solution.rho, 0, 1e-9);
  EXPECT_NEAR(solution.objective, -0.5, 1e-9);
  EXPECT_EQ(solution.margin, 0);
  EXPECT_NE(Printed::text().find(
                "\noptimization finished, #iter = " + std::to_string(run.record.iterations) + "\n"),
            std::string::npos);
}

// An optimal start point needs no step.
TEST(SolverTest, StartsFromTheGivenPoint) {
  KernelMatrix kernel = line_matrix({1, -1});
  const Printed printed;
  svm::Run& run = printed.run();
  DualProblem problem = c_svc(kernel, {1, -1}, 10);
  problem.alpha = {0.5, 0.5};
  const Solution solution = test::solve<Solver>(std::move(problem), 1e-9, true, run);
  EXPECT_EQ(run.record.iterations, 0);
  EXPECT_EQ(solution.alpha, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(Printed::text(), "*\noptimization finished, #iter = 0\n");
}

TEST(SolverTest, SumsAreKeptPerLabelWhereAsked) {
  KernelMatrix kernel = line_matrix({1, 3, -1, -3});
  const Printed printed;
  svm::Run& run = printed.run();
  DualProblem problem(
      kernel, {std::vector<double>(4, 0.0), {1, 1, -1, -1}, {1, 0.5, 1, 0.5}, {1, 1}, true});
  problem.alpha = {0.5, 1, 1, 0.5};
  const Solution solution = test::solve<Solver>(std::move(problem), 1e-9, false, run);
  EXPECT_NEAR(solution.alpha[0], 1, 1e-9);
  EXPECT_NEAR(solution.alpha[1], 0.5, 1e-9);
  EXPECT_NEAR(solution.alpha[2], 1, 1e-9);
  EXPECT_NEAR(solution.alpha[3], 0.5, 1e-9);
  EXPECT_NEAR(solution.margin, 15, 1e-9);
  EXPECT_NEAR(solution.rho, 0, 1e-9);
}

TEST(SolverTest, AProblemWithoutVariablesIsSolved) {
  KernelMatrix kernel = line_matrix({});
  const Printed printed;
  svm::Run& run = printed.run();
  const Solution solution = test::solve<Solver>(c_svc(kernel, {}, 1), 1e-3, true, run);
  EXPECT_TRUE(solution.alpha.empty());
  EXPECT_EQ(solution.objective, 0);
}

// Rows that contradict the diagonal, so that no step changes the gradient.
KernelMatrix contradictory_matrix(double diagonal) {
  return KernelMatrix(
      std::make_unique<test::FakeEngine>([](std::size_t, std::size_t) { return 0.0; },
                                         [diagonal](std::size_t) { return diagonal; }),
      4, 1, kPlenty, 0, one_thread());
}

TEST(SolverTest, StopsWhereOnePairIsChosenForEver) {
  KernelMatrix kernel = contradictory_matrix(1e20);  // steps too small to change a variable
  const Printed printed;
  svm::Run& run = printed.run();
  DualProblem problem = c_svc(kernel, {1, 1, -1, -1}, 1);
  problem.alpha = {0.5, 0.5, 0.5, 0.5};
  const Solution solution = test::solve<Solver>(std::move(problem), 1e-3, true, run);
  EXPECT_NE(Printed::warnings().find("WARNING: no further progress"), std::string::npos);
  EXPECT_EQ(run.record.status, SVM_STALLED);
  EXPECT_LT(run.record.iterations, 10000);
  EXPECT_EQ(solution.alpha, (std::vector<double>{0.5, 0.5, 0.5, 0.5}));
}

// As in LIBSVM, every step counts, even if all are of the same pair.
TEST(SolverTest, LetsAPairCreepToItsBound) {
  KernelMatrix kernel = contradictory_matrix(1);
  const Printed printed;
  svm::Run& run = printed.run();
  const Solution solution =
      test::solve<Solver>(c_svc(kernel, {1, 1, -1, -1}, 20000), 1e-3, true, run);
  EXPECT_EQ(run.record.status, SVM_CONVERGED);
  EXPECT_EQ(solution.alpha, std::vector<double>(4, 20000));
  EXPECT_GT(run.record.iterations, 10000);
}

// Counts how often variables changed places.
class WatchedSolver final : public Solver {
 public:
  using Solver::Solver;
  std::size_t swaps() const { return swaps_; }

 protected:
  void swap_variables(std::size_t i, std::size_t j) override {
    ++swaps_;
    Solver::swap_variables(i, j);
  }

 private:
  std::size_t swaps_ = 0;
};

TEST(SolverTest, ShrinkingMovesVariablesAndFindsTheSameAnswer) {
  Data data = test::random_data(1100, 2, true, 4);
  std::vector<signed char> labels;
  for (std::size_t t = 0; t < data.size(); ++t) labels.push_back(data.label(t) > 0 ? 1 : -1);
  const KernelFunction rbf(test::parameters(C_SVC, RBF));
  const Printed printed;
  svm::Run& run = printed.run();
  const auto solve = [&](bool shrinking, std::size_t* swaps) {
    KernelMatrix kernel(make_row_engine(rbf, data.rows().data(), data.size()), data.size(), 1,
                        kPlenty, 0, *run.services.pool);
    return test::solve_monitored(run, labels.size(), [&](Monitor& monitor) {
      WatchedSolver solver(c_svc(kernel, labels, 50), 1e-5, shrinking, monitor);
      Solution solution = solver.solve();
      *swaps = solver.swaps();
      return solution;
    });
  };
  std::size_t with_shrinking = 0, without = 0;
  const Solution shrunk = solve(true, &with_shrinking);
  const Solution plain = solve(false, &without);
  EXPECT_GT(with_shrinking, 0U);
  EXPECT_EQ(without, 0U);
  EXPECT_NEAR(shrunk.objective, plain.objective, 1e-5 * std::fabs(plain.objective));
  EXPECT_NEAR(shrunk.rho, plain.rho, 1e-3);
}

}  // namespace
}  // namespace svm
