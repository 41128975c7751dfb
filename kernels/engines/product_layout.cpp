#include "kernels/engines/product_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/platform/numbers.h"
#include "kernels/engines/single_error.h"

namespace svm {
namespace {

using Features = std::vector<Examples::FeatureValues>;
using Place = ProductPlaces::Place;

// The numbers of places in a part of the floats that come into question, the longest first.  The
// columns of a part fit into the first-level cache.
constexpr std::array<std::size_t, 6> kPartPlaces = {128, 64, 32, 16, 8, 4};

// What floats are stored less.
std::vector<double> zeros_of(const std::vector<TypicalValue>& typical, bool of_distances) {
  std::vector<double> zeros(typical.size(), 0.0);
  if (!of_distances) return zeros;
  for (std::size_t f = 0; f < zeros.size(); ++f) {
    zeros[f] = typical[f].is_most ? typical[f].frequent : typical[f].mean;
  }
  return zeros;
}

// Calls use(words, floats) for some examples, as they are stored.
template <class Use>
void for_some_rows(const Examples& examples, const ProductPlaces& places, const Use& use) {
  constexpr std::size_t kSome = 512;
  std::vector<std::uint32_t> words(places.groups());
  std::vector<float> floats(places.floats());
  for (std::size_t i = 0; i < examples.size(); i += examples.size() / kSome + 1) {
    places.store(examples, i, words.data(), floats.data());
    use(words, floats);
  }
}

void meet_values(const Examples& examples, ProductLayout& layout) {
  std::size_t rows = 0, groups = 0, floats = 0;
  for_some_rows(examples, layout.places, [&](const auto& words, const auto& values) {
    ++rows;
    for (const std::uint32_t word : words) groups += word != 0 ? 1 : 0;
    for (const float value : values) floats += value != 0 ? 1 : 0;
  });
  layout.met_groups = static_cast<double>(groups) / static_cast<double>(rows);
  layout.met_floats = static_cast<double>(floats) / static_cast<double>(rows);
}

// What is known of all rows as they are stored: the largest squared norms, and the largest error.
struct StoredRows {
  double wholes = 0, floats = 0;
  StoredError error;

  void add(const StoredRows& later) {
    wholes = std::max(wholes, later.wholes);
    floats = std::max(floats, later.floats);
    error.distance = std::max(error.distance, later.error.distance);
    error.part = std::max(error.part, later.error.part);
  }
};

StoredRows stored_rows(const Examples& examples, const ProductPlaces& places,
                       const RowPasses& passes) {
  struct OfRow {
    double wholes = 0, floats = 0, error = 0;
    void add(const Place& place, double value, double sign) {
      const double stored = place.stored(value), moved = place.error(value);
      (place.is_whole ? wholes : floats) += sign * stored * stored;
      error += sign * moved * moved;
    }
  };
  OfRow absent;  // of a row without values
  for (const std::uint32_t f : places.shifted()) absent.add(places.of_features()[f], 0, 1);
  std::vector<bool> is_shifted(examples.dimension(), false);
  for (const std::uint32_t f : places.shifted()) is_shifted[f] = true;
  const auto meet_rows = [&](std::size_t begin, std::size_t end, StoredRows& all) {
    for (std::size_t i = begin; i < end; ++i) {
      OfRow row = absent;
      for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
        const std::uint32_t f = examples.features()[p];
        const Place& place = places.of_features()[f];
        if (place.number == ProductPlaces::kNone) continue;
        row.add(place, examples.values()[p], 1);
        if (is_shifted[f]) row.add(place, 0, -1);
      }
      const double error = std::sqrt(std::max(row.error, 0.0));
      const double norm = std::sqrt(examples.squared_norm(i));
      all.add({row.wholes, row.floats, {error, norm > 0 ? error / norm : 0}});
    }
  };
  return passes.collect(examples.size(), StoredRows(), meet_rows);
}

// What is known of distances by a sample of pairs of rows.
struct DistanceSample {
  double nearest = 0;  // the least distance of two rows that differ; 0 if none differ
  double moved = 0;    // the root of the mean square by which distances change, as rows are stored
                       // inexactly
};

DistanceSample sample_distances(const Examples& examples, const ProductPlaces& places) {
  constexpr std::size_t kSomePairs = 2048, kStride = 7919;
  DistanceSample sample;
  std::vector<double> differences(examples.dimension()), errors(examples.dimension());
  const auto add = [&](std::size_t i, double sign) {
    for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
      const std::uint32_t f = examples.features()[p];
      const Place& place = places.of_features()[f];
      if (place.number == ProductPlaces::kNone) continue;
      differences[f] += sign * examples.values()[p];
      errors[f] += sign * (place.error(examples.values()[p]) - place.error(0));
    }
  };
  double squares = 0, pairs = 0;
  // All pairs if there are few rows; else the second row is ever further behind the first one.
  const std::size_t rows = examples.size(), last = rows * (rows - 1) / 2;
  for (std::size_t n = 0; n < std::min(kSomePairs, last); ++n, ++pairs) {
    std::fill(differences.begin(), differences.end(), 0.0);
    std::fill(errors.begin(), errors.end(), 0.0);
    const std::size_t i = n * kStride % rows;
    add(i, 1);
    add((i + 1 + n / rows + (rows > kSomePairs ? n : 0)) % rows, -1);
    double exact = 0, change = 0;  // of the squared distance
    for (std::size_t f = 0; f < differences.size(); ++f) {
      exact += differences[f] * differences[f];
      change += errors[f] * (2 * differences[f] + errors[f]);
    }
    if (exact == 0) continue;
    const double distance = std::sqrt(exact);
    const double moved = change / (distance + std::sqrt(std::max(exact + change, 0.0)));
    sample.nearest = sample.nearest == 0 ? distance : std::min(sample.nearest, distance);
    squares += moved * moved;
  }
  sample.moved = pairs == 0 ? 0 : std::sqrt(squares / pairs);
  return sample;
}

