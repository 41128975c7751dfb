// Generic counts of bits in columns.  Included only by the files of one instruction set.
#ifndef SVM_SIMD_BIT_LOOPS_H_
#define SVM_SIMD_BIT_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/loops.h"
#include "simd/row_loops.h"
#include "simd/vector.h"

namespace svm {
namespace {

// Words of one vector, and the bits set in each of their bytes.
#if SVM_SIMD_LEVEL >= 2
inline Longs bits_per_byte(Longs words) {
  const __m512i table =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i low = _mm512_set1_epi8(15);
  const __m512i all_bits = reinterpret_cast<__m512i>(words);
  const __m512i even = _mm512_and_si512(all_bits, low);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi16(all_bits, 4), low);
  return reinterpret_cast<Longs>(
      _mm512_add_epi8(_mm512_shuffle_epi8(table, even), _mm512_shuffle_epi8(table, odd)));
}
inline Longs sum_of_bytes(Longs bytes) {
  return reinterpret_cast<Longs>(
      _mm512_sad_epu8(reinterpret_cast<__m512i>(bytes), _mm512_setzero_si512()));
}
#elif SVM_SIMD_LEVEL >= 1
inline Longs bits_per_byte(Longs words) {
  const __m256i table =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i low = _mm256_set1_epi8(15);
  const __m256i all_bits = reinterpret_cast<__m256i>(words);
  const __m256i even = _mm256_and_si256(all_bits, low);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi16(all_bits, 4), low);
  return reinterpret_cast<Longs>(
      _mm256_add_epi8(_mm256_shuffle_epi8(table, even), _mm256_shuffle_epi8(table, odd)));
}
inline Longs sum_of_bytes(Longs bytes) {
  return reinterpret_cast<Longs>(
      _mm256_sad_epu8(reinterpret_cast<__m256i>(bytes), _mm256_setzero_si256()));
}
#else
typedef std::uint64_t Words __attribute__((vector_size(kVectorBytes)));
inline Longs bits_per_byte(Longs words) {
  Words bits = reinterpret_cast<Words>(words);
  bits -= (bits >> 1) & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + ((bits >> 2) & 0x3333333333333333U);
  return reinterpret_cast<Longs>((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU);
}
inline Longs sum_of_bytes(Longs bytes) {
  Words sum = reinterpret_cast<Words>(bytes);
  sum = (sum & 0x00ff00ff00ff00ffU) + ((sum >> 8) & 0x00ff00ff00ff00ffU);
  sum += sum >> 16;
  sum += sum >> 32;
  return reinterpret_cast<Longs>(sum & 0x7ffU);
}
#endif

inline Longs load_words(const std::uint64_t* from) {
  Longs vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

// The words of a row that a pass reads, one or more.
struct RowWords {
  std::size_t number = 0;
  std::size_t offset[kMaxBitWords];  // from a column's word 0
  std::uint64_t bits[kMaxBitWords];
  std::int64_t count = 0;  // bits set

  RowWords(const BitColumns& columns, const std::uint64_t* row, bool also_empty) {
    for (std::size_t w = 0; w < columns.words_per_column; ++w) {
      count += __builtin_popcountll(row[w]);
      if (row[w] != 0 || also_empty) add(w * columns.stride, row[w]);
    }
    if (number == 0) add(0, 0);
  }
  void add(std::size_t from, std::uint64_t word) {
    offset[number] = from;
    bits[number++] = word;
  }
};

// What is counted, and what stands in the table for the sum: bits in which a column and the row
// differ, over all words; bits that both have, over the row's words that are not empty; and again
// bits in which they differ, by the bits that both have.
struct Differing {
  static Longs of(Longs column, Longs row) { return column ^ row; }
  static Longs entry(Longs sum, const std::uint64_t*, std::int64_t) { return sum; }
};
struct Common {
  static Longs of(Longs column, Longs row) { return column & row; }
  static Longs entry(Longs sum, const std::uint64_t*, std::int64_t) { return sum; }
};
struct DifferingByCommon {
  static Longs of(Longs column, Longs row) { return column & row; }
  static Longs entry(Longs sum, const std::uint64_t* counts, std::int64_t row_count) {
    return load_words(counts) + row_count - sum - sum;
  }
};

#if SVM_SIMD_LEVEL >= 3
template <class Choice>
inline Longs count_bits(const std::uint64_t* column, const RowWords& row) {
  Longs sum = {};
  for (std::size_t n = 0; n < row.number; ++n) {
    const Longs bits = Choice::of(load_words(column + row.offset[n]), all_words(row.bits[n]));
    sum += reinterpret_cast<Longs>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(bits)));
  }
  return sum;
}
#else
// One byte counts up to kMaxBitWords * 8 bits.
template <class Choice>
inline Longs count_bits(const std::uint64_t* column, const RowWords& row) {
  Longs bytes = {};
  for (std::size_t n = 0; n < row.number; ++n) {
    bytes += bits_per_byte(Choice::of(load_words(column + row.offset[n]), all_words(row.bits[n])));
  }
  return sum_of_bytes(bytes);
}
#endif

