#include "kernels/engines/float_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "platform/numbers.h"

namespace svm {
namespace {

// The exponent of a power of two whose square gives gamma an ordinary size.
int exponent_for(double gamma) {
  const int power = std::ilogb(gamma);
  return (power - (power & 1)) / 2;
}

}  // namespace

StoredError float_error(const Examples& examples, double scale) {
  return stored_error(examples, [&](std::size_t p) {
    const double value = examples.values()[p] * scale;
    return (static_cast<double>(static_cast<float>(value)) - value) / scale;
  });
}

double moved_bound(double gamma, double distance) {
  return 2 * kMostSlope * std::sqrt(gamma) * distance;
}

// If rows are off by a part of their norms, a dot product changes by up to twice that part of the
// product of the norms (Cauchy and Schwarz).
double dot_rounding(const KernelFunction& kernel, const Examples& examples, double part) {
  constexpr int kMostDegree = 8;
  double least = kInfinity, most = 0;  // squared norms that are not 0
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const double norm = examples.squared_norm(i);
    most = std::max(most, norm);
    if (norm > 0) least = std::min(least, norm);
  }
  if (!is_ordinary(most) || !is_ordinary(least)) return kInfinity;
  const double of_dot = kOrdinaryRounding + 2 * part;  // the product and the result are rounded
  if (kernel.type == LINEAR) return of_dot;
  const double gamma = kernel.gamma, coef0 = kernel.coef0;
  if (!is_ordinary(gamma) || !std::isfinite(coef0)) return kInfinity;
  const double largest = gamma * most + std::fabs(coef0);
  if (kernel.type == SIGMOID) {
    // The slope is 1 at most; values are taken to be as large as they can get.
    return of_dot * std::max(1.0, gamma * most / std::tanh(largest));
  }
  if (kernel.degree < 1 || kernel.degree > kMostDegree) return kInfinity;
  const double smallest = gamma * least + coef0;  // of the diagonal's powers
  if (smallest <= 0 || !is_ordinary(std::pow(smallest, kernel.degree)) ||
      !is_ordinary(std::pow(largest, kernel.degree))) {
    return kInfinity;
  }
  // A power multiplies the relative error; a negative coef0 that of what it is subtracted from.
  const double cancelled = (gamma * least + std::fabs(coef0)) / smallest;
  return of_dot * kernel.degree * std::pow(cancelled, kernel.degree);
}

FloatLayout::FloatLayout(const KernelFunction& kernel, const Examples& examples, double most_bytes,
                         const GoOn& go_on) {
  rounding = kInfinity;
  if (static_cast<double>(examples.used_features()) / 8 > most_bytes) return;  // each takes a bit
  if (kernel.of_distances()) {
    if (!is_ordinary(kernel.gamma)) return;
    exponent = exponent_for(kernel.gamma);
  } else {
    if (!is_ordinary(examples.largest_squared_norm())) return;
    exponent = -std::ilogb(std::sqrt(examples.largest_squared_norm()));
    const double part = float_error(examples, std::ldexp(1.0, exponent)).part;
    rounding = dot_rounding(kernel, examples, part);
    if (!(rounding <= kMostRounding)) return;
  }
  scale = std::ldexp(1.0, exponent);
  go_on_or_throw(go_on);
  const Features features = examples.feature_values();
  go_on_or_throw(go_on);
  place_features(features, kernel.of_distances());
  if (bytes() > most_bytes) {
    rounding = kInfinity;
    return;
  }
  go_on_or_throw(go_on);
  if (kernel.of_distances()) rounding = difference_rounding(kernel, examples, features);
}

void FloatLayout::place_features(const Features& features, bool by_differences) {
  constexpr std::size_t kFewBits = 3;  // cost as much as floats
  const auto bit_size = [&](const Examples::FeatureValues& feature) {
    if (by_differences) return feature.distinct == 2 ? feature.most - feature.least : 0.0;
    if (feature.distinct > 2 || (feature.distinct == 2 && feature.least != 0 && feature.most != 0))
      return 0.0;
    return std::max(feature.most, -feature.least);
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
    const bool is_useless = feature.distinct < 2 && (by_differences || feature.most == 0);
    if (is_useless || feature.count == 0) {
      places.push_back(kNoPlace);
    } else if (bit_size(feature) == size) {
      places.push_back(kMarkPlace + bits++);
      set_value[f] = feature.most != 0 ? feature.most : feature.least;
    } else {
      places.push_back(static_cast<std::uint32_t>(floats++));
      centres.push_back(by_differences ? feature.least + (feature.most - feature.least) / 2 : 0.0);
    }
  }
  words = (bits + 31) / 32;
  mark = has_bits ? (size * scale) * (size * scale) : 0.0;
}

float FloatLayout::stored(double value, std::size_t place) const {
  return static_cast<float>((value - centres[place]) * scale);
}

// The change of a distance is at most the sum of how far its two rows have moved; moved_bound()
// bounds the change of the value.
double FloatLayout::difference_rounding(const KernelFunction& kernel, const Examples& examples,
                                        const Features& features) const {
  constexpr double kMostDistance = 0x1p60;
  double distance = mark * 32 * static_cast<double>(words);
  for (std::size_t f = 0; f < features.size(); ++f) {
    const Examples::FeatureValues& feature = features[f];
    if (places[f] == kNoPlace || is_bit(places[f])) continue;
    const double range = (feature.most - feature.least) * scale;
    distance += range * range;
  }
  if (!(distance < kMostDistance)) return kInfinity;
  const double gamma = std::ldexp(kernel.gamma, -2 * exponent);
  return rounding_of_bound(moved_bound(gamma, stored_distance(examples, features)));
}

// The largest distance between a row and its stored form, times `scale`.
double FloatLayout::stored_distance(const Examples& examples, const Features& features) const {
  const auto squared_error = [&](double value, std::uint32_t place) {
    const double wanted = (value - centres[place]) * scale;
    const double error = std::fabs(static_cast<double>(stored(value, place)) - wanted) +
                         std::fabs(value) * scale * 0x1p-53;
    return error * error;
  };
  std::vector<double> of_zero(floats, 0.0);
  double zeros = 0, values = 0;  // the sum over all places; the most that values add to it
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (places[f] == kNoPlace || is_bit(places[f])) continue;
    if (features[f].count == examples.size()) continue;
    of_zero[places[f]] = squared_error(0, places[f]);
    zeros += of_zero[places[f]];
  }
  for (std::size_t i = 0; i < examples.size(); ++i) {
    double added = 0;
    for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
      const std::uint32_t place = places[examples.features()[p]];
      if (place == kNoPlace || is_bit(place)) continue;
      added += squared_error(examples.values()[p], place) - of_zero[place];
    }
    values = std::max(values, added);
  }
  return std::sqrt(zeros + values);
}

}  // namespace svm
