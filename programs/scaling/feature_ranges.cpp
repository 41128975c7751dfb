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
  if (place < dense_.size()) return dense_[place];
  if (place >= dense_.capacity()) {
    if (place >= kAlwaysDense + 2 * pairs_) return sparse_[index];
    // Doubling limits the number of moves from sparse_.
    dense_.reserve(std::max(place + 1, 2 * dense_.capacity()));
    for (auto i = sparse_.begin(); i != sparse_.end();) {
      if (static_cast<std::size_t>(i->first) < dense_.capacity()) {
        dense_entry(static_cast<std::size_t>(i->first)) = i->second;
        i = sparse_.erase(i);
      } else {
        ++i;
      }
    }
  }
  return dense_entry(place);
}

std::vector<FeatureRange> RangeCollector::take_features() {
  const auto complete = [&](int index, Entry& feature) {
    if (index > 0 && feature.rows < rows_) feature.include(0);
    return feature.min < feature.max;
  };
  std::size_t varying = 0;
  // No index beyond INT_MAX has occurred, so none is in use here either.
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    if (complete(static_cast<int>(i), dense_[i])) ++varying;
  }
  for (auto& [index, feature] : sparse_) {
    if (complete(index, feature)) ++varying;
  }

  std::vector<FeatureRange> out;
  out.reserve(varying);
  const auto add = [&](int index, const Entry& feature) {
    if (feature.min < feature.max) out.push_back({index, {feature.min, feature.max}});
  };
  for (std::size_t i = 0; i < dense_.size(); ++i) add(static_cast<int>(i), dense_[i]);
  const auto first_sparse = static_cast<std::ptrdiff_t>(out.size());
  for (const auto& [index, feature] : sparse_) add(index, feature);
  std::sort(out.begin() + first_sparse, out.end(),
            [](const FeatureRange& a, const FeatureRange& b) { return a.index < b.index; });
  dense_ = std::vector<Entry>();  // frees the memory
  sparse_.clear();
  return out;
}

}  // namespace svm
