// Solvers as their papers have them, without what was added.
#include <cmath>
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include "solvers/registry.h"
#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/training_data.h"

namespace svm {
namespace {

struct Training {
  explicit Training(const char* solver, bool as_published = true)
      : param(test::parameters(C_SVC, RBF)) {
    param.C = 10;
    param.gamma = 1;
    options.solver = solver;
    options.as_published = as_published ? 1 : 0;
    options.print = test::drop_text;
    options.warn = test::drop_text;
  }

  // Trains on random rows.  False if that failed.
  bool run(std::size_t rows = 400) {
    test::Data data = test::random_data(rows, 3, true, 7);
    const svm_problem problem = data.problem();
    return test::OwnedModel(test::train(&problem, &param, &options, &result)) != nullptr;
  }

  svm_parameter param;
  svm_options options = test::default_options();
  svm_result result = test::new_result();
};

TEST(PublishedSolvers, TakeNeitherSinglePrecisionNorStarts) {
  for (const SolverEntry& entry : solvers()) {
    Options options;
    options.entry = &entry;
    options.as_published = 1;
    EXPECT_EQ(kernel_precision(options), Precision::kDouble) << entry.name;
    EXPECT_FALSE(has_warm_starts(options)) << entry.name;
  }
}

TEST(PublishedSolvers, ReachTheObjectiveOfTheOthers) {
  for (const SolverEntry& entry : solvers()) {
    if (entry.follows_libsvm) continue;
    SCOPED_TRACE(entry.name);
    Training usual(entry.name, false), published(entry.name);
    if (entry.linear_only) usual.param.kernel_type = published.param.kernel_type = LINEAR;
    ASSERT_TRUE(usual.run() && published.run());
    // Platt's program ends with violators that have no partner.
    const bool may_stall = std::string(entry.name) == "platt";
    const int status = published.result.status;
    EXPECT_TRUE(status == SVM_CONVERGED || (may_stall && status == SVM_STALLED)) << status;
    const double objective = usual.result.objective;
    EXPECT_NEAR(published.result.objective, objective, 0.02 * std::fabs(objective));
  }
}

// By default there are two levels from 4,096 variables on.
TEST(PublishedSolvers, CsmoHasOneLevelAndNoPhases) {
  constexpr std::size_t kRows = 4500;
  Training usual("csmo", false), published("csmo");
  ASSERT_TRUE(usual.run(kRows) && published.run(kRows));
  EXPECT_GT(usual.result.outer_steps, 0);
  EXPECT_EQ(published.result.outer_steps, 0);
  EXPECT_EQ(published.result.phases, 0);
  EXPECT_GT(published.result.conjugate_steps, 0);
  const double objective = usual.result.objective;
  EXPECT_NEAR(published.result.objective, objective, 1e-4 * std::fabs(objective));
}

TEST(PublishedSolvers, ConjugateStepsSaveIterationsOfEachOrder) {
  Training smo("smo", false), csmo("csmo"), smo1("smo1"), csmo1("csmo");
  csmo1.options.first_order = 1;
  for (Training* const each : {&smo, &csmo, &smo1, &csmo1}) {
    each->param.C = 1000;
    each->param.shrinking = 0;
    ASSERT_TRUE(each->run());
  }
  EXPECT_LT(csmo.result.iterations, smo.result.iterations * 4 / 5);
  EXPECT_LT(csmo1.result.iterations, smo1.result.iterations * 4 / 5);
  EXPECT_LT(csmo.result.iterations, csmo1.result.iterations);
}

TEST(PublishedSolvers, RowsOnLandmarksHaveToFitIntoMemory) {
  Training snacks("snacks");
  snacks.param.cache_size = 1;
  EXPECT_FALSE(snacks.run(4000));
  const std::string fault = svm_last_error();
  EXPECT_NE(fault.find("does not hold all embedded rows"), std::string::npos) << fault;
}

// The default continues in doubles.
TEST(PublishedSolvers, WarnIfRoundingHidesTheTolerance) {
  Training usual("csmo", false), published("csmo");
  for (Training* const each : {&usual, &published}) {
    each->param.C = 1e6;
    each->param.gamma = 0.01;
    each->param.eps = 1e-4;
    ASSERT_TRUE(each->run(200));
  }
  EXPECT_EQ(usual.result.status, SVM_CONVERGED);
  EXPECT_NE(published.result.status, SVM_CONVERGED);
}

}  // namespace
}  // namespace svm
