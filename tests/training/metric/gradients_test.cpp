// Squared gradients of decision functions, against differences of decision values.
#include "training/metric/gradients.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "model/predictor.h"
#include "tests/training_data.h"
#include "training/call.h"
#include "training/train.h"

namespace svm {
namespace {

using test::Data;

class SquaredGradients : public testing::Test {
 protected:
  // Compares those at the first rows with central differences.
  void expect_differences(Data& data, double gamma, int svm_type = C_SVC, unsigned threads = 1) {
    svm_parameter param = test::parameters(svm_type, RBF);
    param.gamma = gamma;
    param.C = 10;
    svm_options options = default_options();
    options.solver = "csmo";
    options.threads = threads;
    svm::Run run(Messages([](const char*) {}));
    configure(run, param, &options);
    const Problem problem(data.problem());
    const TrainedMachines trained = train_machines(problem, param, run);
    const SupportVectors vectors(problem, trained);
    const Features features(indices_of(problem.x, problem.size()));
    const RowNumbers rows = test::row_numbers(12);
    std::vector<double> found(features.size(), 0.0);
    add_squared_gradients(problem, vectors, rows, features, run, found);
    const Predictor predictor(vectors.view(), Messages(nullptr), 0);
    double most = 0;
    std::vector<double> wanted(features.size(), 0.0);
    for (std::size_t d = 0; d < features.size(); ++d) {
      for (const std::uint32_t t : rows) {
        wanted[d] += squares_by_differences(predictor, problem, t, features.index(d));
      }
      most = std::max(most, wanted[d]);
    }
    ASSERT_GT(most, 0);
    for (std::size_t d = 0; d < features.size(); ++d) {
      EXPECT_NEAR(found[d], wanted[d], 2e-3 * most) << features.index(d);
    }
  }

 private:
  // The sum over the functions of the row's class of the squared slope by a feature.
  static double squares_by_differences(const Predictor& predictor, const Problem& problem,
                                       std::size_t t, int index) {
    constexpr double kStep = 1e-5;
    const ModelView& model = predictor.model();
    std::vector<double> ends[2];
    for (const int side : {0, 1}) {
      std::map<int, double> values = {{index, side == 0 ? -kStep : kStep}};
      problem.x[t].for_each([&](int each, double value) { values[each] += value; });
      std::vector<svm_node> row;
      row.reserve(values.size() + 1);
      for (const auto& [each, value] : values) row.push_back({each, value});
      row.push_back({-1, 0});
      ends[side].resize(model.functions());
      predictor.predict(DataRow(row.data()), ends[side].data());
    }
    double sum = 0;
    const auto add = [&](std::size_t function) {
      const double slope = (ends[1][function] - ends[0][function]) / (2 * kStep);
      sum += slope * slope;
    };
    if (!model.is_classifier()) {
      add(0);
      return sum;
    }
    for_each_pair(model.classes, [&](std::size_t pair, std::size_t a, std::size_t b) {
      const int label = class_label(problem.y[t]);
      if (model.labels[a] == label || model.labels[b] == label) add(pair);
    });
    return sum;
  }
};

TEST_F(SquaredGradients, OfTwoClasses) {
  Data data = test::random_data(200, 4, true, 1);
  expect_differences(data, 0.5);
  expect_differences(data, 0.5, C_SVC, 3);
}

TEST_F(SquaredGradients, OfManyClasses) {
  Data data = test::four_classes(300, 2);
  expect_differences(data, 1);
}

TEST_F(SquaredGradients, OfRegressions) {
  Data data = test::random_data(200, 3, false, 3);
  expect_differences(data, 0.3, EPSILON_SVR);
  expect_differences(data, 0.3, NU_SVR);
}

TEST_F(SquaredGradients, OfSparseRows) {
  test::Draws draws(4);
  Data data;
  for (int i = 0; i < 300; ++i) {
    const int first = 1 + static_cast<int>(draws.below(100)), second = 200 + first;
    const double x = draws.between(0.2, 1), y = draws.between(0.2, 1);
    data.add_row(x > y ? 1 : -1, {{first, x}, {second, y}, {-1, 0}});
  }
  expect_differences(data, 0.7);
}

TEST_F(SquaredGradients, OfFeaturesWithALargeOffset) {
  const Data plain = test::random_data(200, 3, true, 5);
  Data data;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const svm_node* const x = plain.row(i);
    data.add(plain.label(i), {x[0].value, 30000 + x[1].value, x[2].value});
  }
  expect_differences(data, 0.5);
}

}  // namespace
}  // namespace svm
