// svm_compact_model: the decision functions stay, and what is not needed for them goes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/model_file.h"
#include "model/compact.h"
#include "tests/environment.h"
#include "tests/extension.h"
#include "tests/model_texts.h"
#include "tests/training_data.h"

namespace svm {
namespace {

using test::Data;
using test::dense_row;
using test::Draws;
using test::OwnedModel;
using test::parameters;
using test::Row;
using test::written;

using Real = long double;
using Vector = std::map<int, double>;  // without zeros

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool has_classes(const svm_model& model) { return is_classification(model.param.svm_type); }

Vector vector_of(const svm_node* row) {
  Vector vector;
  for (; row->index != -1; ++row) {
    if (row->value != 0) vector[row->index] = row->value;
  }
  return vector;
}

std::vector<svm_node> nodes_of(const svm_node* row) {
  const svm_node* end = row;
  while (end->index != -1) ++end;
  return {row, end};
}

// To the bit.
bool is_same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool is_same(const std::vector<svm_node>& a, const std::vector<svm_node>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const svm_node& left, const svm_node& right) {
                      return left.index == right.index &&
                             std::memcmp(&left.value, &right.value, sizeof(double)) == 0;
                    });
}

std::vector<double> coefficients_of(const svm_model& model, std::size_t s) {
  std::vector<double> coefficients;
  for (int n = 0; n + 1 < model.nr_class; ++n) coefficients.push_back(model.sv_coef[n][s]);
  return coefficients;
}

std::vector<int> class_sizes(const svm_model& model) {
  return {model.nSV, model.nSV + model.nr_class};
}

// A kernel value, and the sizes of what it is a sum of where sums over vectors go through it.
struct Value {
  Real value, size;
};

Value exact_kernel(const svm_parameter& param, const svm_node* x, const svm_node* v) {
  if (param.kernel_type == PRECOMPUTED) {
    const Real value = x[static_cast<int>(v->value)].value;
    return {value, std::fabs(value)};
  }
  Real dot = 0, size = 0, distance = 0;
  Vector left = vector_of(x);
  for (const auto& [index, value] : vector_of(v)) {
    const Real product = static_cast<Real>(value) * left[index];
    dot += product;
    size += std::fabs(product);
    const Real difference = static_cast<Real>(value) - left[index];
    distance += difference * difference;
    left.erase(index);
  }
  for (const auto& [index, value] : left) distance += static_cast<Real>(value) * value;
  const Real argument = param.gamma * dot + param.coef0;
  switch (param.kernel_type) {
    case LINEAR:
      return {dot, size};
    case POLY:
      dot = std::pow(argument, static_cast<Real>(param.degree));
      break;
    case RBF:
      dot = std::exp(-param.gamma * distance);
      break;
    default:
      dot = std::tanh(argument);
  }
  return {dot, std::fabs(dot)};
}

// The decision values of a row, thresholds left out, and the sums of their terms' absolute values.
std::vector<Value> exact_values(const svm_model& model, const svm_node* x) {
  const auto classes = static_cast<std::size_t>(model.nr_class);
  std::vector<Value> values(has_classes(model) ? pair_count(classes) : 1, Value{0, 0});
  std::vector<std::size_t> class_of;
  for (std::size_t c = 0; has_classes(model) && c < classes; ++c) {
    class_of.insert(class_of.end(), static_cast<std::size_t>(model.nSV[c]), c);
  }
  for (std::size_t s = 0; s < static_cast<std::size_t>(model.l); ++s) {
    const Value kernel = exact_kernel(model.param, x, model.SV[s]);
    const auto add = [&](std::size_t pair, std::size_t n) {
      const Real coefficient = model.sv_coef[n][s];
      values[pair].value += coefficient * kernel.value;
      values[pair].size += std::fabs(coefficient) * kernel.size;
    };
    if (!has_classes(model)) {
      add(0, 0);
      continue;
    }
    for (std::size_t other = 0; other < classes; ++other) {
      const std::size_t own = class_of[s], a = std::min(own, other), b = std::max(own, other);
      // Pairs with a first class before a, then those of a.
      const std::size_t pair = a * classes - a * (a + 1) / 2 + b - a - 1;
      if (other != own) add(pair, own < other ? other - 1 : other);
    }
  }
  return values;
}