// Chooses the scale of sums of distances so that the largest one takes 31 bits.  Returns false if
// whole numbers are too large for that.
bool scale_distances(const StoredRows& rows, ProductLayout& layout) {
  constexpr double kMost = 0x1.fp30;
  // Whole numbers are not negative, so their squared distance is at most the sum of the norms.
  const double most = 2 * rows.wholes + 4 * rows.floats;
  if (most == 0) return true;
  if (!is_ordinary(most)) return false;
  if (rows.floats == 0) return most <= kMost;
  layout.shift = std::ilogb(kMost / most);
  layout.shift -= layout.shift & 1;
  if (layout.has_wholes() && layout.shift < 0) return false;
  const double factor = std::ldexp(1.0, layout.shift / 2);
  layout.places.scale_floats(factor);
  layout.float_scale *= factor;
  return true;
}

// The largest errors of the squared norms of some rows of floats, if they are summed up as the
// loops do, in parts.
struct NormError {
  double relative = 0;  // without the rounding of parts
  double whole = 0;     // with parts rounded to whole numbers, relative to the largest norm
};

NormError norm_error(const Examples& examples, const ProductPlaces& places, std::size_t part) {
  NormError most;
  double largest = 0;
  for_some_rows(examples, places, [&](const auto&, const std::vector<float>& values) {
    double sums = 0, rounded = 0, exact = 0;
    for (std::size_t begin = 0; begin < values.size(); begin += part) {
      float sum = 0;
      for (std::size_t k = begin; k < std::min(begin + part, values.size()); ++k) {
        const double square = static_cast<double>(values[k]) * static_cast<double>(values[k]);
        sum = static_cast<float>(static_cast<double>(sum) + square);
        exact += square;
      }
      sums += static_cast<double>(sum);
      rounded += nearest_whole(static_cast<double>(sum));
    }
    if (exact == 0) return;
    most.relative = std::max(most.relative, std::fabs(sums - exact) / exact);
    most.whole = std::max(most.whole, std::fabs(rounded - exact));
    largest = std::max(largest, exact);
  });
  if (largest > 0) most.whole /= largest;
  return most;
}

// Estimates the error of values of distances, and chooses the parts of floats.
//
// If the distance d of two rows is off by m, and its square by s, the value exp(-gamma d^2) is off
// by (2 gamma d m + gamma s) exp(-gamma d^2).  For m stands three times the root of its mean
// square, by a sample of pairs; the errors with which rows are stored bound it, too.  s is the
// error of two norms and of twice a dot product, which near rows make as large as that of a norm;
// errors are taken for independent.  For it stands three times the largest error of a norm in a
// sample.
//
// No two rows are taken to be nearer than half of the least distance in the sample, unless they are
// equal: their distance is exact.  As there may be nearer ones, the estimate is an eighth of the
// error of the nearest at least.
void estimate_distances(const KernelFunction& kernel, const Examples& examples,
                        const RowPasses& passes, ProductLayout& layout) {
  constexpr double kFine = kMostRounding / 2, kDeviations = 3, kNearer = 8;
  layout.rounding = kInfinity;
  layout.float_scale = 1 / layout.places.unit();
  layout.places.scale_floats(layout.float_scale);
  const StoredRows rows = stored_rows(examples, layout.places, passes);
  if (!scale_distances(rows, layout)) return;
  if (!is_ordinary(kernel.gamma * layout.distance_unit())) return;
  const DistanceSample sample = sample_distances(examples, layout.places);
  const double root = std::sqrt(kernel.gamma), nearest = root * sample.nearest / 2;
  const double least = std::exp(-nearest * nearest);
  const double value = std::max(least, 1 / kNearer);
  const double slope =
      nearest * nearest < 0.5 ? kMostSlope : std::max(2 * nearest * least, kMostSlope / kNearer);
  const double moved = slope * root * std::min(kDeviations * sample.moved, 2 * rows.error.distance);
  const double largest_norm = std::ldexp(rows.floats, layout.shift);
  for (const std::size_t part : kPartPlaces) {
    const double squared =
        kDeviations * largest_norm * norm_error(examples, layout.places, part).whole;
    const double exponent = kernel.gamma * layout.distance_unit() * squared;
    const double rounding = std::max(kOrdinaryRounding, std::hypot(moved, value * exponent));
    if (rounding >= layout.rounding) continue;
    layout.part_places = part;
    layout.rounding = rounding;
    if (rounding <= kFine) return;
  }
}

