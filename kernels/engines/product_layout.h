// The layouts of examples for kernel values in single precision.
#ifndef SVM_KERNELS_ENGINES_PRODUCT_LAYOUT_H_
#define SVM_KERNELS_ENGINES_PRODUCT_LAYOUT_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"

namespace svm {

// The nearest whole number of a value below 2^51; even in ties.
inline double nearest_whole(double value) {
  constexpr double kRounder = 0x1.8p52;
  return value + kRounder - kRounder;
}

// Whole numbers and floats, for dot products: the places of features in the stored form of an
// example.
struct ProductPlaces {
  static constexpr std::size_t kPerGroup = 4;  // bytes in a word
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
  // A feature is stored as (value - zero) * scale, rounded to a whole number or to a float.
  struct Place {
    std::uint32_t number = kNone;  // among the whole numbers, or among the floats
    bool is_whole = false;
    double zero = 0, scale = 1;

    double exact(double value) const { return (value - zero) * scale; }
    double stored(double value) const {
      return is_whole ? nearest_whole(exact(value))
                      : static_cast<double>(static_cast<float>(exact(value)));
    }
    // The error of the stored value, in values.
    double error(double value) const { return (stored(value) - exact(value)) / scale; }
  };

  double unit = 1;        // of whole numbers
  std::vector<Place> of;  // each feature
  std::vector<std::uint32_t>
      shifted;  // features that some rows lack and whose 0 is not stored as 0
  std::size_t wholes = 0, floats = 0;  // numbers of places

  // An example takes so many words of whole numbers, besides floats.
  std::size_t groups() const { return (wholes + kPerGroup - 1) / kPerGroup; }
  double bytes() const { return 4.0 * static_cast<double>(groups() + floats); }

  // Stores an example in groups() words and `floats` floats.
  void store(const Examples& examples, std::size_t example, std::uint32_t* to_words,
             float* to_floats) const;

 private:
  void put(const Place& place, double value, std::uint32_t* to_words, float* to_floats) const;
};

// The squared distance of two rows is the sum of their squared norms less twice their dot product.
// It does not change if a feature is shifted or reflected.  So features that most rows have are
// stored less a zero of their own: whole numbers count from the end of their range that is nearer
// to the mean, because passes leave out what is zero, and floats from the mean, which makes norms
// small. Other kernels take values as they are.
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

  bool has_wholes() const { return places.wholes > 0; }
  // True if each row has a list of its floats, and false if four rows share one.
  bool has_lone_lists() const {
    constexpr double kMostShare = 0.4;
    return met_floats < kMostShare * static_cast<double>(places.floats);
  }
  // The bytes of a row's lists, on average.
  double list_bytes() const {
    return 8 * met_groups +
           (has_lone_lists() ? 8 * met_floats : 5 * static_cast<double>(places.floats));
  }
  // A rough estimate of the time for one value, in nanoseconds.
  double cost() const;

  // What dot products of whole numbers are multiplied by before those of floats are added.
  double factor() const { return std::pow(places.unit * float_scale, 2); }
  // What sums count in, for the tail of a kernel of distances, and for that of another.
  double distance_unit() const { return std::ldexp(std::pow(places.unit, 2), -shift); }
  double dot_unit() const { return std::pow(float_scale, -2); }
};

// A layout with an error of kMostRounding at most, if there is one that takes no more than
// `most_bytes` for an example: with whole numbers if they suit and `with_wholes` is true, else with
// floats alone.  Takes regular examples and their feature_values().  Throws Interrupted if `passes`
// does.
std::optional<ProductLayout> product_layout(const KernelFunction& kernel, const Examples& examples,
                                            const std::vector<Examples::FeatureValues>& features,
                                            bool with_wholes, double most_bytes,
                                            const RowPasses& passes);

// Floats and bits, for RBF values by squared differences.
// A feature that has two values only, one of which may be the zero of rows without it, is a bit if
// the values are as far apart as those of the other bits.  Features of one value are left out.  All
// other features are floats less the middle of their range, so that an offset costs no accuracy.
// Values are multiplied by a power of two that gives gamma an ordinary size.
struct DifferenceLayout {
  using Features = std::vector<Examples::FeatureValues>;

  // Takes regular examples and their feature_values().  `rounding` is infinite, and the layout is
  // of no use, if an example would take more than `most_bytes`, or a value more than `most_cost`,
  // or if the kernel is none of distances.
  DifferenceLayout(const KernelFunction& kernel, const Examples& examples, const Features& features,
                   double most_bytes, double most_cost, const RowPasses& passes = {});

  static constexpr std::uint32_t kNoPlace = static_cast<std::uint32_t>(-1);

  std::vector<std::uint32_t> places;  // of each feature, kMarkPlace + the bit, or kNoPlace
  std::vector<double> set_value;      // of each feature that is a bit: what it stands for, not 0
  std::vector<double> centres;        // of each place of floats
  std::size_t floats = 0, words = 0;  // of an example
  double mark = 0;                    // what a bit adds, multiplied
  int exponent = 0;
  double scale = 1;     // 2^exponent
  double rounding = 0;  // estimated error of a value; infinite if floats do not suit the data

  // What floats hold of a value.
  float stored(double value, std::size_t place) const;
  bool is_bit(std::uint32_t place) const { return place != kNoPlace && (place & kMarkPlace) != 0; }
  double bytes() const { return 4.0 * static_cast<double>(floats + words); }
  // A rough estimate of the time for one value, in nanoseconds.
  double cost() const { return 0.15 + 0.02 * static_cast<double>(floats + words); }

 private:
  void place_features(const Features& features);
  double difference_rounding(const KernelFunction& kernel, const Examples& examples,
                             const Features& features, const RowPasses& passes) const;
};

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_PRODUCT_LAYOUT_H_
