// Features whose values are whole multiples of one unit, counted from a zero of their own.
#ifndef SVM_KERNELS_ENGINES_WHOLE_NUMBERS_H_
#define SVM_KERNELS_ENGINES_WHOLE_NUMBERS_H_

#include <cstddef>
#include <vector>

#include "base/simd/loops.h"
#include "kernels/examples.h"

namespace svm {

// What the numbers of a feature count from, and in which direction.  For kernels of distances, in
// which a shift or a reflection of a feature changes nothing, this is the end of the feature's
// range that more rows have; for others it is 0.
struct NumberOrigin {
  double zero = 0;
  double sign = 1;
};

// A way to store features as whole numbers: (value - zero) * sign / unit, rounded.
struct WholeNumbers {
  double unit = 1;
  WholeForm form = WholeForm::kBytes;
  std::vector<bool> is_whole;  // of each feature
};

// The nearest whole number of a value below 2^51; even in ties.
inline double nearest_whole(double value) {
  constexpr double kRounder = 0x1.8p52;
  return value + kRounder - kRounder;
}

// What some rows, spread over the data set, show of the values of a feature.
struct TypicalValue {
  double frequent = 0;   // the value that most of these rows have, if there is one; else any value
  bool is_most = false;  // whether most of these rows have it
  double mean = 0;
};
// One for each feature.
std::vector<TypicalValue> typical_values(const Examples& examples);

std::vector<NumberOrigin> number_origins(const std::vector<Examples::FeatureValues>& features,
                                         const std::vector<TypicalValue>& typical,
                                         bool of_distances);

// The ways that come into question.  Units are the 255th part of the largest range and of the most
// common one of a feature, and the greatest common divisor of decimal values.
std::vector<WholeNumbers> ways_to_whole_numbers(
    const Examples& examples, const std::vector<Examples::FeatureValues>& features,
    const std::vector<NumberOrigin>& origins, const RowPasses& passes);

}  // namespace svm

#endif  // SVM_KERNELS_ENGINES_WHOLE_NUMBERS_H_
