// Functions that follow from a target's vectors. The loops are compiled once for each target: its
// file (base/simd/targets/*.cpp) includes the target's primitives first, then the loops.
//
// Functions that take vectors must be inlined: after a call of one, GCC leaves the upper halves of
// registers in use, and all scalar code is slow until another loop clears them.  The compiler
// inlines the short ones; longer ones have the attribute always_inline.
//
// Everything is in an unnamed namespace, and nothing inline comes from the standard library: each
// target has its own copy, and the linker must not substitute one for all.
#ifndef SVM_BASE_SIMD_LOOPS_VECTOR_H_
#define SVM_BASE_SIMD_LOOPS_VECTOR_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace svm {
namespace {

constexpr std::size_t kLanes = kVectorBytes / sizeof(double);
constexpr std::size_t kWideLanes = kVectorBytes / sizeof(float);

constexpr std::size_t lesser(std::size_t a, std::size_t b) { return a < b ? a : b; }

// Load and store at any alignment.
inline Doubles load(const double* from) { return load_vector<Doubles>(from); }
inline void store(double* to, Doubles vector) { store_vector(to, vector); }
// The first `count` lanes, and 0 in the others.
template <class Value>
[[gnu::always_inline]] inline Doubles load_some(const Value* from, std::size_t count) {
  if (count == kLanes) return load(from);
  Value lanes[kLanes] = {};
  std::memcpy(lanes, from, count * sizeof(Value));
  return load(lanes);
}
inline WideFloats load_wide(const float* from) { return load_vector<WideFloats>(from); }
inline void store_wide(float* to, WideFloats vector) { store_vector(to, vector); }

inline WideInts load_wide_words(const std::uint32_t* from) { return load_vector<WideInts>(from); }

// `value` in every lane.
inline Doubles all(double value) { return value - Doubles{}; }
inline Longs all_longs(std::int64_t value) { return value - Longs{}; }

inline WideFloats all_wide(float value) { return value - WideFloats{}; }
inline WideInts all_wide_words(std::uint32_t word) {
  return same_bits<WideInts>(word - WideWords{});
}

inline Doubles absolute(Doubles x) {
  return same_bits<Doubles>(same_bits<Longs>(x) & all_longs(INT64_MAX));
}

inline bool any(Mask mask) { return any(mask, mask); }
inline bool every(Mask mask) { return bits_of(mask) == (1U << kLanes) - 1; }

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_VECTOR_H_
