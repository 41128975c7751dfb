// Solvers as their papers have them, without what was added.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/train_solver_cli.h"
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
  bool run(std::size_t rows = 400) { return run(test::random_data(rows, 3, true, 7)) != nullptr; }
  // Null if training failed.
  test::OwnedModel run(test::Data data) {
    const svm_problem problem = data.problem();
    return test::OwnedModel(test::train(&problem, &param, &options, &result));
  }

  svm_parameter param;
  svm_options options = test::default_options();
  svm_result result = test::new_result();
};

// The solvers that have a published form.
std::vector<std::string> published_solvers() {
  std::vector<std::string> names = test::solver_names();
  names.erase(names.begin());  // smo
  return names;
}

// A precomputed kernel has values in doubles, with which the training is the same to the bit.  The
// other solvers never take kernel values in single precision.
TEST(PublishedSolvers, CsmoDoesNotTakeSinglePrecision) {
  const auto is_same = [](bool as_published) {
    Training rows("csmo", as_published), matrix("csmo", as_published);
    const test::Data data = test::random_data(200, 3, true, 7);
    const test::OwnedModel first = rows.run(data);
    const test::Data values = test::precomputed(data, rows.param);
    matrix.param.kernel_type = PRECOMPUTED;
    const test::OwnedModel second = matrix.run(values);
    return first != nullptr && second != nullptr &&
           test::coefficients(*first) == test::coefficients(*second);
  };
  EXPECT_TRUE(is_same(true));
  EXPECT_FALSE(is_same(false));
}

TEST(PublishedSolvers, TakeNoStarts) {
  for (const std::string& solver : published_solvers()) {
    Training training(solver.c_str());
    training.param.kernel_type = LINEAR;
    const test::OwnedModel model = training.run(test::random_data(30, 3, true, 7));
    ASSERT_NE(model, nullptr) << svm_last_error();
    training.options.init = model.get();
    EXPECT_FALSE(training.run(30)) << solver;
  }
}

class PublishedCli : public test::TrainSolverCli {};

TEST_F(PublishedCli, ASearchTakesNoStarts) {
  const std::string program = SVM_BIN_DIR "/svm-grid";
  for (const std::string& solver : published_solvers()) {
    const test::ProcessResult result =
        test::run({program, "-log2c", "0,0,1", "-log2g", "null", "-t", "0", "-a", solver,
                   "--as-published", "--warm-start", "data"},
                  {}, folder_.path());
    EXPECT_EQ(result.status, 1) << solver;
    EXPECT_EQ(result.err, "ERROR: --warm-start is an option of the solvers: smo, csmo, smo1\n");
  }
}

TEST(PublishedSolvers, ReachTheObjectiveOfTheOthers) {
  for (const std::string& name : published_solvers()) {
    SCOPED_TRACE(name);
    Training usual(name.c_str(), false), published(name.c_str());
    const int kernel = test::supports(name, C_SVC, RBF) ? RBF : LINEAR;
    usual.param.kernel_type = published.param.kernel_type = kernel;
    ASSERT_TRUE(usual.run() && published.run());
    // Platt's program ends with violators that have no partner.
    const bool may_stall = name == "platt";
    const int status = published.result.status;
    EXPECT_TRUE(status == SVM_CONVERGED || (may_stall && status == SVM_STALLED)) << status;
    const double objective = usual.result.objective;
    EXPECT_NEAR(published.result.objective, objective, 0.02 * std::fabs(objective));
  }
}

// Rounding to floats hides the tolerance because C is large, or because features are.
TEST(PublishedSolvers, AdviseByTheCauseOfRounding) {
  for (const bool is_scaled : {true, false}) {
    Training training("csmo");
    std::string warnings;
    training.options.warn = [](const char* text, void* user) {
      *static_cast<std::string*>(user) += text;
    };
    training.options.warn_user = &warnings;
    training.param.kernel_type = is_scaled ? RBF : LINEAR;
    training.param.C = is_scaled ? 1e5 : 1;
    const double size = is_scaled ? 1 : 1e3;
    test::Data data;
    test::Draws draws(7);
    for (int i = 0; i < 50; ++i) {
      data.add(i % 2, {draws.between(-size, size), draws.between(-size, size)});
    }
    ASSERT_NE(training.run(std::move(data)), nullptr);
    EXPECT_EQ(training.result.status, SVM_IMPRECISE);
    EXPECT_EQ(test::contains(warnings, "; choose a larger -e, or a smaller C\n"), is_scaled)
        << warnings;
    EXPECT_NE(test::contains(warnings, "scale the features"), is_scaled) << warnings;
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
