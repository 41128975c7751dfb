// The primitives in plain C++. This file documents what a target consists of: every target has the
// same types and functions, which do the same with its own instructions.
#ifndef SVM_BASE_SIMD_TARGETS_PLAIN_H_
#define SVM_BASE_SIMD_TARGETS_PLAIN_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd/targets/generic.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace svm {
namespace {

constexpr std::size_t kVectorBytes = 16;
using Doubles = Vectors<kVectorBytes>::Doubles;
using Longs = Vectors<kVectorBytes>::Longs;
using Words = Vectors<kVectorBytes>::Words;
using Bytes = Vectors<kVectorBytes>::Bytes;
using Floats = Vectors<kVectorBytes>::Floats;
using Ints = Vectors<kVectorBytes>::Ints;
using WideFloats = Vectors<kVectorBytes>::WideFloats;
using WideInts = Vectors<kVectorBytes>::WideInts;
using WideWords = Vectors<kVectorBytes>::WideWords;

// Properties by which the loops choose between two methods.
constexpr bool kManyRegisters = false;       // 32 of them rather than 16
constexpr bool kSixteenInRegisters = false;  // pick() needs no memory access

// Numbers --------------------------------------------------------------------------------------

inline Doubles load(const float* from) { return convert<Doubles>(load_vector<Floats>(from)); }
inline void store(float* to, Doubles vector) { store_vector(to, convert<Floats>(vector)); }

// a * b + c, rounded once or twice; the result is the same if the product is exact.
inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) { return a * b + c; }

// The smaller of both. If x is NaN, the result is NaN.
inline Doubles at_most(Doubles x, Doubles limit) {
#if defined(__SSE2__)  // GCC does not find this instruction if the limit is a constant
  return _mm_min_pd(limit, x);
#else
  return choose(limit < x, limit, x);
#endif
}

// The same for floats.
inline WideFloats multiply_add(WideFloats a, WideFloats b, WideFloats c) { return a * b + c; }
inline WideFloats at_most(WideFloats x, WideFloats limit) {
#if defined(__SSE2__)
  return _mm_min_ps(limit, x);
#else
  return choose(limit < x, limit, x);
#endif
}

// times_power(): the generic version.

// Conversions between floats or integers and the doubles of their lower and upper lanes.
inline Doubles low_half(WideFloats x) { return convert<Doubles>(load_vector<Floats>(&x)); }
inline Doubles high_half(WideFloats x) {
  return convert<Doubles>(load_vector<Floats>(reinterpret_cast<const char*>(&x) + 8));
}
inline Doubles low_half(WideInts x) { return convert<Doubles>(load_vector<Ints>(&x)); }
inline Doubles high_half(WideInts x) {
  return convert<Doubles>(load_vector<Ints>(reinterpret_cast<const char*>(&x) + 8));
}
// Goes through memory: GCC 12 confuses lanes that are rounded one by one with the original doubles.
inline WideFloats join(Doubles low, Doubles high) {
  const Floats halves[2] = {convert<Floats>(low), convert<Floats>(high)};
  return load_vector<WideFloats>(halves);
}

// The nearest whole numbers, even ones in ties, of floats below 2^31.
inline WideInts nearest(WideFloats x) {
#if defined(__SSE2__)
  return reinterpret_cast<WideInts>(_mm_cvtps_epi32(x));
#else
  WideInts numbers = {};
  for (std::size_t lane = 0; lane < sizeof(x) / sizeof(x[0]); ++lane) {
    numbers[lane] = static_cast<std::int32_t>(std::rint(x[lane]));
  }
  return numbers;
#endif
}

// at_least_zero(): the generic version.

// a * b + c with an unrounded product.
inline WideFloats multiply_add_exactly(WideFloats a, WideFloats b, WideFloats c) {
  return join(low_half(a) * low_half(b) + low_half(c), high_half(a) * high_half(b) + high_half(c));
}

// Stores float(below). Returns whether float(above) is equal in all lanes; NaN is not.
inline bool store_where_equal(Doubles below, Doubles above, float* out) {
  const Floats lower = convert<Floats>(below);
  store_vector(out, lower);
  const Ints differ = lower != convert<Floats>(above);
  return load_vector<std::uint64_t>(&differ) == 0;
}