// Two vectors of counts give one vector of floats: their entries in a table.
#if SVM_SIMD_LEVEL >= 2
struct Table {
  explicit Table(const float* from, std::size_t size)
      : entries(from), low(_mm512_loadu_ps(from)), high(low), small(size <= 32) {
    if (size > 16) high = _mm512_loadu_ps(from + 16);
  }
  template <bool kSmall>
  void look_up(Longs first, Longs second, float* out) const {
    const __m512i index = _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm512_cvtepi64_epi32(reinterpret_cast<__m512i>(first))),
        _mm512_cvtepi64_epi32(reinterpret_cast<__m512i>(second)), 1);
    _mm512_storeu_ps(out, kSmall ? _mm512_permutex2var_ps(low, index, high)
                                 : _mm512_i32gather_ps(index, entries, 4));
  }
  const float* entries;
  __m512 low, high;
  bool small;
};
#elif SVM_SIMD_LEVEL >= 1
struct Table {
  explicit Table(const float* from, std::size_t size) : entries(from), small(size <= 32) {
    for (std::size_t part = 0; part < 4; ++part) {
      parts[part] = part * 8 < size ? _mm256_loadu_ps(from + part * 8) : _mm256_setzero_ps();
    }
  }
  template <bool kSmall>
  void look_up(Longs first, Longs second, float* out) const {
    // The two vectors' low halves of 64 bits, in order.
    const __m256 halves =
        _mm256_shuffle_ps(reinterpret_cast<__m256>(first), reinterpret_cast<__m256>(second), 0x88);
    const __m256i index = _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0xd8);
    if (!kSmall) {
      _mm256_storeu_ps(out, _mm256_i32gather_ps(entries, index, 4));
      return;
    }
    const __m256 bit3 = _mm256_castsi256_ps(_mm256_slli_epi32(index, 28));
    const __m256 bit4 = _mm256_castsi256_ps(_mm256_slli_epi32(index, 27));
    const __m256 low = _mm256_blendv_ps(_mm256_permutevar8x32_ps(parts[0], index),
                                        _mm256_permutevar8x32_ps(parts[1], index), bit3);
    const __m256 high = _mm256_blendv_ps(_mm256_permutevar8x32_ps(parts[2], index),
                                         _mm256_permutevar8x32_ps(parts[3], index), bit3);
    _mm256_storeu_ps(out, _mm256_blendv_ps(low, high, bit4));
  }
  const float* entries;
  __m256 parts[4];
  bool small;
};
#else
struct Table {
  explicit Table(const float* from, std::size_t) : entries(from) {}
  template <bool>
  void look_up(Longs first, Longs second, float* out) const {
    for (int lane = 0; lane < kLanes; ++lane) out[lane] = entries[first[lane]];
    for (int lane = 0; lane < kLanes; ++lane) out[kLanes + lane] = entries[second[lane]];
  }
  const float* entries;
  bool small = false;
};
#endif

// The columns are padded, so whole vectors can be read past the last one.
template <class Choice, bool kSmall>
inline void look_up_columns(const BitColumns& columns, std::size_t count, const RowWords& row,
                            const Table& table, float* out) {
  const auto entries = [&](std::size_t k) {
    return Choice::entry(count_bits<Choice>(columns.words + k, row), columns.counts + k, row.count);
  };
  std::size_t k = 0;
  for (; k + 2 * kStep <= count; k += 2 * kStep) {
    table.template look_up<kSmall>(entries(k), entries(k + kStep), out + k);
  }
  if (k == count) return;
  float last[2 * kLanes];
  table.template look_up<kSmall>(entries(k), entries(k + kStep), last);
  std::memcpy(out + k, last, (count - k) * sizeof(float));
}

template <class Choice>
inline void look_up_bits(const BitColumns& columns, std::size_t count, const RowWords& row,
                         const Table& table, float* out) {
  if (table.small) {
    look_up_columns<Choice, true>(columns, count, row, table, out);
  } else {
    look_up_columns<Choice, false>(columns, count, row, table, out);
  }
}

void look_up_differing(const BitColumns& columns, std::size_t count, const std::uint64_t* bits,
                       const float* entries, std::size_t size, float* out) {
  const Table table(entries, size);
  const RowWords row(columns, bits, false);
  if (row.number + 1 < columns.words_per_column) {
    look_up_bits<DifferingByCommon>(columns, count, row, table, out);
  } else {
    look_up_bits<Differing>(columns, count, RowWords(columns, bits, true), table, out);
  }
}

void look_up_common(const BitColumns& columns, std::size_t count, const std::uint64_t* bits,
                    const float* entries, std::size_t size, float* out) {
  const RowWords row(columns, bits, false);
  look_up_bits<Common>(columns, count, row, Table(entries, size), out);
}

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_BIT_LOOPS_H_
