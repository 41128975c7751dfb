// Ends of trainings whose predictions are certain.
#include "programs/grid/early_end.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/platform/numbers.h"
#include "kernels/kernel_function.h"
#include "programs/grid/cost_path.h"
#include "solvers/registry.h"
#include "solvers/solve_dual.h"
#include "tests/training_data.h"
#include "training/binary.h"
#include "training/folds.h"
#include "training/random.h"

namespace svm {
namespace {

using test::Draws;

struct Trained {
  StartPoint point;
  double rho;
};

Trained train(test::Data& data, const UpperBounds& costs, double epsilon) {
  const test::Printed printed;
  Run& run = printed.run();
  run.options.solver = find_solver("csmo");
  svm_parameter param = test::parameters(C_SVC, RBF);
  param.eps = epsilon;
  Machine machine = train_binary(data.problem(), param, costs, run);
  return {{std::move(machine.coefficients), costs.positive, costs.negative,
           std::move(machine.kernel_sums)},
          machine.rho};
}

std::vector<double> decision_values(const test::Data& data, const Trained& trained,
                                    const test::Data& at) {
  const KernelFunction kernel(test::parameters(C_SVC, RBF));
  std::vector<double> values(at.size(), -trained.rho);
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t t = 0; t < data.size(); ++t) {
      values[i] += trained.point.coefficients[t] * kernel.of_rows(data.row(t), at.row(i));
    }
  }
  return values;
}

double distance(test::Data& data, const Trained& trained) {
  return distance_from_optimum(trained.point, trained.rho, data.problem().y, 0x1p-21);
}

// Two clusters; the first has `first` of `rows` rows.
test::Data clusters(std::size_t rows, std::size_t first, double gap, std::uint64_t seed) {
  Draws draws(seed);
  test::Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    const double side = i < first ? gap : -gap;
    data.add(i < first ? 1 : -1, {side + draws.between(-0.5, 0.5), draws.between(-1, 1)});
  }
  return data;
}

TEST(EarlyEnd, NoDecisionValueIsFurtherFromTheOptimumThanTheBound) {
  const test::Data others = test::random_data(200, 3, true, 2);
  int bounded = 0;
  for (const double cost : {1e-3, 0.03, 0.3, 3.0, 100.0}) {
    for (const double ratio : {1.0, 0.2}) {
      test::Data data = test::random_data(120, 3, true, 1);
      const UpperBounds costs = {cost, ratio * cost};
      const std::vector<double> best = decision_values(data, train(data, costs, 1e-9), others);
      for (const double epsilon : {1.0, 0.1, 0.01, 1e-4}) {
        const Trained early = train(data, costs, epsilon);
        const double bound = distance(data, early);
        if (std::isfinite(bound)) ++bounded;
        const std::vector<double> values = decision_values(data, early, others);
        for (std::size_t i = 0; i < best.size(); ++i) {
          ASSERT_LE(std::fabs(values[i] - best[i]), bound)
              << cost << " " << ratio << " " << epsilon;
        }
      }
    }
  }
  EXPECT_GT(bounded, 20);
}

// The bound is about twice the root of a gap that is known here.
TEST(EarlyEnd, TheBoundIsThatOfTheGap) {
  test::Data data;
  data.add(1, {0});
  data.add(-1, {1});
  const double value = std::exp(-1.0);  // the kernel value of both rows
  for (const double alpha : {0.3, 0.7, 1.0}) {
    const double margin = alpha * (1 - value);
    const StartPoint point = {{alpha, -alpha}, 1, 1, {margin, -margin}};
    const double dual = 2 * alpha - alpha * margin;
    const double primal = alpha * margin + 2 * std::max(1 - margin, 0.0);
    const double labels[] = {1, -1};
    const double bound = distance_from_optimum(point, 0, labels, 0);
    const double expected = 2 * std::sqrt(primal - dual) + (1 - margin);  // beta may be +-(1 - m)
    if (expected < margin) {
      EXPECT_NEAR(bound, expected, 1e-12);
    } else {
      EXPECT_EQ(bound, kInfinity);
    }
  }
  // At the optimum nothing is left but rounding and the interval of thresholds.
  const double alpha = 1 / (1 - value);
  const StartPoint optimum = {{alpha, -alpha}, 9, 9, {1, -1}};
  const double labels[] = {1, -1};
  EXPECT_NEAR(distance_from_optimum(optimum, 0, labels, 0), 0, 1e-7);
  EXPECT_NEAR(distance_from_optimum(optimum, 0.25, labels, 0), 0.25, 1e-7);
  EXPECT_GT(distance_from_optimum(optimum, 0, labels, 1e-6), 2e-3);
}

