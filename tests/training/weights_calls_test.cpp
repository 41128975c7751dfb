// Weights of rows in calls of the library: the effect on the bytes of models and messages.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/training/weighted.h"

namespace svm::test {
namespace {

class WeightsInCalls : public testing::Test {
 protected:
  const Setting no_variable_{"LIBSVM_SOLVER", nullptr};
};

const char* const kSolvers[] = {"smo",  "csmo",  "smo1", "dcd",     "avsf",  "mdm",
                                "amdm", "platt", "pcg",  "pegasos", "snacks"};

std::vector<const char*> solvers_of(int svm_type) {
  if (svm_type == C_SVC) return {std::begin(kSolvers), std::end(kSolvers)};
  if (svm_type == EPSILON_SVR) return {"smo", "csmo", "smo1", "dcd", "avsf"};
  return {"smo", "csmo", "smo1"};
}

// Probability fits and cross validation would take long.
bool is_slow(const std::string& solver) { return solver == "pegasos" || solver == "snacks"; }

svm_parameter small_problem(int svm_type) {
  svm_parameter param = parameters(svm_type, LINEAR);
  param.C = 4;
  param.nu = 0.3;
  return param;
}

TEST_F(WeightsInCalls, OfOneChangeNothing) {
  for (const int type : kAllTypes) {
    Data data = rows_for(type, 60);
    const std::vector<double> ones(data.size(), 1);
    svm_parameter param = small_problem(type);
    for (const char* solver : solvers_of(type)) {
      param.probability = is_slow(solver) ? 0 : 1;
      WeightedTraining plain{solver}, weighted{solver, ones.data()};
      EXPECT_EQ(text_of(weighted.train(data.problem(), param)),
                text_of(plain.train(data.problem(), param)))
          << solver << ' ' << type;
      EXPECT_EQ(weighted.printed, plain.printed);
      if (is_slow(solver)) continue;
      EXPECT_EQ(weighted.cross_validate(data.problem(), param, 4),
                plain.cross_validate(data.problem(), param, 4));
    }
  }
}

// A power of two moves from the weights to the cost without rounding.
TEST_F(WeightsInCalls, AllTheSameAreAnotherCost) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    Data data = rows_for(type, 60);
    const std::vector<double> twos(data.size(), 2);
    svm_parameter param = small_problem(type), halved = param;
    halved.C = param.C / 2;
    for (const char* solver : solvers_of(type)) {
      param.probability = halved.probability = is_slow(solver) ? 0 : 1;
      SCOPED_TRACE(solver);
      WeightedTraining plain{solver}, weighted{solver, twos.data()};
      EXPECT_EQ(text_of(weighted.train(data.problem(), halved)),
                text_of(plain.train(data.problem(), param)));
      EXPECT_EQ(weighted.result.objective, plain.result.objective);
      if (is_slow(solver)) continue;
      EXPECT_EQ(weighted.cross_validate(data.problem(), halved, 4),
                plain.cross_validate(data.problem(), param, 4));
    }
  }
}

// Classes come in the order of the rows that count.
TEST_F(WeightsInCalls, OfZeroLeaveRowsOut) {
  for (const int type : kAllTypes) {
    Data data = type == C_SVC || type == NU_SVC ? four_classes(120, 3) : rows_for(type, 120);
    std::vector<double> weights(data.size(), 1);
    for (std::size_t i = 0; i < data.size(); i += i < 9 ? 1 : 5) weights[i] = 0;
    Data kept;
    std::vector<int> numbers;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (weights[i] == 0) continue;
      kept.add(data.label(i), {data.row(i)[0].value, data.row(i)[1].value, data.row(i)[2].value});
      numbers.push_back(static_cast<int>(i) + 1);
    }
    svm_parameter param = small_problem(type);
    param.nu = 0.1;
    for (const char* solver : solvers_of(type)) {
      param.probability = is_slow(solver) ? 0 : 1;
      SCOPED_TRACE(std::string(solver) + ' ' + std::to_string(type));
      WeightedTraining whole{solver, weights.data()}, without{solver};
      const OwnedModel one = whole.train(data.problem(), param);
      const OwnedModel other = without.train(kept.problem(), param);
      ASSERT_EQ(text_of(one), text_of(other));
      EXPECT_EQ(whole.printed, without.printed);
      EXPECT_EQ(whole.result.iterations, without.result.iterations);
      ASSERT_EQ(one->sv_indices == nullptr, other->sv_indices == nullptr);
      for (int s = 0; other->sv_indices != nullptr && s < other->l; ++s) {
        const int number = numbers[static_cast<std::size_t>(other->sv_indices[s]) - 1];
        ASSERT_EQ(one->sv_indices[s], number);
      }
    }
  }
}

