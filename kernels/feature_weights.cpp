#include "kernels/feature_weights.h"

#include <algorithm>
#include <string>

#include "base/io/number_text.h"

namespace svm {

double reach_of(double weight) {
  constexpr int kDigits = 5;
  std::string text;
  append_real(text, 1 / weight, kDigits);
  return parse_real(text).value;
}

std::pair<std::size_t, double> FeatureWeights::search(std::size_t place, int index) const {
  if (place > 0 && indices_[place - 1] >= index) place = 0;  // indices that do not rise
  const auto begin = indices_.begin();
  const auto found =
      std::lower_bound(begin + static_cast<std::ptrdiff_t>(place), indices_.end(), index);
  place = static_cast<std::size_t>(found - begin);
  if (found == indices_.end() || *found != index) return {place, others_};
  return {place + 1, weights_[place]};
}

WeightedRows::WeightedRows(const DataRows& rows, std::size_t count, const FeatureWeights& weights)
    : rows_(weights.empty() ? rows.copy(count) : std::vector<DataRow>()) {
  if (weights.empty()) return;
  std::vector<std::size_t> starts(count);
  for (std::size_t i = 0; i < count; ++i) {
    starts[i] = nodes_.size();
    weights.for_each(rows[i], [&](int index, double value) { nodes_.push_back({index, value}); });
    nodes_.push_back({-1, 0});
  }
  for (const std::size_t start : starts) rows_.emplace_back(nodes_.data() + start);
}

}  // namespace svm
