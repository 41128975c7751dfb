// The processors for which there are loops beyond the plain ones.  The compiler's own macros
// decide, here alone: every build compiles all files of simd/targets, and those for another
// processor are empty.  So one build may be for several processors (-arch x86_64 -arch arm64).
#ifndef SVM_SIMD_PROCESSOR_H_
#define SVM_SIMD_PROCESSOR_H_

// SVM_NO_SIMD leaves all of them out.  GCC for Windows needs an option to be safe with vectors of
// AVX2 (see CMakeLists.txt), of which SVM_UNALIGNED_VECTOR_MOVES tells.
#if defined(SVM_NO_SIMD)
#elif defined(__x86_64__) && \
    (!defined(__MINGW32__) || defined(__clang__) || defined(SVM_UNALIGNED_VECTOR_MOVES))
#define SVM_HAS_X86_LOOPS
#elif defined(__AARCH64EL__)
#define SVM_HAS_NEON_LOOPS
#endif

#endif  // SVM_SIMD_PROCESSOR_H_
