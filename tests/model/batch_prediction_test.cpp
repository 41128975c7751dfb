// Batches, and single rows by packed models, must give the bits of rows predicted from the model.
#include "model/batch_prediction.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/simd/instruction_set.h"
#include "model/model_memory.h"
#include "model/prediction.h"
#include "model/row_predictor.h"
#include "tests/environment.h"
#include "tests/instruction_sets.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Draws;
using test::parameters;
using test::Row;

struct Shape {
  int kernel;
  std::size_t support_vectors;
  int features;
  double filled;  // share of features that a row has
  int classes;    // 1 for regression
};

double draw_value(Draws& draws) {
  switch (draws.below(12)) {
    case 0:
      return 0.0;
    case 1:
      return -0.0;
    case 2:
      return 1;
    case 3:
      return draws.between(-1, 1) * 1e-160;
    case 4:
      return draws.below(20) == 0 ? 1e155 : 0.5;
    default:
      return draws.between(-1, 1);
  }
}

// `factor` spreads the indices, so that rows have features that no support vector has.
Row draw_row(Draws& draws, const Shape& shape, int factor) {
  Row row;
  for (int k = 1; k <= shape.features * factor; ++k) {
    if (draws.between(0, 1) < shape.filled / factor) row.push_back({k, draw_value(draws)});
  }
  row.push_back({-1, 0});
  return row;
}

class Case {
 public:
  Case(const Shape& shape, std::uint64_t seed) : draws_(seed) {
    model_ = new_model();
    model_->param = parameters(shape.classes == 1 ? EPSILON_SVR : C_SVC, shape.kernel);
    model_->param.gamma = 0.5;
    model_->param.coef0 = 0.25;
    const std::size_t l = shape.support_vectors;
    const std::size_t k = static_cast<std::size_t>(std::max(shape.classes, 2));
    model_->nr_class = static_cast<int>(k);
    model_->l = static_cast<int>(l);
    model_->SV = malloc_array<svm_node*>(l);
    support_vectors_.reserve(l);
    for (std::size_t s = 0; s < l; ++s) {
      support_vectors_.push_back(draw_row(draws_, shape, 1));
      model_->SV[s] = support_vectors_.back().data();
    }
    model_->sv_coef = malloc_array<double*>(k - 1);
    for (std::size_t c = 0; c + 1 < k; ++c) {
      model_->sv_coef[c] = malloc_array<double>(l);
      for (std::size_t s = 0; s < l; ++s) model_->sv_coef[c][s] = draws_.between(-1, 1);
    }
    model_->rho = malloc_array<double>(k * (k - 1) / 2);
    for (std::size_t p = 0; p < k * (k - 1) / 2; ++p) model_->rho[p] = draws_.between(-0.1, 0.1);
    if (shape.classes > 1) {
      model_->label = malloc_array<int>(k);
      model_->nSV = malloc_array<int>(k);
      std::size_t left = l;
      for (std::size_t c = 0; c < k; ++c) {
        model_->label[c] = static_cast<int>(c) + 1;
        const std::size_t own = c + 1 == k ? left : draws_.below(left + 1);
        model_->nSV[c] = static_cast<int>(own);
        left -= own;
      }
      model_->probA = malloc_array<double>(k * (k - 1) / 2);
      model_->probB = malloc_array<double>(k * (k - 1) / 2);
      for (std::size_t p = 0; p < k * (k - 1) / 2; ++p) model_->probA[p] = -1;
    }
    for (std::size_t i = 0; i < 75; ++i)
      rows_.push_back(draw_row(draws_, shape, i % 3 == 0 ? 2 : 1));
    rows_[3] = {{-1, 0}};
  }

  svm_model& model() { return *model_; }
  Draws& draws() { return draws_; }
  std::vector<Row>& rows() { return rows_; }
  std::vector<Row>& support_vectors() { return support_vectors_; }

