// The layout of examples as floats and bits, for RBF values by squared differences.
#ifndef SVM_KERNELS_ENGINES_DIFFERENCE_LAYOUT_H_
#define SVM_KERNELS_ENGINES_DIFFERENCE_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/examples.h"
#include "kernels/kernel_function.h"

namespace svm {

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

#endif  // SVM_KERNELS_ENGINES_DIFFERENCE_LAYOUT_H_
