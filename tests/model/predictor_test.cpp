// Every way to predict, on every instruction set, gives LIBSVM's bits.
#include "model/predictor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "svm_ext.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/instruction_sets.h"
#include "tests/kernels/engine_cases.h"
#include "tests/model/reference_predictor.h"
#include "tests/rows.h"
#include "tests/training_data.h"
#include "tests/view.h"

namespace svm::test {
namespace {

// --- comparisons ---

// NaN may have any sign.
bool same_bits(const double* a, const double* b, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    if (std::memcmp(&a[k], &b[k], sizeof(double)) != 0 && !(std::isnan(a[k]) && std::isnan(b[k]))) {
      return false;
    }
  }
  return true;
}

// Compares what is predicted for rows with what the reference predicts.
class Comparison {
 public:
  Comparison(const ModelNumbers& numbers, const std::vector<Row>& rows)
      : numbers_(numbers), nodes_(nodes_of(rows)), model_(numbers.make()) {
    const ReferencePredictor reference(numbers);
    for (const Row& row : rows) expected_.push_back(reference.predict(row.data()));
  }

  void compare_all(bool by_layouts) const {
    ASSERT_NE(model_, nullptr) << svm_last_error();
    const svm_model unpacked = *model_;
    ASSERT_NO_FATAL_FAILURE(compare_single_rows(unpacked)) << "not packed";
    ASSERT_NO_FATAL_FAILURE(compare_single_rows(*model_)) << "packed";
    const OwnedPredictor predictor = make_predictor(*model_);
    const svm_rows rows = rows_of(nodes_.data(), nodes_.size());
    for (std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{5}, nodes_.size()}) {
      count = std::min(count, nodes_.size());
      svm_rows some = rows;
      some.rows = count;
      ASSERT_NO_FATAL_FAILURE(compare_rows(*predictor, some, 1)) << "of " << count << " rows";
    }
    ASSERT_NO_FATAL_FAILURE(compare_rows(*predictor, rows, 2)) << "by two threads";
    if (by_layouts) compare_layouts(*predictor);
  }

