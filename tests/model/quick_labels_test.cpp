// Labels that are certain without LIBSVM's decision values are those of LIBSVM's decision values.
#include "model/quick_labels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/model_memory.h"
#include "model/pairs.h"
#include "model/prediction.h"
#include "tests/environment.h"
#include "tests/instruction_sets.h"
#include "tests/training_data.h"
#include "training/train.h"

namespace svm {
namespace {

using test::Data;
using test::Draws;
using test::parameters;

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// `filled` is the share of values that are not zero.  With `four`, there are four classes.
Data scaled_rows(std::size_t rows, std::size_t features, double scale, bool four, double filled,
                 Draws& draws) {
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x;
    for (std::size_t k = 0; k < features; ++k) {
      x.push_back(draws.between(0, 1) < filled ? scale * draws.between(-1, 1) : 0.0);
    }
    const double label = (x[0] > 0 ? 1 : 2) + (four && x[features / 2] > 0.2 * scale ? 10 : 0);
    data.add(draws.below(9) == 0 ? 1 : label, x);
  }
  return data;
}

// The rows without their zeros.
Data without_zeros(const Data& data) {
  Data sparse;
  for (std::size_t i = 0; i < data.size(); ++i) {
    test::Row row;
    for (const svm_node* node = data.row(i); node->index != -1; ++node) {
      if (node->value != 0) row.push_back(*node);
    }
    row.push_back({-1, 0});
    sparse.add_row(data.label(i), row);
  }
  return sparse;
}

std::unique_ptr<QuickLabels> labels_of(const svm_model& model, std::size_t most_bytes = kNoLimit) {
  const std::optional<VectorShape> shape = shape_of(model);
  return shape ? QuickLabels::make(model, *shape, most_bytes) : nullptr;
}

class QuickLabelsTest : public test::EachInstructionSet {
 protected:
  // Predicts each row alone and in company, and counts those that are certain.
  static std::size_t certain_rows(const svm_model& model, const Data& rows) {
    const auto labels = labels_of(model);
    EXPECT_NE(labels, nullptr);
    if (labels == nullptr) return 0;
    const Predictor predictor(model, Messages(nullptr));
    QuickLabels::Work work;
    std::size_t certain = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const std::size_t most : {std::size_t{1}, std::size_t{3}, QuickLabels::kRows}) {
        const std::size_t together = std::min(most, rows.size() - i);
        std::vector<DataRow> some;
        for (std::size_t k = 0; k < together; ++k) some.emplace_back(rows.row(i + k));
        double predictions[QuickLabels::kRows];
        char is_certain[QuickLabels::kRows];
        labels->predict(some.data(), together, work, predictions, is_certain);
        for (std::size_t k = 0; k < together; ++k) {
          if (is_certain[k] == 0) continue;
          EXPECT_EQ(predictions[k], predictor.predict(some[k])) << "row " << i + k;
        }
        if (most == 1) certain += is_certain[0] != 0 ? 1 : 0;
      }
      double prediction = 0;
      if (labels->predict_at_once(rows.row(i), prediction)) {
        EXPECT_EQ(prediction, predictor.predict(rows.row(i))) << "row " << i;
      }
    }
    return certain;
  }

  // Moves the threshold ever closer to the decision value of a row.
  static void expect_true_labels(svm_model& model, const Data& rows) {
    const Predictor predictor(model, Messages(nullptr));
    std::vector<double> exact(predictor.value_count());
    double weight = 0;
    for (int s = 0; s < model.l; ++s) weight += std::fabs(model.sv_coef[0][s]);
    std::size_t certain = 0, tried = 0;
    for (std::size_t near = 0; near < rows.size(); near += 7) {
      predictor.predict_values(rows.row(near), exact.data());
      const double rho = model.rho[0], at_zero = model.rho[0] + exact[0];
      for (double apart = 0.1 * weight; apart > 1e-17 * weight; apart /= -7) {
        model.rho[0] = at_zero + apart;
        certain += certain_rows(model, rows);
        tried += rows.size();
      }
      model.rho[0] = rho;
    }
    EXPECT_GT(certain, tried / 2);
  }

 private:
  const test::Setting set_{"SVM_INSTRUCTION_SET", name(GetParam())};
};

TEST_P(QuickLabelsTest, AreTrue) {
  Draws draws(5);
  for (const int kernel : {RBF, LINEAR}) {
    for (const bool four : {false, true}) {
      for (const double filled : {0.75, 0.25}) {
        for (const double scale : {1e-3, 1.0, 255.0, 1e4}) {
          for (const std::size_t features : {1U, 7U, 40U}) {
            Data data = scaled_rows(50, features, scale, four, filled, draws);
            if (filled < 0.5) data = without_zeros(data);
            svm_parameter param = parameters(C_SVC, kernel);
            param.gamma = 1 / (scale * scale * static_cast<double>(features));
            if (kernel == LINEAR) param.C = 1 / (scale * scale);
            const test::Printed printed;
            const ModelPtr model = train(data.problem(), param, printed.run());
            SCOPED_TRACE(std::to_string(scale) + ", features " + std::to_string(features));
            expect_true_labels(*model, scaled_rows(12, features, scale, four, filled, draws));
          }
        }
      }
    }
  }
}

TEST_P(QuickLabelsTest, OneClass) {
  Draws draws(5);
  Data data = scaled_rows(101, 9, 1, false, 0.75, draws);
  const test::Printed printed;
  for (const int kernel : {RBF, LINEAR}) {
    const ModelPtr model = train(data.problem(), parameters(ONE_CLASS, kernel), printed.run());
    expect_true_labels(*model, scaled_rows(20, 12, 1, false, 0.75, draws));
  }
}

