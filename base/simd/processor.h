// Decides which loops other than the plain ones are compiled, by the compiler's own macros and only
// here. Every build compiles all files of base/simd/targets;
// those for other processors are empty. So one build may be for several processors (-arch x86_64
// -arch arm64).
#ifndef SVM_BASE_SIMD_PROCESSOR_H_
#define SVM_BASE_SIMD_PROCESSOR_H_

// SVM_NO_SIMD leaves all of them out. GCC for Windows needs an option to handle AVX2 vectors safely
// (see CMakeLists.txt); SVM_UNALIGNED_VECTOR_MOVES says that it was given.
#if defined(SVM_NO_SIMD)
#elif defined(__x86_64__) && \
    (!defined(__MINGW32__) || defined(__clang__) || defined(SVM_UNALIGNED_VECTOR_MOVES))
#define SVM_HAS_X86_LOOPS
#elif defined(__AARCH64EL__)
#define SVM_HAS_NEON_LOOPS
#endif

namespace svm {

// Whether tables have the loops that only training uses.
#if defined(SVM_PREDICT_ONLY)
inline constexpr bool kHasTrainingLoops = false;
#if defined(__clang__)  // there are loops that no table has
#pragma clang diagnostic ignored "-Wunneeded-internal-declaration"
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-const-variable"
#endif
#else
inline constexpr bool kHasTrainingLoops = true;
#endif

}  // namespace svm

#endif  // SVM_BASE_SIMD_PROCESSOR_H_
