#include "scaling/feature_ranges.h"

#include <algorithm>

namespace svm {

// Of equal values the last one stays, which tells -0 from 0.
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
  if (place >= kAlwaysDense + 2 * pairs_) return sparse_[index];
  // Doubling keeps the number of moves out of sparse_ small.
  dense_.resize(std::max(place + 1, 2 * dense_.size()));
  for (auto i = sparse_.begin(); i != sparse_.end();) {
    const auto sparse_place = static_cast<std::size_t>(i->first);
    if (sparse_place < dense_.size()) {
      dense_[sparse_place] = i->second;
      i = sparse_.erase(i);
    } else {
      ++i;
    }
  }
  return dense_[place];
}

std::vector<FeatureRange> RangeCollector::features() const {
  std::vector<FeatureRange> out;
  const auto add = [&](int index, Entry feature) {
    if (feature.rows == 0) return;
    if (index > 0 && feature.rows < rows_) feature.include(0);
    out.push_back({index, {feature.min, feature.max}});
  };
  // No index beyond INT_MAX was ever met, so neither is one in use here.
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    if (dense_[i].rows > 0) add(static_cast<int>(i), dense_[i]);
  }
  const auto first_sparse = static_cast<std::ptrdiff_t>(out.size());
  for (const auto& [index, feature] : sparse_) add(index, feature);
  std::sort(out.begin() + first_sparse, out.end(),
            [](const FeatureRange& a, const FeatureRange& b) { return a.index < b.index; });
  return out;
}

}  // namespace svm
