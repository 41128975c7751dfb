// Generic loops for rows of kernel values.  Included only by the files of one instruction set.
#ifndef SVM_SIMD_ROW_LOOPS_H_
#define SVM_SIMD_ROW_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "simd/loops.h"
#include "simd/vector.h"

namespace svm {
namespace {

constexpr std::size_t kStep = kLanes;

inline Longs all_words(std::uint64_t value) { return static_cast<std::int64_t>(value) - Longs{}; }

// From dots to kernel values -----------------------------------------------------------------

void to_float(const double* x, std::size_t count, float* out) {
  std::size_t k = 0;
  for (; k + kStep <= count; k += kStep) store(out + k, load(x + k));
  for (; k < count; ++k) out[k] = static_cast<float>(x[k]);
}

template <class Number>
inline Number power(Number base, int exponent, Number one) {
  Number result = one;
  for (Number square = base; exponent > 0; exponent /= 2, square = square * square) {
    if (exponent % 2 == 1) result = result * square;
  }
  return result;
}

void polynomials(double gamma, double coef0, int degree, const double* dots, std::size_t count,
                 float* out) {
  std::size_t k = 0;
  for (; k + kStep <= count; k += kStep) {
    store(out + k, power(gamma * load(dots + k) + coef0, degree, all(1.0)));
  }
  for (; k < count; ++k) {
    out[k] = static_cast<float>(power(gamma * dots[k] + coef0, degree, 1.0));
  }
}

// Dense blocks -------------------------------------------------------------------------------

// The unit of work: so many columns of a block that their sums fill eight registers.
constexpr std::size_t kTogether = 8 * kStep < kBlockColumns ? 8 * kStep : kBlockColumns;
constexpr std::size_t kUnits = kBlockColumns / kTogether;  // of a block
constexpr std::size_t kParts = kTogether / kStep;

// Walks through the places that a pass reads, some steps ahead of it, and asks for them.
template <class Value>
class Prefetch {
 public:
  Prefetch(const DenseBlocks& blocks, const DenseRow& row)
      : unit_(static_cast<const Value*>(blocks.values)), blocks_(blocks), row_(row) {
    for (std::size_t bytes = 0; bytes < kAhead; bytes += kTogether * sizeof(Value)) step();
  }
  void step() {
    const std::uint32_t place = blocks_.places[row_.features[next_]];
    if ((place & kMarkPlace) == 0) {
      const Value* column = unit_ + place * kBlockColumns;
      for (std::size_t k = 0; k < kTogether; k += kLine) __builtin_prefetch(column + k);
    }
    if (++next_ < row_.nonzeros) return;
    next_ = 0;
    if (++units_ < kUnits) {
      unit_ += kTogether;
    } else {
      units_ = 0;
      unit_ += blocks_.values_per_block - (kUnits - 1) * kTogether;
    }
  }

