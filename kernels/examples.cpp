#include "kernels/examples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace svm {

namespace {

constexpr double kMostInFloat = 0x1p24;  // whole numbers up to it are floats

// What the first of two passes finds: how much memory the second one needs, and whether rows are
// regular.
struct Survey {
  std::size_t nonzeros = 0;
  int smallest = 0, largest = 0;
  bool is_regular = true;
  bool has_ones_only = true;

  void add(const Survey& later) {
    nonzeros += later.nonzeros;
    smallest = std::min(smallest, later.smallest);
    largest = std::max(largest, later.largest);
    is_regular = is_regular && later.is_regular;
    has_ones_only = has_ones_only && later.has_ones_only;
  }
};

}  // namespace

Examples::Examples(DataRows rows, std::size_t count, const RowPasses& passes)
    : rows_(rows.copy(count)), begin_(count + 1, 0), squared_norms_(count), exact_products_(count) {
  const auto survey_rows = [&](std::size_t begin, std::size_t end, Survey& found) {
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t values = 0;
      int last = 0;
      rows_[i].for_each([&](int index, double value) {
        found.smallest = std::min(found.smallest, index);
        found.largest = std::max(found.largest, index);
        if ((values > 0 && index <= last) || !std::isfinite(value)) found.is_regular = false;
        if (value != 1) found.has_ones_only = false;
        last = index;
        ++values;
      });
      begin_[i + 1] = values;
      found.nonzeros += values;
    }
  };
  const Survey all = passes.collect(count, Survey(), survey_rows);
  smallest_index_ = all.smallest;
  is_regular_ = all.is_regular;
  has_ones_only_ = all.has_ones_only;
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  if (all.nonzeros > 0) {
    features_.resize(all.nonzeros);
    values_.resize(all.nonzeros);
  }
  passes.over(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t at = begin_[i];
      double squared_norm = 0;
      bool is_whole = true;
      rows_[i].for_each([&](int index, double value) {
        features_.data()[at] = distance(index);
        values_.data()[at++] = value;
        squared_norm += value * value;
        is_whole = is_whole && value == std::trunc(value);
      });
      squared_norms_[i] = squared_norm;
      // No dot product exceeds the larger of the two squared norms.
      exact_products_[i] = is_whole && squared_norm <= kMostInFloat ? 1 : 0;
    }
  });
  if (all.nonzeros == 0) return;
  largest_squared_norm_ = *std::max_element(squared_norms_.begin(), squared_norms_.end());
  const long long range = static_cast<long long>(all.largest) - all.smallest + 1;
  number_features_densely(static_cast<std::size_t>(range));
}

void Examples::FeatureValues::meet(double value) {
  least = distinct == 0 ? value : std::min(least, value);
  most = distinct == 0 ? value : std::max(most, value);
  for (unsigned char k = 0; k < distinct && k < 2; ++k) {
    if (first[k] == value) return;
  }
  if (distinct < 2) first[distinct] = value;
  if (distinct < 3) ++distinct;
}

void Examples::FeatureValues::add(const FeatureValues& later) {
  count += later.count;
  sum += later.sum;
  if (later.distinct == 0) return;
  for (unsigned char k = 0; k < later.distinct && k < 2; ++k) meet(later.first[k]);
  distinct = std::max(distinct, later.distinct);
  least = std::min(least, later.least);
  most = std::max(most, later.most);
}

std::size_t Examples::piece_for_features() const {
  constexpr double kValuesPerFeature = 8;
  if (nonzeros() == 0) return RowPasses::kPieceRows;
  const double values_per_row = static_cast<double>(nonzeros()) / static_cast<double>(size());
  const double rows = kValuesPerFeature * static_cast<double>(dimension_) / values_per_row;
  const double most = std::min(rows, static_cast<double>(size()));
  return std::max(RowPasses::kPieceRows, static_cast<std::size_t>(most));
}

std::vector<Examples::FeatureValues> Examples::feature_values(const RowPasses& passes) const {
  const auto meet = [](FeatureValues& found, std::uint32_t, double value) {
    found.meet(value);
    found.sum += value;
    ++found.count;
  };
  std::vector<FeatureValues> features = find_by_feature<FeatureValues>(passes, meet);
  for (FeatureValues& feature : features) {
    if (feature.count < size()) feature.meet(0);
  }
  return features;
}

std::size_t Examples::used_features() const {
  std::vector<bool> is_used(dimension_, false);
  for (std::size_t p = 0; p < nonzeros(); ++p) is_used[features_.data()[p]] = true;
  return static_cast<std::size_t>(std::count(is_used.begin(), is_used.end(), true));
}

// Engines use memory for each feature, so a row "1 2000000000:1" must not cost gigabytes.  Numbers
// stay distances between indices if there are at least as many values, or if they are few.
void Examples::number_features_densely(std::size_t range) {
  constexpr std::size_t kSmall = 1 << 12;
  dimension_ = range;
  if (dimension_ <= kSmall || dimension_ <= nonzeros()) return;
  numbers_are_distances_ = false;
  std::uint32_t* const features = features_.data();
  std::vector<std::uint32_t> used(features, features + nonzeros());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (std::size_t p = 0; p < nonzeros(); ++p) {
    const auto place = std::lower_bound(used.begin(), used.end(), features[p]);
    features[p] = static_cast<std::uint32_t>(place - used.begin());
  }
  dimension_ = used.size();
}

}  // namespace svm
