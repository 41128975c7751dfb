// Folds trained at one cost after another.
#include "programs/grid/cost_path.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/engines/row_store.h"
#include "solvers/registry.h"
#include "tests/training_data.h"
#include "training/cross_validation.h"
#include "training/random.h"

namespace svm {
namespace {

using test::Draws;

// Two clusters with a wide gap; labels +1 and -1 serve as classes or targets.
test::Data clusters() {
  test::Data data;
  Draws draws(4);
  for (int i = 0; i < 60; ++i) {
    const int side = i % 2 == 0 ? 1 : -1;
    data.add(side, {side + draws.between(-0.5, 0.5), draws.between(-1, 1)});
  }
  return data;
}

// The iterations of each cost, each in a separate call.
std::vector<long long> iterations(const svm_parameter& param, const std::vector<double>& costs) {
  test::Data data = clusters();
  const svm_problem problem = data.problem();
  const test::Printed printed;
  Run& run = printed.run();
  run.services.draw = remainders_of([draws = Draws(1)]() mutable { return draws.bits(); });
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

// All folds, with shared rows, at one point after another.
class Search {
 public:
  Search(test::Data some, const svm_parameter& some_param, int folds, const char* solver,
         bool warm_start, Responses responses = {})
      : responses_(responses),
        data_(std::move(some)),
        param_(some_param),
        problem_(data_.problem()) {
    run_.options.entry = find_solver(solver);
    run_.services.draw = remainders_of([draws = Draws(1)]() mutable { return draws.bits(); });
    run_.options.time_limit = 100;  // a test must end
    folds_ = make_folds(problem_, param_, folds, run_);
    const std::vector<const svm_node*> rows = data_.rows();
    shared_ = make_shared_rows(make_row_engine(KernelFunction(param_), rows.data(), rows.size(),
                                               kernel_precision(run_.options)),
                               test::row_numbers(rows.size()), std::size_t{1} << 24U);
    path_ = std::make_unique<CostPath>(problem_, param_, folds_, shared_, warm_start, responses_);
  }

  // Returns the number of iterations.
  long long validate(std::size_t fold, const std::vector<CostPoint>& points) {
    std::vector<std::vector<double>*> predictions;
    for (const CostPoint& point : points) {
      std::vector<double>& values = predictions_[{point.cost, point.tube}];
      values.resize(responses_.size(data_.size(), folds_.size()));
      predictions.push_back(&values);
    }
    const long long before = run_.record.iterations;
    EXPECT_TRUE(path_->validate(fold, points, predictions, run_));
    return run_.record.iterations - before;
  }
  long long validate_all(const std::vector<CostPoint>& points) {
    long long iterations = 0;
    for (std::size_t f = 0; f < folds_.size(); ++f) iterations += validate(f, points);
    return iterations;
  }

  using Predictions = std::map<std::pair<double, double>, std::vector<double>>;
  const Predictions& predictions() const { return predictions_; }
  const Folds& folds() const { return folds_; }
  CostPath& path() { return *path_; }
  Run& run() { return run_; }
  std::size_t rows() const { return data_.size(); }
  double label(std::size_t t) const { return problem_.y[t]; }

 private:
  const Responses responses_;
  test::Data data_;
  svm_parameter param_;
  svm_problem problem_;
  Run run_{test::Printed().messages()};
  Folds folds_;
  std::shared_ptr<RowStore> shared_;
  std::unique_ptr<CostPath> path_;
  Predictions predictions_;
};

void expect_same(const Search& a, const Search& b, double most) {
  ASSERT_EQ(a.predictions().size(), b.predictions().size());
  for (const auto& [point, values] : a.predictions()) {
    const std::vector<double>& others = b.predictions().at(point);
    for (std::size_t t = 0; t < values.size(); ++t) {
      EXPECT_NEAR(values[t], others[t], most) << "C " << point.first << ", row " << t;
    }
  }
}

test::Data data_for(int type) {
  return type == C_SVC ? test::four_classes(150, 3)
                       : test::random_data(150, 3, is_classification(type), 3);
}

// With little memory the points are trained and predicted a few at a time.
TEST(CostPath, LittleMemoryChangesNothing) {
  const std::vector<CostPoint> points = {{0.03, 0.1}, {1, 0.1}, {30, 0.1}, {200, 0.1}};
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR}) {
    for (const bool warm : {false, true}) {
      svm_parameter param = test::parameters(type, RBF);
      param.nu = 0.2;
      Search plenty(data_for(type), param, 3, "smo", warm);
      const long long iterations = plenty.validate_all(points);
      for (const double megabytes : {0.05, 0.001}) {
        param.cache_size = megabytes;
        Search little(data_for(type), param, 3, "smo", warm);
        EXPECT_EQ(little.validate_all(points), iterations) << type;
        expect_same(little, plenty, 0);
      }
    }
  }
}

// Responses to all rows by the machines of each fold, as predictions and as decision values.
TEST(CostPath, ResponsesOfAllFoldsAndAsValuesAreThoseOfPredictions) {
  const std::vector<CostPoint> points = {{0.03, 0.1}, {30, 0.1}};
  constexpr std::size_t kFolds = 3, kPairs = 6;
  for (const int kernel : {RBF, POLY}) {
    for (const double megabytes : {40.0, 0.05}) {
      svm_parameter param = test::parameters(C_SVC, kernel);
      param.cache_size = megabytes;
      Search predicted(data_for(C_SVC), param, kFolds, "smo", false);
      Search every_fold(data_for(C_SVC), param, kFolds, "smo", false, {0, true});
      Search valued(data_for(C_SVC), param, kFolds, "smo", false, {kPairs, true});
      for (Search* search : {&predicted, &every_fold, &valued}) search->validate_all(points);
      const std::size_t rows = predicted.rows();
      for (const auto& [point, predictions] : predicted.predictions()) {
        const std::vector<double>& all = every_fold.predictions().at(point);
        const std::vector<double>& values = valued.predictions().at(point);
        ASSERT_EQ(all.size(), kFolds * rows);
        ASSERT_EQ(values.size(), kPairs * kFolds * rows);
        std::size_t right = 0;
        for (std::size_t f = 0; f < kFolds; ++f) {
          const Folds& folds = predicted.folds();
          for (std::size_t k = folds.start[f]; k < folds.start[f + 1]; ++k) {
            const std::size_t t = folds.order[k];
            EXPECT_EQ(all[f * rows + t], predictions[t]) << "row " << t;
          }
          for (std::size_t t = 0; t < rows; ++t) {
            const double* const of_row = &values[(f * rows + t) * kPairs];
            for (std::size_t p = 0; p < kPairs; ++p) EXPECT_TRUE(of_row[p] != 0) << "row " << t;
            right += all[f * rows + t] == predicted.label(t) ? 1 : 0;
          }
        }
        EXPECT_GT(right, rows);
      }
    }
  }
}

TEST(CostPath, ValuesOfAnotherNumberThanTheFoldsHaveAreRefused) {
  Search search(data_for(C_SVC), test::parameters(C_SVC, RBF), 3, "smo", false, {5, false});
  EXPECT_THROW(search.validate(0, {{1, 0.1}}), std::invalid_argument);
}

// In one step or in many: if sums were scaled with C each time, their errors would grow.
TEST(CostPath, StartsMayBeFarFromTheirCost) {
  svm_parameter param = test::parameters(EPSILON_SVR, RBF);
  param.eps = 1e-6;
  const test::Data data = test::random_data(60, 3, false, 5);
  for (const int step : {90, 9}) {
    std::vector<CostPoint> points;
    for (int power = -90; power <= 0; power += step) points.push_back({std::exp2(power), 0.1});
    Search warm(data, param, 3, "smo", true), cold(data, param, 3, "smo", false);
    warm.validate_all(points);
    cold.validate_all(points);
    expect_same(warm, cold, 1e-4);
  }
}

// Predictions are classes, so that they agree unless a row is at the boundary, or values.
TEST(CostPath, WarmStartsOfAllKindsGiveTheSame) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    for (const char* solver : {"smo", "csmo"}) {
      svm_parameter param = test::parameters(type, RBF);
      param.nu = 0.2;
      param.eps = 1e-8;
      std::vector<CostPoint> points;
      for (const double tube :
           type == EPSILON_SVR ? std::vector<double>{0.05, 0.2, 0.4} : std::vector<double>{0.1}) {
        for (const double cost : {0.004, 0.03, 1.0, 8.0, 100.0}) points.push_back({cost, tube});
      }
      Search cold(data_for(type), param, 4, solver, false);
      Search warm(data_for(type), param, 4, solver, true);
      Search by_calls(data_for(type), param, 4, solver, true);
      cold.validate_all(points);
      warm.validate_all(points);
      for (const CostPoint& point : points) by_calls.validate_all({point});
      expect_same(warm, cold, 1e-6);
      expect_same(by_calls, cold, 1e-6);
    }
  }
}

