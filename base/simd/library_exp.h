// What is known about the precision of the C library's exp().
#ifndef SVM_BASE_SIMD_LIBRARY_EXP_H_
#define SVM_BASE_SIMD_LIBRARY_EXP_H_

namespace svm {

// True if its error is known to be at most 0.512 units in the last place for normal results, as
// Loops::library_exp requires. The GNU C library's error is 0.511 since version 2.28.
bool library_exp_is_close();

}  // namespace svm

#endif  // SVM_BASE_SIMD_LIBRARY_EXP_H_
