#include "kernels/examples.h"

#include <algorithm>
#include <cmath>

namespace svm {

namespace {

constexpr double kMostInFloat = 0x1p24;          // whole numbers up to it are floats
constexpr std::size_t kValuesPerPoll = 1 << 16;  // rows count as well

// Polls after every kValuesPerPoll rows and values.
class PollCounter {
 public:
  explicit PollCounter(const GoOn& go_on) : go_on_(go_on) {}
  void count(std::size_t values) {
    done_ += values + 1;
    if (done_ < kValuesPerPoll) return;
    done_ = 0;
    go_on_or_throw(go_on_);
  }

 private:
  const GoOn& go_on_;
  std::size_t done_ = 0;
};

}  // namespace

Examples::Examples(DataRows rows, std::size_t count, const GoOn& go_on) : rows_(rows.copy(count)) {
  PollCounter polls(go_on);
  std::size_t nonzeros = 0;
  int largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t before = nonzeros;
    int last = 0;
    rows_[i].for_each([&](int index, double value) {
      smallest_index_ = std::min(smallest_index_, index);
      largest = std::max(largest, index);
      if (nonzeros > before && index <= last) is_regular_ = false;
      if (!std::isfinite(value)) is_regular_ = false;
      last = index;
      ++nonzeros;
    });
    polls.count(nonzeros - before);
  }
  begin_.reserve(count + 1);
  squared_norms_.reserve(count);
  features_.reserve(nonzeros);
  values_.reserve(nonzeros);
  begin_.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    double squared_norm = 0;
    bool is_whole = true;
    rows_[i].for_each([&](int index, double value) {
      features_.push_back(distance(index));
      values_.push_back(value);
      squared_norm += value * value;
      is_whole = is_whole && value == std::trunc(value);
    });
    squared_norms_.push_back(squared_norm);
    // No dot product exceeds the larger of the two squared norms.
    exact_products_.push_back(is_whole && squared_norm <= kMostInFloat ? 1 : 0);
    begin_.push_back(features_.size());
    polls.count(begin_[i + 1] - begin_[i]);
  }
  const long long range = static_cast<long long>(largest) - smallest_index_ + 1;
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

std::vector<Examples::FeatureValues> Examples::feature_values() const {
  std::vector<FeatureValues> features(dimension_);
  for (std::size_t p = 0; p < nonzeros(); ++p) {
    FeatureValues& feature = features[features_[p]];
    feature.meet(values_[p]);
    ++feature.count;
  }
  for (FeatureValues& feature : features) {
    if (feature.count < size()) feature.meet(0);
  }
  return features;
}

double Examples::largest_squared_norm() const {
  return squared_norms_.empty() ? 0
                                : *std::max_element(squared_norms_.begin(), squared_norms_.end());
}

std::size_t Examples::used_features() const {
  std::vector<bool> is_used(dimension_, false);
  for (const std::uint32_t feature : features_) is_used[feature] = true;
  return static_cast<std::size_t>(std::count(is_used.begin(), is_used.end(), true));
}

// Engines use memory for each feature, so a row "1 2000000000:1" must not cost gigabytes.  Numbers
// stay distances between indices if there are at least as many values, or if they are few.
void Examples::number_features_densely(std::size_t range) {
  constexpr std::size_t kSmall = 1 << 12;
  dimension_ = features_.empty() ? 0 : range;
  if (dimension_ <= kSmall || dimension_ <= features_.size()) return;
  numbers_are_distances_ = false;
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