 private:
  static constexpr std::size_t kAhead = 6144;  // bytes
  static constexpr std::size_t kLine = 64 / sizeof(Value);
  const Value* unit_;
  const DenseBlocks& blocks_;
  const DenseRow& row_;
  std::size_t next_ = 0, units_ = 0;
};

// A vector of values, from themselves or from their places in a table.
struct ValuesAsTheyAre {
  template <class Value>
  Doubles get(const Value* from) const {
    return load(from);
  }
};
struct ValuesInTable {
  const double* table;
#if defined(__AVX512F__)
  Doubles get(const std::uint8_t* codes) const {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
    return _mm512_i32gather_pd(_mm256_cvtepu8_epi32(bytes), table, 8);
  }
#elif defined(__AVX2__)
  Doubles get(const std::uint8_t* codes) const {
    std::int32_t four;
    std::memcpy(&four, codes, sizeof(four));
    return _mm256_i32gather_pd(table, _mm_cvtepu8_epi32(_mm_cvtsi32_si128(four)), 8);
  }
#else
  Doubles get(const std::uint8_t* codes) const {
    Doubles vector;
    for (int lane = 0; lane < kLanes; ++lane) vector[lane] = table[codes[lane]];
    return vector;
  }
#endif
};

// Adds `value` in the lanes of one vector whose marks are set, from the lowest.
#if defined(__AVX512F__)
inline Doubles add_marked(Doubles sum, double value, std::uint64_t marks) {
  return _mm512_mask_add_pd(sum, static_cast<__mmask8>(marks), sum, all(value));
}
#else
inline Doubles add_marked(Doubles sum, double value, std::uint64_t marks) {
  Longs lane_bit;
  for (int lane = 0; lane < kLanes; ++lane) lane_bit[lane] = 1 << lane;
  const Longs is_marked = (all_words(marks) & lane_bit) == lane_bit;
  return sum + reinterpret_cast<Doubles>(reinterpret_cast<Longs>(all(value)) & is_marked);
}
#endif

template <class Value, class Form>
inline void add_up_blocks(const DenseBlocks& blocks, Form form, std::size_t count,
                          const DenseRow& row, double* sums) {
  if (row.nonzeros == 0) {
    std::memset(sums, 0, count * kBlockColumns * sizeof(double));
    return;
  }
  Prefetch<Value> ahead(blocks, row);
  const Value* values = static_cast<const Value*>(blocks.values);
  for (std::size_t unit = 0; unit < count * kUnits; ++unit) {
    const std::size_t shift = unit % kUnits * kTogether;
    const Value* block = values + unit / kUnits * blocks.values_per_block + shift;
    const std::uint64_t* marks = blocks.marks + unit / kUnits * blocks.marks_per_block;
    Doubles sum[kParts] = {};
    for (std::size_t p = 0; p < row.nonzeros; ++p) {
      ahead.step();
      const std::uint32_t place = blocks.places[row.features[p]];
      if ((place & kMarkPlace) != 0) {
        const std::uint64_t mark = marks[place - kMarkPlace] >> shift;
        const double value = row.values[p] * blocks.marked[place - kMarkPlace];
        for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] = add_marked(sum[part], value, mark >> (part * kStep));
        }
      } else {
        const Value* column = block + place * kBlockColumns;
        const Doubles value = all(row.values[p]);
        for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] += value * form.get(column + part * kStep);
        }
      }
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      store(sums + unit * kTogether + part * kStep, sum[part]);
    }
  }
}

template <class Value>
void block_dots(const DenseBlocks& blocks, std::size_t count, const DenseRow& row, double* sums) {
  add_up_blocks<Value>(blocks, ValuesAsTheyAre(), count, row, sums);
}

void block_dots_coded(const DenseBlocks& blocks, std::size_t count, const DenseRow& row,
                      double* sums) {
  add_up_blocks<std::uint8_t>(blocks, ValuesInTable{blocks.table}, count, row, sums);
}

// Small integers -----------------------------------------------------------------------------

#if defined(__AVX512BW__)
struct IntegerSums {
  static constexpr std::size_t kColumns = 16;
  __m512i sums = _mm512_setzero_si512();
  void add(const std::uint8_t* bytes, std::int32_t both) {
    const __m512i values =
        _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)));
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(values, _mm512_set1_epi32(both)));
  }
  void store(double* to) const {
    _mm512_storeu_pd(to, _mm512_cvtepi32_pd(_mm512_castsi512_si256(sums)));
    _mm512_storeu_pd(to + 8, _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(sums, 1)));
  }
};
#elif defined(__AVX2__)
struct IntegerSums {
  static constexpr std::size_t kColumns = 8;
  __m256i sums = _mm256_setzero_si256();
  void add(const std::uint8_t* bytes, std::int32_t both) {
    const __m256i values =
        _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(values, _mm256_set1_epi32(both)));
  }
  void store(double* to) const {
    _mm256_storeu_pd(to, _mm256_cvtepi32_pd(_mm256_castsi256_si128(sums)));
    _mm256_storeu_pd(to + 4, _mm256_cvtepi32_pd(_mm256_extracti128_si256(sums, 1)));
  }
};
#else
struct IntegerSums {
  static constexpr std::size_t kColumns = 8;
  std::int32_t sums[kColumns] = {};
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
};
#endif

