// Kernel values of rows and columns of bits, looked up by the number of bits that both have or in
// which they differ. Compiled once for each target (vector.h).
//
// A row passes over the planes of its digits that are not 0, and counts bits for as many columns at
// a time as a vector has bytes.
#ifndef SVM_BASE_SIMD_LOOPS_BIT_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_BIT_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd/bit_blocks.h"
#include "base/simd/loops.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// Vectors of columns that a row passes over together.
constexpr std::size_t kCountVectors = lesser(kBitColumns / kVectorBytes, 8);
constexpr std::size_t kCountColumns = kCountVectors * kVectorBytes;

// The first column of a vector, of which it has four groups of kWideLanes.
constexpr std::size_t first_column(std::size_t vector) {
  constexpr std::size_t kRunVectors = kBlockColumns / kVectorBytes;
  return vector / kRunVectors * kBlockColumns + vector % kRunVectors * kWideLanes;
}

struct BitPass {
  const BitBlocks& blocks;
  const BitRows& rows;
  std::size_t ahead;  // bytes from a plane to one to prefetch; 0 prefetches none
};

// Counts bits of one part of an example and of the columns from `columns` on. If this were not
// inlined, counts would pass through memory.
[[gnu::always_inline]] inline void count_bits(const BitPass& pass, const std::uint8_t* columns,
                                              std::size_t example, std::size_t part,
                                              Bytes (&counts)[kCountVectors]) {
  constexpr std::size_t kLine = 64;
  const std::size_t at = example * pass.blocks.parts + part, end = pass.rows.begin[at + 1];
  for (std::size_t v = 0; v < kCountVectors; ++v) counts[v] = Bytes{};
  for (std::size_t n = pass.rows.begin[at]; n < end; ++n) {
    const std::uint8_t* plane = columns + pass.rows.digits[n].plane;
    const RowDigit row(pass.rows.digits[n].bits);
    for (std::size_t v = 0; v < kCountVectors; ++v) {
      counts[v] += row.common(load_vector<Bytes>(plane + v * kVectorBytes));
    }
    if (pass.ahead == 0) continue;
    for (std::size_t k = 0; k < kCountColumns; k += kLine) {
      prefetch(plane + pass.ahead + k);
    }
  }
  if (!pass.blocks.differing) return;
  const std::uint8_t* numbers = columns + (pass.blocks.digits + part) * kBitColumns;
  for (std::size_t v = 0; v < kCountVectors; ++v) {
    const Bytes number = load_vector<Bytes>(numbers + v * kVectorBytes);
    counts[v] = number + pass.rows.numbers[at] - counts[v] - counts[v];
  }
}

// Counts bits of all parts: sums[v][g] for group g of vector v.
using BitTotals = WideWords[kCountVectors][4];
[[gnu::noinline]] void sum_parts(const BitPass& pass, const std::uint8_t* columns,
                                 std::size_t example, BitTotals& sums) {
  for (std::size_t part = 0; part < pass.blocks.parts; ++part) {
    Bytes counts[kCountVectors];
    count_bits(pass, columns, example, part, counts);
    for (std::size_t v = 0; v < kCountVectors; ++v) {
      const WideWords words = same_bits<WideWords>(counts[v]);
      for (unsigned group = 0; group < 4; ++group) {
        sums[v][group] += (words >> (8 * group)) & 0xffU;
      }
    }
  }
}

template <class Value>
struct TablesOf;
template <>
struct TablesOf<float> {
  using Small = SmallFloats;
  using Likely = LikelyFloats;
};
template <>
struct TablesOf<double> {
  using Small = SmallDoubles;
  using Likely = NoTable;
};

// Looks up values: all of a small table in registers, the likely ones of others, the rest in
// memory.
template <class Value>
struct BitLookUp {
  using Small = typename TablesOf<Value>::Small;
  using Likely = typename TablesOf<Value>::Likely;

  explicit BitLookUp(const BitValues<Value>& all)
      : small(all.values),
        likely(all.values, all.likely),
        values(all.values),
        is_small(all.count <= Small::kMost) {}

  // Writes the values of a vector of columns, the first of them to `out`.
  void write(Bytes counts, Value* out) const {
    if (likely.look_up(counts, out)) return;
    const WideWords words = same_bits<WideWords>(counts);
    write(words & 0xffU, out);
    write((words >> 8) & 0xffU, out + kBitGroup);
    write((words >> 16) & 0xffU, out + 2 * kBitGroup);
    write(words >> 24, out + 3 * kBitGroup);
  }
  // The same for the counts of one group of columns.
  void write(WideWords counts, Value* out) const {
    look_up(values, same_bits<WideInts>(counts), out);
  }

