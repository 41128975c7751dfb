// The primitives in AVX-512 (parts f, dq, bw and vl). plain.h documents them. Counting bits and
// multiplying bytes are here in two versions, from which the including file chooses.
#ifndef SVM_BASE_SIMD_TARGETS_AVX512_H_
#define SVM_BASE_SIMD_TARGETS_AVX512_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/targets/generic.h"
#include "base/simd/targets/immintrin.h"

namespace svm {
namespace {

constexpr std::size_t kVectorBytes = 64;
using Doubles = Vectors<kVectorBytes>::Doubles;
using Longs = Vectors<kVectorBytes>::Longs;
using Words = Vectors<kVectorBytes>::Words;
using Bytes = Vectors<kVectorBytes>::Bytes;
using WideFloats = Vectors<kVectorBytes>::WideFloats;
using WideInts = Vectors<kVectorBytes>::WideInts;
using WideWords = Vectors<kVectorBytes>::WideWords;

constexpr bool kManyRegisters = true;
constexpr bool kSixteenInRegisters = true;

// Numbers --------------------------------------------------------------------------------------

inline Doubles load(const float* from) { return _mm512_cvtps_pd(_mm256_loadu_ps(from)); }
inline void store(float* to, Doubles vector) { _mm256_storeu_ps(to, _mm512_cvtpd_ps(vector)); }

inline Doubles multiply_add(Doubles a, Doubles b, Doubles c) { return _mm512_fmadd_pd(a, b, c); }
inline Doubles at_most(Doubles x, Doubles limit) { return _mm512_min_pd(limit, x); }

inline WideFloats multiply_add(WideFloats a, WideFloats b, WideFloats c) {
  return _mm512_fmadd_ps(a, b, c);
}
inline WideFloats multiply_add_exactly(WideFloats a, WideFloats b, WideFloats c) {
  return multiply_add(a, b, c);
}
inline WideFloats at_most(WideFloats x, WideFloats limit) { return _mm512_min_ps(limit, x); }

inline WideFloats times_power(WideFloats x, WideFloats k, WideFloats /*rounded*/) {
  return _mm512_scalef_ps(x, k);
}

inline Doubles low_half(WideFloats x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
inline Doubles high_half(WideFloats x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }
inline Doubles low_half(WideInts x) {
  return _mm512_cvtepi32_pd(_mm512_castsi512_si256(reinterpret_cast<__m512i>(x)));
}
inline Doubles high_half(WideInts x) {
  return _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(reinterpret_cast<__m512i>(x), 1));
}
inline WideFloats join(Doubles low, Doubles high) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high), 1);
}

inline WideInts nearest(WideFloats x) { return reinterpret_cast<WideInts>(_mm512_cvtps_epi32(x)); }

inline bool store_where_equal(Doubles below, Doubles above, float* out) {
  const __m256 lower = _mm512_cvtpd_ps(below);
  _mm256_storeu_ps(out, lower);
  return _mm256_cmp_ps_mask(lower, _mm512_cvtpd_ps(above), _CMP_NEQ_UQ) == 0;
}

// Masks ----------------------------------------------------------------------------------------

using Mask = __mmask8;

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
inline Mask with_any_bit(Mask mask, Longs words, Longs bits) {
  return _mm512_mask_test_epi64_mask(mask, reinterpret_cast<__m512i>(words),
                                     reinterpret_cast<__m512i>(bits));
}
inline bool any(Mask a, Mask b) { return _kortestz_mask8_u8(a, b) == 0; }
inline Doubles choose(Mask mask, Doubles a, Doubles b) { return _mm512_mask_mov_pd(b, mask, a); }
inline Longs choose(Mask mask, Longs a, Longs b) {
  return reinterpret_cast<Longs>(
      _mm512_mask_mov_epi64(reinterpret_cast<__m512i>(b), mask, reinterpret_cast<__m512i>(a)));
}
inline unsigned bits_of(Mask mask) { return mask; }

// Loads one byte for each lane.
inline __m128i load_bytes(const std::uint8_t* from) {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
}

using Flags = __m128i;
inline Flags load_flags(const std::uint8_t* from) { return load_bytes(from); }
inline Mask has_bit(Flags flags, std::uint8_t bit) {
  return static_cast<Mask>(_mm_test_epi8_mask(flags, _mm_set1_epi8(static_cast<char>(bit))));
}

inline Doubles add_marked(Doubles sum, Doubles value, std::uint64_t marks) {
  return _mm512_mask_add_pd(sum, static_cast<Mask>(marks), sum, value);
}

// Tables ---------------------------------------------------------------------------------------

