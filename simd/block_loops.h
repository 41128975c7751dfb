// Generic dots of a row with blocks of columns.  Included only by the files of one instruction set.
#ifndef SVM_SIMD_BLOCK_LOOPS_H_
#define SVM_SIMD_BLOCK_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/loops.h"
#include "simd/row_loops.h"
#include "simd/vector.h"

namespace svm {
namespace {

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
      : block_(static_cast<const Value*>(blocks.values)), blocks_(blocks), row_(row) {
    for (std::size_t bytes = 0; bytes < kAhead; bytes += kTogether * sizeof(Value)) step();
  }
  void step() {
    const std::uint32_t place = blocks_.places[row_.features[next_]];
    if ((place & kMarkPlace) == 0) {
      const Value* column = block_ + place * kBlockColumns + unit_ * kTogether;
      for (std::size_t k = 0; k < kTogether; k += kLine) __builtin_prefetch(column + k);
    }
    if (++next_ < row_.nonzeros) return;
    next_ = 0;
    if (++unit_ < kUnits) return;
    unit_ = 0;
    block_ += blocks_.values_per_block;
  }

 private:
  static constexpr std::size_t kAhead = 6144;  // bytes
  static constexpr std::size_t kLine = 64 / sizeof(Value);
  const Value* block_;
  const DenseBlocks& blocks_;
  const DenseRow& row_;
  std::size_t next_ = 0, unit_ = 0;
};

// A vector of values of one place: from themselves, from their places in a table, or from decimals.
struct ValuesAsTheyAre {
  explicit ValuesAsTheyAre(const DenseBlocks&, std::uint32_t) {}
  template <class Value>
  Doubles get(const Value* from) const {
    return load(from);
  }
};
struct ValuesInTable {
  ValuesInTable(const DenseBlocks& blocks, std::uint32_t) : table(blocks.table) {}
  const double* table;
#if SVM_SIMD_LEVEL >= 2
  Doubles get(const std::uint8_t* codes) const {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
    return _mm512_i32gather_pd(_mm256_cvtepu8_epi32(bytes), table, 8);
  }
#elif SVM_SIMD_LEVEL >= 1
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

#if SVM_SIMD_LEVEL >= 1
struct ValuesFromDecimals {
  ValuesFromDecimals(const DenseBlocks& blocks, std::uint32_t place)
      : high(all(blocks.scales[place].high)), low(all(blocks.scales[place].low)) {}
  const Doubles high, low;
#if SVM_SIMD_LEVEL >= 2
  Doubles get(const std::int32_t* from) const {
    const Doubles k =
        _mm512_cvtepi32_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    return _mm512_fmadd_pd(k, high, k * low);
  }
#else
  Doubles get(const std::int32_t* from) const {
    const Doubles k = _mm256_cvtepi32_pd(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    return _mm256_fmadd_pd(k, high, k * low);
  }
#endif
};
#endif

// Adds `value` in the lanes of one vector whose marks are set, from the lowest.
#if SVM_SIMD_LEVEL >= 2
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
void block_dots(const DenseBlocks& blocks, std::size_t count, const DenseRow& row, double* sums) {
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
        const Form form(blocks, place);
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

#if SVM_SIMD_LEVEL >= 1
constexpr auto kBlockDotsDecimal = block_dots<std::int32_t, ValuesFromDecimals>;
#else
constexpr decltype(Loops::block_dots_decimal) kBlockDotsDecimal = nullptr;
#endif

// Small integers -----------------------------------------------------------------------------

#if SVM_SIMD_LEVEL >= 2
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
#elif SVM_SIMD_LEVEL >= 1
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

}  // namespace
}  // namespace svm

#endif  // SVM_SIMD_BLOCK_LOOPS_H_
