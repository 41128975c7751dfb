// Models made of numbers, and their predictions by LIBSVM's order of arithmetic, as plainly as can
// be.
#ifndef SVM_TESTS_MODEL_REFERENCE_PREDICTOR_H_
#define SVM_TESTS_MODEL_REFERENCE_PREDICTOR_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "svm_ext.h"
#include "tests/extension.h"
#include "tests/rows.h"
#include "tests/training_data.h"

namespace svm::test {

inline std::vector<svm_node*> nodes_of(const std::vector<Row>& rows) {
  std::vector<svm_node*> nodes;
  for (const Row& row : rows) nodes.push_back(const_cast<svm_node*>(row.data()));
  return nodes;
}

// A model whose members may be changed.  One-class models and regressions have no classes.
struct ModelNumbers {
  svm_parameter param = {};
  std::vector<Row> vectors;
  std::vector<int> labels, sizes;                 // by class
  std::vector<std::vector<double>> coefficients;  // as sv_coef
  std::vector<double> rho;
  std::vector<double> slopes, offsets;  // probA and probB, or empty
  std::vector<double> marks;            // prob_density_marks, or empty
  std::vector<int> serials;             // of the vectors, for precomputed kernels

  bool is_classifier() const { return is_classification(param.svm_type); }
  bool has_probabilities() const {
    return is_classifier() ? !slopes.empty() : param.svm_type == ONE_CLASS && !marks.empty();
  }
  std::size_t probability_count() const { return is_classifier() ? labels.size() : 2; }

  OwnedModel make() const {
    const std::vector<svm_node*> nodes = nodes_of(vectors);
    const svm_rows rows = rows_of(nodes.data(), nodes.size());
    std::vector<const double*> pointers;
    for (const std::vector<double>& each : coefficients) pointers.push_back(each.data());
    const auto or_null = [](const auto& values) {
      return values.empty() ? nullptr : values.data();
    };
    svm_model_arrays arrays = {};
    arrays.size = sizeof(arrays);
    arrays.param = &param;
    arrays.sv = &rows;
    arrays.nr_class = static_cast<int>(labels.size());
    arrays.l = static_cast<int>(vectors.size());
    arrays.sv_coef = pointers.data();
    arrays.rho = rho.data();
    arrays.label = or_null(labels);
    arrays.nr_sv = or_null(sizes);
    arrays.prob_a = or_null(slopes);
    arrays.prob_b = or_null(offsets);
    arrays.prob_density_marks = or_null(marks);
    arrays.sv_indices = or_null(serials);
    return OwnedModel(svm_model_from_arrays(&arrays));
  }
};

// What is predicted for a row.
struct Prediction {
  double label = 0, likely_label = 0;
  std::vector<double> values, probabilities;
};

class ReferencePredictor {
 public:
  explicit ReferencePredictor(const ModelNumbers& model) : model_(model) {}

  Prediction predict(const svm_node* x) const {
    Prediction prediction;
    prediction.values = values_of(x);
    prediction.label = label_of(prediction.values);
    prediction.likely_label = prediction.label;
    if (!model_.has_probabilities()) return prediction;
    if (!model_.is_classifier()) {
      const double normal = normal_probability(prediction.values[0]);
      prediction.probabilities = {normal, 1 - normal};
      return prediction;
    }
    prediction.probabilities = probabilities_of(prediction.values);
    const std::vector<double>& p = prediction.probabilities;
    std::size_t best = 0;
    for (std::size_t c = 1; c < p.size(); ++c) best = p[c] > p[best] ? c : best;
    prediction.likely_label = model_.labels[best];
    return prediction;
  }

 private:
  // A walk over two rows, by rising index where indices rise.  An index that comes too late meets
  // no equal one.
  template <typename Both, typename One>
  static void walk(const svm_node* x, const svm_node* z, Both both, One one) {
    while (x->index != -1 && z->index != -1) {
      if (x->index == z->index) {
        both((x++)->value, (z++)->value);
      } else if (x->index < z->index) {
        one((x++)->value);
      } else {
        one((z++)->value);
      }
    }
    while (x->index != -1) one((x++)->value);
    while (z->index != -1) one((z++)->value);
  }

