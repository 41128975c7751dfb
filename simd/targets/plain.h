// The primitives in plain C++, and what a target consists of: every other target has the same types
// and functions, which do the same with instructions of its own.
#ifndef SVM_SIMD_TARGETS_PLAIN_H_
#define SVM_SIMD_TARGETS_PLAIN_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/targets/generic.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace svm {
namespace {

constexpr std::size_t kVectorBytes = 16;
using Doubles = Vectors<kVectorBytes>::Doubles;
using Longs = Vectors<kVectorBytes>::Longs;
using Words = Vectors<kVectorBytes>::Words;
using Floats = Vectors<kVectorBytes>::Floats;
using Ints = Vectors<kVectorBytes>::Ints;
using WideFloats = Vectors<kVectorBytes>::WideFloats;
using WideInts = Vectors<kVectorBytes>::WideInts;
using WideWords = Vectors<kVectorBytes>::WideWords;

// What the loops go by where they can do a thing in two ways.
constexpr bool kManyRegisters = false;       // 32 of them, not 16
constexpr bool kFusesMultiplyAdd = false;    // multiply_add() rounds once
constexpr bool kSixteenInRegisters = false;  // pick() needs no memory
constexpr bool kMasksAreBits = false;        // bits_of() costs nothing

// Numbers --------------------------------------------------------------------------------------

inline Doubles load(const float* from) {
  return __builtin_convertvector(load_vector<Floats>(from), Doubles);
}
inline Doubles load(const std::int32_t* from) {
  return __builtin_convertvector(load_vector<Ints>(from), Doubles);
}
inline void store(float* to, Doubles vector) {
  store_vector(to, __builtin_convertvector(vector, Floats));
}

// a * b + c; one or two roundings, which give the same where the product is exact.
inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) { return a * b + c; }

// The lesser of both; NaN stays NaN.
inline Doubles at_most(Doubles x, Doubles limit) {
#if defined(__SSE2__)  // which GCC does not see where the limit is a constant
  return _mm_min_pd(limit, x);
#else
  return limit < x ? limit : x;
#endif
}

// The same of floats.
inline WideFloats multiply_add(WideFloats a, WideFloats b, WideFloats c) { return a * b + c; }
inline WideFloats at_most(WideFloats x, WideFloats limit) {
#if defined(__SSE2__)
  return _mm_min_ps(limit, x);
#else
  return limit < x ? limit : x;
#endif
}

// times_power() is generic here.

// Between floats, or integers, and the doubles of their lower and upper lanes.
inline Doubles low_half(WideFloats x) {
  return __builtin_convertvector(load_vector<Floats>(&x), Doubles);
}
inline Doubles high_half(WideFloats x) {
  return __builtin_convertvector(load_vector<Floats>(reinterpret_cast<const char*>(&x) + 8),
                                 Doubles);
}
inline Doubles low_half(WideInts x) {
  return __builtin_convertvector(load_vector<Ints>(&x), Doubles);
}
inline Doubles high_half(WideInts x) {
  return __builtin_convertvector(load_vector<Ints>(reinterpret_cast<const char*>(&x) + 8), Doubles);
}
// By way of memory: GCC 12 takes lanes that are rounded one by one for the doubles they came from.
inline WideFloats join(Doubles low, Doubles high) {
  const Floats halves[2] = {__builtin_convertvector(low, Floats),
                            __builtin_convertvector(high, Floats)};
  return load_vector<WideFloats>(halves);
}

// a * b + c, where the product is not rounded.
inline WideFloats multiply_add_exactly(WideFloats a, WideFloats b, WideFloats c) {
  return join(low_half(a) * low_half(b) + low_half(c), high_half(a) * high_half(b) + high_half(c));
}

// Stores float(below), and says whether float(above) is the same in all lanes; NaN differs.
inline bool store_where_equal(Doubles below, Doubles above, float* out) {
  const Floats lower = __builtin_convertvector(below, Floats);
  store_vector(out, lower);
  const Ints differ = lower != __builtin_convertvector(above, Floats);
  return load_vector<std::uint64_t>(&differ) == 0;
}

// Masks ----------------------------------------------------------------------------------------
// One truth value per lane, and what is asked of them.  With a mask given first: those of its lanes
// only.  less(), not_less(), less_equal(), with_any_bit(), choose() and bits_of() are generic here.

using Mask = Longs;