void expect_same_functions(const svm_model& model, const svm_model& compact,
                           const std::vector<const svm_node*>& rows) {
  const std::size_t step = rows.size() / 30 + 1;
  for (std::size_t i = 0; i < rows.size(); i += step) {
    const svm_node* const row = rows[i];
    const std::vector<Value> old_values = exact_values(model, row);
    const std::vector<Value> new_values = exact_values(compact, row);
    ASSERT_EQ(old_values.size(), new_values.size());
    for (std::size_t v = 0; v < old_values.size(); ++v) {
      ASSERT_LE(std::fabs(old_values[v].value - new_values[v].value), 1e-12L * old_values[v].size);
    }
  }
}

template <typename T>
std::vector<T> array_of(const T* values, std::size_t count) {
  return values == nullptr ? std::vector<T>() : std::vector<T>(values, values + count);
}

// All that is not about support vectors, and that the compact model stands on its own.
void expect_same_rest(const svm_model& model, const svm_model& compact) {
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const std::size_t pairs = pair_count(classes);
  EXPECT_EQ(compact.nr_class, model.nr_class);
  EXPECT_EQ(compact.param.svm_type, model.param.svm_type);
  EXPECT_EQ(compact.param.kernel_type, model.param.kernel_type);
  EXPECT_EQ(compact.param.gamma, model.param.gamma);
  EXPECT_EQ(compact.param.weight, nullptr);
  EXPECT_EQ(compact.param.weight_label, nullptr);
  EXPECT_EQ(compact.param.nr_weight, 0);
  EXPECT_TRUE(is_same(array_of(compact.rho, pairs), array_of(model.rho, pairs)));
  EXPECT_TRUE(is_same(array_of(compact.probA, pairs), array_of(model.probA, pairs)));
  EXPECT_TRUE(is_same(array_of(compact.probB, pairs), array_of(model.probB, pairs)));
  EXPECT_EQ(array_of(compact.prob_density_marks, kDensityMarks),
            array_of(model.prob_density_marks, kDensityMarks));
  EXPECT_EQ(compact.free_sv, 1);
  EXPECT_EQ(compact.sv_indices, nullptr);
  EXPECT_LE(compact.l, model.l);
  if (has_classes(model)) {
    EXPECT_EQ(array_of(compact.label, classes), array_of(model.label, classes));
    const std::vector<int> sizes = class_sizes(compact);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0), compact.l);
  } else {
    EXPECT_EQ(compact.label, nullptr);
    EXPECT_EQ(compact.nSV, nullptr);
  }
}

OwnedModel compacted(const svm_model& model) {
  OwnedModel compact(svm_compact_model(&model));
  EXPECT_NE(compact, nullptr);
  if (compact != nullptr) expect_same_rest(model, *compact);
  return compact;
}

