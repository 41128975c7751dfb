#include "kernels/engines/product_places.h"

#include <algorithm>

namespace svm {

ProductPlaces::ProductPlaces(const Examples& examples,
                             const std::vector<Examples::FeatureValues>& features,
                             const WholeNumbers& way, const std::vector<NumberOrigin>& origins,
                             const std::vector<double>& zeros, bool of_distances)
    : unit_(way.unit), form_(way.form), places_(features.size()) {
  for (std::size_t f = 0; f < features.size(); ++f) {
    const bool is_useless = features[f].distinct < 2 && (of_distances || features[f].most == 0);
    if (is_useless || features[f].count == 0) continue;
    const auto wholes = static_cast<std::uint32_t>(wholes_);
    const auto floats = static_cast<std::uint32_t>(floats_);
    const double sign = origins[f].sign;
    places_[f] = way.is_whole[f] ? Place{wholes, true, origins[f].zero, sign / unit_, sign * unit_}
                                 : Place{floats, false, zeros[f]};
    ++(way.is_whole[f] ? wholes_ : floats_);
    const bool is_shifted = places_[f].zero != 0 && features[f].count < examples.size();
    if (is_shifted) shifted_.push_back(static_cast<std::uint32_t>(f));
  }
}

void ProductPlaces::scale_floats(double factor) {
  for (Place& place : places_) {
    if (place.is_whole) continue;
    place.scale *= factor;
    place.inverse /= factor;
  }
}

void ProductPlaces::put(const Place& place, double value, std::uint32_t* words,
                        float* floats) const {
  if (!place.is_whole) {
    floats[place.number] = static_cast<float>(place.exact(value));
    return;
  }
  const std::size_t bits = 32 / per_group(), at = place.number % per_group() * bits;
  const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
  const auto number = static_cast<std::uint32_t>(static_cast<std::int32_t>(place.stored(value)));
  std::uint32_t& word = words[place.number / per_group()];
  word = (word & ~(mask << at)) | ((number & mask) << at);
}

void ProductPlaces::store(const Examples& examples, std::size_t example, std::uint32_t* words,
                          float* floats) const {
  std::fill_n(words, groups(), 0U);
  std::fill_n(floats, floats_, 0.0F);
  for (const std::uint32_t f : shifted_) put(places_[f], 0, words, floats);
  for (std::size_t p = examples.begin(example); p < examples.end(example); ++p) {
    const Place& place = places_[examples.features()[p]];
    if (place.number != kNone) put(place, examples.values()[p], words, floats);
  }
}

}  // namespace svm
