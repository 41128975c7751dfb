#include "model/prediction.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/pairs.h"

namespace svm {
namespace {

// A term of a decision value: coefficients times the kernel values of a class.
struct KernelTerm {
  const double* coefficients;
  double* sum;
};

template <std::size_t Count>
void add_together(const KernelTerm* terms, const std::vector<double>& values, std::size_t begin,
                  std::size_t end) {
  std::array<double, Count> sums;
  for (std::size_t t = 0; t < Count; ++t) sums[t] = *terms[t].sum;
  for (std::size_t s = begin; s < end; ++s) {
    for (std::size_t t = 0; t < Count; ++t) sums[t] += terms[t].coefficients[s] * values[s];
  }
  for (std::size_t t = 0; t < Count; ++t) *terms[t].sum = sums[t];
}

// Adds several terms at a time, as each sum depends on its own previous addition only.
void add_terms(const std::vector<KernelTerm>& terms, const std::vector<double>& values,
               std::size_t begin, std::size_t end) {
  constexpr std::size_t kTogether = 4;
  std::size_t t = 0;
  for (; t + kTogether <= terms.size(); t += kTogether) {
    add_together<kTogether>(&terms[t], values, begin, end);
  }
  for (; t < terms.size(); ++t) add_together<1>(&terms[t], values, begin, end);
}

}  // namespace

double sigmoid_probability(double decision_value, double slope, double offset) {
  const double s = decision_value * slope + offset;
  return s >= 0 ? std::exp(-s) / (1.0 + std::exp(-s)) : 1.0 / (1 + std::exp(s));
}

std::vector<double> couple_probabilities(std::size_t classes, const std::vector<double>& pairwise,
                                         const Messages& messages) {
  const std::size_t k = classes;
  const std::size_t max_iterations = std::max<std::size_t>(100, k);
  const double tolerance = 0.005 / static_cast<double>(k);
  // Minimise p'Qp over the simplex.
  std::vector<double> q(k * k), p(k, 1.0 / static_cast<double>(k)), product(k);
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b < k; ++b) {
      if (a == b) continue;
      const double r_ba = pairwise[b * k + a];
      q[a * k + a] += r_ba * r_ba;
      q[a * k + b] = b < a ? q[b * k + a] : -r_ba * pairwise[a * k + b];
    }
  }
  std::size_t iteration = 0;
  for (; iteration < max_iterations; ++iteration) {
    double quadratic = 0;
    for (std::size_t a = 0; a < k; ++a) {
      product[a] = 0;
      for (std::size_t b = 0; b < k; ++b) product[a] += q[a * k + b] * p[b];
      quadratic += p[a] * product[a];
    }
    double largest_error = 0;
    for (std::size_t a = 0; a < k; ++a) {
      largest_error = std::max(largest_error, std::fabs(product[a] - quadratic));
    }
    if (largest_error < tolerance) break;
    for (std::size_t a = 0; a < k; ++a) {
      const double change = (-product[a] + quadratic) / q[a * k + a];
      p[a] += change;
      quadratic = (quadratic + change * (change * q[a * k + a] + 2 * product[a])) / (1 + change) /
                  (1 + change);
      for (std::size_t b = 0; b < k; ++b) {
        product[b] = (product[b] + change * q[a * k + b]) / (1 + change);
        p[b] /= (1 + change);
      }
    }
  }
  if (iteration >= max_iterations) messages.print("Exceeds max_iter in multiclass_prob\n");
  return p;
}

bool Predictor::has_class_probabilities() const {
  return model_.is_classifier() && model_.slopes != nullptr && model_.offsets != nullptr;
}

std::vector<double> Predictor::kernel_values(const DataRow& x) const {
  std::vector<double> values(model_.count);
  kernel_.of_row(x, model_.vectors, values.size(), values.data());
  return values;
}

