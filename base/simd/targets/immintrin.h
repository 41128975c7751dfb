// Includes Intel's intrinsics without GCC's warnings about their deliberately undefined registers,
// which appear even at the places that inline the intrinsics.
#ifndef SVM_BASE_SIMD_TARGETS_IMMINTRIN_H_
#define SVM_BASE_SIMD_TARGETS_IMMINTRIN_H_

#include "base/simd/processor.h"

#if defined(SVM_HAS_X86_LOOPS)

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <immintrin.h>

#endif

#endif  // SVM_BASE_SIMD_TARGETS_IMMINTRIN_H_