  void expect_same(const std::string& what) const {
    const Predictor one_by_one(*model_, Messages(nullptr));
    const std::size_t width = one_by_one.value_count();
    const std::size_t classes = static_cast<std::size_t>(model_->nr_class);
    std::vector<const svm_node*> rows;
    for (const Row& row : rows_) rows.push_back(row.data());
    expect_same_single_rows(what);
    for (const std::size_t count : {rows.size(), std::size_t{1}, std::size_t{5}, std::size_t{64}}) {
      const BatchPredictor batch(*model_, Messages(nullptr), 100);
      std::vector<double> values(count * width, 77), predictions(count, 77);
      batch.predict(rows.data(), count, false, {predictions.data(), values.data()});
      std::vector<double> by_probability(count), probabilities(count * classes, 77);
      batch.predict(rows.data(), count, true,
                    {by_probability.data(), nullptr, probabilities.data()});
      std::vector<double> value(width), probability(classes);
      for (std::size_t i = 0; i < count; ++i) {
        const double prediction = one_by_one.predict_values(rows[i], value.data());
        ASSERT_EQ(std::memcmp(value.data(), &values[i * width], width * sizeof(double)), 0)
            << what << ", row " << i;
        ASSERT_EQ(std::memcmp(&prediction, &predictions[i], sizeof(double)), 0) << what;
        std::fill(probability.begin(), probability.end(), 77);
        const double likely = one_by_one.predict_probability(rows[i], probability.data());
        ASSERT_EQ(std::memcmp(&likely, &by_probability[i], sizeof(double)), 0) << what;
        ASSERT_EQ(
            std::memcmp(probability.data(), &probabilities[i * classes], classes * sizeof(double)),
            0)
            << what << ", row " << i;
      }
    }
  }

  // With room for all packed forms, for one, and for none.
  void expect_same_single_rows(const std::string& what) const {
    const Predictor one_by_one(*model_, Messages(nullptr));
    const std::size_t width = one_by_one.value_count();
    const auto classes = static_cast<std::size_t>(model_->nr_class);
    for (const std::size_t most_bytes :
         {std::size_t{1} << 40U, support_vector_bytes(*model_) / 2, std::size_t{0}}) {
      const RowPredictor packed(PackedModel(*model_, Packing::kLabelsThenValues, most_bytes),
                                Messages(nullptr));
      std::vector<double> wanted(width), values(width, 77);
      std::vector<double> wanted_probabilities(classes), probabilities(classes);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const svm_node* const row = rows_[i].data();
        const double prediction = one_by_one.predict_values(row, wanted.data());
        const double same = packed.predict_values(row, values.data());
        ASSERT_EQ(std::memcmp(values.data(), wanted.data(), width * sizeof(double)), 0)
            << what << ", single row " << i;
        ASSERT_EQ(std::memcmp(&same, &prediction, sizeof(double)), 0) << what;
        const double label = packed.predict(row);
        ASSERT_EQ(std::memcmp(&label, &prediction, sizeof(double)), 0)
            << what << ", label of row " << i;
        wanted_probabilities.assign(classes, 77);
        probabilities.assign(classes, 77);
        const double likely = one_by_one.predict_probability(row, wanted_probabilities.data());
        const double same_likely = packed.predict_probability(row, probabilities.data());
        ASSERT_EQ(std::memcmp(&same_likely, &likely, sizeof(double)), 0) << what;
        ASSERT_EQ(std::memcmp(probabilities.data(), wanted_probabilities.data(),
                              classes * sizeof(double)),
                  0)
            << what << ", probabilities of row " << i;
      }
    }
  }

 private:
  Draws draws_;
  ModelPtr model_;
  std::vector<Row> support_vectors_, rows_;
};

class BatchPredictionTest : public test::EachInstructionSet {
 private:
  const test::Setting set_{"SVM_INSTRUCTION_SET", name(GetParam())};
};

TEST_P(BatchPredictionTest, RandomModelsAndRows) {
  std::uint64_t seed = 1;
  for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
    for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 70U}) {
      for (const double filled : {0.9, 0.2, 0.03}) {
        for (const int classes : {1, 2, 7}) {
          const Case random({kernel, count, filled < 0.1 ? 150 : 23, filled, classes}, ++seed);
          random.expect_same("kernel " + std::to_string(kernel) + ", " + std::to_string(count) +
                             " support vectors, filled " + std::to_string(filled) + ", classes " +
                             std::to_string(classes));
        }
      }
    }
  }
}

TEST_P(BatchPredictionTest, ManySparseSupportVectors) {
  for (const int kernel : {LINEAR, RBF}) {
    Case({kernel, 2500, 300, 0.02, 3}, 7).expect_same("kernel " + std::to_string(kernel));
    // The last block has values of few features only.
    Case({kernel, 2100, 2000, 0.0015, 3}, 8).expect_same("kernel " + std::to_string(kernel));
  }
}

