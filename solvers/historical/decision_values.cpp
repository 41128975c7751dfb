#include "solvers/historical/decision_values.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "kernels/examples.h"

namespace svm {
namespace {

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
      : examples_(std::move(examples)), weights_(examples_.dimension()) {
    const double* values = examples_.values();
    is_binary_ =
        std::all_of(values, values + examples_.nonzeros(), [](double v) { return v == 1; });
  }

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
    if (is_binary_) {
      for (std::size_t p = examples_.begin(t); p < end; ++p) sum += weights_[features[p]];
    } else {
      for (std::size_t p = examples_.begin(t); p < end; ++p) {
        sum += weights_[features[p]] * values[p];
      }
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
  bool is_binary_;
  std::vector<double> weights_;  // w
};

}  // namespace

std::unique_ptr<DecisionValues> make_decision_values(KernelMatrix& kernel, DataRows linear_rows,
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
