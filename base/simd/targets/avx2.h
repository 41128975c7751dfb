// The primitives in AVX2 and FMA. plain.h documents them.
#ifndef SVM_BASE_SIMD_TARGETS_AVX2_H_
#define SVM_BASE_SIMD_TARGETS_AVX2_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/targets/generic.h"
#include "base/simd/targets/immintrin.h"

namespace svm {
namespace {

constexpr std::size_t kVectorBytes = 32;
using Doubles = Vectors<kVectorBytes>::Doubles;
using Longs = Vectors<kVectorBytes>::Longs;
using Words = Vectors<kVectorBytes>::Words;
using Bytes = Vectors<kVectorBytes>::Bytes;
using WideFloats = Vectors<kVectorBytes>::WideFloats;
using WideInts = Vectors<kVectorBytes>::WideInts;
using WideWords = Vectors<kVectorBytes>::WideWords;

constexpr bool kManyRegisters = false;
constexpr bool kSixteenInRegisters = false;

// Numbers --------------------------------------------------------------------------------------

inline Doubles load(const float* from) { return _mm256_cvtps_pd(_mm_loadu_ps(from)); }
inline void store(float* to, Doubles vector) { _mm_storeu_ps(to, _mm256_cvtpd_ps(vector)); }

inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) { return _mm256_fmadd_pd(a, b, c); }
inline Doubles at_most(Doubles x, Doubles limit) { return _mm256_min_pd(limit, x); }

inline WideFloats multiply_add(WideFloats a, WideFloats b, WideFloats c) {
  return _mm256_fmadd_ps(a, b, c);
}
inline WideFloats multiply_add_exactly(WideFloats a, WideFloats b, WideFloats c) {
  return multiply_add(a, b, c);
}
inline WideFloats at_most(WideFloats x, WideFloats limit) { return _mm256_min_ps(limit, x); }

inline Doubles low_half(WideFloats x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
inline Doubles high_half(WideFloats x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
inline Doubles low_half(WideInts x) {
  return _mm256_cvtepi32_pd(_mm256_castsi256_si128(reinterpret_cast<__m256i>(x)));
}
inline Doubles high_half(WideInts x) {
  return _mm256_cvtepi32_pd(_mm256_extracti128_si256(reinterpret_cast<__m256i>(x), 1));
}
inline WideFloats join(Doubles low, Doubles high) {
  return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

inline WideInts nearest(WideFloats x) { return reinterpret_cast<WideInts>(_mm256_cvtps_epi32(x)); }

inline bool store_where_equal(Doubles below, Doubles above, float* out) {
  const __m128 lower = _mm256_cvtpd_ps(below);
  _mm_storeu_ps(out, lower);
  return _mm_movemask_ps(_mm_cmpneq_ps(lower, _mm256_cvtpd_ps(above))) == 0;
}

// Masks ----------------------------------------------------------------------------------------

using Mask = Longs;

inline bool any(Mask a, Mask b) {
  const __m256i either = reinterpret_cast<__m256i>(a | b);
  return _mm256_testz_si256(either, either) == 0;
}

// Loads one byte for each lane.
inline __m128i load_bytes(const std::uint8_t* from) {
  return _mm_cvtsi32_si128(load_vector<std::int32_t>(from));
}

using Flags = Longs;
inline Flags load_flags(const std::uint8_t* from) {
  return reinterpret_cast<Flags>(_mm256_cvtepu8_epi64(load_bytes(from)));
}
inline Mask has_bit(Flags flags, std::uint8_t bit) { return (flags & bit) != 0; }

inline Doubles add_marked(Doubles sum, Doubles value, std::uint64_t marks) {
  const Longs lane_bit = {1, 2, 4, 8};
  const Longs is_marked = ((static_cast<std::int64_t>(marks) - Longs{}) & lane_bit) == lane_bit;
  return sum + reinterpret_cast<Doubles>(reinterpret_cast<Longs>(value) & is_marked);
}

// Tables ---------------------------------------------------------------------------------------

inline void look_up(const float* table, WideInts places, float* out) {
  _mm256_storeu_ps(out, _mm256_i32gather_ps(table, reinterpret_cast<__m256i>(places), 4));
}
inline void look_up(const double* table, WideInts places, double* out) {
  const __m256i all = reinterpret_cast<__m256i>(places);
  _mm256_storeu_pd(out, _mm256_i32gather_pd(table, _mm256_castsi256_si128(all), 8));
  _mm256_storeu_pd(out + 4, _mm256_i32gather_pd(table, _mm256_extracti128_si256(all, 1), 8));
}

// Looks up the four bytes of a float one by one, each in two tables of 16 bytes.
struct SmallFloats {
  static constexpr std::size_t kMost = 32;

  explicit SmallFloats(const float* from) {
    const __m128i by_byte = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    for (std::size_t half = 0; half < 2; ++half, from += 16) {
      __m128i four[4];
      for (std::size_t n = 0; n < 4; ++n) {
        four[n] = _mm_shuffle_epi8(_mm_castps_si128(_mm_loadu_ps(from + 4 * n)), by_byte);
      }
      const __m128i low01 = _mm_unpacklo_epi32(four[0], four[1]);
      const __m128i low23 = _mm_unpacklo_epi32(four[2], four[3]);
      const __m128i high01 = _mm_unpackhi_epi32(four[0], four[1]);
      const __m128i high23 = _mm_unpackhi_epi32(four[2], four[3]);
      bytes[half][0] = _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(low01, low23));
      bytes[half][1] = _mm256_broadcastsi128_si256(_mm_unpackhi_epi64(low01, low23));
      bytes[half][2] = _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(high01, high23));
      bytes[half][3] = _mm256_broadcastsi128_si256(_mm_unpackhi_epi64(high01, high23));
    }
  }

  void look_up(Bytes places, float* out) const {
    // The bytes of each lane that become one vector of floats come first, next to each other.
    const __m256i in_order =
        _mm256_shuffle_epi8(reinterpret_cast<__m256i>(places),
                            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2,
                                                                      6, 10, 14, 3, 7, 11, 15)));
    // A byte above 127 gives 0.
    const __m256i in_first = _mm256_add_epi8(in_order, _mm256_set1_epi8(0x70));
    const __m256i in_second = _mm256_sub_epi8(in_order, _mm256_set1_epi8(16));
    __m256i byte[4];
    for (std::size_t n = 0; n < 4; ++n) {
      byte[n] = _mm256_or_si256(_mm256_shuffle_epi8(bytes[0][n], in_first),
                                _mm256_shuffle_epi8(bytes[1][n], in_second));
    }
    const __m256i low01 = _mm256_unpacklo_epi8(byte[0], byte[1]);
    const __m256i low23 = _mm256_unpacklo_epi8(byte[2], byte[3]);
    const __m256i high01 = _mm256_unpackhi_epi8(byte[0], byte[1]);
    const __m256i high23 = _mm256_unpackhi_epi8(byte[2], byte[3]);
    const auto write = [out](std::size_t part, __m256i floats) {
      _mm256_storeu_ps(out + part * kBitGroup, _mm256_castsi256_ps(floats));
    };
    write(0, _mm256_unpacklo_epi16(low01, low23));
    write(1, _mm256_unpackhi_epi16(low01, low23));
    write(2, _mm256_unpacklo_epi16(high01, high23));
    write(3, _mm256_unpackhi_epi16(high01, high23));
  }
  __m256i bytes[2][4];
};
using SmallDoubles = NoTable;
using LikelyFloats = NoTable;