  // The labels alone, which need no values if they are certain.
  void compare_labels() const {
    std::vector<double> found(nodes_.size());
    const svm_rows rows = rows_of(nodes_.data(), nodes_.size());
    const OwnedPredictor predictor = make_predictor(*model_);
    ASSERT_EQ(svm_predict_rows(predictor.get(), &rows, 1, found.data(), nullptr, nullptr), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i], expected_[i].label)
          << "row " << i << ", first value " << expected_[i].values[0];
      const double alone = predict_row(predictor.get(), nodes_[i], nullptr, nullptr);
      ASSERT_EQ(alone, expected_[i].label)
          << "row " << i << " alone, first value " << expected_[i].values[0];
    }
  }

 private:
  void compare_single_rows(const svm_model& model) const {
    constexpr std::size_t kMost = 40;
    for (std::size_t i = 0; i < std::min(kMost, nodes_.size()); ++i) {
      const Prediction& wanted = expected_[i];
      const double label = svm_predict(&model, nodes_[i]);
      ASSERT_TRUE(same_bits(&label, &wanted.label, 1)) << "svm_predict of row " << i;
      std::vector<double> values(wanted.values.size() + 1, -77);
      const double same = svm_predict_values(&model, nodes_[i], values.data());
      ASSERT_TRUE(same_bits(&same, &wanted.label, 1)) << "svm_predict_values of row " << i;
      ASSERT_TRUE(same_bits(values.data(), wanted.values.data(), wanted.values.size()))
          << "values of row " << i;
      ASSERT_EQ(values.back(), -77);
      std::vector<double> probabilities(wanted.probabilities.size() + 1, -77);
      const double likely = svm_predict_probability(&model, nodes_[i], probabilities.data());
      ASSERT_TRUE(same_bits(&likely, &wanted.likely_label, 1)) << "probable label of row " << i;
      ASSERT_TRUE(
          same_bits(probabilities.data(), wanted.probabilities.data(), wanted.probabilities.size()))
          << "probabilities of row " << i;
      ASSERT_EQ(probabilities.back(), -77);
    }
  }

  void compare_rows(const svm_predictor& predictor, const svm_rows& rows,
                    std::size_t threads) const {
    const std::size_t count = rows.rows, width = expected_[0].values.size();
    const std::size_t classes = numbers_.probability_count();
    std::vector<double> labels(count + 1, -77), same_labels = labels, likely = labels;
    std::vector<double> values(count * width + 1, -77), probabilities(count * classes + 1, -77);
    ASSERT_EQ(svm_predict_rows(&predictor, &rows, threads, labels.data(), nullptr, nullptr), 0);
    ASSERT_EQ(
        svm_predict_rows(&predictor, &rows, threads, same_labels.data(), values.data(), nullptr),
        0);
    ASSERT_EQ(
        svm_predict_rows(&predictor, &rows, threads, likely.data(), nullptr, probabilities.data()),
        numbers_.has_probabilities() ? 0 : -1);
    ASSERT_EQ(labels.back(), -77);
    ASSERT_EQ(values.back(), -77);
    ASSERT_EQ(probabilities.back(), -77);
    for (std::size_t i = 0; i < count; ++i) {
      const Prediction& wanted = expected_[i];
      ASSERT_TRUE(same_bits(&labels[i], &wanted.label, 1)) << "label of row " << i;
      ASSERT_TRUE(same_bits(&same_labels[i], &wanted.label, 1)) << "label with values, row " << i;
      ASSERT_TRUE(same_bits(&values[i * width], wanted.values.data(), width))
          << "values of row " << i;
      if (!numbers_.has_probabilities()) continue;
      ASSERT_TRUE(same_bits(&likely[i], &wanted.likely_label, 1)) << "probable label, row " << i;
      ASSERT_TRUE(same_bits(&probabilities[i * classes], wanted.probabilities.data(), classes))
          << "probabilities of row " << i;
    }
  }

  // Rows of doubles, whose zeros change nothing.
  void compare_layouts(const svm_predictor& predictor) const {
    Data data;
    for (const svm_node* node : nodes_) {
      Row row;
      for (; node->index != -1; ++node) row.push_back(*node);
      row.push_back({-1, 0});
      data.add_row(0, std::move(row));
    }
    for (const Layout& layout : all_layouts()) {
      if (layout.value_type == SVM_FLOAT) continue;
      const ViewedData viewed(data, layout);
      ASSERT_NO_FATAL_FAILURE(compare_rows(predictor, viewed.view(), 1)) << text_of(layout);
    }
  }

  const ModelNumbers& numbers_;
  std::vector<svm_node*> nodes_;
  OwnedModel model_;
  std::vector<Prediction> expected_;
};

class OnEachSet {
 public:
  OnEachSet() {
    svm_set_print_string_function([](const char*) {});
  }
  ~OnEachSet() { svm_set_print_string_function(nullptr); }
  OnEachSet(const OnEachSet&) = delete;
  OnEachSet& operator=(const OnEachSet&) = delete;

  template <typename Check>
  void operator()(const Check& check) const {
    for (const InstructionSet set : kInstructionSets) {
      if (!is_supported(set)) continue;
      SCOPED_TRACE(name(set));
      const Setting setting("SVM_INSTRUCTION_SET", name(set));
      ASSERT_NO_FATAL_FAILURE(check());
    }
  }
};

// --- the tests ---

class Predictions : public testing::TestWithParam<Kind> {
 protected:
  const OnEachSet on_each_set_;
};

struct Shape {
  std::size_t vectors, features, rows;
};

// Around the numbers of support vectors and rows that are packed together.
constexpr Shape kShapes[] = {{0, 3, 4},     {1, 9, 65},   {7, 16, 5},   {8, 3, 64},   {9, 40, 100},
                             {15, 17, 3},   {16, 64, 66}, {17, 5, 128}, {63, 33, 31}, {64, 12, 200},
                             {65, 150, 63}, {127, 7, 33}, {128, 20, 7}, {129, 30, 70}};