// Rows of `features` values that come about so many times, written down with zeros or without, and
// with other labels.
Data repeated_rows(std::size_t rows, std::size_t features, std::size_t classes,
                   std::size_t times = 4) {
  Draws draws(5);
  Data data;
  std::vector<std::vector<double>> different(rows / times);
  for (std::vector<double>& row : different) {
    for (std::size_t k = 0; k < features; ++k) {
      row.push_back(draws.below(3) == 0 ? 0 : draws.between(-1, 1));
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const std::vector<double>& values = different[draws.below(different.size())];
    Row row;
    for (std::size_t k = 0; k < features; ++k) {
      if (values[k] == 0 && i % 3 == 0) continue;
      row.push_back({static_cast<int>(3 * k + 1), values[k] == 0 && i % 3 == 1 ? -0.0 : values[k]});
    }
    row.push_back({-1, 0});
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double noise = draws.between(-0.5, 0.5);
    data.add_row(
        classes == 0
            ? sum + noise
            : static_cast<double>(
                  static_cast<std::size_t>(std::fabs(std::floor(3 * (sum + noise)))) % classes),
        row);
  }
  return data;
}

class CompactModelTest : public testing::Test {
 protected:
  OwnedModel trained(Data& data, const svm_parameter& param) {
    problem_ = data.problem();
    svm_options options = test::default_options();
    options.print = test::drop_text;
    OwnedModel model(svm_train_ex(&problem_, &param, &options, nullptr));
    EXPECT_NE(model, nullptr);
    return model;
  }

 private:
  const test::Setting no_variable_{"LIBSVM_SOLVER", nullptr};
  svm_problem problem_{};
};

TEST_F(CompactModelTest, KeepsDecisionValuesOfAllTypesAndKernels) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    for (const std::size_t classes : {2U, 4U}) {
      if (!is_classification(type) && classes > 2) continue;
      for (const int kernel : {LINEAR, POLY, RBF, SIGMOID, PRECOMPUTED}) {
        SCOPED_TRACE(testing::Message() << "type " << type << " kernel " << kernel);
        svm_parameter param = parameters(type, kernel);
        param.nu = 0.2;
        param.gamma = 0.3;
        param.coef0 = kernel == POLY ? 1 : 0;
        Data data = repeated_rows(200, 5, is_classification(type) ? classes : 0);
        Data matrix;
        if (kernel == PRECOMPUTED) matrix = test::precomputed(data, parameters(type, RBF));
        Data& rows = kernel == PRECOMPUTED ? matrix : data;
        const OwnedModel model = trained(rows, param);
        const OwnedModel compact = compacted(*model);
        expect_same_functions(*model, *compact, rows.rows());
        if (kernel == LINEAR) {
          EXPECT_EQ(compact->l, static_cast<int>(pair_count(classes)));
        } else if (kernel != PRECOMPUTED) {
          EXPECT_LT(compact->l, model->l);
        }
        for (std::size_t i = 0; i < rows.size(); i += 7) {
          std::vector<double> old_values(6), new_values(6);
          svm_predict_values(model.get(), rows.row(i), old_values.data());
          svm_predict_values(compact.get(), rows.row(i), new_values.data());
          const std::vector<Value> exact = exact_values(*model, rows.row(i));
          for (std::size_t v = 0; v < exact.size(); ++v) {
            EXPECT_LE(std::fabs(old_values[v] - new_values[v]), 1e-12L * exact[v].size);
          }
        }
        const OwnedModel again = compacted(*compact);
        EXPECT_EQ(written(*again), written(*compact));
      }
    }
  }
}

TEST_F(CompactModelTest, MakesOneVectorOfWeightsForEachPair) {
  for (std::size_t classes = 2; classes <= 26; classes += 3) {
    Data data = repeated_rows(30 * classes, 4, classes, 1);
    const OwnedModel model = trained(data, parameters(C_SVC, LINEAR));
    const OwnedModel compact = compacted(*model);
    expect_same_functions(*model, *compact, data.rows());
    const auto k = static_cast<std::size_t>(model->nr_class);
    ASSERT_EQ(compact->l, static_cast<int>(pair_count(k))) << classes;
    std::size_t s = 0;
    for (std::size_t a = 0; a < k; ++a) {
      EXPECT_EQ(compact->nSV[a], static_cast<int>(k - 1 - a));
      for (std::size_t b = a + 1; b < k; ++b, ++s) {
        std::vector<double> expected(k - 1, 0);
        expected[b - 1] = 1;
        EXPECT_EQ(coefficients_of(*compact, s), expected);
      }
    }
  }
}

TEST_F(CompactModelTest, KeepsAModelOfOneVectorOfWeights) {
  Data data = repeated_rows(100, 4, 3);
  const svm_problem problem = data.problem();
  const svm_parameter param = parameters(C_SVC, LINEAR);
  svm_options options = test::default_options();
  options.print = test::drop_text;
  options.solver = "dcd";
  const OwnedModel model(svm_train_ex(&problem, &param, &options, nullptr));
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(written(*compacted(*model)), written(*model));
}

