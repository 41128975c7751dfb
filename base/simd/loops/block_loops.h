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

// Runs ahead of a pass through the places that it reads, and prefetches them.
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
      for (std::size_t k = 0; k < kTogether; k += kLine) prefetch(column + k);
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

// These load a vector of the values at one place: values as stored, or decimals.
struct ValuesAsTheyAre {
  explicit ValuesAsTheyAre(const DenseBlocks&, std::uint32_t) {}
  template <class Value>
  Doubles get(const Value* from) const {
    return load(from);
  }
};
struct ValuesFromDecimals {
  ValuesFromDecimals(const DenseBlocks& blocks, std::uint32_t place)
      : high(all(blocks.scales[place].high)), low(all(blocks.scales[place].low)) {}
  Doubles get(const std::int32_t* from) const {
    const Doubles k = load(from);
    return multiply_add(k, high, k * low);
  }
  const Doubles high, low;
};

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
        const Doubles value = all(row.values[p] * blocks.marked[place - kMarkPlace]);
        for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] = add_marked(sum[part], value, mark >> (part * kLanes));
        }
      } else {
        const Value* column = block + place * kBlockColumns;
        const Doubles value = all(row.values[p]);
        const Form form(blocks, place);
        for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] += value * form.get(column + part * kLanes);
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
      for (std::size_t k = 0; k < kPairBytes; k += 64) {
        prefetch(place + blocks.bytes_per_block + k);
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

#endif  // SVM_BASE_SIMD_LOOPS_BLOCK_LOOPS_H_