TEST_P(Predictions, AreThoseOfLibsvm) {
  const std::string kind = GetParam().name;
  Draws draws(kind.size() * 65536 + static_cast<unsigned>(256 * kind.front() + kind.back()));
  for (const Shape& shape : kShapes) {
    const Form& form = kForms[draws.below(std::size(kForms))];
    const auto kernel = static_cast<int>(draws.below(4));
    const std::size_t count = form.classes == 1 ? 0 : shape.vectors;
    const std::vector<Row> vectors = rows_of(GetParam(), count, shape.features);
    svm_parameter param = parameters(C_SVC, kernel);
    param.gamma = spread(vectors) * (draws.below(5) == 0 ? 20 : 1);
    param.coef0 = 0.25;
    param.degree = static_cast<int>(draws.below(6));
    ModelNumbers model = model_of(form, param, vectors, draws);
    // Half of the rows have features that no support vector has.
    std::vector<Row> rows = rows_of(GetParam(), shape.rows / 2, shape.features * 3 / 2);
    const std::vector<Row> others = rows_of(GetParam(), shape.rows - rows.size(), shape.features);
    rows.insert(rows.end(), others.begin(), others.end());
    SCOPED_TRACE("type " + std::to_string(model.param.svm_type) + ", classes " +
                 std::to_string(model.labels.size()) + ", kernel " + std::to_string(kernel) +
                 ", vectors " + std::to_string(count) + ", features " +
                 std::to_string(shape.features));
    const bool is_regular = GetParam().exact != std::string("plain");
    const bool has_small_indices = GetParam().index(0) == 1 && GetParam().index(9) == 10;
    const Comparison plain(model, rows);
    on_each_set_([&] { plain.compare_all(is_regular && has_small_indices); });
    ASSERT_FALSE(HasFatalFailure());

    // The same with odd rows among the others; then with odd support vectors, and coefficients.
    const std::vector<Row> odd = odd_rows();
    for (std::size_t i = 0; i < odd.size(); ++i) {
      rows.insert(rows.begin() + static_cast<long>(3 * i % rows.size()), odd[i]);
    }
    const Comparison with_odd_rows(model, rows);
    on_each_set_([&] { with_odd_rows.compare_all(false); });
    ASSERT_FALSE(HasFatalFailure()) << "with odd rows";
    if (vectors.empty()) continue;
    const std::size_t place = draws.below(count);
    model.vectors[place] = odd[draws.below(odd.size())];
    if (draws.below(3) == 0 && !model.coefficients.empty()) {
      model.coefficients[0][place] = draws.below(2) == 0 ? kInfinity : 1e308;
    }
    const Comparison with_odd_vectors(model, rows);
    on_each_set_([&] { with_odd_vectors.compare_all(false); });
    ASSERT_FALSE(HasFatalFailure()) << "with odd support vectors";
  }
}

