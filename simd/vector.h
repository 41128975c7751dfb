// Vectors of one width, for the generic loops.  Included only by the files of one instruction set,
// each of which says before how wide a register is:
//
//   namespace svm { namespace { constexpr int kVectorBytes = 64; } }
#ifndef SVM_SIMD_VECTOR_H_
#define SVM_SIMD_VECTOR_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace svm {
namespace {

// All of them hold kLanes values, so that they convert lane by lane.  Products and sums of vectors
// are never fused (-ffp-contract=off).
constexpr int kLanes = kVectorBytes / 8;
typedef double Doubles __attribute__((vector_size(kVectorBytes)));
typedef std::int64_t Longs __attribute__((vector_size(kVectorBytes)));
typedef float Floats __attribute__((vector_size(kVectorBytes / 2)));
typedef std::int32_t Ints __attribute__((vector_size(kVectorBytes / 2)));

// From and to memory of any alignment.
inline Doubles load(const double* from) {
  Doubles vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}
inline Doubles load(const float* from) {
  Floats vector;
  std::memcpy(&vector, from, sizeof(vector));
  return __builtin_convertvector(vector, Doubles);
}
inline void store(double* to, Doubles vector) { std::memcpy(to, &vector, sizeof(vector)); }
inline void store(float* to, Doubles vector) {
  const Floats rounded = __builtin_convertvector(vector, Floats);
  std::memcpy(to, &rounded, sizeof(rounded));
}

// The same value in every lane.
inline Doubles all(double value) { return value - Doubles{}; }

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_VECTOR_H_
