// Shared by the tests of compact models: decision functions in long double, and comparisons.
#ifndef SVM_TESTS_MODEL_COMPACT_MODELS_H_
#define SVM_TESTS_MODEL_COMPACT_MODELS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/extension.h"

namespace svm::test {

using Real = long double;
using Vector = std::map<int, double>;  // without zeros

constexpr std::size_t kMarks = 10;  // probability density marks of a one-class model

inline bool has_classes(const svm_model& model) { return is_classification(model.param.svm_type); }

inline Vector vector_of(const svm_node* row) {
  Vector vector;
  for (; row->index != -1; ++row) {
    if (row->value != 0) vector[row->index] = row->value;
  }
  return vector;
}

inline std::vector<svm_node> nodes_of(const svm_node* row) {
  const svm_node* end = row;
  while (end->index != -1) ++end;
  return {row, end};
}

// True if all numbers have the same bits.
inline bool is_same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

inline bool is_same(const std::vector<svm_node>& a, const std::vector<svm_node>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const svm_node& left, const svm_node& right) {
                      return left.index == right.index &&
                             std::memcmp(&left.value, &right.value, sizeof(double)) == 0;
                    });
}

inline std::vector<double> coefficients_of(const svm_model& model, std::size_t s) {
  std::vector<double> coefficients;
  for (int n = 0; n + 1 < model.nr_class; ++n) coefficients.push_back(model.sv_coef[n][s]);
  return coefficients;
}

inline std::vector<int> class_sizes(const svm_model& model) {
  return {model.nSV, model.nSV + model.nr_class};
}

// A kernel value; and for the linear kernel, whose sums over vectors are merged, the sizes of its
// terms.
struct Value {
  Real value, size;
};

inline Value exact_kernel(const svm_parameter& param, const svm_node* x, const svm_node* v) {
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

// The decision values of a row without thresholds, and the sums of their terms' absolute values.
inline std::vector<Value> exact_values(const svm_model& model, const svm_node* x) {
  const auto classes = static_cast<std::size_t>(model.nr_class);
  std::vector<Value> values(value_count(model), Value{0, 0});
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
      // Counts the pairs whose first class is below a, then those of a.
      const std::size_t pair = a * classes - a * (a + 1) / 2 + b - a - 1;
      if (other != own) add(pair, own < other ? other - 1 : other);
    }
  }
  return values;
}

inline void expect_same_functions(const svm_model& model, const svm_model& compact,
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
inline std::vector<T> array_of(const T* values, std::size_t count) {
  return values == nullptr ? std::vector<T>() : std::vector<T>(values, values + count);
}

// Expects that everything but the support vectors is the same, and that the compact model owns its
// memory.
inline void expect_same_rest(const svm_model& model, const svm_model& compact) {
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const std::size_t pairs = value_count(model);
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
  EXPECT_EQ(array_of(compact.prob_density_marks, kMarks),
            array_of(model.prob_density_marks, kMarks));
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

inline OwnedModel compacted(const svm_model& model) {
  OwnedModel compact(svm_compact_model(&model));
  EXPECT_NE(compact, nullptr);
  if (compact != nullptr) expect_same_rest(model, *compact);
  return compact;
}

}  // namespace svm::test

#endif  // SVM_TESTS_MODEL_COMPACT_MODELS_H_