  double kernel_value(const svm_node* x, std::size_t s) const {
    const svm_parameter& param = model_.param;
    if (param.kernel_type == PRECOMPUTED) return x[model_.serials[s]].value;
    const bool is_distance = param.kernel_type == RBF;
    double sum = 0;
    walk(
        x, model_.vectors[s].data(),
        [&](double a, double b) { sum += is_distance ? (a - b) * (a - b) : a * b; },
        [&](double a) {
          if (is_distance) sum += a * a;
        });
    if (param.kernel_type == LINEAR) return sum;
    if (param.kernel_type == RBF) return std::exp(-param.gamma * sum);
    const double base = param.gamma * sum + param.coef0;
    if (param.kernel_type == SIGMOID) return std::tanh(base);
    double power = 1, square = base;  // by squaring, the least significant bit first
    for (int bits = param.degree; bits > 0; bits /= 2) {
      if (bits % 2 == 1) power *= square;
      square *= square;
    }
    return power;
  }

  std::vector<double> values_of(const svm_node* x) const {
    std::vector<double> kernel, values;
    for (std::size_t s = 0; s < model_.vectors.size(); ++s) kernel.push_back(kernel_value(x, s));
    if (!model_.is_classifier()) {
      double sum = 0;
      for (std::size_t s = 0; s < kernel.size(); ++s) sum += model_.coefficients[0][s] * kernel[s];
      return {sum - model_.rho[0]};
    }
    std::vector<std::size_t> first = {0};
    for (const int size : model_.sizes) first.push_back(first.back() + static_cast<unsigned>(size));
    for (std::size_t a = 0; a < model_.labels.size(); ++a) {
      for (std::size_t b = a + 1; b < model_.labels.size(); ++b) {
        double sum = 0;
        for (std::size_t s = first[a]; s < first[a + 1]; ++s) {
          sum += model_.coefficients[b - 1][s] * kernel[s];
        }
        for (std::size_t s = first[b]; s < first[b + 1]; ++s) {
          sum += model_.coefficients[a][s] * kernel[s];
        }
        values.push_back(sum - model_.rho[values.size()]);
      }
    }
    return values;
  }

  double label_of(const std::vector<double>& values) const {
    if (!model_.is_classifier()) {
      if (model_.param.svm_type != ONE_CLASS) return values[0];
      return values[0] > 0 ? 1 : -1;
    }
    std::vector<int> votes(model_.labels.size(), 0);
    std::size_t pair = 0;
    for (std::size_t a = 0; a < votes.size(); ++a) {
      for (std::size_t b = a + 1; b < votes.size(); ++b) ++votes[values[pair++] > 0 ? a : b];
    }
    const auto most = std::max_element(votes.begin(), votes.end());
    return model_.labels[static_cast<std::size_t>(most - votes.begin())];
  }

  double normal_probability(double value) const {
    const std::vector<double>& marks = model_.marks;
    if (value < marks.front()) return 0.001;
    if (value > marks.back()) return 0.999;
    for (std::size_t m = 1; m < marks.size(); ++m) {
      if (value < marks[m]) return static_cast<double>(m) / static_cast<double>(marks.size());
    }
    return 0;
  }

  using Matrix = std::vector<std::vector<double>>;

  std::vector<double> probabilities_of(const std::vector<double>& values) const {
    constexpr double kLeast = 1e-7;
    const std::size_t k = model_.labels.size();
    Matrix first_wins(k, std::vector<double>(k, 0.0));
    std::size_t pair = 0;
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = a + 1; b < k; ++b, ++pair) {
        const double z = values[pair] * model_.slopes[pair] + model_.offsets[pair];
        double p = z >= 0 ? std::exp(-z) / (1.0 + std::exp(-z)) : 1.0 / (1 + std::exp(z));
        if (!(p > kLeast)) p = kLeast;  // also if it is NaN
        if (!(p < 1 - kLeast)) p = 1 - kLeast;
        first_wins[a][b] = p;
        first_wins[b][a] = 1 - p;
      }
    }
    if (k == 2) return {first_wins[0][1], first_wins[1][0]};
    return couple(first_wins);
  }

  // Minimises p'Qp over the probabilities p, one of them after the other.
  static std::vector<double> couple(const Matrix& first_wins) {
    const std::size_t k = first_wins.size();
    std::vector<double> p(k, 1.0 / static_cast<double>(k)), product(k);
    Matrix q(k, std::vector<double>(k, 0.0));
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = 0; b < k; ++b) {
        if (b == a) continue;
        q[a][a] += first_wins[b][a] * first_wins[b][a];
        q[a][b] = a < b ? -first_wins[b][a] * first_wins[a][b] : q[b][a];
      }
    }
    for (std::size_t round = 0; round < std::max<std::size_t>(100, k); ++round) {
      double whole = 0, worst = 0;
      for (std::size_t a = 0; a < k; ++a) {
        product[a] = 0;
        for (std::size_t b = 0; b < k; ++b) product[a] += q[a][b] * p[b];
        whole += p[a] * product[a];
      }
      for (const double each : product) {
        if (std::fabs(each - whole) > worst) worst = std::fabs(each - whole);
      }
      if (worst < 0.005 / static_cast<double>(k)) break;
      for (std::size_t a = 0; a < k; ++a) {
        const double step = (whole - product[a]) / q[a][a];
        p[a] += step;
        whole += step * (step * q[a][a] + 2 * product[a]);
        whole = whole / (1 + step) / (1 + step);
        for (std::size_t b = 0; b < k; ++b) {
          product[b] = (product[b] + step * q[a][b]) / (1 + step);
          p[b] /= 1 + step;
        }
      }
    }
    return p;
  }

  const ModelNumbers& model_;
};

