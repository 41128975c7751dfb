// The part of a table whose loops count bits or multiply whole numbers.  They differ if a processor
// has instructions for that; all other loops do not.
#ifndef SVM_BASE_SIMD_LOOPS_COUNTING_TABLE_H_
#define SVM_BASE_SIMD_LOOPS_COUNTING_TABLE_H_

#include "base/simd/loops.h"
#include "base/simd/loops/bit_loops.h"
#include "base/simd/loops/product_loops.h"
#include "base/simd/loops/single_loops.h"
#include "base/simd/processor.h"

namespace svm {
namespace {

// Each member is the function of the same name.
constexpr void set_counting_loops(Loops& t) {
  t.bit_sums_double = bit_sums<double>;
  t.digit_bits = RowDigit::kBits;
  if constexpr (kHasTrainingLoops) {
    t.bit_values = bit_values;
    t.bit_sums_float = bit_sums<float>;
    t.float_values = float_values;
    t.float_sums = float_sums;
    t.product_values = product_values;
    t.product_sums = product_sums;
    t.float_norm = float_norm;
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_COUNTING_TABLE_H_
