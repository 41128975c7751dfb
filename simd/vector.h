// Vectors of one width, for the generic loops.  Included only by the files of one instruction set,
// each of which says before what the loops are made of:
//
//   #define SVM_SIMD_LEVEL 2  // 0: plain, 1: AVX2 and FMA, 2: AVX-512 (parts f, dq, bw and vl),
//                             // 3: these and vpopcntdq
//
// What the compiler may use besides, by its options, changes nothing in the loops.
#ifndef SVM_SIMD_VECTOR_H_
#define SVM_SIMD_VECTOR_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if !defined(SVM_SIMD_LEVEL)
#error "SVM_SIMD_LEVEL is not defined"
#endif

namespace svm {
namespace {

constexpr int kVectorBytes = SVM_SIMD_LEVEL >= 2 ? 64 : SVM_SIMD_LEVEL == 1 ? 32 : 16;

// All of them hold kLanes values, so that they convert lane by lane.  Products and sums of vectors
// are never fused (-ffp-contract=off).
constexpr int kLanes = kVectorBytes / 8;
typedef double Doubles __attribute__((vector_size(kVectorBytes)));
typedef std::int64_t Longs __attribute__((vector_size(kVectorBytes)));
typedef float Floats __attribute__((vector_size(kVectorBytes / 2)));
typedef std::int32_t Ints __attribute__((vector_size(kVectorBytes / 2)));

// Floats that fill a register, for loops in float alone.
typedef float WideFloats __attribute__((vector_size(kVectorBytes)));
constexpr std::size_t kWideLanes = kVectorBytes / sizeof(float);
inline WideFloats load_wide(const float* from) {
  WideFloats vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}
inline void store_wide(float* to, WideFloats vector) { std::memcpy(to, &vector, sizeof(vector)); }

// From and to memory of any alignment.
inline Doubles load(const double* from) {
  Doubles vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}
inline Doubles load(const float* from) {
#if SVM_SIMD_LEVEL >= 2
  return _mm512_cvtps_pd(_mm256_loadu_ps(from));
#elif SVM_SIMD_LEVEL >= 1
  return _mm256_cvtps_pd(_mm_loadu_ps(from));
#else
  Floats vector;
  std::memcpy(&vector, from, sizeof(vector));
  return __builtin_convertvector(vector, Doubles);
#endif
}
inline void store(double* to, Doubles vector) { std::memcpy(to, &vector, sizeof(vector)); }
inline void store(float* to, Doubles vector) {
#if SVM_SIMD_LEVEL >= 2
  _mm256_storeu_ps(to, _mm512_cvtpd_ps(vector));
#elif SVM_SIMD_LEVEL >= 1
  _mm_storeu_ps(to, _mm256_cvtpd_ps(vector));
#else
  const Floats rounded = __builtin_convertvector(vector, Floats);
  std::memcpy(to, &rounded, sizeof(rounded));
#endif
}

// The same value in every lane.
inline Doubles all(double value) { return value - Doubles{}; }

// a * b + c; one or two roundings, which give the same where the product is exact.
inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
#if SVM_SIMD_LEVEL >= 2
  return _mm512_fmadd_pd(a, b, c);
#elif SVM_SIMD_LEVEL >= 1
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}

// One truth value per lane, and what is asked of them.  With a mask given first: those of its lanes
// only.  Flags are bytes in memory, one for each lane.
#if SVM_SIMD_LEVEL >= 2
typedef __mmask8 Mask;
typedef __m128i Flags;
inline Flags load_flags(const std::uint8_t* from) {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
}
inline Mask has_bit(Flags flags, std::uint8_t bit) {
  return static_cast<Mask>(_mm_test_epi8_mask(flags, _mm_set1_epi8(static_cast<char>(bit))));
}
inline Mask less(Doubles a, Doubles b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
inline Mask less(Mask mask, Doubles a, Doubles b) {
  return _mm512_mask_cmp_pd_mask(mask, a, b, _CMP_LT_OQ);
}
inline Mask not_less(Mask mask, Doubles a, Doubles b) {
  return _mm512_mask_cmp_pd_mask(mask, a, b, _CMP_NLT_UQ);
}
inline Mask less_equal(Mask mask, Doubles a, Doubles b) {
  return _mm512_mask_cmp_pd_mask(mask, a, b, _CMP_LE_OQ);
}
inline bool any(Mask a, Mask b) { return _kortestz_mask8_u8(a, b) == 0; }
inline Doubles choose(Mask mask, Doubles a, Doubles b) { return _mm512_mask_mov_pd(b, mask, a); }
inline Longs choose(Mask mask, Longs a, Longs b) {
  return (Longs)_mm512_mask_mov_epi64((__m512i)b, mask, (__m512i)a);
}
#else
typedef Longs Mask;
typedef Longs Flags;
inline Flags load_flags(const std::uint8_t* from) {
#if SVM_SIMD_LEVEL >= 1
  std::int32_t bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  return (Flags)_mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes));
#else
  Flags flags;
  for (int lane = 0; lane < kLanes; ++lane) flags[lane] = from[lane];
  return flags;
#endif
}
inline Mask has_bit(Flags flags, std::uint8_t bit) { return (flags & bit) != 0; }
inline Mask less(Doubles a, Doubles b) { return a < b; }
inline Mask less(Mask mask, Doubles a, Doubles b) { return mask & (a < b); }
inline Mask not_less(Mask mask, Doubles a, Doubles b) { return mask & ~(a < b); }
inline Mask less_equal(Mask mask, Doubles a, Doubles b) { return mask & (a <= b); }
inline bool any(Mask a, Mask b) {
  const Mask either = a | b;
#if SVM_SIMD_LEVEL >= 1
  return _mm256_testz_si256((__m256i)either, (__m256i)either) == 0;
#else
  std::int64_t bits = 0;
  for (int lane = 0; lane < kLanes; ++lane) bits |= either[lane];
  return bits != 0;
#endif
}
inline Doubles choose(Mask mask, Doubles a, Doubles b) { return mask ? a : b; }
inline Longs choose(Mask mask, Longs a, Longs b) { return mask ? a : b; }
#endif
inline bool any(Mask mask) { return any(mask, mask); }

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_VECTOR_H_