// The bound of a row is above 0 even if the product of weight and C is not.
TEST_F(WeightsInCalls, AlmostZeroAreNearlyZero) {
  for (const int type : kAllTypes) {
    Data data = rows_for(type, 40);
    svm_parameter param = small_problem(type);
    param.kernel_type = RBF;
    param.gamma = 1;
    param.C = 1e-5;
    std::vector<double> zero(data.size(), 1), tiny(data.size(), 1);
    zero[3] = zero[20] = 0;
    tiny[3] = tiny[20] = 1e-320;
    for (const char* solver : {"smo", "csmo", "smo1"}) {
      SCOPED_TRACE(std::string(solver) + ' ' + std::to_string(type));
      WeightedTraining without{solver, zero.data()}, with{solver, tiny.data()};
      EXPECT_NE(without.train(data.problem(), param), nullptr);
      EXPECT_NE(with.train(data.problem(), param), nullptr);
      EXPECT_EQ(with.result.status, SVM_CONVERGED);
      EXPECT_NEAR(with.result.objective, without.result.objective,
                  1e-3 * std::fabs(without.result.objective));
    }
  }
}

TEST_F(WeightsInCalls, PrecomputedRowsAreNamedByTheirNumbersAmongAll) {
  Data data;
  for (int i = 0; i < 6; ++i) {
    Row row = {{0, i + 1.0}};
    for (int j = 1; j <= (i == 4 ? 3 : 6); ++j) row.push_back({j, i + 1 == j ? 1.0 : 0.0});
    row.push_back({-1, 0});
    data.add_row(i % 2 == 0 ? 1 : -1, row);
  }
  const std::vector<double> weights = {0, 0, 1, 1, 1, 1};
  WeightedTraining training{"smo", weights.data()};
  EXPECT_EQ(training.train(data.problem(), parameters(C_SVC, PRECOMPUTED)), nullptr);
  EXPECT_NE(std::string(svm_last_error()).find("row 5 has 3 values"), std::string::npos)
      << svm_last_error();
}

TEST_F(WeightsInCalls, PredictRowsOfZeroWithoutTrainingOnThem) {
  Data data = rows_for(EPSILON_SVR, 80), other;
  std::vector<double> weights(data.size(), 1.5);
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i % 3 == 0) weights[i] = 0;
    other.add(i % 3 == 0 ? 1000 : data.label(i),
              {data.row(i)[0].value, data.row(i)[1].value, data.row(i)[2].value});
  }
  for (const int probability : {0, 1}) {
    for (const char* solver : solvers_of(EPSILON_SVR)) {
      svm_parameter param = small_problem(EPSILON_SVR);
      param.probability = probability;
      WeightedTraining training{solver, weights.data()};
      const std::vector<double> found = training.cross_validate(data.problem(), param, 5);
      EXPECT_EQ(found, training.cross_validate(other.problem(), param, 5)) << solver;
      for (const double value : found) EXPECT_TRUE(std::isfinite(value));
    }
  }
}

// The fold of each row if no draw moves a row: each class, or the rows of a regression and of
// one-class, is cut into stretches of consecutive rows.
std::vector<std::size_t> folds_in_order(const Data& data, int svm_type, std::size_t folds) {
  std::vector<std::size_t> fold_of(data.size());
  std::map<int, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < data.size(); ++i) {
    classes[is_classification(svm_type) ? static_cast<int>(data.label(i)) : 0].push_back(i);
  }
  for (const auto& [label, rows] : classes) {
    for (std::size_t f = 0; f < folds; ++f) {
      for (std::size_t k = f * rows.size() / folds; k < (f + 1) * rows.size() / folds; ++k) {
        fold_of[rows[k]] = f;
      }
    }
  }
  return fold_of;
}

