// Dot products of a row with blocks of columns. Compiled once for each target (vector.h).
#ifndef SVM_BASE_SIMD_LOOPS_BLOCK_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_BLOCK_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd/loops.h"
#include "base/simd/loops/vector.h"

namespace svm {
namespace {

// Dense blocks -------------------------------------------------------------------------------

// Number of columns of a block that are computed together: their sums fill eight registers.
constexpr std::size_t kTogether = 8 * kLanes < kBlockColumns ? 8 * kLanes : kBlockColumns;
constexpr std::size_t kUnits = kBlockColumns / kTogether;  // units per block
constexpr std::size_t kParts = kTogether / kLanes;

template <class Value>
void block_dots(const DenseBlocks& blocks, std::size_t count, const DenseRow& row, double* sums) {
  if (row.nonzeros == 0) {
    std::memset(sums, 0, count * kBlockColumns * sizeof(double));
    return;
  }
  const Value* values = static_cast<const Value*>(blocks.values);
  for (std::size_t unit = 0; unit < count * kUnits; ++unit) {
    const std::size_t shift = unit % kUnits * kTogether;
    const Value* block = values + unit / kUnits * blocks.values_per_block + shift;
    const std::uint64_t* marks = blocks.marks + unit / kUnits * blocks.marks_per_block;
    Doubles sum[kParts] = {};
    for (std::size_t p = 0; p < row.nonzeros; ++p) {
      const std::uint32_t place = blocks.places[row.features[p]];
      if ((place & kMarkPlace) != 0) {
        const std::uint64_t mark = marks[place - kMarkPlace] >> shift;
        const Doubles value = all(row.values[p] * blocks.marked[place - kMarkPlace]);
        for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] = add_marked(sum[part], value, mark >> (part * kLanes));
        }
      } else {
        const Value* column = block + place * kBlockColumns;
        const Doubles value = all(row.values[p]);
        for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] += value * load(column + part * kLanes);
        }
      }
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      store(sums + unit * kTogether + part * kLanes, sum[part]);
    }
  }
}

// Small integers -----------------------------------------------------------------------------

void block_dots_integer(const IntegerBlocks& blocks, std::size_t count, const IntegerPair* row,
                        std::size_t pairs, double* sums) {
  constexpr std::size_t kSums = kBlockColumns / IntegerSums::kColumns;
  constexpr std::size_t kPairBytes = 2 * kBlockColumns;
  for (std::size_t b = 0; b < count; ++b) {
    const std::uint8_t* block = blocks.bytes + b * blocks.bytes_per_block;
    IntegerSums sum[kSums];
    for (std::size_t p = 0; p < pairs; ++p) {
      const std::uint8_t* place = block + row[p].pair * kPairBytes;
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

#endif  // SVM_BASE_SIMD_LOOPS_BLOCK_LOOPS_H_