inline void look_up(const float* table, WideInts places, float* out) {
  _mm512_storeu_ps(out, _mm512_i32gather_ps(reinterpret_cast<__m512i>(places), table, 4));
}
inline void look_up(const double* table, WideInts places, double* out) {
  const __m512i all = reinterpret_cast<__m512i>(places);
  _mm512_storeu_pd(out, _mm512_i32gather_pd(_mm512_castsi512_si256(all), table, 8));
  _mm512_storeu_pd(out + 8, _mm512_i32gather_pd(_mm512_extracti64x4_epi64(all, 1), table, 8));
}

inline Doubles pick(const double (&table)[16], Words places) {
  return _mm512_permutex2var_pd(_mm512_loadu_pd(table), reinterpret_cast<__m512i>(places),
                                _mm512_loadu_pd(table + 8));
}

// Calls write(places, group) for each group of columns. The lowest byte of a word is a place.
template <class Write>
inline void for_groups(__m512i places, const Write& write) {
  write(places, 0);
  write(_mm512_srli_epi32(places, 8), 1);
  write(_mm512_srli_epi32(places, 16), 2);
  write(_mm512_srli_epi32(places, 24), 3);
}

// Permutations ignore the upper bits of places.
struct SmallFloats {
  static constexpr std::size_t kMost = 32;

  explicit SmallFloats(const float* from)
      : low(_mm512_loadu_ps(from)), high(_mm512_loadu_ps(from + 16)) {}
  __m512 of(__m512i places) const { return _mm512_permutex2var_ps(low, places, high); }
  void look_up(Bytes places, float* out) const {
    for_groups(reinterpret_cast<__m512i>(places), [&](__m512i place, std::size_t group) {
      _mm512_storeu_ps(out + group * kBitGroup, of(place));
    });
  }
  __m512 low, high;
};

struct LikelyFloats {
  static constexpr std::size_t kMost = kLikelyBits;
  static_assert(kMost == 64, "two small tables");

  LikelyFloats(const float* from, std::size_t start)
      : low(from + start),
        high(from + start + 32),
        first(_mm512_set1_epi8(static_cast<char>(start))) {}
  bool look_up(Bytes places, float* out) const {
    const __m512i shifted = _mm512_sub_epi8(reinterpret_cast<__m512i>(places), first);
    if (_mm512_cmpge_epu8_mask(shifted, _mm512_set1_epi8(kMost)) != 0) return false;
    for_groups(shifted, [&](__m512i place, std::size_t group) {
      const __mmask16 is_high = _mm512_test_epi32_mask(place, _mm512_set1_epi32(32));
      _mm512_storeu_ps(out + group * kBitGroup,
                       _mm512_mask_mov_ps(low.of(place), is_high, high.of(place)));
    });
    return true;
  }
  SmallFloats low, high;
  __m512i first;
};

struct SmallDoubles {
  static constexpr std::size_t kMost = 32;

  // Takes the lower and upper halves of the doubles apart.
  explicit SmallDoubles(const double* from) {
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    for (std::size_t n = 0; n < 2; ++n, from += 16) {
      const __m512i first = _mm512_loadu_si512(from), second = _mm512_loadu_si512(from + 8);
      low[n] = _mm512_permutex2var_epi32(first, even, second);
      high[n] = _mm512_permutex2var_epi32(first, odd, second);
    }
  }
  void look_up(Bytes places, double* out) const {
    for_groups(reinterpret_cast<__m512i>(places), [&](__m512i place, std::size_t group) {
      const __m512i first =
          _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
      const __m512i lower = _mm512_permutex2var_epi32(low[0], place, low[1]);
      const __m512i upper = _mm512_permutex2var_epi32(high[0], place, high[1]);
      double* const to = out + group * kBitGroup;
      _mm512_storeu_si512(to, _mm512_permutex2var_epi32(lower, first, upper));
      _mm512_storeu_si512(to + 8, _mm512_permutex2var_epi32(lower, second, upper));
    });
  }
  __m512i low[2], high[2];
};

// Counts ---------------------------------------------------------------------------------------

// The number of bits set in each byte, by a table for four bits.
inline __m512i count_in_bytes(__m512i bits) {
  const __m512i table =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i low = _mm512_set1_epi8(15);
  const __m512i even = _mm512_and_si512(bits, low);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi16(bits, 4), low);
  return _mm512_add_epi8(_mm512_shuffle_epi8(table, even), _mm512_shuffle_epi8(table, odd));
}