TEST_F(CompactModelTest, CarriesProbabilitiesOver) {
  for (const int type : {C_SVC, NU_SVC, ONE_CLASS, EPSILON_SVR, NU_SVR}) {
    svm_parameter param = parameters(type, LINEAR);
    param.probability = 1;
    param.nu = 0.3;
    Data data = repeated_rows(120, 4, is_classification(type) ? 3 : 0);
    const OwnedModel model = trained(data, param);
    const OwnedModel compact = compacted(*model);
    ASSERT_EQ(svm_check_probability_model(compact.get()), 1) << type;
    for (std::size_t i = 0; i < data.size(); ++i) {
      std::vector<double> old_ones(3), new_ones(3);
      const double old_one = svm_predict_probability(model.get(), data.row(i), old_ones.data());
      const double new_one = svm_predict_probability(compact.get(), data.row(i), new_ones.data());
      EXPECT_NEAR(old_one, new_one, 1e-10);
      if (type == ONE_CLASS)
        continue;  // marks are decision values of rows: on which side are they?
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(old_ones[c], new_ones[c], 1e-9);
    }
  }
}

TEST_F(CompactModelTest, NeedsNothingOfTheCaller) {
  OwnedModel compact;
  std::string text;
  {
    Data data = repeated_rows(50, 3, 2);
    int label[] = {0};
    double weight[] = {2};
    svm_parameter param = parameters(C_SVC, RBF);
    param.nr_weight = 1;
    param.weight_label = label;
    param.weight = weight;
    const OwnedModel model = trained(data, param);
    compact = compacted(*model);
    text = written(*compact);
  }
  EXPECT_EQ(written(*compact), text);
}

TEST_F(CompactModelTest, TakesLoadedModels) {
  for (const std::string& text : test::valid_models()) {
    const ModelPtr model = parse_model(text);
    const OwnedModel compact = compacted(*model);
    const std::string smaller = written(*compact);
    EXPECT_EQ(written(*parse_model(smaller)), smaller);
    EXPECT_EQ(compact->l, model->l);
  }
}

