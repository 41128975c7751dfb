// The vectorised loops, one table of functions per instruction set.  All tables give the same bits.
#ifndef SVM_SIMD_LOOPS_H_
#define SVM_SIMD_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "simd/instruction_set.h"

namespace svm {

// Passes of the solvers over variables t in [begin, end).  f is the signed gradient; index_sets[t]
// has a bit for each of the sets I_up and I_low that the variable is in (or 0, to leave it out).
inline constexpr std::uint8_t kInUp = 1, kInLow = 2;
inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// Smallest f of those that may go up, largest f of those that may go down.  Ties: the last place.
struct Extremes {
  double lowest = __builtin_huge_val();
  double highest = -__builtin_huge_val();
  std::size_t lowest_at = kNowhere;
  std::size_t highest_at = kNowhere;
};

// Values of a kernel row, or of rows one after another: floats, or doubles where `doubles` is set.
// The loops use the pointers, everybody else what comes after them.
struct KernelRow {
  const float* floats = nullptr;
  const double* doubles = nullptr;

  KernelRow() = default;
  KernelRow(const float* values) : floats(values) {}
  KernelRow(const double* values) : doubles(values) {}

  double operator[](std::size_t k) const {
    return doubles != nullptr ? doubles[k] : static_cast<double>(floats[k]);
  }
  // visit(values), with the pointer that is set.
  template <typename Visit>
  auto visit(const Visit& visit) const {
    return doubles != nullptr ? visit(doubles) : visit(floats);
  }
};

// f += row_i change_i + row_j change_j
struct PairUpdate {
  double* f;
  KernelRow row_i, row_j;
  double change_i, change_j;
  const std::uint8_t* index_sets;
};

// A step of conjugate SMO: q_new = row_i - row_j + gamma q,  f += lambda q_new;  q = q_new where
// `store` says so.
struct ConjugateUpdate {
  double* f;
  double* q;
  KernelRow row_i, row_j;
  double gamma, lambda;
  bool store;
  const std::uint8_t* index_sets;
};

// The partner j, among those that may go down with f_j > lowest, of greatest gain
// (f_j - lowest)^2 / curvature, where curvature = row_diagonal + diagonal_j - 2 row_j, less
// (q_i - q_j)^2 inverse where q is not null, and least_curvature where that is not positive.
// Ties: the last place.  `likely`, which may be outside the range, is a place from whose gain the
// search starts: where it is greater than all in the range, nothing need be found.
struct PartnerSearch {
  const double* f;
  const std::uint8_t* index_sets;
  KernelRow row;
  const double* diagonal;  // null where all are row_diagonal
  double row_diagonal;
  double lowest;
  double least_curvature;
  std::size_t likely = kNowhere;
  const double* q = nullptr;
  double q_i = 0, inverse = 0;
};

struct Partner {
  double gain = -__builtin_huge_val();
  std::size_t at = kNowhere;
};

struct RowTerm {
  std::size_t row;
  double factor;
};

// Columns of a block that stand together in memory.
constexpr std::size_t kBlockColumns = 64;

// A power of ten: high + low.  Integer k stands for fma(k, high, k low), with k low rounded.
struct DecimalScale {
  double high, low;
};

// Blocks of kBlockColumns columns.  A feature has a place in every block: of a value for each
// column, or of a word that marks the columns that have it, where it has but one value.
constexpr std::uint32_t kMarkPlace = std::uint32_t{1} << 31;  // plus the place among the marks
struct DenseBlocks {
  const std::uint32_t* places;   // of the features
  const void* values;            // (block, place, column)
  const std::uint64_t* marks;    // (block, place)
  std::size_t values_per_block;  // kBlockColumns for each place
  std::size_t marks_per_block;
  const double* marked;        // the value of each place among the marks
  const double* table;         // of the codes
  const DecimalScale* scales;  // of the places of values
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
  const std::uint64_t* counts;   // bits set in each column, as many as the stride
};

// Single precision ------------------------------------------------------------------------------
// Values of kernels for solvers that need no bits of LIBSVM's: the same on all sets with a fused
// multiply-add, while plain C++ may differ in the last bits.  A column's bits do not depend on what
// is computed along with it.

// Blocks of kBlockColumns columns: features of any values in floats, and features of two values as
// bits, 32 to a word.
struct FloatBlocks {
  const float* values;         // (block, feature, column)
  const std::uint32_t* words;  // (block, word, column)
  std::size_t features, words_per_column;
  float mark;  // what a bit adds in which row and column differ (kExp), or that both have
};

// Rows in groups of kSingleRows, and the rest one by one.
constexpr std::size_t kSingleRows = 4;
struct FloatPanel {
  const float* values;         // (group, feature, row)
  const std::uint32_t* words;  // (group, word, row)
};

// Blocks of bytes in groups of four features: byte (group, column, feature of the group), less 128.
struct ByteBlocks {
  const std::int8_t* bytes;
  const std::int32_t* norms;  // squared, of (block, column); for kExp
  std::size_t groups;
};

// Rows of bytes, 0 to 255: row r has the groups begin[r] ... begin[r + 1] - 1, each its number and
// its four bytes, the first one lowest.  Others are zero.  offsets[r] corrects for the 128 that
// columns lack: 128 times the sum of the row's bytes; for kExp its squared norm less twice that.
struct ByteRows {
  const std::uint32_t* begin;
  const std::uint32_t* groups;
  const std::uint32_t* words;
  const std::int32_t* offsets;
};

// What becomes of sums over features.  kExp takes sums of squared differences x >= 0 and gives
// exp2((high + low) x), where high <= 0, for x up to `most`, which high times is no less than -125,
// and for a larger x the value of `most`: next to nothing, and not subnormal.  The others take
// dots: gamma dot, (gamma dot + coef0)^degree, and tanh(gamma dot
// + coef0).
enum class SingleForm { kExp, kDot, kPower, kTanh };
struct SingleTail {
  SingleForm form = SingleForm::kDot;
  float high = 0, low = 0, most = 0;
  double gamma = 0, coef0 = 0;
  int degree = 0;
};

// Support vectors are packed in blocks of kPackColumns, feature after feature; rows to predict come
// in groups of kPackRows, also feature after feature.
constexpr std::size_t kPackColumns = 16;
constexpr std::size_t kPackRows = 4;
// Rows whose weighted sums are formed together.
constexpr std::size_t kSumRows = 32;

// Columns of a Cholesky factor that are computed together.
constexpr std::size_t kPanelColumns = 64;

// Embedded rows are padded to a multiple of kTileColumns, and formed kTileRows at a time.
constexpr std::size_t kTileColumns = 32;
constexpr std::size_t kTileRows = 4;

// Kernel values in doubles that are summed up and not kept: of blocks of kPreciseColumns columns
// and panels of kPreciseRows rows.  A value is an outer function of an inner one of column x and
// row z.
constexpr std::size_t kPreciseColumns = 32;
constexpr std::size_t kPreciseRows = 4;
constexpr std::size_t kDotColumns = 128;
enum class PreciseInner : std::uint8_t {
  kProducts,     // x'z
  kDistances,    // |x - z|^2 / 2 by norms and products; rows hold -z
  kDifferences,  // |x - z|^2 by differences
};
enum class PreciseOuter : std::uint8_t {
  kNone,
  kPowerOfTwo,    // 2^(factor inner), or of `most` where that is less; must be above 2^-1022
  kIntegerPower,  // (factor inner + summand)^degree
  kTanh,          // tanh(factor inner + summand)
};
struct PreciseKernel {
  PreciseInner inner;
  PreciseOuter outer;
  double
      mark;  // what a mark adds to the inner value: in common for products, else one that differs
  double factor, summand;
  double most;  // infinite where inner values are known to be small
  int degree;
};
struct PreciseBlocks {
  const double* values;        // (block, place, column)
  const std::uint64_t* marks;  // (block, word, column)
  const double* norms;         // half of the squares of the values, for kDistances
  std::size_t places;
  std::size_t words;  // of marks
};
// A panel lists the places that must be looked at, in rising order, with values for all of its
// rows. The last one is padded with zeros; what is one for each row, likewise.
struct PreciseRows {
  const std::size_t* begin;     // of each panel's list, and the end
  const std::uint32_t* places;  // (n)
  const double* values;         // (n, row)
  const std::uint64_t* marks;   // (panel, word, row)
  const double* norms;          // as in the blocks
  const double* factors;        // of the values in the sums
  std::size_t count;            // of rows
};

// Arrays may have any alignment; out overlaps no other array.
struct Loops {
  // x y + z, rounded twice unless options of the compiler make that one rounding.
  double (*product_plus)(double x, double y, double z);

