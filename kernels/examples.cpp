#include "kernels/examples.h"

#include <algorithm>

namespace svm {

Examples::Examples(const svm_node* const* rows, std::size_t count) {
  std::size_t nonzeros = 0;
  int max_index = -1;
  for (std::size_t i = 0; i < count; ++i) {
    for (const svm_node* node = rows[i]; node->index != -1; ++node) {
      ++nonzeros;
      max_index = std::max(max_index, node->index);
    }
  }
  begin_.reserve(count + 1);
  squared_norms_.reserve(count);
  features_.reserve(nonzeros);
  values_.reserve(nonzeros);
  begin_.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    double squared_norm = 0;
    for (const svm_node* node = rows[i]; node->index != -1; ++node) {
      features_.push_back(static_cast<std::uint32_t>(node->index));
      values_.push_back(node->value);
      squared_norm += node->value * node->value;
    }
    squared_norms_.push_back(squared_norm);
    begin_.push_back(features_.size());
  }
  number_features_densely(max_index);
}

// One scratch value per feature is kept by the engines, so a row "1 2000000000:1" must not cost
// gigabytes.  Indices that are dense enough stay as they are.
void Examples::number_features_densely(int max_index) {
  constexpr std::size_t kSmall = 1 << 20;
  dimension_ = static_cast<std::size_t>(max_index) + 1;
  if (max_index < 0) dimension_ = 0;
  if (dimension_ <= kSmall || dimension_ <= features_.size()) return;
  std::vector<std::uint32_t> used(features_);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (std::uint32_t& feature : features_) {
    const auto place = std::lower_bound(used.begin(), used.end(), feature);
    feature = static_cast<std::uint32_t>(place - used.begin());
  }
  dimension_ = used.size();
}

}  // namespace svm