// Levels of grey are whole multiples of a unit, with which numbers of 16 bits lose nothing.
TEST_P(QuickLabelsTest, LevelsAreNearlyAlwaysCertain) {
  Draws draws(3);
  for (const double unit : {1.0, 1.0 / 255, 3e-5}) {
    Data data, rows;
    for (std::size_t i = 0; i < 160; ++i) {
      test::Row row;
      for (int k = 1; k <= 60; ++k) {
        if (draws.below(4) == 0) row.push_back({k, unit * static_cast<double>(draws.below(256))});
      }
      row.push_back({-1, 0});
      (i < 100 ? data : rows).add_row(draws.below(2) == 0 ? 1 : 2, row);
    }
    svm_parameter param = parameters(C_SVC, RBF);
    param.C = 1000;
    param.gamma = 1e-6 / (unit * unit);
    const test::Printed printed;
    const ModelPtr model = train(data.problem(), param, printed.run());
    EXPECT_GE(certain_rows(*model, rows), rows.size() * 9 / 10) << unit;
  }
}

// Values that no float is close to, or that are beyond the range of floats.
TEST_P(QuickLabelsTest, RowsWhoseFloatsAreFarAwayAreNotCertain) {
  Draws draws(5);
  for (const double filled : {1.0, 0.3}) {
    Data data = without_zeros(scaled_rows(60, 9, 1, false, filled, draws)), rows;
    rows.add(0, {1e300, 0, 0});
    rows.add(0, {1e7 + 0.4, 0, 1});
    rows.add(0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1e300});
    rows.add(0, {1e-300, 0, 1});
    const test::Printed printed;
    const ModelPtr model = train(data.problem(), parameters(C_SVC, RBF), printed.run());
    const auto labels = labels_of(*model);
    ASSERT_NE(labels, nullptr);
    QuickLabels::Work work;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const DataRow row = rows.row(i);
      double prediction = 0;
      char is_certain = 0;
      labels->predict(&row, 1, work, &prediction, &is_certain);
      if (i < 3) {
        EXPECT_EQ(is_certain, 0) << i;
      }
      if (is_certain != 0) {
        EXPECT_EQ(prediction, Predictor(*model, Messages(nullptr)).predict(row));
      }
    }
  }
}

// The support vectors may be as wild.
TEST_P(QuickLabelsTest, SupportVectorsOfAllSizes) {
  Draws draws(11);
  for (const double size : {1e-310, 1e-200, 1e-30, 1e15, 1e30, 1e200}) {
    for (const int kernel : {RBF, LINEAR}) {
      Data data = scaled_rows(40, 5, 1, false, 0.8, draws), wild;
      for (std::size_t i = 0; i < data.size(); ++i) {
        std::vector<double> x;
        for (std::size_t k = 0; k < 5; ++k) x.push_back(data.row(i)[k].value);
        if (i % 3 == 0) x[i % 5] *= size;
        wild.add(data.label(i), x);
      }
      svm_parameter param = parameters(C_SVC, kernel);
      param.gamma = std::min(1.0, 1 / (size * size));
      const test::Printed printed;
      const ModelPtr model = train(wild.problem(), param, printed.run());
      if (labels_of(*model) == nullptr) continue;
      certain_rows(*model, wild);
    }
  }
}

// Pairs that form a circle have no class that wins against all others.
TEST_P(QuickLabelsTest, VotesDecideIfNoClassWinsAll) {
  Draws draws(7);
  std::size_t certain = 0, circles = 0;
  for (int round = 0; round < 40; ++round) {
    Data data, rows;
    for (int i = 0; i < 60; ++i) {
      (i < 45 ? data : rows).add(i % 5, {draws.between(-1, 1), draws.between(-1, 1)});
    }
    svm_parameter param = parameters(C_SVC, RBF);
    param.C = 10;
    const test::Printed printed;
    const ModelPtr model = train(data.problem(), param, printed.run());
    certain += certain_rows(*model, rows);
    const Predictor predictor(*model, Messages(nullptr));
    std::vector<double> values(predictor.value_count());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      predictor.predict_values(rows.row(i), values.data());
      std::vector<int> wins(5, 0);
      for_each_pair(5, [&](std::size_t pair, std::size_t a, std::size_t b) {
        ++wins[values[pair] > 0 ? a : b];
      });
      circles += std::count(wins.begin(), wins.end(), 4) == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(certain, 300U);
  EXPECT_GT(circles, 10U);  // so that the rows above have some
}

INSTANTIATE_TEST_SUITE_P(Sets, QuickLabelsTest, testing::ValuesIn(kInstructionSets),
                         test::set_name);

TEST(QuickLabels, AreNotMadeWhereTheyAreOfNoUse) {
  Draws draws(5);
  Data data = scaled_rows(60, 3, 1, false, 0.75, draws);
  const test::Printed printed;
  const auto labels_for = [&](const svm_parameter& param, std::size_t most_bytes = kNoLimit) {
    return labels_of(*train(data.problem(), param, printed.run()), most_bytes);
  };
  EXPECT_EQ(labels_for(parameters(C_SVC, POLY)), nullptr);
  EXPECT_EQ(labels_for(parameters(C_SVC, SIGMOID)), nullptr);
  EXPECT_EQ(labels_for(parameters(EPSILON_SVR, RBF)), nullptr);
  svm_parameter flat = parameters(C_SVC, RBF);
  flat.gamma = 0;
  EXPECT_EQ(labels_for(flat), nullptr);
  for (const int kernel : {RBF, LINEAR}) {
    EXPECT_EQ(labels_for(parameters(C_SVC, kernel), 100), nullptr);
    EXPECT_NE(labels_for(parameters(C_SVC, kernel)), nullptr);
  }
}

}  // namespace
}  // namespace svm