double Predictor::single_value(const DataRow& x) const {
  const std::vector<double> values = kernel_values(x);
  double sum = 0;
  for (std::size_t s = 0; s < values.size(); ++s) sum += model_.coefficients[0][s] * values[s];
  return sum - model_.rho[0];
}

double Predictor::predict_values(const DataRow& x, double* decision_values) const {
  if (!model_.is_classifier()) {
    *decision_values = single_value(x);
    return prediction_of(decision_values);
  }
  const std::size_t k = model_.classes;
  if (k < 2) return prediction_of(decision_values);
  const std::vector<double> values = kernel_values(x);
  std::vector<double> sums(value_count(), 0.0);
  std::vector<KernelTerm> terms;
  for (std::size_t c = 0; c < k; ++c) {
    terms.clear();
    model_.for_each_stretch(
        model_.start[c], model_.start[c + 1],
        [&](const double* coefficients, std::size_t pair, std::size_t, std::size_t) {
          terms.push_back({coefficients, &sums[pair]});
        });
    add_terms(terms, values, model_.start[c], model_.start[c + 1]);
  }
  for (std::size_t pair = 0; pair < sums.size(); ++pair) {
    decision_values[pair] = sums[pair] - model_.rho[pair];
  }
  return prediction_of(decision_values);
}

double Predictor::prediction_of(const double* decision_values) const {
  if (!model_.is_classifier()) {
    if (model_.param.svm_type != ONE_CLASS) return *decision_values;
    return *decision_values > 0 ? 1 : -1;
  }
  std::vector<int> votes(model_.classes, 0);
  for_each_pair(model_.classes, [&](std::size_t pair, std::size_t a, std::size_t b) {
    ++votes[decision_values[pair] > 0 ? a : b];
  });
  return model_.labels[std::max_element(votes.begin(), votes.end()) - votes.begin()];
}

double Predictor::predict(const DataRow& x) const {
  std::vector<double> decision_values(value_count());
  return predict_values(x, decision_values.data());
}

double Predictor::predict_probability(const DataRow& x, double* probabilities) const {
  std::vector<double> decision_values(value_count());
  predict_values(x, decision_values.data());
  return probability_of(decision_values.data(), probabilities);
}

double Predictor::probability_of(const double* decision_values, double* probabilities) const {
  if (model_.param.svm_type == ONE_CLASS && model_.marks != nullptr) {
    if (probabilities != nullptr) {
      probabilities[0] = one_class_probability(*decision_values);
      probabilities[1] = 1 - probabilities[0];
    }
    return prediction_of(decision_values);
  }
  if (!has_class_probabilities()) return prediction_of(decision_values);

  constexpr double kLeastProbability = 1e-7;
  const std::size_t k = model_.classes;
  std::vector<double> pairwise(k * k);
  for_each_pair(k, [&](std::size_t pair, std::size_t a, std::size_t b) {
    const double p =
        sigmoid_probability(decision_values[pair], model_.slopes[pair], model_.offsets[pair]);
    pairwise[a * k + b] = std::min(std::max(p, kLeastProbability), 1 - kLeastProbability);
    pairwise[b * k + a] = 1 - pairwise[a * k + b];
  });
  const std::vector<double> p = k == 2 ? std::vector<double>{pairwise[1], pairwise[2]}
                                       : couple_probabilities(k, pairwise, messages_);
  if (probabilities != nullptr) std::copy(p.begin(), p.end(), probabilities);
  return model_.labels[std::max_element(p.begin(), p.end()) - p.begin()];
}

double Predictor::one_class_probability(double decision_value) const {
  const double* marks = model_.marks;
  if (decision_value < marks[0]) return 0.001;
  if (decision_value > marks[kDensityMarks - 1]) return 0.999;
  for (std::size_t i = 1; i < kDensityMarks; ++i) {
    if (decision_value < marks[i]) {
      return static_cast<double>(i) / static_cast<double>(kDensityMarks);
    }
  }
  return 0;  // exactly at the last mark; LIBSVM returns the same
}

}  // namespace svm
