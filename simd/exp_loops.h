// Generic exp to float.  Included only by the files of one instruction set.
#ifndef SVM_SIMD_EXP_LOOPS_H_
#define SVM_SIMD_EXP_LOOPS_H_

#include <cmath>
#include <cstddef>

namespace svm {
namespace {

void exp_to_float(const double* x, std::size_t count, float* out) {
  for (std::size_t k = 0; k < count; ++k) out[k] = static_cast<float>(std::exp(x[k]));
}

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_EXP_LOOPS_H_
