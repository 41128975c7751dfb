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

// Sums of rows of values, weighted by factors ---------------------------------------------------

// sums[k] += factor(r) * row(r)[k] for k < width, for r = 0, 1, ... count - 1. Products are rounded
// before they are added unless kFused is true. kVectors vectors of sums are in registers at a time.
template <bool kFused, std::size_t kVectors, class Row, class Factor>
inline void add_weighted_rows(double* sums, std::size_t count, std::size_t width, const Row& row,
                              const Factor& factor) {
  const auto add = [&](Doubles& sum, std::size_t r, Doubles values) {
    sum = kFused ? multiply_add(all(factor(r)), values, sum) : sum + factor(r) * values;
  };
  std::size_t k = 0;
  for (; k + kVectors * kLanes <= width; k += kVectors * kLanes) {
    Doubles sum[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) sum[v] = load(sums + k + v * kLanes);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) add(sum[v], r, load(row(r) + k + v * kLanes));
    }
    for (std::size_t v = 0; v < kVectors; ++v) store(sums + k + v * kLanes, sum[v]);
  }
  for (; k < width; k += kLanes) {
    const std::size_t some = lesser(kLanes, width - k);
    Doubles sum = load_some(sums + k, some);
    for (std::size_t r = 0; r < count; ++r) add(sum, r, load_some(row(r) + k, some));
    double rest[kLanes];
    store(rest, sum);
    std::memcpy(sums + k, rest, some * sizeof(double));
  }
}

template <class Value>
[[gnu::noinline]] void add_value_rows(double* sums, const Value* const* rows, std::size_t first,
                                      const double* factors, std::size_t count, std::size_t width) {
  add_weighted_rows<true, 8>(
      sums, count, width, [=](std::size_t r) { return rows[r] + first; },
      [=](std::size_t r) { return factors[r]; });
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_VECTOR_H_
