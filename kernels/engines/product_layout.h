// The layout of examples as whole numbers and floats, for kernel values by dot products.
#ifndef SVM_KERNELS_ENGINES_PRODUCT_LAYOUT_H_
#define SVM_KERNELS_ENGINES_PRODUCT_LAYOUT_H_

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/engines/product_places.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"

namespace svm {

// The squared distance of two rows is the sum of their squared norms less twice their dot product.
// It does not change if a feature is shifted.  So features are stored less a zero of their own: the
// value that most rows have, if there is one, because passes leave out what is zero; else the mean,
// which makes norms small.  Other kernels take values as they are.
//
// Sums for distances are whole numbers in units of unit^2 / 2^shift, so small that the largest
// distance just takes 31 bits.
struct ProductLayout {
  ProductPlaces places;
  double met_groups = 0, met_floats = 0;  // those of an example that are not zero, on average
  int shift = 0;
  double float_scale = 1;       // what floats are multiplied by
  std::size_t part_places = 1;  // of floats in a part, see ProductRows
  double rounding = 0;          // the estimated error of a value

  bool has_wholes() const { return places.groups() > 0; }
  // True if each row has a list of its floats, and false if four rows share one.
  bool has_lone_lists() const {
    constexpr double kMostShare = 0.4;
    return met_floats < kMostShare * static_cast<double>(places.floats());
  }
  // The bytes of a row's lists, on average.
  double list_bytes() const {
    return 8 * met_groups +
           (has_lone_lists() ? 8 * met_floats : 5 * static_cast<double>(places.floats()));
  }
  // A rough estimate of the time for one value, in nanoseconds.
  double cost() const;

  // What dot products of whole numbers are multiplied by before those of floats are added.
  double factor() const { return std::pow(places.unit() * float_scale, 2); }
  // What sums count in, for the tail of a kernel of distances, and for that of another.
  double distance_unit() const { return std::ldexp(std::pow(places.unit(), 2), -shift); }
  double dot_unit() const { return std::pow(float_scale, -2); }
};

// Whether features are stored as whole numbers.
enum class Wholes { kNever, kIfCheaper, kIfPossible };

// The cheapest layout with an error of kMostRounding at most, if there is one that takes no more
// than `most_bytes` for an example.  Takes regular examples and their feature_values().  Throws
// Interrupted if `passes` does.
std::optional<ProductLayout> product_layout(const KernelFunction& kernel, const Examples& examples,
                                            const std::vector<Examples::FeatureValues>& features,
                                            Wholes wholes, double most_bytes,
                                            const RowPasses& passes);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PRODUCT_LAYOUT_H_
