// The tables that are compiled in; loops() chooses from them.
#ifndef SVM_SIMD_TARGETS_TABLES_H_
#define SVM_SIMD_TARGETS_TABLES_H_

#include "simd/loops.h"

namespace svm {

extern const Loops kPlainLoops;
#if defined(__x86_64__)
extern const Loops kAvx2Loops;
extern const Loops kAvx512Loops;
extern const Loops kAvx512VnniLoops;  // with the parts vpopcntdq and vnni
#elif defined(__AARCH64EL__)
extern const Loops kNeonLoops;
#endif

}  // namespace svm

#endif  // SVM_SIMD_TARGETS_TABLES_H_
