#include "kernels/engines/product_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/platform/numbers.h"
#include "kernels/engines/single_error.h"

namespace svm {
namespace {

using FeatureList = std::vector<Examples::FeatureValues>;
using Place = ProductPlaces::Place;

// Whole numbers --------------------------------------------------------------------------------

// True if a feature is stored less 0: in distances, if most rows lack it.
bool keeps_zero(const Examples::FeatureValues& feature, bool of_distances, std::size_t rows) {
  return !of_distances || 2 * feature.count < rows;
}

// A way to store features as bytes that count one unit.
struct Recipe {
  double unit;

  // Where the numbers of a feature begin, and in which direction they count.
  Place place(const Examples::FeatureValues& feature, bool of_distances, std::size_t rows) const {
    if (keeps_zero(feature, of_distances, rows)) return {ProductPlaces::kNone, true, 0, 1 / unit};
    const double middle = feature.least + (feature.most - feature.least) / 2;
    return feature.mean(rows) > middle ? Place{ProductPlaces::kNone, true, feature.most, -1 / unit}
                                       : Place{ProductPlaces::kNone, true, feature.least, 1 / unit};
  }

  // Values may have six significant digits, as svm-scale writes them.
  static bool fits(const Place& place, double value) {
    constexpr double kDecimalError = 5.1e-6;
    const double number = place.stored(value);
    const double size = std::fabs(value) + std::fabs(place.zero);
    return number >= 0 && number <= 255 && std::fabs(place.error(value)) <= kDecimalError * size;
  }

  // True if so many features fit in some rows that a pass over all of them pays.
  bool is_likely(const Examples& examples, const FeatureList& features, bool of_distances) const {
    constexpr std::size_t kSome = 64, kLeastShare = 16;  // one feature in so many
    std::vector<bool> is_misfit(features.size());
    for (std::size_t i = 0; i < examples.size(); i += examples.size() / kSome + 1) {
      for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
        const std::uint32_t f = examples.features()[p];
        const Place where = place(features[f], of_distances, examples.size());
        if (!fits(where, examples.values()[p])) is_misfit[f] = true;
      }
    }
    std::size_t fitting = 0, used = 0;
    for (std::size_t f = 0; f < features.size(); ++f) {
      if (features[f].distinct < 2) continue;
      fitting += is_misfit[f] ? 0 : 1;
      ++used;
    }
    return kLeastShare * fitting > used;
  }