// Masks ----------------------------------------------------------------------------------------
// One truth value per lane, and operations on them. If the first argument is a mask, only its lanes
// count. less(), not_less(), less_equal(), with_any_bit(), choose() and bits_of(): the generic
// versions.

using Mask = Longs;

inline bool any(Mask a, Mask b) {
  const Mask either = a | b;
  return (either[0] | either[1]) != 0;
}

// Flags are bytes in memory, one per lane.
using Flags = Longs;
inline Flags load_flags(const std::uint8_t* from) { return Flags{from[0], from[1]}; }
inline Mask has_bit(Flags flags, std::uint8_t bit) { return (flags & bit) != 0; }

// Adds `value` to the lanes whose marks are set; the lowest bit is the first lane's.
inline Doubles add_marked(Doubles sum, Doubles value, std::uint64_t marks) {
  const Longs lane_bit = {1, 2};
  const Longs is_marked = ((static_cast<std::int64_t>(marks) - Longs{}) & lane_bit) == lane_bit;
  return sum + same_bits<Doubles>(same_bits<Longs>(value) & is_marked);
}

// Tables ---------------------------------------------------------------------------------------

// look_up(), pick(): the generic versions.

// Tables of up to kMost entries without memory accesses: for all of a small table, and for the
// first entries of a table of floats, the likely ones. avx512.h has them.
using SmallFloats = NoTable;
using SmallDoubles = NoTable;
using LikelyFloats = NoTable;

// Counts ---------------------------------------------------------------------------------------

// A digit of kBits bits of a row: counts those that columns have in common with it.
struct RowDigit {
  static constexpr std::size_t kBits = 8;
  explicit RowDigit(std::uint16_t bits) : all(static_cast<std::uint8_t>(bits) + Bytes{}) {}
  Bytes common(Bytes columns) const {
    Words bits = same_bits<Words>(columns & all);
    bits -= (bits >> 1) & 0x5555555555555555U;
    bits = (bits & 0x3333333333333333U) + ((bits >> 2) & 0x3333333333333333U);
    return same_bits<Bytes>((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU);
  }
  Bytes all;
};

// Counts the bits set in words of 32 bits, of which at most 24 are added per lane.
struct WideBitCounter {
  void add(WideInts words) {
    WideWords bits = same_bits<WideWords>(words);
    bits -= (bits >> 1) & 0x55555555U;
    bits = (bits & 0x33333333U) + ((bits >> 2) & 0x33333333U);
    bytes += (bits + (bits >> 4)) & 0x0f0f0f0fU;
  }
  WideInts sum() const {
    const WideWords sum = (bytes & 0x00ff00ffU) + ((bytes >> 8) & 0x00ff00ffU);
    return same_bits<WideInts>((sum + (sum >> 16)) & 0x1ffU);
  }
  WideWords bytes = {};
};

// Sums of products of small integers for kColumns columns. `both` holds two 16-bit factors, the
// first one at the lower address; each column has two bytes.
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

// Exact dot products of the four signed bytes of each column with four unsigned bytes of a row, at
// most kSteps of them, the first one by start().
struct ByteDots {
  static constexpr std::size_t kSteps = 8;
  static constexpr std::size_t kChains = 1;   // number of accumulators that are best used in turn
  static constexpr std::size_t kVectors = 4;  // number of vectors of columns for each of them
  using Row = std::uint32_t;
  static Row row(std::uint32_t word) { return word; }
  void start(WideInts columns, Row row) {
    total = WideInts{};
    add(columns, row);
  }
  void add(WideInts columns, Row row) {
    for (int shift = 0; shift < 32; shift += 8) {
      const WideInts bytes =
          same_bits<WideInts>(same_bits<WideWords>(columns) << (24 - shift)) >> 24;
      total += bytes * static_cast<std::int32_t>((row >> shift) & 0xffU);
    }
  }
  void add_to(WideInts& sum) const { sum += total; }
  WideInts total;
};

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_TARGETS_PLAIN_H_
