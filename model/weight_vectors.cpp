#include "model/weight_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "kernels/features.h"
#include "model/compensated_sum.h"

namespace svm {
namespace {

// Smaller products would be rounded as subnormal numbers, or to 0.
constexpr double kLeastProduct = 1e-290;

Features feature_slots(const VectorList& list) {
  FeatureCollector features;
  for (const SupportVector& vector : list.vectors) features.add(vector.row);
  return Features(features.take());
}

// Sums up the weights of one decision function after the other.
class WeightSums {
 public:
  explicit WeightSums(const VectorList& list)
      : list_(list),
        slots_(feature_slots(list)),
        weights_(slots_.size()),
        is_used_(slots_.size(), 0) {}

  // Adds the vectors [begin, end), each times its coefficient `number`.
  void add(std::size_t begin, std::size_t end, std::size_t number) {
    for (std::size_t s = begin; s < end; ++s) {
      const double coefficient = list_.coefficients_of(s)[number];
      if (coefficient == 0) continue;
      slots_.place(list_.vectors[s].row, row_);
      for (const Features::Entry& entry : row_.entries) {
        if (entry.value != 0) add(entry.number, coefficient * entry.value);
      }
    }
  }

  // Returns the sum as a row, and begins the next sum.
  std::vector<svm_node> take() {
    std::sort(used_.begin(), used_.end());
    std::vector<svm_node> row;
    for (const std::uint32_t slot : used_) {
      const double weight = weights_[slot].value();
      is_precise_ = is_precise_ && std::isfinite(weight);
      if (weight != 0) row.push_back({slots_.index(slot), weight});
      weights_[slot] = CompensatedSum();
      is_used_[slot] = 0;
    }
    used_.clear();
    row.push_back({-1, 0});
    return row;
  }

  bool is_precise() const { return is_precise_; }

 private:
  void add(std::uint32_t slot, double product) {
    is_precise_ = is_precise_ && std::fabs(product) >= kLeastProduct;
    weights_[slot].add(product);
    if (is_used_[slot] != 0) return;
    is_used_[slot] = 1;
    used_.push_back(slot);
  }

  const VectorList& list_;
  const Features slots_;
  Features::Row row_;
  std::vector<CompensatedSum> weights_;  // one for each slot
  std::vector<char> is_used_;
  std::vector<std::uint32_t> used_;
  bool is_precise_ = true;
};

}  // namespace

std::optional<WeightVectors> weight_vectors(const VectorList& list, std::size_t most_bytes) {
  const auto has_to_stay = [](const SupportVector& v) { return v.kept == KeptNodes::kAll; };
  if (std::any_of(list.vectors.begin(), list.vectors.end(), has_to_stay)) return std::nullopt;
  const std::size_t classes = list.width + 1;
  std::vector<std::size_t> begin(classes + 1, 0);  // where each class begins, and the end
  for (const SupportVector& vector : list.vectors) ++begin[vector.class_number + 1];
  for (std::size_t c = 0; c < classes; ++c) begin[c + 1] += begin[c];

  WeightSums sums(list);
  WeightVectors result;
  result.list.width = list.width;
  std::size_t bytes = 0;
  bool is_too_large = false;
  for_each_pair(classes, [&](std::size_t, std::size_t a, std::size_t b) {
    if (is_too_large) return;
    sums.add(begin[a], begin[a + 1], coefficient_array(a, b));
    sums.add(begin[b], begin[b + 1], coefficient_array(b, a));
    std::vector<svm_node> row = sums.take();
    if (row.size() == 1) return;
    bytes += vector_bytes(row.size() - 1, list.width);
    is_too_large = !sums.is_precise() || bytes >= most_bytes;
    result.list.add({row.data(), a, KeptNodes::kNonzero});
    result.list.coefficients_of(result.list.size() - 1)[coefficient_array(a, b)] = 1;
    result.rows.push_back(std::move(row));
  });
  if (!sums.is_precise() || bytes >= most_bytes) return std::nullopt;
  return result;
}

}  // namespace svm
