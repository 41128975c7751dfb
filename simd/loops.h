// The vectorised loops, one table of functions per instruction set.  All tables give the same bits.
#ifndef SVM_SIMD_LOOPS_H_
#define SVM_SIMD_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/instruction_set.h"

namespace svm {

// Columns of a block that stand together in memory.
constexpr std::size_t kBlockColumns = 64;

// Blocks of kBlockColumns columns.  A feature has a place in every block: of a value for each
// column, or of a word that marks the columns that have it, where it has but one value.
constexpr std::uint32_t kMarkPlace = std::uint32_t{1} << 31;  // plus the place among the marks
struct DenseBlocks {
  const std::uint32_t* places;   // of the features
  const void* values;            // (block, place, column)
  const std::uint64_t* marks;    // (block, place)
  std::size_t values_per_block;  // kBlockColumns for each place
  std::size_t marks_per_block;
  const double* marked;  // the value of each place among the marks
  const double* table;   // of the codes
};
struct DenseRow {
  const std::uint32_t* features;
  const double* values;
  std::size_t nonzeros;
};

// Blocks of small integers: value (feature, column) is bytes[(feature / 2 * kBlockColumns + column)
// * 2 + feature % 2].  A row is given by the pairs of features it has, with both of its values.
struct IntegerBlocks {
  const std::uint8_t* bytes;
  std::size_t bytes_per_block;
};
struct IntegerPair {
  std::uint32_t pair;
  std::int16_t values[2];
};

// Columns of bits: word w of column k is words[w * stride + k].  At least kBlockColumns columns
// more can be read.
constexpr std::size_t kMaxBitWords = 16;
struct BitColumns {
  const std::uint64_t* words;
  std::size_t stride;
  std::size_t words_per_column;  // 1 ... kMaxBitWords
};

struct Loops {
  // out[k] = (float)exp(x[k]), as the C library's exp rounds it to float.
  void (*exp_to_float)(const double* x, std::size_t count, float* out);

  // dots[k] = minus_gamma * (norm + norms[k] - 2 * dots[k]), in this order.
  void (*rbf_arguments)(double minus_gamma, double norm, const double* norms, std::size_t count,
                        double* dots);
  void (*to_float)(const double* x, std::size_t count, float* out);

  // out[k] = (gamma * dots[k] + coef0)^degree, as integer_power computes it.
  void (*polynomials)(double gamma, double coef0, int degree, const double* dots, std::size_t count,
                      float* out);

  // Dots of one row with the first `count` blocks, in the order of the row's features.  The blocks'
  // values are double, float, or codes: places in a table of 256.
  void (*block_dots_double)(const DenseBlocks& blocks, std::size_t count, const DenseRow& row,
                            double* sums);
  void (*block_dots_float)(const DenseBlocks& blocks, std::size_t count, const DenseRow& row,
                           double* sums);
  void (*block_dots_coded)(const DenseBlocks& blocks, std::size_t count, const DenseRow& row,
                           double* sums);

  // Dots of one row with the first `count` blocks.  Sums must be below 2^31.
  void (*block_dots_integer)(const IntegerBlocks& blocks, std::size_t count, const IntegerPair* row,
                             std::size_t pairs, double* sums);

  // out[k] = table[n], where n is the number of bits in which row and column differ, or which they
  // have in common.  The table has 16 entries or more to read, of which `entries` are in use.
  void (*look_up_differing)(const BitColumns& columns, std::size_t count, const std::uint64_t* row,
                            const float* table, std::size_t entries, float* out);
  void (*look_up_common)(const BitColumns& columns, std::size_t count, const std::uint64_t* row,
                         const float* table, std::size_t entries, float* out);
};

// The table of a supported set.
const Loops& loops(InstructionSet set);

extern const Loops kPlainLoops;
#if defined(__x86_64__)
extern const Loops kAvx2Loops;
extern const Loops kAvx512Loops;
extern const Loops kAvx512PopcountLoops;  // for processors that count bits in vectors
#endif

}  // namespace svm

#endif  // SVM_SIMD_LOOPS_H_
