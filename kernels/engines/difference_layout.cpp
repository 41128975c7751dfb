#include "kernels/engines/difference_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/platform/numbers.h"
#include "kernels/engines/single_error.h"

namespace svm {
namespace {

// The exponent of a power of two whose square gives gamma an ordinary size.
int exponent_for(double gamma) {
  const int power = std::ilogb(gamma);
  return (power - (power & 1)) / 2;
}

}  // namespace

DifferenceLayout::DifferenceLayout(const KernelFunction& kernel, const Examples& examples,
                                   const Features& features, double most_bytes, double most_cost,
                                   const RowPasses& passes) {
  rounding = kInfinity;
  if (!kernel.of_distances() || !is_ordinary(kernel.gamma)) return;
  exponent = exponent_for(kernel.gamma);
  scale = std::ldexp(1.0, exponent);
  place_features(features);
  if (bytes() > most_bytes || cost() > most_cost) return;
  rounding = difference_rounding(kernel, examples, features, passes);
}

void DifferenceLayout::place_features(const Features& features) {
  constexpr std::size_t kFewBits = 3;  // cost as much as floats
  const auto bit_size = [](const Examples::FeatureValues& feature) {
    return feature.distinct == 2 ? feature.most - feature.least : 0.0;
  };
  std::map<double, std::size_t> sizes;
  for (const Examples::FeatureValues& feature : features) {
    if (bit_size(feature) > 0) ++sizes[bit_size(feature)];
  }
  const auto commonest = std::max_element(
      sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool has_bits = commonest != sizes.end() && commonest->second > kFewBits;
  double size = kInfinity;
  if (has_bits) size = commonest->first;
  std::uint32_t bits = 0;
  set_value.assign(features.size(), 0.0);
  for (std::size_t f = 0; f < features.size(); ++f) {
    const Examples::FeatureValues& feature = features[f];
    if (feature.distinct < 2) {
      places.push_back(kNoPlace);
    } else if (bit_size(feature) == size) {
      places.push_back(kMarkPlace + bits++);
      set_value[f] = feature.most != 0 ? feature.most : feature.least;
    } else {
      places.push_back(static_cast<std::uint32_t>(floats++));
      centres.push_back(feature.least + (feature.most - feature.least) / 2);
    }
  }
  words = (bits + 31) / 32;
  mark = has_bits ? (size * scale) * (size * scale) : 0.0;
}

float DifferenceLayout::stored(double value, std::size_t place) const {
  return static_cast<float>((value - centres[place]) * scale);
}

// The change of a distance is at most the sum of how far its two rows have moved; moved_bound()
// bounds the change of the value.
double DifferenceLayout::difference_rounding(const KernelFunction& kernel, const Examples& examples,
                                             const Features& features,
                                             const RowPasses& passes) const {
  constexpr double kMostDistance = 0x1p60;
  const auto is_float = [&](std::uint32_t f) {
    return places[f] != kNoPlace && !is_bit(places[f]);
  };
  double distance = mark * 32 * static_cast<double>(words);
  std::vector<std::uint32_t> shifted;
  for (std::uint32_t f = 0; f < features.size(); ++f) {
    if (!is_float(f)) continue;
    const double range = (features[f].most - features[f].least) * scale;
    distance += range * range;
    if (features[f].count < examples.size()) shifted.push_back(f);
  }
  if (!(distance < kMostDistance)) return kInfinity;
  const auto squares = [&](std::uint32_t f, double value) {
    if (!is_float(f)) return StoredSquares();
    const double wanted = (value - centres[places[f]]) * scale;
    const double error = std::fabs(static_cast<double>(stored(value, places[f])) - wanted) +
                         std::fabs(value) * scale * 0x1p-53;
    return StoredSquares{error * error};
  };
  const double moved = stored_rows(examples, shifted, passes, squares).error.distance;
  return rounding_of_bound(moved_bound(std::ldexp(kernel.gamma, -2 * exponent), moved));
}

}  // namespace svm
