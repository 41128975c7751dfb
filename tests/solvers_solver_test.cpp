// The solver by itself, on problems given as matrices.
#include "solvers/solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/kernel_matrix.h"
#include "kernels/row_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::Printed;

// A linear kernel over points on a line.
class LineMatrix final : public KernelMatrix {
 public:
  explicit LineMatrix(std::vector<double> points) : points_(std::move(points)) {}
  const float* row(std::size_t i, std::size_t length) override {
    turn_ = 1 - turn_;
    buffer_[turn_].assign(points_.size(), 0.0F);
    for (std::size_t t = 0; t < length; ++t) {
      buffer_[turn_][t] = static_cast<float>(points_[i] * points_[t]);
    }
    return buffer_[turn_].data();
  }
  double diagonal(std::size_t i) const override { return points_[i] * points_[i]; }
  void swap(std::size_t i, std::size_t j) override { std::swap(points_[i], points_[j]); }
  bool set_aside(std::size_t) override { return false; }

 private:
  std::vector<double> points_;
  std::vector<float> buffer_[2];
  int turn_ = 0;
};

DualProblem c_svc(KernelMatrix& kernel, const std::vector<signed char>& labels, double cost) {
  const std::size_t size = labels.size();
  return {kernel, std::vector<double>(size, -1.0), labels, std::vector<double>(size, 0.0), cost,
          cost};
}

TEST(SolverTest, AnswersInTheOrderOfTheProblem) {
  LineMatrix kernel({5, 1, -1, -7});
  const Printed printed;
  svm::Run& run = printed.run();
  Solver solver(c_svc(kernel, {1, 1, -1, -1}, 10), 1e-9, true, run);
  const Solution solution = solver.solve();
  ASSERT_EQ(solution.alpha.size(), 4U);
  EXPECT_NEAR(solution.alpha[0], 0, 1e-9);
  EXPECT_NEAR(solution.alpha[1], 0.5, 1e-9);
  EXPECT_NEAR(solution.alpha[2], 0.5, 1e-9);
  EXPECT_NEAR(solution.alpha[3], 0, 1e-9);
  EXPECT_NEAR(solution.rho, 0, 1e-9);
  EXPECT_NEAR(solution.objective, -0.5, 1e-9);
  EXPECT_EQ(solution.margin, 0);
  EXPECT_NE(Printed::text().find(
                "\noptimization finished, #iter = " + std::to_string(run.report.iterations) + "\n"),
            std::string::npos);
}

// An optimal start point needs no step.
TEST(SolverTest, StartsFromTheGivenPoint) {
  LineMatrix kernel({1, -1});
  const Printed printed;
  svm::Run& run = printed.run();
  DualProblem problem = c_svc(kernel, {1, -1}, 10);
  problem.alpha = {0.5, 0.5};
  Solver solver(std::move(problem), 1e-9, true, run);
  const Solution solution = solver.solve();
  EXPECT_EQ(run.report.iterations, 0);
  EXPECT_EQ(solution.alpha, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(Printed::text(), "*\noptimization finished, #iter = 0\n");
}

TEST(SolverTest, SumsAreKeptPerLabelWhereAsked) {
  LineMatrix kernel({1, 3, -1, -3});
  const Printed printed;
  svm::Run& run = printed.run();
  DualProblem problem{kernel, std::vector<double>(4, 0.0), {1, 1, -1, -1}, {1, 0.5, 1, 0.5}, 1, 1,
                      true};
  problem.alpha = {0.5, 1, 1, 0.5};
  Solver solver(std::move(problem), 1e-9, false, run);
  const Solution solution = solver.solve();
  EXPECT_NEAR(solution.alpha[0], 1, 1e-9);
  EXPECT_NEAR(solution.alpha[1], 0.5, 1e-9);
  EXPECT_NEAR(solution.alpha[2], 1, 1e-9);
  EXPECT_NEAR(solution.alpha[3], 0.5, 1e-9);
  EXPECT_NEAR(solution.margin, 15, 1e-9);
  EXPECT_NEAR(solution.rho, 0, 1e-9);
}

TEST(SolverTest, AProblemWithoutVariablesIsSolved) {
  LineMatrix kernel({});
  const Printed printed;
  svm::Run& run = printed.run();
  Solver solver(c_svc(kernel, {}, 1), 1e-3, true, run);
  const Solution solution = solver.solve();
  EXPECT_TRUE(solution.alpha.empty());
  EXPECT_EQ(solution.objective, 0);
}

// Rows that contradict the diagonal: no step ever changes the gradient.
class BrokenMatrix final : public KernelMatrix {
 public:
  const float* row(std::size_t, std::size_t) override { return zeros_; }
  double diagonal(std::size_t) const override { return 1; }
  void swap(std::size_t, std::size_t) override {}
  bool set_aside(std::size_t) override { return false; }

 private:
  const float zeros_[4] = {};
};

TEST(SolverTest, StopsWhereOnePairIsChosenForEver) {
  BrokenMatrix kernel;
  const Printed printed;
  svm::Run& run = printed.run();
  Solver solver(c_svc(kernel, {1, 1, -1, -1}, 1e9), 1e-3, true, run);
  testing::internal::CaptureStderr();
  const Solution solution = solver.solve();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("WARNING: no progress on one pair"),
            std::string::npos);
  EXPECT_EQ(run.report.status, Status::kStalled);
  EXPECT_LT(run.report.iterations, 10000);
  double sum = 0;
  for (std::size_t t = 0; t < 4; ++t) sum += (t < 2 ? 1 : -1) * solution.alpha[t];
  EXPECT_EQ(sum, 0);
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
    ExampleMatrix kernel(make_row_engine(rbf, data.rows().data(), data.size()), data.size(),
                         1 << 26);
    WatchedSolver solver(c_svc(kernel, labels, 50), 1e-5, shrinking, run);
    Solution solution = solver.solve();
    *swaps = solver.swaps();
    return solution;
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