TEST(EarlyEnd, IsExpectedIfHardlyARowIsNearTheBoundary) {
  StartPoint point;
  EXPECT_FALSE(expects_certainty(point, 0, 5));
  point.kernel_sums.assign(100, 2);
  EXPECT_TRUE(expects_certainty(point, 0, 25));
  EXPECT_FALSE(expects_certainty(point, 2, 25));
  point.kernel_sums[0] = point.kernel_sums[1] = 0.1;
  EXPECT_TRUE(expects_certainty(point, 0, 25));
  point.kernel_sums[2] = -0.1;
  EXPECT_FALSE(expects_certainty(point, 0, 25));
}

// The predictions and iterations of a search in which trainings may end early, or not: they may not
// if rows have weights.
struct Outcome {
  std::vector<std::vector<double>> predictions;
  long long iterations;
};

Outcome search(test::Data data, bool may_end_early, double epsilon) {
  const std::vector<double> weights(data.size(), 1);
  const svm_problem plain = data.problem();
  const Problem problem(plain.l, plain.y, plain.x, may_end_early ? nullptr : weights.data());
  svm_parameter param = test::parameters(C_SVC, RBF);
  param.eps = epsilon;
  Run run{test::Printed().messages()};
  run.options.solver = find_solver("csmo");
  run.services.draw = remainders_of([draws = Draws(1)]() mutable { return draws.bits(); });
  const Folds folds = make_folds(problem, param, 3, run);
  const std::vector<const svm_node*> rows = data.rows();
  const std::shared_ptr<RowStore<float>> shared =
      make_shared_rows(make_row_engine(KernelFunction(param), rows.data(), rows.size(),
                                       kernel_precision(run.options)),
                       test::row_numbers(rows.size()), std::size_t{1} << 24U);
  CostPath path(problem, param, folds, shared, true);
  std::vector<CostPoint> points;
  for (int power = -8; power <= 6; ++power) points.push_back({std::exp2(power), 0.1});
  Outcome outcome = {
      std::vector<std::vector<double>>(points.size(), std::vector<double>(data.size())), 0};
  std::vector<std::vector<double>*> predictions;
  for (std::vector<double>& values : outcome.predictions) predictions.push_back(&values);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    EXPECT_TRUE(path.validate(f, points, predictions, run));
  }
  outcome.iterations = run.record.iterations;
  return outcome;
}

TEST(EarlyEnd, SavesIterationsIfClassesAreApart) {
  const test::Data data = clusters(300, 140, 1, 3);
  const Outcome early = search(data, true, 1e-3), late = search(data, false, 1e-3);
  EXPECT_EQ(early.predictions, late.predictions);
  EXPECT_LT(10 * early.iterations, 9 * late.iterations);
}

// No prediction differs from that of the optimum, and few iterations are lost.
TEST(EarlyEnd, ChangesNothingIfClassesOverlap) {
  for (const double gap : {0.1, 0.4, 0.6}) {
    const test::Data data = clusters(300, 140, gap, 4);
    const Outcome early = search(data, true, 1e-3), best = search(data, false, 1e-8);
    const Outcome late = search(data, false, 1e-3);
    for (std::size_t c = 0; c < early.predictions.size(); ++c) {
      std::size_t wrong_early = 0, wrong_late = 0;
      for (std::size_t t = 0; t < data.size(); ++t) {
        if (early.predictions[c][t] != best.predictions[c][t]) ++wrong_early;
        if (late.predictions[c][t] != best.predictions[c][t]) ++wrong_late;
      }
      EXPECT_LE(wrong_early, wrong_late + 1) << gap << " " << c;
    }
    EXPECT_LT(10 * early.iterations, 12 * late.iterations);
  }
}

}  // namespace
}  // namespace svm
