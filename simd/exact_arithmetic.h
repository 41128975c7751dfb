// Is the arithmetic that of the sources?
#ifndef SVM_SIMD_EXACT_ARITHMETIC_H_
#define SVM_SIMD_EXACT_ARITHMETIC_H_

namespace svm {

// False where the compiler fuses products and sums into one rounding, so that results are not
// LIBSVM's to the bit: Clang does with -ffp-contract=fast, whatever the sources say.  Throws
// std::invalid_argument as instruction_set() does.
bool rounds_products();

}  // namespace svm

#endif  // SVM_SIMD_EXACT_ARITHMETIC_H_
