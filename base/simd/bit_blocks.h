// Examples of bits, and their kernel values, as the loops over bits take them.
#ifndef SVM_BASE_SIMD_BIT_BLOCKS_H_
#define SVM_BASE_SIMD_BIT_BLOCKS_H_

#include <cstddef>
#include <cstdint>

#include "base/simd/loops.h"

namespace svm {

// A digit is what an example has of Loops::digit_bits features, which are 4 or 8. A part of an
// example has the digits of up to kPartBits features, so that a byte holds the number of bits that
// are counted in it. If all numbers are below 256, one part is enough for more features.
constexpr std::size_t kMaxBits = 1024;
constexpr std::size_t kPartBits = 248;
// Columns are in blocks of kBitColumns, with planes of a byte for each column: one for each digit,
// then one for each part, with the number of bits that the column has in it. A plane has runs of
// kBlockColumns bytes, in which byte 4 k + g belongs to column g * kBitGroup + k.
constexpr std::size_t kBitColumns = 256;
constexpr std::size_t kBitGroup = kBlockColumns / 4;
struct BitBlocks {
  const std::uint8_t* bytes;  // (block, plane, byte)
  std::size_t digits, parts;
  bool differing;  // counts the bits in which row and column differ; if not, those in common

  std::size_t block_bytes() const { return (digits + parts) * kBitColumns; }
};
// Part p of example e has the digits begin[e * parts + p] ... begin[e * parts + p + 1] - 1 without
// those that are 0. The rows to compute are examples[0, count).
struct BitDigit {
  std::uint16_t plane;  // times kBitColumns
  std::uint16_t bits;
};
struct BitRows {
  const std::size_t* begin;
  const BitDigit* digits;
  const std::uint8_t* numbers;  // of bits (example, part), modulo 256
  const std::uint32_t* examples;
  std::size_t count;
};
// The value for each number of bits that can be counted. The kLikelyBits values from `likely` on
// are those that are needed most. kLikelyBits values beyond the last one must be readable.
inline constexpr std::size_t kLikelyBits = 64, kMostLikely = 256 - kLikelyBits;
template <class Value>
struct BitValues {
  const Value* values;
  std::size_t count;
  std::size_t likely;  // below `count`; kMostLikely at most
};

}  // namespace svm

#endif  // SVM_BASE_SIMD_BIT_BLOCKS_H_