TEST(CostPath, StartsSaveIterations) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    const svm_parameter param = test::parameters(type, RBF);
    Search cold(data_for(type), param, 10, "csmo", false);
    Search warm(data_for(type), param, 10, "csmo", true);
    const CostPoint first{1, 0.1}, larger{2, 0.1};
    EXPECT_EQ(warm.validate_all({first}), cold.validate_all({first}));
    EXPECT_LT(10 * warm.validate_all({larger}), 8 * cold.validate_all({larger})) << type;
  }
}

// If both classes have the same sum of bounds and C is small, all coefficients are at their bounds,
// and many thresholds are optimal.
TEST(CostPath, AStartChoosesTheThresholdOfATrainingAlone) {
  std::vector<int> labels = {1, -1};
  test::Data data;
  Draws draws(5);
  for (int i = 0; i < 150; ++i) {
    const int side = i < 39 ? 1 : -1;
    data.add(side, {side + draws.between(-2, 2), draws.between(-1, 1)});
  }
  std::vector<double> factors = {150 / 78.0, 150 / 222.0};
  svm_parameter param = test::parameters(C_SVC, RBF);
  param.nr_weight = 2;
  param.weight_label = labels.data();
  param.weight = factors.data();
  const std::vector<CostPoint> points = {{0.001, 0.1}, {0.01, 0.1}, {0.1, 0.1}};
  for (const char* solver : {"smo", "csmo"}) {
    Search cold(data, param, 3, solver, false), warm(data, param, 3, solver, true);
    cold.validate_all(points);
    warm.validate_all(points);
    expect_same(warm, cold, 0);
  }
}