// The folds are those of all rows.
TEST_F(WeightsInCalls, DoNotChangeFolds) {
  constexpr std::size_t kFolds = 4;
  for (const int type : kAllTypes) {
    Data data = rows_for(type, 60);
    std::vector<double> weights(data.size(), 0.5);
    for (std::size_t i = 0; i < data.size(); i += 7) weights[i] = i % 2 == 0 ? 0 : 1;
    const svm_problem problem = data.problem();
    svm_parameter param = small_problem(type);
    param.kernel_type = RBF;
    param.eps = 1e-8;
    WeightedTraining training{"smo", weights.data()};
    svm_options options = training.options();
    options.seed = -1;
    options.random = [](int, void*) { return 0; };  // each row stays where it is
    std::vector<double> found(data.size());
    ASSERT_EQ(test::cross_validate(&problem, &param, kFolds, &options, found.data(), nullptr), 0);
    const std::vector<std::size_t> fold_of = folds_in_order(data, type, kFolds);
    for (std::size_t f = 0; f < kFolds; ++f) {
      std::vector<double> of_fold = weights;
      for (std::size_t i = 0; i < data.size(); ++i) {
        if (fold_of[i] == f) of_fold[i] = 0;
      }
      WeightedTraining others{"smo", of_fold.data()};
      const OwnedModel model = others.train(problem, param);
      ASSERT_NE(model, nullptr);
      for (std::size_t i = 0; i < data.size(); ++i) {
        // The order of the rows differs, which affects rounding.
        if (fold_of[i] != f) continue;
        EXPECT_NEAR(found[i], svm_predict(model.get(), problem.x[i]), 1e-5) << type;
      }
    }
  }
}

TEST_F(WeightsInCalls, FitProbabilitiesOfWeightedMachines) {
  for (const int type : {C_SVC, NU_SVC, EPSILON_SVR, NU_SVR}) {
    Data data = rows_for(type, 90);
    std::vector<double> weights(data.size(), 1);
    for (std::size_t i = 0; i < data.size(); ++i) weights[i] = i % 2 == 0 ? 0.01 : 1;
    svm_parameter param = small_problem(type);
    param.nu = 0.2;
    param.probability = 1;
    WeightedTraining plain, weighted{"smo", weights.data()};
    const OwnedModel one = weighted.train(data.problem(), param);
    const OwnedModel other = plain.train(data.problem(), param);
    ASSERT_NE(one, nullptr);
    ASSERT_NE(one->probA, nullptr);
    EXPECT_TRUE(std::isfinite(one->probA[0]));
    EXPECT_NE(one->probA[0], other->probA[0]);
  }
}

TEST_F(WeightsInCalls, StartFromAModel) {
  for (const int type : kAllTypes) {
    Data data = rows_for(type, 100);
    std::vector<double> weights(data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
      weights[i] = i % 6 == 0 ? 0 : 0.5 + static_cast<double>(i % 4);
    }
    svm_parameter param = small_problem(type);
    param.kernel_type = RBF;
    param.eps = 1e-6;
    for (const char* solver : {"smo", "csmo", "smo1"}) {
      SCOPED_TRACE(std::string(solver) + ' ' + std::to_string(type));
      WeightedTraining plain{solver}, fresh{solver, weights.data()}, started = fresh;
      const OwnedModel old = plain.train(data.problem(), param);
      const OwnedModel found = fresh.train(data.problem(), param);
      started.init = old.get();
      ASSERT_NE(started.train(data.problem(), param), nullptr);
      EXPECT_EQ(started.result.status, SVM_CONVERGED);
      EXPECT_NEAR(started.result.objective, fresh.result.objective,
                  1e-5 * std::fabs(fresh.result.objective));
      // Starting from its own solution leaves nothing to do, except for nu-SVR, whose model has
      // only the differences of a row's variables.
      WeightedTraining again{solver, weights.data(), found.get()};
      ASSERT_NE(again.train(data.problem(), param), nullptr);
      if (type != NU_SVR) {
        EXPECT_LE(again.result.iterations, fresh.result.iterations / 2 + 2);
      }
    }
  }
}

TEST_F(WeightsInCalls, ProbabilityFitsStartAsUsualBesideAModelToStartFrom) {
  Data data = four_classes(120, 3);
  svm_parameter param = small_problem(C_SVC);
  const OwnedModel old = WeightedTraining().train(data.problem(), param);
  param.probability = 1;
  WeightedTraining started, fresh;
  started.init = old.get();
  const OwnedModel one = started.train(data.problem(), param);
  const OwnedModel other = fresh.train(data.problem(), param);
  ASSERT_NE(one, nullptr);
  for (int pair = 0; pair < 6; ++pair) EXPECT_EQ(one->probA[pair], other->probA[pair]);
}

