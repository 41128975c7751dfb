// Properties that the dual solvers platt, pcg, mdm and amdm share.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/solvers/dual_solver.h"
#include "tests/train_solver_cli.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::exact;
using test::RowFunction;

std::string name_of(const testing::TestParamInfo<const char*>& solver) { return solver.param; }

// Solvers that solve the same problem as smo.
class DualOfSmo : public test::DualSolver, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, DualOfSmo, testing::Values("platt", "pcg"), name_of);

// Points 3 and 1: alpha = 2/d^2 = 1/2, w = 1, f(3) = 1 gives rho = 2.
TEST_P(DualOfSmo, TwoPoints) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  const RowFunction found = train(GetParam(), data, exact(1e-9, 10), 10, 10);
  EXPECT_NEAR(found.coefficients[0], 0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[1], -0.5, 1e-9);
  EXPECT_NEAR(found.rho, 2, 1e-9);
  EXPECT_EQ(report_.status, SVM_CONVERGED);
  EXPECT_EQ(report_.iterations, 1);
  EXPECT_NEAR(report_.objective, -0.5, 1e-9);
}

// The same with a box that ends the step: alpha = 1/4 and w = 1/2.  3/2 - rho <= 1 and 1/2 - rho >=
// -1 permit rho in [1/2, 3/2]; the threshold is the middle.
TEST_P(DualOfSmo, BothAtTheBound) {
  Data data;
  data.add(+1, {3});
  data.add(-1, {1});
  const RowFunction found = train(GetParam(), data, exact(1e-9, 0.25), 0.25, 0.25);
  EXPECT_EQ(found.coefficients, (std::vector<double>{0.25, -0.25}));
  EXPECT_NEAR(found.rho, 1, 1e-9);
}

TEST_P(DualOfSmo, FourPoints) {
  Data data;
  data.add(+1, {5});
  data.add(+1, {1});
  data.add(-1, {-1});
  data.add(-1, {-7});
  const RowFunction found = train(GetParam(), data, exact(1e-9, 10), 10, 10);
  EXPECT_NEAR(found.coefficients[0], 0, 1e-9);
  EXPECT_NEAR(found.coefficients[1], 0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[2], -0.5, 1e-9);
  EXPECT_NEAR(found.coefficients[3], 0, 1e-9);
  EXPECT_NEAR(found.rho, 0, 1e-9);
}

class DualWithCache : public test::DualSolver, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, DualWithCache, testing::Values("platt", "mdm", "amdm"), name_of);

TEST_P(DualWithCache, ASmallCacheChangesNothing) {
  Data data = test::random_data(120, 3, true, 9);
  svm_parameter param = exact(1e-4, 10, RBF);
  const RowFunction large = train(GetParam(), data, param, 10, 10);
  param.cache_size = 1e-3;
  const RowFunction small = train(GetParam(), data, param, 10, 10);
  EXPECT_EQ(large.coefficients, small.coefficients);
  EXPECT_EQ(large.rho, small.rho);
}

// Counts progress calls, and cancels at the first one of the solver.
struct DualWatch {
  bool cancels;
  int looks = 0;
  bool finished = false;
  static int look(const svm_progress* progress, void* user) {
    DualWatch& self = *static_cast<DualWatch*>(user);
    ++self.looks;
    self.finished = progress->finished != 0;
    return self.cancels && progress->variables > 0 ? 1 : 0;
  }
};

class Dual : public test::DualSolver, public testing::WithParamInterface<const char*> {};
constexpr const char* kSolvers[] = {"platt", "pcg", "mdm", "amdm"};
INSTANTIATE_TEST_SUITE_P(Solvers, Dual, testing::ValuesIn(kSolvers), name_of);

TEST_P(Dual, LimitsAndCancelling) {
  Data data = test::random_data(200, 3, true, 4);
  for (const svm_status status : {SVM_ITERATION_LIMIT, SVM_TIME_LIMIT, SVM_CANCELLED}) {
    DualWatch watch{status == SVM_CANCELLED};
    training_.options.max_iter = status == SVM_ITERATION_LIMIT ? 7 : 0;
    training_.options.time_limit = status == SVM_TIME_LIMIT ? 1e-9 : 0;
    training_.options.progress = DualWatch::look;
    training_.options.progress_user = &watch;
    const RowFunction found = train(GetParam(), data, exact(1e-9, 10, RBF), 100, 100);
    EXPECT_EQ(report_.status, status);
    EXPECT_GE(watch.looks, 2);
    EXPECT_TRUE(watch.finished);
    if (status == SVM_ITERATION_LIMIT) {
      EXPECT_EQ(report_.iterations, 7);
    }
    EXPECT_EQ(report_.problems, 1);
    EXPECT_NE(found.model, nullptr);
  }
}

class DualCli : public test::TrainSolverCli, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, DualCli, testing::ValuesIn(kSolvers), name_of);

TEST_P(DualCli, ModelsPredict) {
  EXPECT_EQ(model_of({"-a", GetParam()}), model_of({"-a", GetParam()}));
  EXPECT_GT(accuracy("any.model"), 80);
}

}  // namespace
}  // namespace svm
