// The places of an example's features in a store for products: whole numbers or floats.
#ifndef SVM_KERNELS_ENGINES_PRODUCT_PLACES_H_
#define SVM_KERNELS_ENGINES_PRODUCT_PLACES_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/engines/whole_numbers.h"
#include "kernels/examples.h"

namespace svm {

class ProductPlaces {
 public:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
  // A feature is stored as (value - zero) * scale, rounded.
  struct Place {
    std::uint32_t number = kNone;  // among the whole numbers, or among the floats
    bool is_whole = false;
    double zero = 0, scale = 1, inverse = 1;  // of the scale

    double exact(double value) const { return (value - zero) * scale; }
    double stored(double value) const {
      return is_whole ? nearest_whole(exact(value))
                      : static_cast<double>(static_cast<float>(exact(value)));
    }
    // The error of the stored value, in values.
    double error(double value) const { return (stored(value) - exact(value)) * inverse; }
  };

  // Stores the features of `way` as whole numbers and all others as floats, less the zeros given
  // for them.  Leaves out features whose products, or differences if `of_distances` is true, are
  // all 0.
  ProductPlaces(const Examples& examples, const std::vector<Examples::FeatureValues>& features,
                const WholeNumbers& way, const std::vector<NumberOrigin>& origins,
                const std::vector<double>& zeros, bool of_distances);

  // An example takes so many words of whole numbers, and so many floats.
  std::size_t groups() const { return (wholes_ + per_group() - 1) / per_group(); }
  std::size_t floats() const { return floats_; }
  double bytes() const { return 4.0 * static_cast<double>(groups() + floats()); }
  double unit() const { return unit_; }  // of whole numbers
  WholeForm form() const { return form_; }

  const std::vector<Place>& of_features() const { return places_; }
  // The features that some rows lack and whose 0 is not stored as 0.
  const std::vector<std::uint32_t>& shifted() const { return shifted_; }
  void scale_floats(double factor);

  // Stores an example in groups() words and floats() floats.
  void store(const Examples& examples, std::size_t example, std::uint32_t* words,
             float* floats) const;

 private:
  std::size_t per_group() const { return form_ == WholeForm::kBytes ? 4 : 2; }
  void put(const Place& place, double value, std::uint32_t* words, float* floats) const;

  double unit_;
  WholeForm form_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> shifted_;
  std::size_t wholes_ = 0, floats_ = 0;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PRODUCT_PLACES_H_
