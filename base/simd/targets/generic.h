// What targets have in common: the vector types of the compiler's extension, and primitives for
// targets that have no instruction for them. Included by targets only.
#ifndef SVM_BASE_SIMD_TARGETS_GENERIC_H_
#define SVM_BASE_SIMD_TARGETS_GENERIC_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd/bit_blocks.h"

namespace svm {
namespace {

// All vectors except the wide ones have the same number of lanes, so that they convert lane by
// lane. Products and sums of vectors are never fused (-ffp-contract=off).
template <std::size_t kBytes>
struct Vectors {
  typedef double Doubles __attribute__((vector_size(kBytes)));
  typedef std::int64_t Longs __attribute__((vector_size(kBytes)));
  typedef std::uint64_t Words __attribute__((vector_size(kBytes)));
  typedef std::uint8_t Bytes __attribute__((vector_size(kBytes)));
  typedef float Floats __attribute__((vector_size(kBytes / 2)));
  typedef std::int32_t Ints __attribute__((vector_size(kBytes / 2)));
  // Floats and integers that fill a register, for the loops in single precision.
  typedef float WideFloats __attribute__((vector_size(kBytes)));
  typedef std::int32_t WideInts __attribute__((vector_size(kBytes)));
  typedef std::uint32_t WideWords __attribute__((vector_size(kBytes)));
};

// The same bits as lanes of another type.
template <class To, class From>
inline To same_bits(From x) {
  return reinterpret_cast<To>(x);
}

// Converts the number in each lane.
template <class To, class From>
inline To convert(From x) {
  return __builtin_convertvector(x, To);
}

// Load and store at any alignment.
template <class Vector>
inline Vector load_vector(const void* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}
template <class Vector>
inline void store_vector(void* to, Vector vector) {
  std::memcpy(to, &vector, sizeof(vector));
}

// Prefetches the cache line at `address`, which need not be a valid address.
[[gnu::always_inline]] inline void prefetch(const void* address) { __builtin_prefetch(address); }

// x * 2^k for x from 1/2 to 2 and integers k from -125 to 100; `rounded` is k + 1.5 * 2^23.
template <class WideFloats>
inline WideFloats times_power(WideFloats x, WideFloats /*k*/, WideFloats rounded) {
  using WideWords = typename Vectors<sizeof(WideFloats)>::WideWords;
  const WideWords exponent = same_bits<WideWords>(rounded) << 23;
  return same_bits<WideFloats>(same_bits<WideWords>(x) + exponent);
}

// Masks whose lanes are all ones or all zeros --------------------------------------------------

template <class Vector>
inline auto less(Vector a, Vector b) {
  return a < b;
}
template <class Mask, class Vector>
inline Mask less(Mask mask, Vector a, Vector b) {
  return mask & (a < b);
}
template <class Mask, class Vector>
inline Mask not_less(Mask mask, Vector a, Vector b) {
  return mask & ~(a < b);
}
template <class Mask, class Vector>
inline Mask less_equal(Mask mask, Vector a, Vector b) {
  return mask & (a <= b);
}
template <class Mask, class Vector>
inline Mask with_any_bit(Mask mask, Vector words, Vector bits) {
  return mask & ((words & bits) != 0);
}
template <class Mask, class Vector>
inline Vector choose(Mask mask, Vector a, Vector b) {
  return mask ? a : b;
}

// Negative numbers become 0.
template <class WideInts>
inline WideInts at_least_zero(WideInts x) {
  return choose(x > 0, x, WideInts{});
}

template <class Mask>
inline unsigned bits_of(Mask mask) {
  unsigned bits = 0;
  for (std::size_t lane = 0; lane < sizeof(mask) / sizeof(mask[0]); ++lane) {
    bits |= static_cast<unsigned>(mask[lane] & 1) << lane;
  }
  return bits;
}

// Tables ---------------------------------------------------------------------------------------

// Entries of a table of 16, indexed by the lowest four bits of each word.
template <class Words>
inline auto pick(const double (&table)[16], Words places) {
  typename Vectors<sizeof(Words)>::Doubles entries = {};
  for (std::size_t lane = 0; lane < sizeof(entries) / sizeof(double); ++lane) {
    entries[lane] = table[places[lane] & 15];
  }
  return entries;
}

// Writes entries of a table of any size; places are not negative.
template <class Entry, class Places>
inline void look_up(const Entry* table, Places places, Entry* out) {
  for (std::size_t lane = 0; lane < sizeof(places) / sizeof(places[0]); ++lane) {
    out[lane] = table[places[lane]];
  }
}

// Stands in for tables in registers: no table is small enough.
struct NoTable {
  [[maybe_unused]] static constexpr std::size_t kMost = 0;
  explicit NoTable(const void* /*values*/, std::size_t /*first*/ = 0) {}
  template <class Bytes>
  static bool look_up(Bytes /*places*/, void* /*out*/) {
    return false;
  }
};

// Counts ---------------------------------------------------------------------------------------

// Tables of the bits that digits of four bits have in common: counts[a][b] = those of a and b.
struct CommonBits {
  alignas(64) std::uint8_t counts[16][16];
  constexpr CommonBits() : counts() {
    for (unsigned a = 0; a < 16; ++a) {
      for (unsigned b = 0; b < 16; ++b) {
        for (unsigned bits = a & b; bits != 0; bits &= bits - 1) ++counts[a][b];
      }
    }
  }
};
[[maybe_unused]] constexpr CommonBits kCommonBits;

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_TARGETS_GENERIC_H_
