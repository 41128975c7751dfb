// Phases over the free variables: when they run, and their effect.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_engine.h"
#include "kernels/kernel_function.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/phases/free_set.h"
#include "solvers/run/monitor.h"
#include "tests/fake_engine.h"
#include "tests/training_data.h"

namespace svm {
namespace {

constexpr std::size_t kSize = 60;
constexpr std::size_t kMegabyte = 1 << 20;
constexpr double kUpper = 1e6;  // far away

// A point of a dual problem with an RBF kernel, whose first `free` variables are free.
class FreeSetPhasesTest : public testing::Test {
 protected:
  FreeSetPhasesTest() : data_(test::random_data(kSize, 3, true, 5)), rows_(data_.rows()) {}

  void make(std::size_t free_variables, std::size_t workspace_bytes = kMegabyte) {
    const svm_parameter param = test::parameters(C_SVC, RBF);
    kernel_ = std::make_unique<KernelMatrix>(
        make_row_engine(KernelFunction(param), rows_.data(), rows_.size()), kSize, 1, kMegabyte,
        workspace_bytes, monitor_.pool());
    monitor_.observe(*kernel_);
    phases_.emplace(*kernel_, monitor_);
    test::Draws draws(9);
    for (std::size_t t = 0; t < kSize; ++t) {
      state_.labels.push_back(data_.label(t) > 0 ? 1 : -1);
      state_.alpha.push_back(t < free_variables ? draws.between(1e3, 2e3) : 0);
      state_.f.push_back(draws.between(-1, 1));
      diagonal_.push_back(kernel_->diagonal(t));
    }
  }
  ~FreeSetPhasesTest() override { monitor_.release(); }

  PhasePoint point() const { return {state_, kSize, diagonal_}; }

  // The number of iterations until a phase runs; fails after `most`.
  std::size_t iterations_until_phase(std::vector<Term>& change, std::size_t most = 1000000) {
    for (std::size_t k = 0; k < most; ++k) {
      phases_->count_iteration(kSize);
      if (!phases_->is_due()) continue;
      if (std::optional<std::vector<Term>> found = phases_->run(point())) {
        change = *found;
        return k + 1;
      }
    }
    ADD_FAILURE() << "no phase";
    return most;
  }

  // Moves the point, and returns the range of f over the free variables after that.
  double spread_after(const std::vector<Term>& change) {
    double sum = 0;
    for (const Term& term : change) {
      state_.alpha[term.variable] += state_.labels[term.variable] * term.change;
      const KernelRow row = kernel_->row(term.variable);
      for (std::size_t t = 0; t < kSize; ++t) state_.f[t] += term.change * row[t];
      sum += term.change;
    }
    EXPECT_NEAR(sum, 0, 1e-9);
    double lowest = kUpper, highest = -kUpper;
    for (std::size_t t = 0; t < kSize; ++t) {
      if (!state_.is_free(t)) continue;
      lowest = std::min(lowest, state_.f[t]);
      highest = std::max(highest, state_.f[t]);
    }
    return highest - lowest;
  }

  test::Data data_;
  std::vector<const svm_node*> rows_;
  test::Printed printed_;
  svm::Run& run_ = printed_.run();
  Monitor monitor_{run_, kSize, {1000}};
  std::unique_ptr<KernelMatrix> kernel_;
  std::optional<FreeSetPhases> phases_;
  DualState state_ = {{}, {}, {}, {kUpper, kUpper}};
  std::vector<double> diagonal_;
};

TEST_F(FreeSetPhasesTest, NoneIsRunBeforeIterationsHavePaidForIt) {
  make(30);
  EXPECT_TRUE(phases_->is_due());  // nothing is known at first
  EXPECT_FALSE(phases_->run(point()).has_value());
  EXPECT_FALSE(phases_->is_due());
  std::vector<Term> change;
  EXPECT_GT(iterations_until_phase(change), 10U);
  EXPECT_EQ(change.size(), 30U);
}

TEST_F(FreeSetPhasesTest, AFewFreeVariablesAreLeftToTheIterations) {
  make(3);
  for (int k = 0; k < 100000; ++k) {
    phases_->count_iteration(kSize);
    if (phases_->is_due()) {
      ASSERT_FALSE(phases_->run(point()).has_value());
    }
  }
}

TEST_F(FreeSetPhasesTest, TinyProblemsHavePhasesInDoublesOnly) {
  make(10);
  const auto tiny = kernel_->part({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  for (const bool in_doubles : {false, true}) {
    if (in_doubles) tiny->use_doubles();
    FreeSetPhases phases(*tiny, monitor_);
    bool has_run = false;
    for (int k = 0; k < 10000 && !has_run; ++k) {
      phases.count_iteration(10);
      has_run = phases.is_due() && phases.run({state_, 10, diagonal_}).has_value();
    }
    EXPECT_EQ(has_run, in_doubles);
  }
}

TEST_F(FreeSetPhasesTest, SolvesTheProblemOverTheFreeVariables) {
  make(30);
  std::vector<Term> change;
  iterations_until_phase(change);
  for (const Term& term : change) ASSERT_LT(term.variable, 30U);
  EXPECT_LT(spread_after(change), 0.05);  // it was 2; the ridge leaves some
}

TEST_F(FreeSetPhasesTest, WithoutMemoryNothingChanges) {
  make(30, 100);
  std::vector<Term> change = {{0, 1}};
  iterations_until_phase(change);
  EXPECT_TRUE(change.empty());
}

// Two groups whose thresholds are 20 apart.  In each, 128 variables are off by 1 and the others by
// 0.1; a phase in doubles takes 256.
TEST(FreeSetPhasesOfTwoGroupsTest, TakesTheVariablesFurthestFromTheThresholdOfTheirGroup) {
  constexpr std::size_t kGroup = 300, kFar = 128, kAll = 2 * kGroup;
  const test::Printed printed;
  Monitor monitor(printed.run(), kAll, {1000});
  KernelMatrix kernel(std::make_unique<test::FakeEngine>(
                          [](std::size_t s, std::size_t t) { return s == t ? 1.0 : 0.0; },
                          [](std::size_t) { return 1.0; }),
                      kAll, 1, 16 * kMegabyte, 8 * kMegabyte, monitor.pool());
  kernel.use_doubles();
  DualState state;
  state.two_groups = true;
  state.upper = {kUpper, kUpper};
  for (std::size_t t = 0; t < kAll; ++t) {
    const bool first = t < kGroup, is_far = t % kGroup < kFar;
    const double off = (t % 2 == 0 ? 1 : -1) * (is_far ? 1 : 0.1);
    state.labels.push_back(first ? 1 : -1);
    state.alpha.push_back(1e3);
    state.f.push_back((first ? 10 : -10) + off);
  }
  FreeSetPhases phases(kernel, monitor);
  const std::vector<double> diagonal(kAll, 1.0);
  std::optional<std::vector<Term>> change;
  for (int k = 0; k < 100000 && !change; ++k) {
    phases.count_iteration(kAll);
    if (phases.is_due()) change = phases.run({state, kAll, diagonal});
  }
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->size(), 2 * kFar);
  for (const Term& term : *change) EXPECT_LT(term.variable % kGroup, kFar);
}

}  // namespace
}  // namespace svm