TEST_F(CompactModelTest, MayBeCalledByManyThreads) {
  Data data = repeated_rows(100, 4, 3);
  const OwnedModel model = trained(data, parameters(C_SVC, RBF));
  const std::string expected = written(*compacted(*model));
  std::vector<OwnedModel> compact(4);
  std::vector<std::thread> threads;
  for (OwnedModel& one : compact) {
    threads.emplace_back([&] { one.reset(svm_compact_model(model.get())); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const OwnedModel& one : compact) {
    ASSERT_NE(one, nullptr);
    EXPECT_EQ(written(*one), expected);
  }
}

// ---- Models written by hand ----

struct Line {
  std::vector<double> coefficients;
  Row row;
};

// Of one support vector per line, by class; without class sizes a regression.
ModelPtr model_of(int kernel, const std::vector<int>& sizes, std::vector<Line>& lines) {
  ModelPtr model = new_model();
  const bool classes = !sizes.empty();
  model->param = parameters(classes ? C_SVC : EPSILON_SVR, kernel);
  model->nr_class = classes ? static_cast<int>(sizes.size()) : 2;
  model->l = static_cast<int>(lines.size());
  const auto width = static_cast<std::size_t>(model->nr_class - 1);
  model->rho = malloc_array<double>(pair_count(width + 1));
  if (classes) {
    model->label = malloc_array<int>(sizes.size());
    std::iota(model->label, model->label + sizes.size(), 1);
    model->nSV = malloc_array<int>(sizes.size());
    std::copy(sizes.begin(), sizes.end(), model->nSV);
  }
  model->sv_coef = malloc_array<double*>(width);
  for (std::size_t n = 0; n < width; ++n) {
    model->sv_coef[n] = malloc_array<double>(lines.size());
    for (std::size_t s = 0; s < lines.size(); ++s) model->sv_coef[n][s] = lines[s].coefficients[n];
  }
  model->SV = malloc_array<svm_node*>(lines.size());
  for (std::size_t s = 0; s < lines.size(); ++s) model->SV[s] = lines[s].row.data();
  return model;
}

Row row_of(std::vector<svm_node> nodes) {
  nodes.push_back({-1, 0});
  return nodes;
}

TEST_F(CompactModelTest, AddsCoefficientsPrecisely) {
  std::vector<Line> lines;
  for (int i = 0; i < 1000; ++i) lines.push_back({{0.1}, row_of({{1, 1}})});
  for (const double one : {1e16, 1.0, -1e16}) lines.push_back({{one}, row_of({{2, 1}})});
  const OwnedModel compact = compacted(*model_of(RBF, {}, lines));
  ASSERT_EQ(compact->l, 2);
  EXPECT_EQ(compact->sv_coef[0][0], 100);
  EXPECT_EQ(compact->sv_coef[0][1], 1);
}

TEST_F(CompactModelTest, AddsWeightsPrecisely) {
  std::vector<Line> lines;
  for (int i = 0; i < 1000; ++i)
    lines.push_back({{0.5}, row_of({{1, 0.2}, {i + 2, 1}, {9999, 0}})});
  for (const double one : {1e16, 1.0, -1e16}) lines.push_back({{one}, row_of({{1, 1}})});
  const OwnedModel compact = compacted(*model_of(LINEAR, {}, lines));
  ASSERT_EQ(compact->l, 1);
  EXPECT_EQ(compact->sv_coef[0][0], 1);
  const std::vector<svm_node> weights = nodes_of(compact->SV[0]);
  ASSERT_EQ(weights.size(), 1001U);
  EXPECT_EQ(weights[0].index, 1);
  EXPECT_EQ(weights[0].value, 101);
  EXPECT_EQ(weights[1000].index, 1001);
  EXPECT_EQ(weights[1000].value, 0.5);
}

TEST_F(CompactModelTest, KeepsVectorsThatAreSmallerThanTheirWeights) {
  std::vector<Line> lines = {{{1, 2}, row_of({{1, 1}, {2, 1}, {3, 1}, {4, 1}})},
                             {{3, 4}, row_of({{5, 1}, {6, 1}, {7, 1}, {8, 1}})},
                             {{5, 6}, row_of({{10, 1}, {11, 1}, {12, 1}, {13, 1}})}};
  const OwnedModel compact = compacted(*model_of(LINEAR, {1, 1, 1}, lines));
  EXPECT_EQ(compact->l, 3);
  EXPECT_EQ(compact->sv_coef[1][2], 6);
}

TEST_F(CompactModelTest, VectorsAreEqualWithoutTheirZeros) {
  std::vector<Line> lines = {{{1}, row_of({{1, 1}, {3, 0}, {4, 2}})},
                             {{2}, row_of({{1, 1}, {2, -0.0}, {4, 2}})},
                             {{4}, row_of({{1, 1}, {4, 2}})},
                             {{8}, row_of({{1, 1}, {5, 2}})},
                             {{16}, row_of({{1, 1}, {4, std::nextafter(2.0, 3.0)}})},
                             {{32}, row_of({{3, 0}})},
                             {{64}, row_of({})}};
  const OwnedModel compact = compacted(*model_of(RBF, {}, lines));
  ASSERT_EQ(compact->l, 4);
  EXPECT_EQ(array_of(compact->sv_coef[0], 4), (std::vector<double>{7, 8, 16, 96}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), {{1, 1}, {4, 2}}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[3]), {}));
}

TEST_F(CompactModelTest, LeavesOutVectorsWithoutCoefficients) {
  std::vector<Line> lines = {{{1}, row_of({{1, 1}})},
                             {{0}, row_of({{2, 1}})},
                             {{-1}, row_of({{1, 1}})},
                             {{-0.0}, row_of({{3, 1}})}};
  for (const int kernel : {LINEAR, RBF}) {
    const OwnedModel compact = compacted(*model_of(kernel, {2, 2}, lines));
    EXPECT_EQ(compact->l, 0);
    EXPECT_EQ(class_sizes(*compact), (std::vector<int>{0, 0}));
    double value = 1;
    EXPECT_EQ(svm_predict_values(compact.get(), lines[0].row.data(), &value), 2);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(written(*parse_model(written(*compact))), written(*compact));
  }
}