inline bool any(Mask a, Mask b) {
  const Mask either = a | b;
  return (either[0] | either[1]) != 0;
}

// Flags are bytes in memory, one for each lane.
using Flags = Longs;
inline Flags load_flags(const std::uint8_t* from) { return Flags{from[0], from[1]}; }
inline Mask has_bit(Flags flags, std::uint8_t bit) { return (flags & bit) != 0; }

// sum + value in the lanes whose marks are set, from the lowest.
inline Doubles add_marked(Doubles sum, Doubles value, std::uint64_t marks) {
  const Longs lane_bit = {1, 2};
  const Longs is_marked = ((static_cast<std::int64_t>(marks) - Longs{}) & lane_bit) == lane_bit;
  return sum + reinterpret_cast<Doubles>(reinterpret_cast<Longs>(value) & is_marked);
}

// Tables ---------------------------------------------------------------------------------------

// The entries of a table of 256.
inline Doubles look_up(const double* table, const std::uint8_t* codes) {
  return look_up_each<Doubles>(table, codes);
}
// Those of a table of any size, below 2^31.
inline WideFloats look_up(const float* table, const std::uint32_t* places) {
  return look_up_each<WideFloats>(table, places);
}

// pick() is generic here.

// A table of floats: two vectors of places give one vector of entries.  It is `small` where
// look_up<true>() serves all of its entries.
using FloatTable = FloatsInMemory;

// Counts ---------------------------------------------------------------------------------------

// Sums of the bits that are set in words, up to 16 words in each lane.
struct BitCounter {
  void add(Longs words) {
    Words bits = reinterpret_cast<Words>(words);
    bits -= (bits >> 1) & 0x5555555555555555U;
    bits = (bits & 0x3333333333333333U) + ((bits >> 2) & 0x3333333333333333U);
    bytes += (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  }
  Longs sum() const {
    Words sum = (bytes & 0x00ff00ff00ff00ffU) + ((bytes >> 8) & 0x00ff00ff00ff00ffU);
    sum += sum >> 16;
    sum += sum >> 32;
    return reinterpret_cast<Longs>(sum & 0x7ffU);
  }
  Words bytes = {};
};

// to_doubles() is generic here.

// The same in words of 32 bits.
struct WideBitCounter {
  void add(WideInts words) {
    WideWords bits = reinterpret_cast<WideWords>(words);
    bits -= (bits >> 1) & 0x55555555U;
    bits = (bits & 0x33333333U) + ((bits >> 2) & 0x33333333U);
    bytes += (bits + (bits >> 4)) & 0x0f0f0f0fU;
  }
  WideInts sum() const {
    const WideWords sum = (bytes & 0x00ff00ffU) + ((bytes >> 8) & 0x00ff00ffU);
    return reinterpret_cast<WideInts>((sum + (sum >> 16)) & 0x1ffU);
  }
  WideWords bytes = {};
};

// Sums of products of small integers for kColumns columns.  `both` is two 16-bit factors, the first
// one in the lower half of memory; each column has two bytes.
struct IntegerSums {
  static constexpr std::size_t kColumns = 8;
  void add(const std::uint8_t* bytes, std::int32_t both) {
    std::int16_t values[2];
    std::memcpy(values, &both, sizeof(values));
    for (std::size_t k = 0; k < kColumns; ++k) {
      sums[k] += values[0] * bytes[2 * k] + values[1] * bytes[2 * k + 1];
    }
  }
  void store(double* to) const {
    for (std::size_t k = 0; k < kColumns; ++k) to[k] = sums[k];
  }
  std::int32_t sums[kColumns] = {};
};

// Dots of bytes, exact: of each column's four signed bytes with four unsigned ones, a row's.  Takes
// kSteps of them at most before settle(), and that before sum().
struct ByteDots {
  static constexpr std::size_t kSteps = 8;
  static constexpr std::size_t kChains = 1;  // that are best added to in turn
  using Row = std::uint32_t;
  static Row row(std::uint32_t word) { return word; }
  void add(WideInts columns, Row row) {
    for (int shift = 0; shift < 32; shift += 8) {
      const WideInts bytes =
          reinterpret_cast<WideInts>(reinterpret_cast<WideWords>(columns) << (24 - shift)) >> 24;
      total += bytes * static_cast<std::int32_t>((row >> shift) & 0xffU);
    }
  }
  void settle() {}
  WideInts sum() const { return total; }
  WideInts total = {};
};

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_TARGETS_PLAIN_H_