// Estimates the error of values of dot products, and chooses the parts of floats.  The errors of
// dot products are as large as those of norms.
void estimate_dots(const KernelFunction& kernel, const Examples& examples, const RowPasses& passes,
                   ProductLayout& layout) {
  constexpr double kMostWholes = 0x1p31, kFine = kOrdinaryRounding / 2;
  layout.rounding = kInfinity;
  layout.float_scale = std::ldexp(1.0, -std::ilogb(std::sqrt(examples.largest_squared_norm())));
  layout.places.scale_floats(layout.float_scale);
  const StoredRows rows = stored_rows(examples, layout.places, passes);
  if (!(rows.wholes < kMostWholes)) return;
  double relative = kInfinity;
  for (const std::size_t part : kPartPlaces) {
    const double error = norm_error(examples, layout.places, part).relative;
    if (error >= relative) continue;
    layout.part_places = part;
    relative = error;
    if (error <= kFine) break;
  }
  layout.rounding = dot_rounding(kernel, examples, rows.error.part + relative / 2);
}

// True if sums of products of bytes by 128 take 31 bits.
bool groups_fit(const ProductPlaces& places) {
  constexpr std::size_t kOfGroup = std::size_t{4} * 255 * 128;
  constexpr std::size_t kMostGroups = (std::size_t{1} << 31) / kOfGroup - 1;
  return places.form() != WholeForm::kBytes || places.groups() <= kMostGroups;
}

}  // namespace

double ProductLayout::cost() const {
  // These are nanoseconds for a value, a group of whole numbers, a float in a list of its own or in
  // one of four rows, and a part of floats.
  constexpr double kValue = 0.38, kGroup = 0.023, kLone = 0.025, kTogether = 0.0135,
                   kLonePart = 0.1, kTogetherPart = 0.047;
  const auto floats = static_cast<double>(places.floats());
  const double parts = std::ceil(floats / static_cast<double>(part_places));
  return kValue + kGroup * met_groups +
         (has_lone_lists() ? kLone * met_floats + kLonePart * std::min(parts, met_floats)
                           : kTogether * floats + kTogetherPart * parts);
}

std::optional<ProductLayout> product_layout(const KernelFunction& kernel, const Examples& examples,
                                            const Features& features, Wholes wholes,
                                            double most_bytes, const RowPasses& passes) {
  const bool of_distances = kernel.of_distances();
  if (!is_ordinary(of_distances ? kernel.gamma : examples.largest_squared_norm())) return {};
  const std::vector<TypicalValue> typical =
      of_distances ? typical_values(examples) : std::vector<TypicalValue>(examples.dimension());
  const std::vector<double> zeros = zeros_of(typical, of_distances);
  const std::vector<NumberOrigin> origins = number_origins(features, typical, of_distances);
  passes.poll();
  std::vector<WholeNumbers> ways;
  if (wholes != Wholes::kNever) ways = ways_to_whole_numbers(examples, features, origins, passes);
  ways.push_back({1, WholeForm::kBytes, std::vector<bool>(features.size(), false)});
  std::vector<ProductLayout> layouts;
  for (const WholeNumbers& way : ways) {
    passes.poll();
    ProductLayout layout{{examples, features, way, origins, zeros, of_distances}};
    if (layout.places.bytes() > most_bytes || !groups_fit(layout.places)) continue;
    layout.part_places = kPartPlaces.front();
    meet_values(examples, layout);
    layouts.push_back(std::move(layout));
  }
  std::stable_sort(layouts.begin(), layouts.end(), [&](const auto& a, const auto& b) {
    if (wholes == Wholes::kIfPossible && a.has_wholes() != b.has_wholes()) return a.has_wholes();
    return a.cost() < b.cost();
  });
  for (ProductLayout& layout : layouts) {
    passes.poll();
    of_distances ? estimate_distances(kernel, examples, passes, layout)
                 : estimate_dots(kernel, examples, passes, layout);
    if (layout.rounding <= kMostRounding) return std::move(layout);
  }
  return {};
}

}  // namespace svm