  std::vector<bool> fitting(const Examples& examples, const FeatureList& features,
                            bool of_distances, const RowPasses& passes) const {
    struct Misfits {
      std::size_t count = 0;
      void add(const Misfits& later) { count += later.count; }
    };
    std::vector<Place> places;
    for (const Examples::FeatureValues& feature : features) {
      places.push_back(place(feature, of_distances, examples.size()));
    }
    const std::vector<Misfits> misfits = examples.find_by_feature<Misfits>(
        passes, [&](Misfits& found, std::uint32_t f, double value) {
          found.count += fits(places[f], value) ? 0 : 1;
        });
    std::vector<bool> fitting;
    for (std::size_t f = 0; f < features.size(); ++f) {
      const bool has_zero = features[f].count < examples.size();
      fitting.push_back(misfits[f].count == 0 && (!has_zero || fits(places[f], 0)));
    }
    return fitting;
  }
};

// Bytes are whole numbers as they are, levels of the most common range, which svm-scale and a
// division by 255 make, or decimals with few digits.
std::vector<Recipe> recipes(const FeatureList& features) {
  std::map<double, std::size_t> ranges;
  for (const Examples::FeatureValues& feature : features) {
    if (feature.distinct > 1) ++ranges[feature.most - feature.least];
  }
  std::vector<Recipe> all = {{1}};
  const auto common =
      std::max_element(ranges.begin(), ranges.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (common != ranges.end() && is_ordinary(common->first)) {
    all.push_back({common->first / 255});
  }
  for (const double power : {1e1, 1e2, 1e3, 1e4}) all.push_back({1 / power});
  return all;
}

// Layouts --------------------------------------------------------------------------------------

// Leaves out features whose products, or differences if `of_distances` is true, are all 0.
ProductPlaces places_of(const Examples& examples, const FeatureList& features, const Recipe& recipe,
                        const std::vector<bool>& is_whole, bool of_distances) {
  ProductPlaces places;
  places.unit = recipe.unit;
  places.of.resize(features.size());
  for (std::size_t f = 0; f < features.size(); ++f) {
    const Examples::FeatureValues& feature = features[f];
    const bool is_useless = feature.distinct < 2 && (of_distances || feature.most == 0);
    if (is_useless || feature.count == 0) continue;
    Place& place = places.of[f];
    if (is_whole[f]) {
      place = recipe.place(feature, of_distances, examples.size());
    } else if (!keeps_zero(feature, of_distances, examples.size())) {
      place.zero = feature.mean(examples.size());
    }
    place.number = static_cast<std::uint32_t>(is_whole[f] ? places.wholes++ : places.floats++);
    if (place.zero != 0 && feature.count < examples.size()) {
      places.shifted.push_back(static_cast<std::uint32_t>(f));
    }
  }
  return places;
}

// True if sums of products of bytes by 128 take 31 bits.
bool groups_fit(const ProductPlaces& places) {
  constexpr std::size_t kOfGroup = std::size_t{4} * 255 * 128;
  constexpr std::size_t kMostGroups = (std::size_t{1} << 31) / kOfGroup - 1;
  return places.groups() <= kMostGroups;
}

// The places that take the fewest bytes.
ProductPlaces smallest_places(const Examples& examples, const FeatureList& features,
                              ProductPlaces places, bool of_distances, const RowPasses& passes) {
  for (const Recipe& recipe : recipes(features)) {
    passes.poll();
    if (places.floats == 0) break;
    if (!recipe.is_likely(examples, features, of_distances)) continue;
    ProductPlaces others =
        places_of(examples, features, recipe,
                  recipe.fitting(examples, features, of_distances, passes), of_distances);
    if (others.bytes() < places.bytes() && groups_fit(others)) places = std::move(others);
  }
  return places;
}

void scale_floats(ProductLayout& layout, double factor) {
  layout.float_scale *= factor;
  for (Place& place : layout.places.of) {
    if (!place.is_whole) place.scale *= factor;
  }
}

// Errors ---------------------------------------------------------------------------------------

// The numbers of places in a part of the floats that come into question, the longest first.  The
// columns of a part fit into the first-level cache.
constexpr std::array<std::size_t, 6> kPartPlaces = {128, 64, 32, 16, 8, 4};

// Calls use(words, floats) for some examples, as they are stored.
template <class Use>
void for_some_rows(const Examples& examples, const ProductPlaces& places, const Use& use) {
  constexpr std::size_t kSome = 512;
  std::vector<std::uint32_t> words(places.groups());
  std::vector<float> floats(places.floats);
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

StoredRows stored_rows_of(const Examples& examples, const ProductPlaces& places,
                          const RowPasses& passes) {
  return stored_rows(examples, places.shifted, passes, [&](std::uint32_t f, double value) {
    const Place& place = places.of[f];
    StoredSquares squares;
    if (place.number == ProductPlaces::kNone) return squares;
    const double stored = place.stored(value);
    (place.is_whole ? squares.wholes : squares.floats) = stored * stored;
    squares.error = std::pow(place.error(value), 2);
    return squares;
  });
}

// The root of the mean square by which distances of some pairs of rows change, as rows are stored
// inexactly.
double change_of_distances(const Examples& examples, const ProductPlaces& places) {
  constexpr std::size_t kSomePairs = 2048, kStride = 7919;
  std::vector<double> differences(examples.dimension()), errors(examples.dimension());
  std::vector<double> of_zero;  // errors
  for (const Place& place : places.of) of_zero.push_back(place.error(0));
  const auto add = [&](std::size_t i, double sign) {
    for (std::size_t p = examples.begin(i); p < examples.end(i); ++p) {
      const std::uint32_t f = examples.features()[p];
      const Place& place = places.of[f];
      if (place.number == ProductPlaces::kNone) continue;
      differences[f] += sign * examples.values()[p];
      errors[f] += sign * (place.error(examples.values()[p]) - of_zero[f]);
    }
  };
  double squares = 0;
  const std::size_t rows = examples.size();
  for (std::size_t n = 0; n < kSomePairs; ++n) {
    std::fill(differences.begin(), differences.end(), 0.0);
    std::fill(errors.begin(), errors.end(), 0.0);
    add(n * kStride % rows, 1);
    add((n * kStride + 1 + n) % rows, -1);  // ever further behind the first one
    double exact = 0, change = 0;           // of the squared distance
    for (std::size_t f = 0; f < differences.size(); ++f) {
      exact += differences[f] * differences[f];
      change += errors[f] * (2 * differences[f] + errors[f]);
    }
    if (exact == 0) continue;
    const double moved = change / (std::sqrt(exact) + std::sqrt(std::max(exact + change, 0.0)));
    squares += moved * moved;
  }
  return std::sqrt(squares / kSomePairs);
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
  scale_floats(layout, std::ldexp(1.0, layout.shift / 2));
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

// Chooses the longest parts of floats that are precise enough, else the most precise ones.
// rounding_of(error) is the error of values whose norms have that error.
template <class RoundingOf>
void choose_parts(const Examples& examples, ProductLayout& layout, const RoundingOf& rounding_of) {
  for (const std::size_t part : kPartPlaces) {
    const double rounding = rounding_of(norm_error(examples, layout.places, part));
    if (!(rounding < layout.rounding)) continue;
    layout.part_places = part;
    layout.rounding = rounding;
    if (rounding <= kMostRounding / 2) return;
  }
}

// Estimates the error of values of distances, and chooses the parts of floats.
//
// As rows are stored inexactly, distances change: by three times the root of the mean square in a
// sample, and at most by the errors of both rows.  Squared distances have the errors of two norms
// and of twice a dot product, which near rows make as large as that of a norm: three times the
// largest one in a sample.  Errors are taken for independent.
void estimate_distances(const KernelFunction& kernel, const Examples& examples,
                        const RowPasses& passes, ProductLayout& layout) {
  constexpr double kDeviations = 3;
  scale_floats(layout, 1 / layout.places.unit);
  const StoredRows rows = stored_rows_of(examples, layout.places, passes);
  if (!scale_distances(rows, layout)) return;
  if (!is_ordinary(kernel.gamma * layout.distance_unit())) return;
  const bool is_exact = layout.places.floats == 0 && rows.error.distance == 0;
  const double change = is_exact ? 0 : change_of_distances(examples, layout.places);
  const double moved =
      moved_bound(kernel.gamma, std::min(kDeviations * change / 2, rows.error.distance));
  const double largest_norm = std::ldexp(rows.floats, layout.shift);
  choose_parts(examples, layout, [&](const NormError& error) {
    const double squared = kDeviations * largest_norm * error.whole;
    const double exponent = kernel.gamma * layout.distance_unit() * squared;
    const double rounding = std::hypot(moved, exponent);  // NaN if values are too large
    return rounding <= kOrdinaryRounding ? kOrdinaryRounding : rounding;
  });
}

// Estimates the error of values of dot products, and chooses the parts of floats.  The errors of
// dot products are as large as those of norms.
void estimate_dots(const KernelFunction& kernel, const Examples& examples, const RowPasses& passes,
                   ProductLayout& layout) {
  constexpr double kMostWholes = 0x1p31;
  scale_floats(layout, std::ldexp(1.0, -std::ilogb(std::sqrt(examples.largest_squared_norm()))));
  const StoredRows rows = stored_rows_of(examples, layout.places, passes);
  if (!(rows.wholes < kMostWholes)) return;
  choose_parts(examples, layout, [&](const NormError& error) {
    return dot_rounding(kernel, examples, rows.error.part + error.relative / 2);
  });
}

}  // namespace

void ProductPlaces::put(const Place& place, double value, std::uint32_t* to_words,
                        float* to_floats) const {
  if (!place.is_whole) {
    to_floats[place.number] = static_cast<float>(place.exact(value));
    return;
  }
  const std::size_t at = place.number % kPerGroup * 8;
  const auto number = static_cast<std::uint32_t>(place.stored(value));
  std::uint32_t& word = to_words[place.number / kPerGroup];
  word = (word & ~(0xffU << at)) | (number << at);
}

void ProductPlaces::store(const Examples& examples, std::size_t example, std::uint32_t* to_words,
                          float* to_floats) const {
  std::fill_n(to_words, groups(), 0U);
  std::fill_n(to_floats, floats, 0.0F);
  for (const std::uint32_t f : shifted) put(of[f], 0, to_words, to_floats);
  for (std::size_t p = examples.begin(example); p < examples.end(example); ++p) {
    const Place& place = of[examples.features()[p]];
    if (place.number != kNone) put(place, examples.values()[p], to_words, to_floats);
  }
}

double ProductLayout::cost() const {
  // These are nanoseconds for a value, a group of whole numbers, a float in a list of its own or in
  // one of four rows, and a part of floats.
  constexpr double kValue = 0.38, kGroup = 0.023, kLone = 0.025, kTogether = 0.0135,
                   kLonePart = 0.1, kTogetherPart = 0.047;
  const auto floats = static_cast<double>(places.floats);
  const double parts = std::ceil(floats / static_cast<double>(part_places));
  return kValue + kGroup * met_groups +
         (has_lone_lists() ? kLone * met_floats + kLonePart * std::min(parts, met_floats)
                           : kTogether * floats + kTogetherPart * parts);
}

std::optional<ProductLayout> product_layout(const KernelFunction& kernel, const Examples& examples,
                                            const FeatureList& features, bool with_wholes,
                                            double most_bytes, const RowPasses& passes) {
  const bool of_distances = kernel.of_distances();
  if (!is_ordinary(of_distances ? kernel.gamma : examples.largest_squared_norm())) return {};
  const auto layout_of = [&](const ProductPlaces& places) -> std::optional<ProductLayout> {
    passes.poll();
    if (places.bytes() > most_bytes) return {};
    ProductLayout layout;
    layout.places = places;
    layout.rounding = kInfinity;
    meet_values(examples, layout);
    of_distances ? estimate_distances(kernel, examples, passes, layout)
                 : estimate_dots(kernel, examples, passes, layout);
    if (!(layout.rounding <= kMostRounding)) return {};
    return layout;
  };
  const ProductPlaces floats =
      places_of(examples, features, {1}, std::vector<bool>(features.size(), false), of_distances);
  if (static_cast<double>(floats.floats) > most_bytes) return {};  // a place takes a byte at least
  if (with_wholes) {
    const ProductPlaces places = smallest_places(examples, features, floats, of_distances, passes);
    std::optional<ProductLayout> layout;
    if (places.wholes > 0) layout = layout_of(places);
    if (layout) return layout;
  }
  return layout_of(floats);
}

}  // namespace svm