// Counts ---------------------------------------------------------------------------------------

// The number of bits set in each byte, by a table for four bits.
inline __m256i count_in_bytes(__m256i bits) {
  const __m256i table =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i low = _mm256_set1_epi8(15);
  const __m256i even = _mm256_and_si256(bits, low);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi16(bits, 4), low);
  return _mm256_add_epi8(_mm256_shuffle_epi8(table, even), _mm256_shuffle_epi8(table, odd));
}

// Has the number of common bits for each digit of a column.
struct RowDigit {
  static constexpr std::size_t kBits = 4;
  explicit RowDigit(std::uint16_t bits)
      : counts(_mm256_broadcastsi128_si256(
            _mm_load_si128(reinterpret_cast<const __m128i*>(kCommonBits.counts[bits])))) {}
  Bytes common(Bytes columns) const {
    return reinterpret_cast<Bytes>(_mm256_shuffle_epi8(counts, reinterpret_cast<__m256i>(columns)));
  }
  __m256i counts;
};

struct WideBitCounter {
  void add(WideInts words) {
    bytes = _mm256_add_epi8(bytes, count_in_bytes(reinterpret_cast<__m256i>(words)));
  }
  WideInts sum() const {
    const __m256i pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
    return reinterpret_cast<WideInts>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
  __m256i bytes{};
};

struct IntegerSums {
  static constexpr std::size_t kColumns = 8;
  void add(const std::uint8_t* bytes, std::int32_t both) {
    const __m256i values =
        _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(values, _mm256_set1_epi32(both)));
  }
  void store(double* to) const {
    _mm256_storeu_pd(to, _mm256_cvtepi32_pd(_mm256_castsi256_si128(sums)));
    _mm256_storeu_pd(to + 4, _mm256_cvtepi32_pd(_mm256_extracti128_si256(sums, 1)));
  }
  __m256i sums{};
};

// Uses the two halves of the row's bytes separately, so that eight steps fit into 16 bits.
struct ByteDots {
  static constexpr std::size_t kSteps = 8;
  static constexpr std::size_t kChains = 1;
  static constexpr std::size_t kVectors = 4;
  struct Row {
    __m256i low, high;
  };
  static Row row(std::uint32_t word) {
    const __m256i bytes = _mm256_set1_epi32(static_cast<int>(word));
    const __m256i half = _mm256_set1_epi8(15);
    return {_mm256_and_si256(bytes, half), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half)};
  }
  void start(WideInts columns, const Row& row) {
    const __m256i bytes = reinterpret_cast<__m256i>(columns);
    low = _mm256_maddubs_epi16(row.low, bytes);
    high = _mm256_maddubs_epi16(row.high, bytes);
  }
  void add(WideInts columns, const Row& row) {
    const __m256i bytes = reinterpret_cast<__m256i>(columns);
    low = _mm256_add_epi16(low, _mm256_maddubs_epi16(row.low, bytes));
    high = _mm256_add_epi16(high, _mm256_maddubs_epi16(row.high, bytes));
  }
  void add_to(WideInts& sum) const {
    sum += reinterpret_cast<WideInts>(_mm256_madd_epi16(low, _mm256_set1_epi16(1)));
    sum += reinterpret_cast<WideInts>(_mm256_madd_epi16(high, _mm256_set1_epi16(16)));
  }
  __m256i low, high;
};

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_TARGETS_AVX2_H_
