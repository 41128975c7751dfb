// Signs that single precision is certain of are those of LIBSVM's decision values.
#include "model/single_values.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "model/model_memory.h"
#include "model/prediction.h"
#include "tests/training_data.h"
#include "training/train.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;
using test::parameters;

Data scaled_rows(std::size_t rows, std::size_t features, double scale, bool four, Draws& draws) {
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x;
    for (std::size_t k = 0; k < features; ++k) {
      x.push_back(draws.below(4) == 0 ? 0.0 : scale * draws.between(-1, 1));
    }
    const double label = (x[0] > 0 ? 1 : 2) + (four && x[features / 2] > 0.2 * scale ? 10 : 0);
    data.add(draws.below(9) == 0 ? 1 : label, x);
  }
  return data;
}

// Moves the threshold ever closer to the decision value of a row.
void expect_true_signs(svm_model& model, const Data& rows) {
  std::vector<DataRow> some;
  for (std::size_t i = 0; i < SingleValues::kRows && i < rows.size(); ++i) {
    some.emplace_back(rows.row(i));
  }
  const Predictor predictor(model, Messages(nullptr));
  const std::size_t width = predictor.value_count();
  std::vector<double> exact(width), values(some.size() * width);
  std::vector<char> certain(some.size());
  double weight = 0;
  for (int s = 0; s < model.l; ++s) weight += std::fabs(model.sv_coef[0][s]);
  std::size_t certain_rows = 0, tried = 0;
  for (std::size_t near = 0; near < some.size(); near += 5) {
    predictor.predict_values(some[near], exact.data());
    const double rho = model.rho[0], at_zero = model.rho[0] + exact[0];
    for (double apart = 0.1 * weight; apart > 1e-12 * weight; apart /= -7) {
      model.rho[0] = at_zero + apart;
      const auto singles = SingleValues::make(model);
      ASSERT_NE(singles, nullptr);
      singles->decide(some.data(), some.size(), values.data(), certain.data());
      for (std::size_t r = 0; r < some.size(); ++r) {
        ++tried;
        if (certain[r] == 0) continue;
        ++certain_rows;
        predictor.predict_values(some[r], exact.data());
        for (std::size_t f = 0; f < width; ++f) {
          ASSERT_EQ(values[r * width + f] > 0, exact[f] > 0) << values[r * width + f];
        }
      }
      if (std::fabs(apart) < 1e-9 * weight) {
        EXPECT_EQ(certain[near], 0) << apart;
      }
    }
    model.rho[0] = rho;
  }
  EXPECT_GT(certain_rows, tried / 2);
}

TEST(SingleValuesTest, SignsThatAreCertainAreTrue) {
  Draws draws(5);
  for (const bool four : {false, true}) {
    for (const double scale : {1e-3, 1.0, 255.0, 1e4}) {
      for (const std::size_t features : {1U, 7U, 40U, 150U}) {
        Data data = scaled_rows(70, features, scale, four, draws);
        svm_parameter param = parameters(C_SVC, RBF);
        param.gamma = 1 / (scale * scale * static_cast<double>(features));
        const test::Printed printed;
        const ModelPtr model = train(data.problem(), param, printed.run());
        expect_true_signs(*model, scaled_rows(64, features, scale, four, draws));
      }
    }
  }
}

TEST(SingleValuesTest, OneClass) {
  Draws draws(5);
  Data data = scaled_rows(101, 9, 1, false, draws);
  const test::Printed printed;
  const ModelPtr model = train(data.problem(), parameters(ONE_CLASS, RBF), printed.run());
  expect_true_signs(*model, scaled_rows(40, 12, 1, false, draws));
}

// Values that no float is close to, or that are beyond the range of floats.
TEST(SingleValuesTest, RowsWhoseFloatsAreFarAwayAreNotCertain) {
  Draws draws(5);
  Data data = scaled_rows(60, 3, 1, false, draws), rows;
  rows.add(0, {1e300, 0, 0});
  rows.add(0, {1e7 + 0.4, 0, 1});
  const test::Printed printed;
  const ModelPtr model = train(data.problem(), parameters(C_SVC, RBF), printed.run());
  const auto singles = SingleValues::make(*model);
  ASSERT_NE(singles, nullptr);
  const std::vector<DataRow> both = {rows.row(0), rows.row(1)};
  double values[2];
  char certain[2];
  singles->decide(both.data(), 2, values, certain);
  EXPECT_EQ(certain[0], 0);
  EXPECT_EQ(certain[1], 0);
}

TEST(SingleValuesTest, AreNotMadeWhereTheyAreOfNoUse) {
  Draws draws(5);
  Data data = scaled_rows(60, 3, 1, false, draws);
  const test::Printed printed;
  for (const int kernel : {LINEAR, POLY, SIGMOID}) {
    const ModelPtr model = train(data.problem(), parameters(C_SVC, kernel), printed.run());
    EXPECT_EQ(SingleValues::make(*model), nullptr);
  }
  EXPECT_EQ(SingleValues::make(*train(data.problem(), parameters(EPSILON_SVR, RBF), printed.run())),
            nullptr);
  svm_parameter flat = parameters(C_SVC, RBF);
  flat.gamma = 0;
  EXPECT_EQ(SingleValues::make(*train(data.problem(), flat, printed.run())), nullptr);
}

}  // namespace
}  // namespace svm