TEST_F(WeightsInCalls, OfSeveralThreadsAreTheirOwn) {
  Data data = rows_for(C_SVC, 150);
  const svm_problem problem = data.problem();
  const svm_parameter param = small_problem(C_SVC);
  std::vector<std::vector<double>> weights(4, std::vector<double>(data.size()));
  std::vector<std::string> alone(4), together(4);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      weights[k][i] = static_cast<double>((i + k) % 4);
    }
    WeightedTraining training{"csmo", weights[k].data()};
    alone[k] = text_of(training.train(problem, param));
  }
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    threads.emplace_back([&, k] {
      WeightedTraining training{"csmo", weights[k].data()};
      together[k] = text_of(training.train(problem, param));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
}

// What is wrong with the weights; empty if nothing is.
std::string fault(Data& data, int svm_type, const std::vector<double>& weights, double nu = 0.5) {
  svm_parameter param = parameters(svm_type, LINEAR);
  param.nu = nu;
  const svm_problem problem = data.problem();
  WeightedTraining training{"smo", weights.data()};
  if (training.train(problem, param) != nullptr) return "";
  const std::string function = "svm_train_rows: ", error = svm_last_error();
  EXPECT_EQ(error.rfind(function, 0), 0U) << error;
  const svm_options options = training.options();
  std::vector<double> targets(data.size(), 1);
  EXPECT_EQ(test::cross_validate(&problem, &param, 2, &options, targets.data(), nullptr), -1);
  for (const double target : targets) EXPECT_TRUE(std::isnan(target));
  return error.substr(function.size());
}

TEST_F(WeightsInCalls, AreRefusedWhereTheyMakeNoSense) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Data data;
  for (int i = 0; i < 6; ++i) data.add(i < 3 ? 1 : -1, {0.1 * i});
  EXPECT_EQ(fault(data, C_SVC, {1, 1, -0.5, 1, 1, 1}),
            "the weight of row 3 is not a finite number >= 0: -0.5");
  EXPECT_EQ(fault(data, EPSILON_SVR, {1, kInfinity, 1, 1, 1, 1}),
            "the weight of row 2 is not a finite number >= 0: inf");
  EXPECT_NE(fault(data, ONE_CLASS, {1, 1, 1, 1, 1, std::nan("")}).find("row 6"), std::string::npos);
  EXPECT_EQ(fault(data, C_SVC, {1e308, 1e308, 1, 1, 1, 1}),
            "the weights of the rows add up to more than the largest number");
  for (const int type : kAllTypes) {
    EXPECT_EQ(fault(data, type, {0, 0, 0, 0, 0, 0}), "no row has a weight above 0");
  }
  for (const int type : {C_SVC, NU_SVC}) {
    EXPECT_EQ(fault(data, type, {0, 0, 0, 1, 2, 0}),
              "the rows with a weight above 0 are all of one class");
  }
  EXPECT_EQ(fault(data, ONE_CLASS, {0, 0, 0, 1, 2, 0}), "");
  EXPECT_EQ(fault(data, C_SVC, {1, 0, 0, 0, 2, 0}), "");
}

// Sums of weights count, not numbers of rows.
TEST_F(WeightsInCalls, DecideWhetherNuIsFeasible) {
  Data data;
  for (int i = 0; i < 6; ++i) data.add(i < 3 ? 1 : -1, {0.1 * i});
  const std::string infeasible = "specified nu is infeasible with these weights of the rows";
  EXPECT_EQ(fault(data, NU_SVC, {3, 3, 3, 1, 1, 1}, 0.6), infeasible);
  EXPECT_EQ(fault(data, NU_SVC, {3, 3, 3, 1, 1, 1}, 0.5), "");
  EXPECT_EQ(fault(data, NU_SVC, {0.1, 0.1, 0.1, 0.3, 0, 0}, 1), "");  // up to rounding
  EXPECT_EQ(fault(data, NU_SVC, {1, 0, 0, 1, 1, 1}, 0.6), infeasible);
}

TEST_F(WeightsInCalls, MustLeaveARowOutsideOfEachFold) {
  Data data = rows_for(EPSILON_SVR, 10);
  std::vector<double> weights(data.size(), 0);
  weights[4] = 1;
  WeightedTraining training{"smo", weights.data()};
  const svm_problem problem = data.problem();
  const svm_parameter param = small_problem(EPSILON_SVR);
  const svm_options options = training.options();
  std::vector<double> targets(data.size(), 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(test::cross_validate(&problem, &param, 5, &options, targets.data(), nullptr), -1);
  testing::internal::GetCapturedStderr();
  EXPECT_NE(training.train(problem, param), nullptr);
}

}  // namespace
}  // namespace svm::test