// --- models and rows to predict ---

struct Form {
  int svm_type, classes;
};
inline constexpr Form kForms[] = {{C_SVC, 2}, {ONE_CLASS, 0}, {C_SVC, 3},  {EPSILON_SVR, 0},
                                  {C_SVC, 7}, {NU_SVC, 2},    {NU_SVR, 0}, {C_SVC, 1}};

// A model of random coefficients, some of them 0, and with classes that have no support vectors.
inline ModelNumbers model_of(const Form& form, const svm_parameter& param, std::vector<Row> vectors,
                             Draws& draws) {
  ModelNumbers model;
  model.param = param;
  model.param.svm_type = form.svm_type;
  const std::size_t l = vectors.size(), k = static_cast<std::size_t>(form.classes);
  model.vectors = std::move(vectors);
  std::size_t left = l;
  for (std::size_t c = 0; c < k; ++c) {
    const std::size_t own = c + 1 == k ? left : draws.below(2 * left / (k - c) + 1);
    model.labels.push_back(static_cast<int>(10 * ((c + 2) % k)));
    model.sizes.push_back(static_cast<int>(own));
    left -= own;
  }
  const std::size_t functions = k == 0 ? 1 : k * (k - 1) / 2;
  for (std::size_t c = 0; c < (k == 0 ? 1 : k - 1); ++c) {
    model.coefficients.emplace_back();
    for (std::size_t s = 0; s < l; ++s) {
      model.coefficients[c].push_back(draws.below(9) == 0 ? 0 : draws.between(-1, 1));
    }
  }
  for (std::size_t f = 0; f < functions; ++f) {
    model.rho.push_back(draws.between(-0.5, 0.5));
    if (k > 1) model.slopes.push_back(draws.between(-3, 0));
    if (k > 1) model.offsets.push_back(draws.between(-1, 1));
  }
  if (form.svm_type == ONE_CLASS) {
    for (int m = -5; m < 5; ++m) model.marks.push_back(m / 4.0);
  }
  return model;
}

// Rows that few forms of packed support vectors can take.
inline std::vector<Row> odd_rows() {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  return {{{-1, 0}},
          {{3, 0.5}, {2, 0.25}, {9, 1}, {-1, 0}},
          {{3, 0.5}, {3, 0.25}, {9, 1}, {-1, 0}},
          {{-7, 0.5}, {-5, 0.25}, {0, 1}, {3, 1}, {-1, 0}},
          {{2, nan}, {4, 1}, {-1, 0}},
          {{1, inf}, {4, 1}, {-1, 0}},
          {{1, 1}, {2147483647, -inf}, {-1, 0}},
          {{1, 1e300}, {2, -1e300}, {-1, 0}},
          {{1, 1e20}, {3, 1}, {100000, 1e20}, {-1, 0}},
          {{1, 5e-324}, {2, -1e-310}, {3, 0.0}, {4, -0.0}, {-1, 0}},
          {{1, 1e7 + 0.4}, {3, 1}, {-1, 0}}};
}

}  // namespace svm::test

#endif  // SVM_TESTS_MODEL_REFERENCE_PREDICTOR_H_