TEST_F(CompactModelTest, WeightsOfZeroNeedNoVector) {
  std::vector<Line> lines = {{{1, 0}, row_of({{1, 1}, {2, 1}})},
                             {{1, 0}, row_of({{1, -1}, {2, -1}})},
                             {{0, 1}, row_of({{1, 2}, {2, 2}})},
                             {{0, 3}, row_of({{1, 5}, {2, 7}})}};
  const OwnedModel compact = compacted(*model_of(LINEAR, {2, 1, 1}, lines));
  ASSERT_EQ(compact->l, 1);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(coefficients_of(*compact, 0), (std::vector<double>{0, 1}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), {{1, 17}, {2, 23}}));
}

TEST_F(CompactModelTest, EqualVectorsOfTwoClassesAreOne) {
  std::vector<Line> lines = {
      {{1}, row_of({{1, 1}})}, {{2}, row_of({{2, 1}})}, {{-4}, row_of({{1, 1}})}};
  const OwnedModel compact = compacted(*model_of(RBF, {2, 1}, lines));
  ASSERT_EQ(compact->l, 2);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{2, 0}));
  EXPECT_EQ(array_of(compact->sv_coef[0], 2), (std::vector<double>{-3, 2}));
}

// Columns are the pairs with the other two classes, in their order.
TEST_F(CompactModelTest, EqualVectorsOfMoreClassesAreOneWherePairsAllowIt) {
  const Row same = row_of({{1, 1}}), other = row_of({{2, 1}});
  const std::vector<const svm_node*> rows = {same.data(), other.data()};
  // The vector in classes 1 and 2 has a coefficient in the pairs of both with class 3.
  std::vector<Line> apart = {{{1, 2}, same}, {{4, 8}, same}, {{16, 32}, other}};
  ModelPtr model = model_of(RBF, {1, 1, 1}, apart);
  OwnedModel compact = compacted(*model);
  EXPECT_EQ(compact->l, 3);
  expect_same_functions(*model, *compact, rows);
  // That of class 2 has none.
  std::vector<Line> together = {{{1, 2}, same}, {{4, 0}, same}, {{16, 32}, other}};
  model = model_of(RBF, {1, 1, 1}, together);
  compact = compacted(*model);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(coefficients_of(*compact, 0), (std::vector<double>{5, 2}));
  expect_same_functions(*model, *compact, rows);
  // In all classes: two of them have every pair.
  std::vector<Line> all = {{{1, 2}, same}, {{4, 8}, same}, {{16, 32}, same}, {{64, 128}, other}};
  model = model_of(RBF, {1, 1, 2}, all);
  compact = compacted(*model);
  EXPECT_EQ(class_sizes(*compact), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(coefficients_of(*compact, 0), (std::vector<double>{1, 18}));
  EXPECT_EQ(coefficients_of(*compact, 1), (std::vector<double>{4, 40}));
  expect_same_functions(*model, *compact, rows);
}

TEST_F(CompactModelTest, LeavesUnusualVectorsAsTheyAre) {
  const std::vector<Row> unusual = {row_of({{2, 1}, {1, 1}}), row_of({{1, 1}, {1, 0}}),
                                    row_of({{1, kInfinity}, {2, 0}}), row_of({{1, kNan}})};
  for (const int kernel : {LINEAR, RBF}) {
    for (const Row& row : unusual) {
      std::vector<Line> lines = {
          {{1}, row}, {{0}, row}, {{4}, row_of({{1, 1}})}, {{8}, row_of({{1, 1}})}};
      const OwnedModel compact = compacted(*model_of(kernel, {}, lines));
      ASSERT_EQ(compact->l, 3);
      EXPECT_EQ(array_of(compact->sv_coef[0], 3), (std::vector<double>{1, 0, 12}));
      EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), nodes_of(row.data())));
      EXPECT_TRUE(is_same(nodes_of(compact->SV[1]), nodes_of(row.data())));
    }
    for (const double coefficient : {kInfinity, kNan}) {
      std::vector<Line> lines = {
          {{coefficient}, row_of({{1, 1}})}, {{4}, row_of({{1, 1}})}, {{8}, row_of({{1, 1}})}};
      const OwnedModel compact = compacted(*model_of(kernel, {}, lines));
      ASSERT_EQ(compact->l, 2);
      EXPECT_EQ(compact->sv_coef[0][1], 12);
    }
  }
}

