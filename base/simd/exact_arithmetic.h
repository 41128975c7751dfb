// A check that the compiler kept the arithmetic of the sources.
#ifndef SVM_BASE_SIMD_EXACT_ARITHMETIC_H_
#define SVM_BASE_SIMD_EXACT_ARITHMETIC_H_

namespace svm {

// Throws std::runtime_error if the compiler has changed floating-point arithmetic, so that results
// are not LIBSVM's to the bit. Clang does so with -ffp-contract=fast and with those parts of
// -ffast-math that no macro reveals.
void require_exact_arithmetic();

}  // namespace svm

#endif  // SVM_BASE_SIMD_EXACT_ARITHMETIC_H_
