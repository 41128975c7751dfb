#include "model/decisions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/pairs.h"

namespace svm {
namespace {

template <std::size_t Count>
void add_together(const KernelTerm* terms, const double* values, std::size_t begin,
                  std::size_t end) {
  std::array<double, Count> sums;
  for (std::size_t t = 0; t < Count; ++t) sums[t] = *terms[t].sum;
  for (std::size_t s = begin; s < end; ++s) {
    for (std::size_t t = 0; t < Count; ++t) {
      sums[t] += terms[t].coefficients[s] * values[s - begin];
    }
  }
  for (std::size_t t = 0; t < Count; ++t) *terms[t].sum = sums[t];
}

// Adds several terms at a time, as each sum depends on its own previous addition only.  values[s -
// begin] is the value of vector s.
void add_stretch(const std::vector<KernelTerm>& terms, const double* values, std::size_t begin,
                 std::size_t end) {
  constexpr std::size_t kTogether = 4;
  std::size_t t = 0;
  for (; t + kTogether <= terms.size(); t += kTogether) {
    add_together<kTogether>(&terms[t], values, begin, end);
  }
  for (; t < terms.size(); ++t) add_together<1>(&terms[t], values, begin, end);
}

}  // namespace

void Decisions::add_terms(std::size_t first, std::size_t last, const double* kernel_values,
                          std::vector<KernelTerm>& terms, double* sums, std::size_t stride) const {
  if (model_.functions() == 1) {
    const std::size_t end = model_.is_classifier() ? std::min(last, model_.start.back()) : last;
    if (first >= end) return;
    const KernelTerm term = {model_.coefficients[0], sums};
    return add_together<1>(&term, kernel_values, first, end);
  }
  for (std::size_t c = 0; c < model_.classes; ++c) {
    const std::size_t begin = std::max(first, model_.start[c]);
    const std::size_t end = std::min(last, model_.start[c + 1]);
    if (begin >= end) continue;
    terms.clear();
    model_.for_each_stretch(
        begin, end,
        [&](const double* coefficients, std::size_t function, std::size_t, std::size_t) {
          terms.push_back({coefficients, sums + function * stride});
        });
    add_stretch(terms, kernel_values + (begin - first), begin, end);
  }
}

double sigmoid_probability(double decision_value, double slope, double offset) {
  const double s = decision_value * slope + offset;
  return s >= 0 ? std::exp(-s) / (1.0 + std::exp(-s)) : 1.0 / (1 + std::exp(s));
}

void couple_probabilities(std::size_t classes, DecisionWork& work, const Messages& messages) {
  const std::size_t k = classes;
  const std::size_t max_iterations = std::max<std::size_t>(100, k);
  const double tolerance = 0.005 / static_cast<double>(k);
  // Minimise p'Qp over the simplex.
  const std::vector<double>& pairwise = work.pairwise;
  std::vector<double>&q = work.q, &p = work.p, &product = work.product;
  q.assign(k * k, 0.0);
  p.assign(k, 1.0 / static_cast<double>(k));
  product.assign(k, 0.0);
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
}

bool has_probabilities(int svm_type, const double* slopes, const double* offsets,
                       const double* marks) {
  if (svm_type == ONE_CLASS) return marks != nullptr;
  return is_classification(svm_type) && slopes != nullptr && offsets != nullptr;
}

bool has_probabilities(const svm_model& model) {
  return has_probabilities(model.param.svm_type, model.probA, model.probB, density_marks(model));
}

double Decisions::prediction_of(const double* decision_values) const {
  if (!model_.is_classifier()) {
    if (model_.param.svm_type != ONE_CLASS) return *decision_values;
    return *decision_values > 0 ? 1 : -1;
  }
  if (model_.classes == 2) return model_.labels[*decision_values > 0 ? 0 : 1];
  const auto wins = [&](std::size_t a, std::size_t b) {
    return (decision_values[pair_number(model_.classes, a, b)] > 0) == (a < b) ? 1 : -1;
  };
  return model_.labels[most_voted(model_.classes, wins)];
}

double Decisions::probability_of(const double* decision_values, double* probabilities,
                                 DecisionWork& work) const {
  if (!has_probabilities()) return prediction_of(decision_values);
  if (model_.param.svm_type == ONE_CLASS) {
    if (probabilities != nullptr) {
      probabilities[0] = one_class_probability(*decision_values);
      probabilities[1] = 1 - probabilities[0];
    }
    return prediction_of(decision_values);
  }

  constexpr double kLeastProbability = 1e-7;
  const std::size_t k = model_.classes;
  std::vector<double>& pairwise = work.pairwise;
  pairwise.assign(k * k, 0.0);
  for_each_pair(k, [&](std::size_t pair, std::size_t a, std::size_t b) {
    const double p =
        sigmoid_probability(decision_values[pair], model_.slopes[pair], model_.offsets[pair]);
    // The order of the arguments is LIBSVM's for NaN, which becomes the least probability.
    pairwise[a * k + b] = std::min(1 - kLeastProbability, std::max(kLeastProbability, p));
    pairwise[b * k + a] = 1 - pairwise[a * k + b];
  });
  if (k == 2) {
    work.p.assign({pairwise[1], pairwise[2]});
  } else {
    couple_probabilities(k, work, messages_);
  }
  if (probabilities != nullptr) std::copy(work.p.begin(), work.p.end(), probabilities);
  return model_.labels[std::max_element(work.p.begin(), work.p.end()) - work.p.begin()];
}

double Decisions::one_class_probability(double decision_value) const {
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
