// Polls during work outside of solvers: they happen, and they can end a training.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads/go_on.h"
#include "base/threads/pool.h"
#include "kernels/engines/row_engine.h"
#include "kernels/examples.h"
#include "kernels/matrix/kernel_matrix.h"
#include "solvers/registry.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/fake_engine.h"
#include "tests/text.h"
#include "tests/training_data.h"
#include "training/binary.h"
#include "training/cross_validation.h"
#include "training/probability.h"
#include "training/train.h"

namespace svm {
namespace {

using test::Data;
using test::Printed;

constexpr std::chrono::milliseconds kLongerThanPolls{25};

// --- questions ---

TEST(SharedGoOnTest, AsksOnItsThreadOnly) {
  int questions = 0;
  const GoOn ask = [&] { return ++questions < 3; };
  const SharedGoOn go_on(ask);
  EXPECT_TRUE(go_on());
  EXPECT_TRUE(go_on());
  std::thread([&] { EXPECT_TRUE(go_on()); }).join();
  EXPECT_EQ(questions, 2);
  EXPECT_FALSE(go_on.is_stopped());
  EXPECT_FALSE(go_on());
  EXPECT_TRUE(go_on.is_stopped());
  std::thread([&] { EXPECT_FALSE(go_on()); }).join();
  EXPECT_FALSE(go_on());
  EXPECT_EQ(questions, 3);
}

TEST(SharedGoOnTest, WithoutAQuestionWorkGoesOn) {
  const GoOn none;
  EXPECT_TRUE(SharedGoOn(none)());
  EXPECT_NO_THROW(go_on_or_throw(none));
  EXPECT_THROW(go_on_or_throw([] { return false; }), Interrupted);
}

// Answers "stop" to poll number `stop`.
struct Questions {
  explicit Questions(int stop_at) : stop(stop_at) {}
  GoOn go_on() {
    return [this] { return ++count != stop; };
  }
  const int stop;
  int count = 0;
};

constexpr std::size_t kManyRows = 200000;

// Rows with one value each.
Data many_rows(double value) {
  Data data;
  for (std::size_t i = 0; i < kManyRows; ++i) {
    data.add(i % 2 == 0 ? 1 : -1, {value * static_cast<double>(i % 1000)});
  }
  return data;
}

TEST(EngineLooks, AreAskedForWhileRowsAreRead) {
  const Data data = many_rows(0.37);
  const auto rows = data.rows();
  const KernelFunction rbf(test::parameters(C_SVC, RBF));
  Questions all(0);
  EXPECT_EQ(Examples(rows.data(), rows.size(), all.go_on()).size(), kManyRows);
  EXPECT_GE(all.count, 8);  // 2 passes over 2 * kManyRows rows and values
  for (const int stop : {1, 3, 8}) {
    Questions some(stop);
    EXPECT_THROW(Examples(rows.data(), rows.size(), some.go_on()), Interrupted);
    EXPECT_EQ(some.count, stop);
  }
  Questions whole(0);
  EXPECT_NE(make_row_engine(rbf, rows.data(), rows.size(), Precision::kDouble, whole.go_on()),
            nullptr);
  EXPECT_GT(whole.count, all.count + 4);
  for (int stop = 1; stop <= whole.count; ++stop) {
    Questions some(stop);
    EXPECT_THROW(make_row_engine(rbf, rows.data(), rows.size(), Precision::kDouble, some.go_on()),
                 Interrupted);
    EXPECT_EQ(some.count, stop);
  }
}

// --- training ---

// An unfinished engine is replaced by one for empty rows.
TEST(TrainingPolls, AStoppedRunMakesNoEngine) {
  Data data = many_rows(0.37);
  for (const char* solver : {"smo", "csmo", "mdm", "platt", "pcg", "dcd", "pegasos"}) {
    for (const int type : {C_SVC, NU_SVC, EPSILON_SVR}) {
      const Printed printed;
      svm::Run& run = printed.run();
      run.options.entry = find_solver(solver);
      const svm_parameter param = test::parameters(type, LINEAR);
      if (!supports(*run.options.entry, type, LINEAR)) continue;
      SCOPED_TRACE(std::string(solver) + ' ' + std::to_string(type));
      run.interrupt(SVM_CANCELLED);
      const Machine decision = train_binary(data.problem(), param, {1, 1}, run);
      EXPECT_TRUE(test::contains(Printed::warnings(), "cancelled"));
      EXPECT_EQ(run.record.status, SVM_CANCELLED);
      EXPECT_EQ(run.record.problems, 1);
      EXPECT_EQ(run.record.iterations, 0);
      EXPECT_TRUE(decision.coefficients.size() == kManyRows || decision.own_row != nullptr);
      for (const double coefficient : decision.coefficients) {
        ASSERT_TRUE(std::isfinite(coefficient));
      }
    }
  }
}

// The run is cancelled while the gradient of a start point is computed.
TEST(TrainingPolls, CancelDuringTheFirstGradient) {
  constexpr std::size_t kSize = 3000;
  for (const char* solver : {"smo", "csmo"}) {
    ThreadPool pool(1);
    long long computed = 0;
    bool slept = false;
    KernelMatrix kernel(std::make_unique<test::FakeEngine>(
                            [&](std::size_t s, std::size_t t) {
                              if (!std::exchange(slept, true)) {
                                std::this_thread::sleep_for(kLongerThanPolls);
                              }
                              ++computed;
                              return s == t ? 2.0 : 1.0;
                            },
                            [](std::size_t) { return 2.0; }),
                        kSize, 1, std::size_t{1} << 24, 0, pool);
    DualProblem problem(kernel, {{}, {}, {}, {1, 1}});
    for (std::size_t t = 0; t < kSize; ++t) {
      problem.labels.push_back(t % 2 == 0 ? 1 : -1);
      problem.linear.push_back(-problem.labels[t]);
      problem.alpha.push_back(1);
    }
    svm::Run run{Messages(nullptr)};
    int looks = 0;
    run.services.progress = [&](const svm_progress&) { return ++looks > 1; };
    const Solution solution =
        solve_dual(*find_solver(solver), DualProblem(problem), 1e-3, true, run);
    EXPECT_EQ(run.record.status, SVM_CANCELLED);
    EXPECT_EQ(solution.alpha, problem.alpha);
    EXPECT_LT(computed, static_cast<long long>(kSize * kSize / 2)) << solver;
    EXPECT_EQ(run.record.iterations, 0);
  }
}

// An engine that sleeps when doubles begin: mdm computes its sums anew then.
TEST(TrainingPolls, CancelWhereASolverGoesOnInDoubles) {
  constexpr std::size_t kSize = 400;
  ThreadPool pool(1);
  Data data = test::random_data(kSize, 3, true, 6);
  const KernelFunction rbf(test::parameters(C_SVC, RBF));
  const KernelMatrix* watched = nullptr;
  long long in_doubles = 0;
  KernelMatrix kernel(
      std::make_unique<test::FakeEngine>(
          [&](std::size_t s, std::size_t t) {
            if (watched->in_doubles() && ++in_doubles % static_cast<long long>(kSize) == 1) {
              std::this_thread::sleep_for(kLongerThanPolls);
            }
            return rbf.of_rows(data.row(s), data.row(t));
          },
          [](std::size_t) { return 1.0; }),
      kSize, 1, std::size_t{1} << 24, 0, pool);
  watched = &kernel;
  DualProblem problem(kernel, {{}, {}, std::vector<double>(kSize, 0.0), {10, 10}});
  for (std::size_t t = 0; t < kSize; ++t) {
    problem.labels.push_back(data.label(t) > 0 ? 1 : -1);
    problem.linear.push_back(-problem.labels[t]);
  }
  svm::Run run{Messages(nullptr)};
  run.services.progress = [&](const svm_progress&) { return in_doubles == 0; };
  solve_dual(*find_solver("mdm"), std::move(problem), 1e-7, true, run);
  EXPECT_EQ(run.record.status, SVM_CANCELLED);
  EXPECT_GT(in_doubles, 0);
  EXPECT_LE(in_doubles, static_cast<long long>(2 * kSize));
}

// --- predictions and fits ---

TEST(BatchesTest, CoverTheRows) {
  svm::Run run{Messages(nullptr)};
  for (const std::size_t count : {0U, 1U, 32U, 33U, 100U}) {
    std::size_t next = 0;
    EXPECT_TRUE(for_batches(run, count, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(begin, next);
      EXPECT_GT(end, begin);
      next = end;
    }));
    EXPECT_EQ(next, count);
  }
}

TEST(BatchesTest, EndWithTheRun) {
  svm::Run run{Messages(nullptr)};
  run.options.time_limit = 1e-9;
  int batches = 0;
  EXPECT_FALSE(for_batches(run, 1000, [&](std::size_t, std::size_t) {
    std::this_thread::sleep_for(kLongerThanPolls);
    ++batches;
  }));
  EXPECT_EQ(batches, 1);
  EXPECT_EQ(run.record.status, SVM_TIME_LIMIT);
}

TEST(SigmoidLooks, EndTheFit) {
  svm::Run run{Messages(nullptr)};
  run.options.time_limit = 1e-9;
  std::this_thread::sleep_for(kLongerThanPolls);
  const double labels[] = {1, 1, -1, 1, -1, -1};
  const Sigmoid sigmoid = fit_sigmoid({3, 2, 1, -1, -2, -3}, labels, run);
  EXPECT_EQ(sigmoid.slope, 0);  // where it began
  EXPECT_TRUE(run.interrupted());
}

// Sleeps at the end of every binary problem, so that the following work soon polls, and cancels at
// the first call after the end of problem number `cancel_after`.
struct Sleeper {
  long long cancel_after = 0;
  int repeated = 0;  // progress calls
  svm_progress last{};
  static int look(const svm_progress* progress, void* user) {
    Sleeper& self = *static_cast<Sleeper*>(user);
    const bool again = self.last.finished != 0 && progress->finished != 0 &&
                       self.last.problem == progress->problem;
    self.last = *progress;
    if (again) {
      ++self.repeated;
      return progress->problem == self.cancel_after ? 1 : 0;
    }
    if (progress->finished != 0) std::this_thread::sleep_for(kLongerThanPolls);
    return 0;
  }
};

class PredictionLooks : public test::Extension {
 protected:
  PredictionLooks() {
    options_.threads = 1;
    options_.seed = 0;
    options_.progress = Sleeper::look;
    options_.progress_user = &sleeper_;
  }
  // Expects a cancelled training to return a model without probability estimates.
  void expect_no_probability() {
    const test::OwnedModel model = train();
    EXPECT_TRUE(test::contains(warnings_.take(), "no probability"));
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(svm_check_probability_model(model.get()), 0);
    EXPECT_EQ(result_.status, SVM_CANCELLED);
  }
  Sleeper sleeper_;
};

TEST_F(PredictionLooks, CancelWithinTheFoldsOfACrossValidation) {
  std::vector<double> target(data_.size());
  const auto validate = [&] {
    return test::cross_validate(&problem_, &param_, 3, &options_, target.data(), &result_);
  };
  ASSERT_EQ(validate(), 0);
  EXPECT_GE(sleeper_.repeated, 3);
  EXPECT_EQ(result_.status, SVM_CONVERGED);
  for (const double prediction : target) EXPECT_FALSE(std::isnan(prediction));

  sleeper_ = {};
  sleeper_.cancel_after = 2;
  ASSERT_EQ(validate(), 0);
  EXPECT_EQ(result_.status, SVM_CANCELLED);
  EXPECT_EQ(result_.problems, 2);
  std::size_t missing = 0;
  for (const double prediction : target) missing += std::isnan(prediction) ? 1 : 0;
  EXPECT_GE(missing, 2 * (data_.size() / 3));  // also the second fold, whose training had ended
  EXPECT_LT(missing, data_.size());
}

TEST_F(PredictionLooks, CancelWithinTheFoldsOfAFit) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    sleeper_ = {};
    sleeper_.cancel_after = type == C_SVC ? 2 : 3;
    param_.svm_type = type;
    param_.probability = 1;
    expect_no_probability();
  }
}

TEST_F(PredictionLooks, CancelWithinTheMarksOfAOneClassModel) {
  sleeper_.cancel_after = 1;
  param_.svm_type = ONE_CLASS;
  param_.probability = 1;
  expect_no_probability();
}

}  // namespace
}  // namespace svm