// Up to 1024 features are packed as bits; another value among 32 rows makes these use the other
// form.
TEST_P(BatchPredictionTest, ValuesThatAreAllOne) {
  const auto make_ones = [](std::vector<Row>& rows) {
    for (Row& row : rows) {
      for (svm_node& node : row) node.value = 1;
    }
  };
  for (const int kernel : {LINEAR, RBF}) {
    for (const int features : {3, 64, 1024, 1100}) {
      for (const std::size_t count : {127U, 129U}) {
        Case random({kernel, count, features, features < 100 ? 0.5 : 0.1, 3}, 14);
        make_ones(random.support_vectors());
        make_ones(random.rows());
        const std::string what =
            "kernel " + std::to_string(kernel) + ", features " + std::to_string(features);
        random.expect_same(what);
        random.rows()[0] = {{1, 1}, {2, 0.5}, {3, 0}, {-1, 0}};
        random.expect_same(what + ", a row with other values");
        random.support_vectors()[0] = {{2, 0.5}, {-1, 0}};
        random.model().SV[0] = random.support_vectors()[0].data();
        random.expect_same(what + ", a support vector with other values");
      }
    }
  }
}

TEST_P(BatchPredictionTest, EmptySupportVectors) {
  for (const int kernel : {LINEAR, RBF}) {
    Case random({kernel, 3, 5, 0, 2}, 8);
    random.rows()[0] = {{2, 1.5}, {-1, 0}};
    random.expect_same("kernel " + std::to_string(kernel));
  }
}

TEST_P(BatchPredictionTest, RowsOutOfOrder) {
  for (const int kernel : {LINEAR, RBF}) {
    for (const double filled : {0.9, 0.03}) {
      Case random({kernel, 20, 150, filled, 3}, 9);
      random.rows()[5] = {{3, 0.5}, {2, 0.25}, {9, 1}, {-1, 0}};
      random.rows()[6] = {{3, 0.5}, {3, 0.25}, {9, 1}, {-1, 0}};
      random.rows()[7] = {{-7, 0.5}, {-5, 0.25}, {0, 1}, {3, 1}, {-1, 0}};
      random.expect_same("rows");
      random.support_vectors()[2][0].index = random.support_vectors()[2][0].index == -1 ? -1 : 99;
      random.expect_same("support vectors");
    }
  }
}

TEST_P(BatchPredictionTest, ValuesThatAreNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int kernel : {LINEAR, POLY, RBF, SIGMOID}) {
    for (const double bad : {inf, -inf, nan, -nan}) {
      Case random({kernel, 20, 23, 0.5, 3}, 10);
      random.rows()[5] = {{3, 0.5}, {4, bad}, {9, 1}, {-1, 0}};
      random.rows()[6] = {{3, bad}, {400, bad}, {-1, 0}};
      random.expect_same("rows");
      random.support_vectors()[2] = {{3, bad}, {-1, 0}};
      random.model().SV[2] = random.support_vectors()[2].data();
      random.expect_same("support vectors");
    }
    Case random({kernel, 20, 23, 0.5, 3}, 11);
    random.model().sv_coef[1][3] = inf;
    random.expect_same("coefficients");
  }
}

TEST_P(BatchPredictionTest, PrecomputedKernels) {
  Case random({PRECOMPUTED, 20, 23, 0.5, 3}, 12);
  for (std::size_t s = 0; s < 20; ++s) {
    random.support_vectors()[s] = {{0, static_cast<double>(s % 7)}, {-1, 0}};
    random.model().SV[s] = random.support_vectors()[s].data();
  }
  for (Row& row : random.rows()) {
    row.clear();
    for (int k = 0; k < 8; ++k) row.push_back({k, random.draws().between(-1, 1)});
    row.push_back({-1, 0});
  }
  random.expect_same("precomputed");
  random.rows()[2] = {{0, 1}, {1, 1}, {-1, 0}};
  const std::vector<const svm_node*> rows = {random.rows()[0].data(), random.rows()[2].data()};
  std::vector<double> values(6), predictions(2);
  EXPECT_THROW(BatchPredictor(random.model(), Messages(nullptr), 100)
                   .predict(rows.data(), 2, false, {predictions.data(), values.data()}),
               PrecomputedRowError);
}

INSTANTIATE_TEST_SUITE_P(Sets, BatchPredictionTest, testing::ValuesIn(kInstructionSets),
                         test::set_name);

TEST(PredictBatchTest, FewRows) {
  Case random({RBF, 20, 23, 0.5, 3}, 13);
  const Predictor one_by_one(random.model(), Messages(nullptr));
  for (const std::size_t count : {0U, 1U, 3U, 4U}) {
    std::vector<const svm_node*> rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back(random.rows()[i].data());
    std::vector<double> values(count * 3), predictions(count), expected(3);
    BatchPredictor(random.model(), Messages(nullptr), count)
        .predict(rows.data(), count, false, {predictions.data(), values.data()});
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(predictions[i], one_by_one.predict_values(rows[i], expected.data()));
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), &values[i * 3]));
    }
  }
}

}  // namespace
}  // namespace svm