// Has the number of common bits for each digit of a column.
struct RowDigitByTable {
  [[maybe_unused]] static constexpr std::size_t kBits = 4;
  explicit RowDigitByTable(std::uint16_t bits)
      : counts(_mm512_broadcast_i32x4(
            _mm_load_si128(reinterpret_cast<const __m128i*>(kCommonBits.counts[bits])))) {}
  Bytes common(Bytes columns) const {
    return reinterpret_cast<Bytes>(_mm512_shuffle_epi8(counts, reinterpret_cast<__m512i>(columns)));
  }
  __m512i counts;
};

struct WideBitCounterByTable {
  void add(WideInts words) {
    bytes = _mm512_add_epi8(bytes, count_in_bytes(reinterpret_cast<__m512i>(words)));
  }
  WideInts sum() const {
    const __m512i pairs = _mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1));
    return reinterpret_cast<WideInts>(_mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
  }
  __m512i bytes{};
};

// Uses the instruction of the part bitalg.
struct RowDigitByInstruction {
  [[maybe_unused]] static constexpr std::size_t kBits = 8;
  explicit RowDigitByInstruction(std::uint16_t bits)
      : all(_mm512_set1_epi8(static_cast<char>(bits))) {}
  Bytes common(Bytes columns) const {
    return reinterpret_cast<Bytes>(
        _mm512_popcnt_epi8(_mm512_and_si512(reinterpret_cast<__m512i>(columns), all)));
  }
  __m512i all;
};

// Uses the instruction of the part vpopcntdq.
struct WideBitCounterByInstruction {
  void add(WideInts words) {
    total += reinterpret_cast<WideInts>(_mm512_popcnt_epi32(reinterpret_cast<__m512i>(words)));
  }
  WideInts sum() const { return total; }
  WideInts total = {};
};

struct IntegerSums {
  static constexpr std::size_t kColumns = 16;
  void add(const std::uint8_t* bytes, std::int32_t both) {
    const __m512i values =
        _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)));
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(values, _mm512_set1_epi32(both)));
  }
  void store(double* to) const {
    _mm512_storeu_pd(to, _mm512_cvtepi32_pd(_mm512_castsi512_si256(sums)));
    _mm512_storeu_pd(to + 8, _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(sums, 1)));
  }
  __m512i sums{};
};

// Uses the two halves of the row's bytes separately, so that eight steps fit into 16 bits.
struct ByteDotsByHalves {
  [[maybe_unused]] static constexpr std::size_t kSteps = 8;
  [[maybe_unused]] static constexpr std::size_t kChains = 1;
  [[maybe_unused]] static constexpr std::size_t kVectors = 4;
  struct Row {
    __m512i low, high;
  };
  static Row row(std::uint32_t word) {
    const __m512i bytes = _mm512_set1_epi32(static_cast<int>(word));
    const __m512i half = _mm512_set1_epi8(15);
    return {_mm512_and_si512(bytes, half), _mm512_and_si512(_mm512_srli_epi16(bytes, 4), half)};
  }
  void start(WideInts columns, const Row& row) {
    const __m512i bytes = reinterpret_cast<__m512i>(columns);
    low = _mm512_maddubs_epi16(row.low, bytes);
    high = _mm512_maddubs_epi16(row.high, bytes);
  }
  void add(WideInts columns, const Row& row) {
    const __m512i bytes = reinterpret_cast<__m512i>(columns);
    low = _mm512_add_epi16(low, _mm512_maddubs_epi16(row.low, bytes));
    high = _mm512_add_epi16(high, _mm512_maddubs_epi16(row.high, bytes));
  }
  void add_to(WideInts& sum) const {
    sum += reinterpret_cast<WideInts>(_mm512_madd_epi16(low, _mm512_set1_epi16(1)));
    sum += reinterpret_cast<WideInts>(_mm512_madd_epi16(high, _mm512_set1_epi16(16)));
  }
  __m512i low, high;
};

// Uses instructions of the part vnni, whose sums of 32 bits depend on each other.
struct ByteDotsByInstruction {
  [[maybe_unused]] static constexpr std::size_t kSteps = std::size_t{1} << 20;
  [[maybe_unused]] static constexpr std::size_t kChains = 2;
  [[maybe_unused]] static constexpr std::size_t kVectors = 4;
  using Row = __m512i;
  static Row row(std::uint32_t word) { return _mm512_set1_epi32(static_cast<int>(word)); }
  void start(WideInts columns, Row row) {
    total = __m512i{};
    add(columns, row);
  }
  void add(WideInts columns, Row row) {
    total = _mm512_dpbusd_epi32(total, row, reinterpret_cast<__m512i>(columns));
  }
  void add_to(WideInts& sum) const { sum += reinterpret_cast<WideInts>(total); }
  __m512i total;
};

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_TARGETS_AVX512_H_