TEST_F(CompactModelTest, LeavesWhatWouldOverflowOrLoseDigits) {
  std::vector<Line> large = {{{1e308}, row_of({{1, 1}})}, {{1e308}, row_of({{1, 1}})}};
  EXPECT_EQ(compacted(*model_of(RBF, {}, large))->l, 2);
  EXPECT_EQ(compacted(*model_of(LINEAR, {}, large))->l, 2);
  EXPECT_EQ(compacted(*model_of(RBF, {1, 1}, large))->l, 2);
  std::vector<Line> products = {{{1e200}, row_of({{1, 1e200}})}, {{1}, row_of({{1, 1}})}};
  EXPECT_EQ(compacted(*model_of(LINEAR, {}, products))->l, 2);
  std::vector<Line> small = {{{1e-200}, row_of({{1, 1e-200}})}, {{1e-200}, row_of({{1, 2e-200}})}};
  EXPECT_EQ(compacted(*model_of(LINEAR, {}, small))->l, 2);
}

TEST_F(CompactModelTest, MergesSerialNumbers) {
  std::vector<Line> lines = {{{1}, row_of({{0, 2}, {1, 0.5}, {2, 1}, {3, 0}})},
                             {{2}, row_of({{0, 2}})},
                             {{4}, row_of({{0, 3}, {1, 0.25}})},
                             {{8}, row_of({{0, 1.5}})},
                             {{16}, row_of({{0, 1.5}})},
                             {{32}, row_of({{7, 2}})}};
  const OwnedModel compact = compacted(*model_of(PRECOMPUTED, {}, lines));
  ASSERT_EQ(compact->l, 5);
  EXPECT_EQ(array_of(compact->sv_coef[0], 5), (std::vector<double>{3, 4, 8, 16, 32}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[0]), {{0, 2}}));
  EXPECT_TRUE(is_same(nodes_of(compact->SV[1]), {{0, 3}}));
}

TEST_F(CompactModelTest, RefusesNumbersOfVectorsThatDoNotFit) {
  std::vector<Line> lines = {{{1}, row_of({{1, 1}})}, {{2}, row_of({{2, 1}})}};
  for (const std::vector<int>& sizes : {std::vector<int>{1, 0}, {2, 1}, {-1, 2}, {3, -1}}) {
    const ModelPtr model = model_of(RBF, sizes, lines);
    EXPECT_THROW(compact_model(*model), std::invalid_argument);
    testing::internal::CaptureStderr();
    EXPECT_EQ(svm_compact_model(model.get()), nullptr);
    testing::internal::GetCapturedStderr();
  }
}

// Two vectors with the same hash, as merge_vectors.cpp makes it of index and value.
TEST_F(CompactModelTest, TellsVectorsOfOneHashApart) {
  const auto mixed = [](std::uint64_t word) {
    const std::uint64_t hash = word * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 32;
  };
  const double one = 1;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &one, sizeof(bits));
  double twin = kNan;
  int index = 1;
  while (!std::isnormal(twin)) {
    const std::uint64_t twin_bits = bits ^ mixed(1) ^ mixed(static_cast<std::uint64_t>(++index));
    std::memcpy(&twin, &twin_bits, sizeof(twin));
  }
  std::vector<Line> lines;
  for (int i = 0; i < 10; ++i) {
    lines.push_back({{1}, row_of({{1, one}})});
    lines.push_back({{2}, row_of({{index, twin}})});
  }
  const OwnedModel compact = compacted(*model_of(RBF, {}, lines));
  ASSERT_EQ(compact->l, 2);
  EXPECT_EQ(array_of(compact->sv_coef[0], 2), (std::vector<double>{10, 20}));
}

}  // namespace
}  // namespace svm
