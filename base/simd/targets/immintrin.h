// Includes Intel's intrinsics without GCC's warnings about their deliberately undefined registers,
// which appear even at the places that inline the intrinsics. In place of MSVC, Clang's header
// includes only those for instructions that options allow, so the others are included here.
#ifndef SVM_BASE_SIMD_TARGETS_IMMINTRIN_H_
#define SVM_BASE_SIMD_TARGETS_IMMINTRIN_H_

#include "base/simd/processor.h"

#if defined(SVM_HAS_X86_LOOPS)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <immintrin.h>

#if defined(_MSC_VER)
// The first of them are for the others.
// clang-format off
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <fmaintrin.h>
#include <avx512fintrin.h>
#include <avx512bwintrin.h>
#include <avx512bitalgintrin.h>
#include <avx512dqintrin.h>
#include <avx512vlintrin.h>
#include <avx512vlbwintrin.h>
#include <avx512vlbitalgintrin.h>
#include <avx512vldqintrin.h>
#include <avx512vnniintrin.h>
#include <avx512vlvnniintrin.h>
#include <avx512vpopcntdqintrin.h>
#include <avx512vpopcntdqvlintrin.h>
// clang-format on
#endif

#endif

#endif  // SVM_BASE_SIMD_TARGETS_IMMINTRIN_H_