// Each of eight rows is a fold.  One training set lacks the third class, and the first rows of
// classes come in different orders.
TEST(CostPath, FoldsMayLackClasses) {
  for (std::size_t alone = 0; alone < 8; ++alone) {
    test::Data data;
    Draws draws(7);
    for (std::size_t i = 0; i < 8; ++i) {
      const double label = i == alone ? 3 : i % 2 == 0 ? 2 : 1;
      data.add(label, {label + draws.between(-1, 1), draws.between(-1, 1)});
    }
    svm_parameter param = test::parameters(C_SVC, RBF);
    param.eps = 1e-8;
    const std::vector<CostPoint> points = {{0.125, 0.1}, {1, 0.1}, {8, 0.1}};
    for (const char* solver : {"smo", "csmo"}) {
      Search cold(data, param, 8, solver, false), warm(data, param, 8, solver, true);
      cold.validate_all(points);
      warm.validate_all(points);
      expect_same(warm, cold, 0);
    }
  }
}

// A print function that throws.
void refuse(const char* /*text*/) { throw std::runtime_error("refused"); }

TEST(CostPath, NobodyWaitsForAFoldThatFailed) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    Search search(data_for(type), test::parameters(type, RBF), 3, "csmo", true);
    svm::Run failing{Messages(&refuse)};
    failing.options = search.run().options;
    std::vector<double> predictions(search.rows());
    EXPECT_THROW(search.path().validate(0, {{1, 0.1}}, {&predictions}, failing),
                 std::runtime_error);
    EXPECT_GT(search.validate(1, {{1, 0.1}}), 0);
  }
}

TEST(CostPath, AFoldThatIsStoppedWhileItWaitsHasNoPredictions) {
  for (const int type : {C_SVC, EPSILON_SVR}) {
    Search search(data_for(type), test::parameters(type, RBF), 3, "csmo", true);
    svm::Run waiting{test::Printed().messages()};
    waiting.options = search.run().options;
    waiting.services.progress = [](const svm_progress&) { return false; };
    std::vector<double> predictions(search.rows(), -7);
    EXPECT_FALSE(search.path().validate(1, {{1, 0.1}}, {&predictions}, waiting));
    EXPECT_EQ(waiting.interruption(), SVM_CANCELLED);
    EXPECT_EQ(predictions, std::vector<double>(search.rows(), -7));
    // A stopped fold 0 gives no start points.
    EXPECT_FALSE(search.path().validate(0, {{1, 0.1}}, {&predictions}, waiting));
    EXPECT_GT(search.validate(2, {{1, 0.1}}), 0);
  }
}

}  // namespace
}  // namespace svm
