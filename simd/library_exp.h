// What is known of the C library's exp.
#ifndef SVM_SIMD_LIBRARY_EXP_H_
#define SVM_SIMD_LIBRARY_EXP_H_

namespace svm {

// Is its error known to be at most 0.512 units in the last place where the result is normal, as
// Loops::library_exp asks for?  The GNU C library's is from version 2.28 on (0.511).
bool library_exp_is_close();

}  // namespace svm

#endif  // SVM_SIMD_LIBRARY_EXP_H_
