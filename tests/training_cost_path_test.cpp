// A fold at one cost after another.
#include <vector>

#include <gtest/gtest.h>

#include "tests/training_data.h"
#include "training/cost_path.h"
#include "training/folds.h"

namespace svm {
namespace {

using test::Draws;

// Two classes, or values, with a wide gap between them.
test::Data clusters() {
  test::Data data;
  Draws draws(4);
  for (int i = 0; i < 60; ++i) {
    const int side = i % 2 == 0 ? 1 : -1;
    data.add(side, {side + draws.between(-0.5, 0.5), draws.between(-1, 1)});
  }
  return data;
}

// The iterations that each cost takes, each in a call of its own.
std::vector<long long> iterations(const svm_parameter& param, const std::vector<double>& costs) {
  test::Data data = clusters();
  const svm_problem problem = data.problem();
  const test::Printed printed;
  Run& run = printed.run();
  run.services.draw = [draws = Draws(1)]() mutable { return static_cast<int>(draws.bits()); };
  const Folds folds = make_folds(problem, param, 3, run);
  CostPath path(problem, param, folds, nullptr, true);
  std::vector<long long> taken;
  std::vector<double> predictions(data.size());
  for (const double cost : costs) {
    const long long before = run.record.iterations;
    EXPECT_TRUE(path.validate(0, {{cost, param.p}}, {&predictions}, run));
    taken.push_back(run.record.iterations - before);
  }
  return taken;
}

TEST(CostPath, ASolutionWithNothingAtItsBoundSolvesLargerCosts) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    const svm_parameter param = test::parameters(type, RBF);
    const std::vector<long long> taken = iterations(param, {1000, 8000, 8000, 64000});
    EXPECT_GT(taken[0], 0);
    for (const std::size_t next : {1U, 2U, 3U}) EXPECT_EQ(taken[next], 0) << type;
  }
}

}  // namespace
}  // namespace svm