void block_dots_integer(const IntegerBlocks& blocks, std::size_t count, const IntegerPair* row,
                        std::size_t pairs, double* sums) {
  constexpr std::size_t kSums = kBlockColumns / IntegerSums::kColumns;
  constexpr std::size_t kPairBytes = 2 * kBlockColumns;
  for (std::size_t b = 0; b < count; ++b) {
    const std::uint8_t* block = blocks.bytes + b * blocks.bytes_per_block;
    IntegerSums sum[kSums];
    for (std::size_t p = 0; p < pairs; ++p) {
      const std::uint8_t* place = block + row[p].pair * kPairBytes;
      for (std::size_t k = 0; k < kPairBytes; k += 64) {
        __builtin_prefetch(place + blocks.bytes_per_block + k);
      }
      std::int32_t both;
      std::memcpy(&both, row[p].values, sizeof(both));
      for (std::size_t part = 0; part < kSums; ++part) {
        sum[part].add(place + part * 2 * IntegerSums::kColumns, both);
      }
    }
    for (std::size_t part = 0; part < kSums; ++part) {
      sum[part].store(sums + b * kBlockColumns + part * IntegerSums::kColumns);
    }
  }
}

// Bit columns --------------------------------------------------------------------------------

// Words of one vector, and the bits set in each of their bytes.
#if defined(__AVX512BW__)
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
#elif defined(__AVX2__)
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

// What is counted: bits in which a column and the row differ, or which both have.
struct Differing {
  static Longs of(Longs column, Longs row) { return column ^ row; }
};
struct Common {
  static Longs of(Longs column, Longs row) { return column & row; }
};

#if defined(__AVX512VPOPCNTDQ__)
struct Counter {
  template <class Choice>
  static Longs count(const std::uint64_t* column, std::size_t stride, const std::uint64_t* row,
                     std::size_t words) {
    Longs sum = {};
    for (std::size_t w = 0; w < words; ++w) {
      const Longs bits = Choice::of(load_words(column + w * stride), all_words(row[w]));
      sum += reinterpret_cast<Longs>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(bits)));
    }
    return sum;
  }
};
#else
// One byte counts up to kMaxBitWords * 8 bits.
struct Counter {
  template <class Choice>
  static Longs count(const std::uint64_t* column, std::size_t stride, const std::uint64_t* row,
                     std::size_t words) {
    Longs bytes = bits_per_byte(Choice::of(load_words(column), all_words(row[0])));
    for (std::size_t w = 1; w < words; ++w) {
      bytes += bits_per_byte(Choice::of(load_words(column + w * stride), all_words(row[w])));
    }
    return sum_of_bytes(bytes);
  }
};
#endif

// Two vectors of counts give one vector of floats: their entries in a table.
#if defined(__AVX512F__)
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
#elif defined(__AVX2__)
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
inline void look_up_columns(const BitColumns& columns, std::size_t count, const std::uint64_t* row,
                            const Table& table, float* out) {
  const auto two_vectors = [&](std::size_t k, float* to) {
    const std::uint64_t* column = columns.words + k;
    table.template look_up<kSmall>(
        Counter::count<Choice>(column, columns.stride, row, columns.words_per_column),
        Counter::count<Choice>(column + kStep, columns.stride, row, columns.words_per_column), to);
  };
  std::size_t k = 0;
  for (; k + 2 * kStep <= count; k += 2 * kStep) two_vectors(k, out + k);
  if (k == count) return;
  float last[2 * kLanes];
  two_vectors(k, last);
  std::memcpy(out + k, last, (count - k) * sizeof(float));
}

template <class Choice>
inline void look_up_bits(const BitColumns& columns, std::size_t count, const std::uint64_t* row,
                         const float* entries, std::size_t size, float* out) {
  const Table table(entries, size);
  if (table.small) {
    look_up_columns<Choice, true>(columns, count, row, table, out);
  } else {
    look_up_columns<Choice, false>(columns, count, row, table, out);
  }
}

void look_up_differing(const BitColumns& columns, std::size_t count, const std::uint64_t* row,
                       const float* entries, std::size_t size, float* out) {
  look_up_bits<Differing>(columns, count, row, entries, size, out);
}

void look_up_common(const BitColumns& columns, std::size_t count, const std::uint64_t* row,
                    const float* entries, std::size_t size, float* out) {
  look_up_bits<Common>(columns, count, row, entries, size, out);
}

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_ROW_LOOPS_H_
