// What an x86-64 processor and its operating system can execute.
#ifndef SVM_BASE_SIMD_X86_PROCESSOR_H_
#define SVM_BASE_SIMD_X86_PROCESSOR_H_

#include "base/simd/processor.h"

#if defined(SVM_HAS_X86_LOOPS)

namespace svm {

bool has_avx2();         // with fma
bool has_avx512();       // the parts f, dq, bw and vl, and AVX2
bool has_avx512_vnni();  // the parts vpopcntdq, bitalg and vnni, which say nothing of the others

}  // namespace svm

#endif

#endif  // SVM_BASE_SIMD_X86_PROCESSOR_H_
