// The decision values of the solver platt.
#ifndef SVM_SOLVERS_HISTORICAL_DECISION_VALUES_H_
#define SVM_SOLVERS_HISTORICAL_DECISION_VALUES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/examples.h"
#include "kernels/matrix/kernel_matrix.h"

namespace svm {

// Kernel values and decision values, without the threshold, of a dual problem: from kernel rows, or
// with the linear kernel from the examples and the weight vector w.
class DecisionValues {
 public:
  virtual ~DecisionValues() = default;

  virtual double kernel(std::size_t s, std::size_t t) = 0;

  // True if kernel values are not rounded to float.
  virtual bool in_doubles() const = 0;

  // sum_s weights_s K_st
  virtual double value(std::size_t t, const std::vector<double>& weights) = 0;

  // Sets values[k] to offsets[k] + value(k, weights), for all k of `examples`, after the weights of
  // s and t changed.  To be called after every change of weights; with s == t and change_t == 0 if
  // only one changed.
  virtual void update(std::size_t s, double change_s, std::size_t t, double change_t,
                      const std::vector<std::size_t>& examples, const std::vector<double>& offsets,
                      std::vector<double>& values) = 0;
};

class RowValues final : public DecisionValues {
 public:
  explicit RowValues(KernelMatrix& kernel) : kernel_(kernel) {}

  double kernel(std::size_t s, std::size_t t) override {
    return s == t ? kernel_.diagonal(s) : kernel_.row(t)[s];
  }

  bool in_doubles() const override { return kernel_.in_doubles(); }

  double value(std::size_t t, const std::vector<double>& weights) override {
    return kernel_.row(t).visit([&](const auto* row) {
      constexpr std::size_t kSums = 8;  // independent ones, so that the compiler can use vectors
      std::array<double, kSums> sums{};
      std::size_t s = 0;
      for (; s + kSums <= weights.size(); s += kSums) {
        for (std::size_t k = 0; k < kSums; ++k) sums[k] += weights[s + k] * row[s + k];
      }
      double sum = 0;
      for (; s < weights.size(); ++s) sum += weights[s] * row[s];
      for (const double part : sums) sum += part;
      return sum;
    });
  }

  void update(std::size_t s, double change_s, std::size_t t, double change_t,
              const std::vector<std::size_t>& examples, const std::vector<double>& /*offsets*/,
              std::vector<double>& values) override {
    const KernelRow row_s = kernel_.row(s);
    const KernelRow row_t = kernel_.row(t);
    for (const std::size_t k : examples) {
      values[k] += change_s * row_s[k] + change_t * row_t[k];
    }
  }

 private:
  KernelMatrix& kernel_;
};

class FoldedValues final : public DecisionValues {
 public:
  explicit FoldedValues(Examples examples)
      : examples_(std::move(examples)), weights_(examples_.dimension()) {}

  double kernel(std::size_t s, std::size_t t) override {
    if (s == t) return examples_.squared_norm(s);
    const std::uint32_t* features = examples_.features();
    const double* values = examples_.values();
    std::size_t p = examples_.begin(s), q = examples_.begin(t);
    const std::size_t p_end = examples_.end(s), q_end = examples_.end(t);
    double sum = 0;
    while (p < p_end && q < q_end) {
      const std::uint32_t a = features[p], b = features[q];
      if (a == b) sum += values[p] * values[q];
      p += a <= b;
      q += b <= a;
    }
    return sum;
  }

  bool in_doubles() const override { return true; }

  double value(std::size_t t, const std::vector<double>& /*weights*/) override {
    const std::uint32_t* features = examples_.features();
    const double* values = examples_.values();
    const std::size_t end = examples_.end(t);
    double sum = 0;
    for (std::size_t p = examples_.begin(t); p < end; ++p) {
      sum += weights_[features[p]] * values[p];
    }
    return sum;
  }

  void update(std::size_t s, double change_s, std::size_t t, double change_t,
              const std::vector<std::size_t>& examples, const std::vector<double>& offsets,
              std::vector<double>& values) override {
    fold(s, change_s);
    fold(t, change_t);
    for (const std::size_t k : examples) values[k] = offsets[k] + value(k, weights_);
  }

 private:
  void fold(std::size_t t, double change) {
    for (std::size_t p = examples_.begin(t); p < examples_.end(t); ++p) {
      weights_[examples_.features()[p]] += change * examples_.values()[p];
    }
  }

  const Examples examples_;
  std::vector<double> weights_;  // w
};

// By the weight vector if `linear_rows` is not null, else by kernel rows; also by kernel rows if
// `go_on` returns false, as these need no preparation.  `kernel` must outlive the result.
inline std::unique_ptr<DecisionValues> make_decision_values(KernelMatrix& kernel,
                                                            DataRows linear_rows,
                                                            const GoOn& go_on) {
  try {
    if (linear_rows) {
      Examples examples(linear_rows, kernel.size(), go_on);
      if (examples.is_regular()) return std::make_unique<FoldedValues>(std::move(examples));
    }
  } catch (const Interrupted&) {
  }
  return std::make_unique<RowValues>(kernel);
}

}  // namespace svm

#endif  // SVM_SOLVERS_HISTORICAL_DECISION_VALUES_H_
