#include "programs/scaling/feature_ranges.h"

#include <algorithm>

namespace svm {

// If values are equal, the last one stays, which matters for -0 and 0.
void RangeCollector::Entry::include(double value) {
  if (!(min < value)) min = value;
  if (!(max > value)) max = value;
}

void RangeCollector::add_row(double label, const svm_node* row) {
  target_.include(label);
  if (row->index != -1) min_index_ = std::min(min_index_, row->index);
  for (; row->index != -1; ++row) {
    ++pairs_;
    Entry& feature = entry(row->index);
    if (row->index > 0 && feature.rows < rows_) feature.include(0);
    feature.include(row->value);
    feature.rows = rows_ + 1;
  }
  ++rows_;
}

RangeCollector::Entry& RangeCollector::entry(int index) {
  constexpr std::size_t kAlwaysDense = 1024;
  const auto place = static_cast<std::size_t>(index);
  if (place < dense_.size() && dense_[place].rows > 0) return dense_[place];
  const auto found = sparse_.find(index);
  if (found != sparse_.end()) return found->second;
  if (place >= kAlwaysDense + 2 * pairs_) return sparse_[index];
  if (place >= dense_.size()) dense_.resize(place + 1);
  return dense_[place];
}

std::vector<FeatureRange> RangeCollector::take_features() {
  std::vector<FeatureRange> out;
  const auto add = [&](int index, Entry& feature) {
    if (index > 0 && feature.rows < rows_) feature.include(0);
    if (feature.min < feature.max) out.push_back({index, {feature.min, feature.max}});
  };
  for (std::size_t i = 0; i < dense_.size(); ++i) add(static_cast<int>(i), dense_[i]);
  for (auto& [index, feature] : sparse_) add(index, feature);
  dense_ = std::vector<Entry>();  // frees the memory
  sparse_.clear();
  std::sort(out.begin(), out.end(),
            [](const FeatureRange& a, const FeatureRange& b) { return a.index < b.index; });
  return out;
}

}  // namespace svm
