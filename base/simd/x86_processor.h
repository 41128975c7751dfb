// What an x86-64 processor and its operating system can execute.
#ifndef SVM_BASE_SIMD_X86_PROCESSOR_H_
#define SVM_BASE_SIMD_X86_PROCESSOR_H_

#include "base/simd/processor.h"

#if defined(SVM_HAS_X86_LOOPS)

namespace svm {

inline bool has_avx2() {  // with fma
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

inline bool has_avx512() {  // the parts f, dq, bw and vl, and AVX2
  return has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
}

// The parts vpopcntdq, bitalg and vnni, which say nothing of the others.
inline bool has_avx512_vnni() {
  return __builtin_cpu_supports("avx512vpopcntdq") != 0 &&
         __builtin_cpu_supports("avx512bitalg") != 0 && __builtin_cpu_supports("avx512vnni") != 0;
}

}  // namespace svm

#endif

#endif  // SVM_BASE_SIMD_X86_PROCESSOR_H_