// Thresholds are moved to the values of rows, and ever closer from both sides.
TEST_P(Predictions, HaveTheLabelsOfNearTies) {
  struct Tie {
    Form form;
    int kernel;
    double part;  // of the gamma for which values spread from 0 to 1
  };
  constexpr Tie kTies[] = {{{C_SVC, 2}, RBF, 1},       {{C_SVC, 4}, RBF, 1},
                           {{C_SVC, 2}, RBF, 1000},    {{ONE_CLASS, 0}, RBF, 1000},
                           {{C_SVC, 2}, LINEAR, 1},    {{C_SVC, 4}, LINEAR, 1},
                           {{ONE_CLASS, 0}, LINEAR, 1}};
  const std::vector<Row> vectors = rows_of(GetParam(), 21, 14);
  const std::vector<Row> rows = rows_of(GetParam(), 24, 15);
  for (const Tie& tie : kTies) {
    Draws draws(5);
    svm_parameter param = parameters(C_SVC, tie.kernel);
    param.gamma = spread(vectors) * tie.part;
    ModelNumbers model = model_of(tie.form, param, vectors, draws);
    const std::vector<double> rho = model.rho;
    const ReferencePredictor reference(model);
    for (std::size_t near = 1; near < rows.size(); near += 8) {
      model.rho = rho;
      const std::vector<double> values = reference.predict(rows[near].data()).values;
      double size = 0;
      for (const double value : values) size = std::max(size, std::fabs(value));
      for (double apart = 0.1; std::fabs(apart) > 1e-18; apart /= -7) {
        const double step = std::fabs(apart) < 1e-17 ? 0 : apart * size;
        for (std::size_t f = 0; f < rho.size(); ++f) {
          model.rho[f] = rho[f] + values[f] + (f % 2 == 0 ? step : -step);
        }
        SCOPED_TRACE("kernel " + std::to_string(tie.kernel) + ", classes " +
                     std::to_string(tie.form.classes) + ", near row " + std::to_string(near) +
                     ", step " + std::to_string(1e9 * step) + "e-9");
        const Comparison comparison(model, rows);
        on_each_set_([&] { comparison.compare_labels(); });
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Predictions, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

// More support vectors, features or bits than are summed up together.
TEST(PredictionsOfLargeModels, AreThoseOfLibsvm) {
  struct Large {
    const char* kind;
    std::size_t vectors, features;
  };
  const OnEachSet on_each_set;
  for (const Large& large :
       {Large{"Sparse", 2500, 300}, Large{"SparseOnes", 2100, 100}, Large{"Sparse", 300, 2000},
        Large{"SparseOnes", 129, 1024}, Large{"SparseOnes", 127, 1100}, Large{"Bytes", 1030, 20}}) {
    for (const int kernel : {LINEAR, RBF}) {
      SCOPED_TRACE(large.kind + (", kernel " + std::to_string(kernel)));
      Draws draws(large.vectors);
      const std::vector<Row> vectors = rows_of(kind_of(large.kind), large.vectors, large.features);
      std::vector<Row> rows = rows_of(kind_of(large.kind), 40, large.features);
      svm_parameter param = parameters(C_SVC, kernel);
      param.gamma = spread(vectors);
      const ModelNumbers model = model_of({C_SVC, 3}, param, vectors, draws);
      const Comparison comparison(model, rows);
      on_each_set([&] { comparison.compare_all(false); });
      rows[31] = {{1, 1}, {2, 0.5}, {3, 0}, {-1, 0}};
      const Comparison with_another_row(model, rows);
      on_each_set([&] { with_another_row.compare_all(false); });
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(PredictionsOfPrecomputedRows, AreThoseOfLibsvm) {
  const OnEachSet on_each_set;
  for (const std::size_t count : {1U, 20U, 130U}) {
    Draws draws(count);
    std::vector<Row> rows;
    for (int i = 0; i < 70; ++i) {
      rows.emplace_back();
      for (int k = 0; k < 9; ++k) rows.back().push_back({k, draws.between(-1, 1)});
      rows.back().push_back({-1, 0});
    }
    const svm_parameter param = parameters(C_SVC, PRECOMPUTED);
    ModelNumbers model = model_of({C_SVC, 3}, param, std::vector<Row>(count, {{-1, 0}}), draws);
    for (std::size_t s = 0; s < count; ++s) {
      model.serials.push_back(static_cast<int>(1 + draws.below(8)));
    }
    const Comparison comparison(model, rows);
    on_each_set([&] { comparison.compare_all(false); });
    // A row that is too short.
    const svm_node row[] = {{0, 1}, {1, 1}, {-1, 0}};
    model.serials.assign(count, 3);
    const OwnedPredictor predictor = make_predictor(*model.make(), 1);
    EXPECT_TRUE(std::isnan(predict_row(predictor.get(), row, nullptr, nullptr)));
  }
}

// Classes 10, 20 and 30 with one support vector each, at 1, 2 and 4:
//   10 vs 20: 1 x - 2 * 2 x;  10 vs 30: 3 x - 4 * 4 x;  20 vs 30: 5 * 2 x + 6 * 4 x.
ModelNumbers three_classes(const std::vector<double>& rho) {
  ModelNumbers model;
  model.param = parameters(C_SVC, LINEAR);
  model.vectors = {dense_row({1}), dense_row({2}), dense_row({4})};
  model.labels = {10, 20, 30};
  model.sizes = {1, 1, 1};
  model.coefficients = {{1, -2, -4}, {3, 5, 6}};
  model.rho = rho;
  return model;
}

// Checks the reference, too.
TEST(PredictionsByHand, PairsUseTheirOwnCoefficients) {
  const auto predict = [](const std::vector<double>& rho, double x) {
    const ModelNumbers model = three_classes(rho);
    const Row row = dense_row({x});
    const Prediction expected = ReferencePredictor(model).predict(row.data());
    std::vector<double> values(3);
    EXPECT_EQ(svm_predict_values(model.make().get(), row.data(), values.data()), expected.label);
    EXPECT_EQ(values, expected.values);
    return expected;
  };
  const Prediction found = predict({0.5, 0.25, -1}, 1);
  EXPECT_EQ(found.values, (std::vector<double>{-3.5, -13.25, 35}));
  EXPECT_EQ(found.label, 20);                    // two votes
  EXPECT_EQ(predict({0, 0, 0}, 0).label, 30);    // a value of 0 is a vote for the second class
  EXPECT_EQ(predict({-1, 1, -1}, 0).label, 10);  // the first of classes with a vote each
}

TEST(PredictionsByHand, ProbabilitiesAreWhatThePairsAgreeOn) {
  for (const std::vector<double>& p :
       {std::vector<double>{0.75, 0.25}, std::vector<double>{0.5, 0.3, 0.2},
        std::vector<double>{0.25, 0.25, 0.25, 0.25},
        std::vector<double>{0.9, 0.05, 0.03, 0.01, 0.01}}) {
    ModelNumbers model;
    model.param = parameters(C_SVC, LINEAR);
    model.coefficients.resize(p.size() - 1);
    for (std::size_t a = 0; a < p.size(); ++a) {
      model.labels.push_back(static_cast<int>(a));
      model.sizes.push_back(0);
      for (std::size_t b = a + 1; b < p.size(); ++b) {
        model.rho.push_back(-std::log(p[a] / p[b]));
        model.slopes.push_back(-1);
        model.offsets.push_back(0);
      }
    }
    const Row row = {{-1, 0}};
    std::vector<double> found(p.size());
    svm_predict_probability(model.make().get(), row.data(), found.data());
    double sum = 0;
    for (std::size_t a = 0; a < p.size(); ++a) {
      EXPECT_NEAR(found[a], p[a], 0.02);
      sum += found[a];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

// Weights of all pairs of many classes, with a place for each feature, are much more than a model.
TEST(LinearModelOfManyClasses, HasWeightsIfManyRowsPayForThem) {
  constexpr std::size_t kClasses = 40, kVectors = 400, kFeatures = 300;
  Draws draws(9);
  const auto sparse_row = [&] {
    std::set<int> indices;
    while (indices.size() < 4) indices.insert(static_cast<int>(1 + draws.below(kFeatures)));
    Row row;
    for (const int index : indices) row.push_back({index, draws.between(-1, 1)});
    row.push_back({-1, 0});
    return row;
  };
  std::vector<Row> vectors, rows;
  for (std::size_t s = 0; s < kVectors; ++s) vectors.push_back(sparse_row());
  for (int i = 0; i < 5; ++i) rows.push_back(sparse_row());
  const ModelNumbers numbers =
      model_of({C_SVC, kClasses}, parameters(C_SVC, LINEAR), std::move(vectors), draws);
  const OwnedModel model = numbers.make();
  const std::vector<svm_node*> nodes = nodes_of(rows);
  const std::vector<const svm_node*> given(nodes.begin(), nodes.end());
  for (const std::size_t count : {std::size_t{5}, Predictor::kNoLimit}) {
    const Predictor predictor(*model, Messages(nullptr), Predictor::most_bytes_for(count), count);
    std::vector<double> labels(rows.size());
    predictor.predict(given.data(), rows.size(), false, {labels.data()});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(labels[i], ReferencePredictor(numbers).predict(rows[i].data()).label);
    }
    const std::size_t of_weights = kClasses * (kClasses - 1) / 2 * kFeatures * sizeof(double);
    const std::size_t of_model = kVectors * (kClasses - 1 + 2 * 4) * sizeof(double);
    if (count == 5) {
      EXPECT_LT(predictor.bytes(), of_model);
    } else {
      EXPECT_GT(predictor.bytes(), of_weights);
    }
  }
}

}  // namespace
}  // namespace svm::test