  // out[k] = (float)exp(x[k]), as the C library's exp rounds it to float.
  void (*exp_to_float)(const double* x, std::size_t count, float* out);

  // out[k] = (float)exp(-gamma * (norm + norms[k] - 2 * dot[k])), as the scalar expression gives
  // it.
  void (*rbf_to_float)(const double* dot, const double* norms, double norm, double gamma,
                       std::size_t count, float* out);

  Extremes (*find_extremes)(const double* f, const std::uint8_t* index_sets, std::size_t begin,
                            std::size_t end);
  // These two also return the ends of the new f.
  Extremes (*add_pair)(const PairUpdate& update, std::size_t begin, std::size_t end);
  Extremes (*add_conjugate)(const ConjugateUpdate& update, std::size_t begin, std::size_t end);
  Partner (*find_partner)(const PartnerSearch& search, std::size_t begin, std::size_t end);
  // sums[k] += factor * rows[row * stride + k] for k < width, over the terms in their order.
  void (*add_rows)(double* sums, const KernelRow& rows, std::size_t stride, const RowTerm* terms,
                   std::size_t count, std::size_t width);
  // out[k] = (float)x[k]
  void (*to_float)(const double* x, std::size_t count, float* out);

  // out[k] = row[places[k]]; places are below 2^31.
  void (*pick_values)(const float* row, const std::uint32_t* places, std::size_t count, float* out);

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
  // Null in plain C++, which has no fused multiply-add.
  void (*block_dots_decimal)(const DenseBlocks& blocks, std::size_t count, const DenseRow& row,
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

  // out[k] = exp(factor * x[k]) with the bits of the C library, if its exp has an error of at most
  // 0.512 units in the last place where the result is normal (see simd/library_exp.h).
  void (*library_exp)(double factor, const double* x, std::size_t count, double* out);

  // Values of one row with the first `count` blocks.
  void (*float_values)(const FloatBlocks& blocks, std::size_t count, const FloatPanel& row,
                       const SingleTail& tail, float* out);
  // sums[k] += factors[r] * value(r, k), fused in doubles, over `rows` rows in their order, for the
  // columns k of the first `count` blocks.
  void (*float_sums)(const FloatBlocks& blocks, std::size_t count, const FloatPanel& panel,
                     const double* factors, std::size_t rows, const SingleTail& tail, double* sums);
  // The same for bytes.  Squared distances, and 2^15 times the sum of four groups' bytes, must be
  // below 2^31.
  void (*byte_values)(const ByteBlocks& blocks, std::size_t count, const ByteRows& row,
                      const SingleTail& tail, float* out);
  void (*byte_sums)(const ByteBlocks& blocks, std::size_t count, const ByteRows& panel,
                    const double* factors, std::size_t rows, const SingleTail& tail, double* sums);

  // Values from dots in doubles; for kExp, of squared distances norm + norms[k] - 2 dots[k].
  void (*dot_tails)(const double* dots, const double* norms, double norm, const SingleTail& tail,
                    std::size_t count, float* out);

  // For k = 0, 1, ... count - 1, each row r and each column c, in this order:
  //   sums[r * kPackColumns + c] += (x[k * kPackRows + r] - block[k * kPackColumns + c])^2
  void (*add_squared_differences)(const double* block, const double* x, std::size_t count,
                                  double* sums);

  // The same with x * block, for the features slots[k] of the block.
  void (*add_products)(const double* block, const std::uint32_t* slots, const double* x,
                       std::size_t count, double* sums);

  // For s = 0, 1, ... count - 1: sums[r] += weights[s] * values[s * kSumRows + r].
  void (*add_weighted)(const double* values, const double* weights, std::size_t count,
                       double* sums);

  // sums[s] += value.
  void (*add_to_all)(double value, std::size_t count, double* sums);

  // Blocks, panels and triangles of a factor have kPanelColumns columns, row after row.
  // block[r][c] -= sum of rows[r][k] * panel[k][c] over k < depth.
  void (*subtract_products)(float* block, const float* const* rows, std::size_t count,
                            const float* panel, std::size_t depth);
  // Solves x T = row for the first `steps` elements of each row of the block, and takes x T from
  // the others.  T is upper triangular: `triangle` above the diagonal, zero elsewhere, and 1 /
  // inverses on it.
  void (*solve_panel)(float* block, std::size_t count, const float* triangle, const float* inverses,
                      std::size_t steps);
  // dots[r] = sum of x[k] * rows[r][k] over k < width, in a fixed order of eight partial sums.
  void (*dot_rows_float)(const double* x, const float* const* rows, std::size_t count,
                         std::size_t width, double* dots);
  void (*dot_rows_double)(const double* x, const double* const* rows, std::size_t count,
                          std::size_t width, double* dots);
  // x[k] -= factors[r] * rows[r][k] for k < width, over the rows in their order.
  void (*subtract_rows_float)(double* x, const float* const* rows, const double* factors,
                              std::size_t count, std::size_t width);
  void (*subtract_rows_double)(double* x, const double* const* rows, const double* factors,
                               std::size_t count, std::size_t width);

  // out[r * stride + c] = sum over j < depth of rows[r * stride + j] * tile[j * kTileColumns + c],
  // for kTileRows rows and kTileColumns columns, in float.
  void (*tile_products)(const float* tile, std::size_t depth, const float* rows, std::size_t stride,
                        float* out);

  // out[0] = z'v and out[1] = z'c, in kTileColumns sums each; count is a multiple of that.
  void (*two_dots)(const float* z, const float* v, const float* c, std::size_t count, double* out);

  // v += factor_v z and b += factor_b z; count is a multiple of kTileColumns.
  void (*add_to_two)(const float* z, float factor_v, float factor_b, std::size_t count, float* v,
                     float* b);

  // For each row of factor a, in their order, and each column k of the first `count` blocks, with
  // one rounding: sums[k] += a value(row, k).
  void (*add_precise_sums)(const PreciseKernel& kernel, const PreciseBlocks& blocks,
                           std::size_t count, const PreciseRows& rows, double* sums);
  // The same for one row of this factor, from its products with `count` columns, a multiple of
  // kDotColumns.  `norm` and `norms` are half of the squares, for kDistances.
  void (*add_precise_row)(const PreciseKernel& kernel, const double* dots, const double* norms,
                          double norm, double factor, std::size_t count, double* sums);
};

// The table of a supported set.
const Loops& loops(InstructionSet set);

}  // namespace svm

#endif  // SVM_SIMD_LOOPS_H_
