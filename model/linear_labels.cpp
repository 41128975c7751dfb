// Labels by the linear kernel: a decision value is one dot product with a vector of weights.  It is
// not LIBSVM's to the bit, whose sum runs over the support vectors, but its sign is nearly always
// certain.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "model/labels.h"

namespace svm {
namespace {

class LinearLabels final : public Labels {
 public:
  LinearLabels(const ModelView& model, Features features)
      : Labels(model),
        features_(std::move(features)),
        weights_(model.functions() * features_.size(), 0.0),
        sizes_(model.functions(), 0.0) {
    for (std::size_t n = 0; n < model.arrays(); ++n) {
      const double* const values = model.coefficients[n];
      coefficients_.insert(coefficients_.end(), values, values + model.count);
    }
    Features::Row row;
    model.for_each_stretch(
        0, model.count,
        [&](const double* coefficients, std::size_t function, std::size_t begin, std::size_t end) {
          double* const weights = weights_.data() + function * features_.size();
          for (std::size_t s = begin; s < end; ++s) {
            features_.place(model.vectors[s], row);
            double squares = 0;
            for (const auto& entry : row.entries) {
              weights[entry.number] += coefficients[s] * entry.value;
              squares += entry.value * entry.value;
            }
            sizes_[function] += std::fabs(coefficients[s]) * std::sqrt(squares);
          }
        });
    if (model.functions() == 1) set_table();
  }

  std::size_t bytes() const override {
    return (weights_.size() + coefficients_.size() + sizes_.size() + table_.size()) *
               sizeof(double) +
           features_.bytes();
  }

  bool has_current_coefficients() const override {
    const double* kept = coefficients_.data();
    for (std::size_t n = 0; n < model().arrays(); ++n) {
      const double* const values = model().coefficients[n];
      if (!std::equal(values, values + model().count, kept)) return false;
      kept += model().count;
    }
    return true;
  }

  // With indices that do not rise, LIBSVM leaves products out.
  bool predict_at_once(const DataRow& x, double& prediction) const override {
    if (table_.empty()) return false;
    const auto range = static_cast<long long>(table_.size());
    double sum = 0, squares = 0;
    long long last = std::numeric_limits<long long>::min();
    bool is_orderly = true;
    x.for_each([&](int index, double value) {
      const long long place = static_cast<long long>(index) - first_index_;
      is_orderly = is_orderly && place > last;
      last = place;
      if (place < 0 || place >= range) return;
      sum += table_[static_cast<std::size_t>(place)] * value;
      squares += value * value;
    });
    const int sign = certain_sign(sum - model().rho[0], bound(0, sum, error_of(squares)));
    if (!is_orderly || sign == 0) return false;
    prediction = model().is_classifier() ? model().labels[sign > 0 ? 0 : 1] : sign;
    return true;
  }

 protected:
  void prepare(const DataRow* rows, std::size_t count, Work& work) const override {
    for (std::size_t r = 0; r < count; ++r) {
      features_.place(rows[r], work.rows[r]);
      double squares = 0;
      for (const auto& entry : work.rows[r].entries) squares += entry.value * entry.value;
      work.errors[r].of_terms = error_of(squares);
    }
  }

  int sign(const Function& function, std::size_t row, Work& work) const override {
    constexpr std::size_t kChains = 4;  // of additions, each of which waits for its own last one
    const double* const weights = weights_.data() + function.number * features_.size();
    const auto& entries = work.rows[row].entries;
    double sums[kChains] = {};
    std::size_t k = 0;
    for (; k + kChains <= entries.size(); k += kChains) {
      for (std::size_t c = 0; c < kChains; ++c) {
        sums[c] += weights[entries[k + c].number] * entries[k + c].value;
      }
    }
    for (; k < entries.size(); ++k) sums[0] += weights[entries[k].number] * entries[k].value;
    const double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    return certain_sign(sum - model().rho[function.number],
                        bound(function.number, sum, work.errors[row].of_terms));
  }

 private:
  // LIBSVM's sums and those of the weights round once for each feature and support vector.
  double error_of(double squares) const {
    const double terms = static_cast<double>(2 * features_.size() + 2 * model().count + 16);
    return terms * 0x1p-52 * std::sqrt(squares);
  }

  // Bounds the error of a decision value.  Products below the normal numbers may lose all digits.
  double bound(std::size_t function, double sum, double error) const {
    const double rho = model().rho[function];
    return error * sizes_[function] + 0x1p-50 * (std::fabs(sum) + std::fabs(rho)) + 0x1p-960;
  }

  // Makes a table of the weights by feature number, unless it would be much larger than they are.
  void set_table() {
    constexpr std::size_t kMostPerFeature = 4;
    if (features_.size() == 0) return;
    first_index_ = features_.index(0);
    const int last = features_.index(features_.size() - 1);
    const auto range = static_cast<std::size_t>(last - first_index_ + 1);
    if (range / kMostPerFeature > features_.size()) return;
    table_.assign(range, 0.0);
    for (std::size_t f = 0; f < features_.size(); ++f) {
      table_[static_cast<std::size_t>(features_.index(f) - first_index_)] = weights_[f];
    }
  }

  const Features features_;
  std::vector<double> weights_;       // function, then feature
  std::vector<double> sizes_;         // of each function: sum of |coefficient| |support vector|
  std::vector<double> coefficients_;  // those that the weights were made of
  std::vector<double> table_;  // of a single function: weights from first_index_ on, or empty
  long long first_index_ = 0;
};

}  // namespace

std::unique_ptr<Labels> make_linear_labels(const ModelView& model, const Features& features) {
  return std::make_unique<LinearLabels>(model, features);
}

}  // namespace svm