  Small small;
  Likely likely;
  const Value* values;
  bool is_small;
};

// These write the values of an example and of the columns from `columns` on, as many as are counted
// together.
template <class Value>
inline void write_one_part(const BitPass& pass, const std::uint8_t* columns, std::size_t example,
                           const BitLookUp<Value>& table, Value* out) {
  Bytes counts[kCountVectors];
  count_bits(pass, columns, example, 0, counts);
  if (table.is_small) {
    for (std::size_t v = 0; v < kCountVectors; ++v) {
      table.small.look_up(counts[v], out + first_column(v));
    }
  } else {
    for (std::size_t v = 0; v < kCountVectors; ++v) table.write(counts[v], out + first_column(v));
  }
}
template <class Value>
[[gnu::noinline]] void write_parts(const BitPass& pass, const std::uint8_t* columns,
                                   std::size_t example, const BitLookUp<Value>& table, Value* out) {
  BitTotals sums = {};
  sum_parts(pass, columns, example, sums);
  for (std::size_t v = 0; v < kCountVectors; ++v) {
    for (std::size_t group = 0; group < 4; ++group) {
      table.write(sums[v][group], out + first_column(v) + group * kBitGroup);
    }
  }
}

// out[r][at + k] = the value of row r and column k of `number` blocks from block `first` on, for
// the `count` rows from row `begin` on.
template <class Value>
[[gnu::noinline]] void write_blocks(const BitPass& pass, const BitValues<Value>& values,
                                    std::size_t first, std::size_t number, std::size_t begin,
                                    std::size_t count, Value* const* out, std::size_t at) {
  const BitLookUp<Value> table(values);
  const std::uint8_t* columns = pass.blocks.bytes + first * pass.blocks.block_bytes();
  for (std::size_t b = 0; b < number; ++b, columns += pass.blocks.block_bytes()) {
    for (std::size_t r = begin; r < begin + count; ++r) {
      Value* const to = out[r - begin] + at + b * kBitColumns;
      for (std::size_t k = 0; k < kBitColumns; k += kCountColumns) {
        if (pass.blocks.parts == 1) {
          write_one_part(pass, columns + k, pass.rows.examples[r], table, to + k);
        } else {
          write_parts(pass, columns + k, pass.rows.examples[r], table, to + k);
        }
      }
    }
  }
}

// Whole blocks are written to `out` directly, parts of blocks by way of a buffer.
void bit_values(const BitBlocks& blocks, std::size_t from, std::size_t to, const BitRows& rows,
                const BitValues<float>& values, float* const* out) {
  constexpr std::size_t kNear = std::size_t{1} << 20;  // for the second-level cache
  const bool is_far = (to - from) / kBitColumns * blocks.block_bytes() > kNear;
  const BitPass pass = {blocks, rows, is_far ? blocks.block_bytes() : 0};
  for (std::size_t k = from; k < to;) {
    const std::size_t block = k / kBitColumns, shift = k % kBitColumns;
    const std::size_t whole = shift == 0 ? (to - k) / kBitColumns : 0;
    std::size_t width = whole * kBitColumns;
    if (whole > 0) {
      write_blocks(pass, values, block, whole, 0, rows.count, out, k - from);
    } else {
      width = lesser(kBitColumns - shift, to - k);
      for (std::size_t r = 0; r < rows.count; ++r) {
        float buffer[kBitColumns];
        float* const start = buffer;
        write_blocks(pass, values, block, 1, r, 1, &start, 0);
        std::memcpy(out[r] + (k - from), buffer + shift, width * sizeof(float));
      }
    }
    k += width;
  }
}

// The values of some rows at a time stay in the first-level cache.
template <class Value>
void bit_sums(const BitBlocks& blocks, std::size_t from, std::size_t to, const BitRows& rows,
              const BitValues<Value>& values, const double* factors, double* sums) {
  constexpr std::size_t kRows = 8;
  alignas(64) Value buffer[kRows][kBitColumns];
  Value* starts[kRows];
  for (std::size_t i = 0; i < kRows; ++i) starts[i] = buffer[i];
  const BitPass pass = {blocks, rows, 0};
  for (std::size_t k = from; k < to;) {
    const std::size_t block = k / kBitColumns, shift = k % kBitColumns;
    const std::size_t width = lesser(kBitColumns - shift, to - k);
    for (std::size_t r = 0; r < rows.count; r += kRows) {
      const std::size_t some = lesser(kRows, rows.count - r);
      write_blocks(pass, values, block, 1, r, some, starts, 0);
      add_value_rows<Value>(sums + (k - from), starts, shift, factors + r, some, width);
    }
    k += width;
  }
}

}  // namespace
}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_BIT_LOOPS_H_
