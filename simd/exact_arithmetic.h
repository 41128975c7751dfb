// Is the arithmetic that of the sources?
#ifndef SVM_SIMD_EXACT_ARITHMETIC_H_
#define SVM_SIMD_EXACT_ARITHMETIC_H_

namespace svm {

// Throws std::runtime_error where the compiler has made other arithmetic of what is written, so
// that results are not LIBSVM's to the bit.  Clang does with -ffp-contract=fast and with parts of
// -ffast-math, of which no macro tells.  Throws std::invalid_argument as instruction_set() does.
void require_exact_arithmetic();

}  // namespace svm

#endif  // SVM_SIMD_EXACT_ARITHMETIC_H_
