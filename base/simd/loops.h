// The vectorised loops: one table of functions for each instruction set. All tables give the same
// bits unless stated otherwise.
#ifndef SVM_BASE_SIMD_LOOPS_H_
#define SVM_BASE_SIMD_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "base/platform/numbers.h"
#include "base/simd/instruction_set.h"

namespace svm {

// The solvers' passes over the variables t in [begin, end). f is the signed gradient. index_sets[t]
// has one bit for each of the sets I_up and I_low that contain the variable; 0 excludes it from a
// pass.
inline constexpr std::uint8_t kInUp = 1, kInLow = 2;

// Smallest f in I_up and largest f in I_low. Ties go to the last index.
struct Extremes {
  double lowest = kInfinity;
  double highest = -kInfinity;
  std::size_t lowest_at = kNoIndex;
  std::size_t highest_at = kNoIndex;
};

// Values of one kernel row, or of several rows one after the other: floats, or doubles if `doubles`
// is set. The loops use the pointers, all other code the member functions.
struct KernelRow {
  const float* floats = nullptr;
  const double* doubles = nullptr;

  KernelRow() = default;
  KernelRow(const float* values) : floats(values) {}
  KernelRow(const double* values) : doubles(values) {}

  double operator[](std::size_t k) const {
    return doubles != nullptr ? doubles[k] : static_cast<double>(floats[k]);
  }
  // Calls visit(values) with the pointer that is set.
  template <typename Visit>
  auto visit(const Visit& visit) const {
    return doubles != nullptr ? visit(doubles) : visit(floats);
  }
};

// Describes f += row_i change_i + row_j change_j.
struct PairUpdate {
  double* f;
  KernelRow row_i, row_j;
  double change_i, change_j;
  const std::uint8_t* index_sets;
};

// Describes a step of conjugate SMO: q_new = row_i - row_j + gamma q, f += lambda q_new, and if
// `store` is set, q = q_new.
struct ConjugateUpdate {
  double* f;
  double* q;
  KernelRow row_i, row_j;
  double gamma, lambda;
  bool store;
  const std::uint8_t* index_sets;
};

// Describes the search for the partner j in I_low with f_j > lowest and the greatest gain (f_j -
// lowest)^2 / curvature. The curvature is row_diagonal + diagonal_j - 2 row_j, minus (q_i - q_j)^2
// inverse if q is not null; if it is not positive, least_curvature takes its place. Ties go to the
// last index. `likely` is an index, possibly outside the range, whose gain is a starting value for
// the best gain: if it exceeds all gains in the range, the search need not find any.
struct PartnerSearch {
  const double* f;
  const std::uint8_t* index_sets;
  KernelRow row;
  const double* diagonal;  // null if all are row_diagonal
  double row_diagonal;
  double lowest;
  double least_curvature;
  std::size_t likely = kNoIndex;
  const double* q = nullptr;
  double q_i = 0, inverse = 0;
};

struct Partner {
  double gain = -kInfinity;
  std::size_t at = kNoIndex;
};

struct RowTerm {
  std::size_t row;
  double factor;
};

// Number of columns that are stored together in a block.
constexpr std::size_t kBlockColumns = 64;

// Dense features in blocks of kBlockColumns columns. Every feature has a place in each block. The
// place holds one value per column, or if the feature has only one non-zero value, a word that
// marks the columns that have it.
constexpr std::uint32_t kMarkPlace = std::uint32_t{1} << 31;  // plus the index among the marks
struct DenseBlocks {
  const std::uint32_t* places;   // of each feature
  const void* values;            // (block, place, column)
  const std::uint64_t* marks;    // (block, place)
  std::size_t values_per_block;  // kBlockColumns per place
  std::size_t marks_per_block;
  const double* marked;  // the value of each place among the marks
};
struct DenseRow {
  const std::uint32_t* features;
  const double* values;
  std::size_t nonzeros;
};

// Small integers in blocks of columns: the value at (feature, column) is bytes[(feature / 2 *
// kBlockColumns + column) * 2 + feature % 2]. A row is given by the pairs of features in which it
// is not zero, each with both of its values.
struct IntegerBlocks {
  const std::uint8_t* bytes;
  std::size_t bytes_per_block;
};
struct IntegerPair {
  std::uint32_t pair;
  std::int16_t values[2];
};

// Examples of bits: base/simd/bit_blocks.h.
struct BitBlocks;
struct BitRows;
template <class Value>
struct BitValues;

// Single precision ------------------------------------------------------------------------------
// Kernel values for solvers that do not have to reproduce LIBSVM's bits. They are the same on all
// instruction sets with a fused multiply-add; plain C++ may differ in the last bits. The bits of a
// column do not depend on which columns are computed together with it.

// Blocks of kBlockColumns columns. Features of arbitrary values are floats; features with two
// values are bits, 32 to a word.
struct FloatBlocks {
  const float* values;         // (block, feature, column)
  const std::uint32_t* words;  // (block, word, column)
  std::size_t features, words_per_column;
  float mark;  // added for each bit that row and column have in common; kExp: in which they differ
};

// Rows are in groups of kSingleRows; the remaining ones follow one by one.
constexpr std::size_t kSingleRows = 4;
struct FloatPanel {
  const float* values;         // (group, feature, row)
  const std::uint32_t* words;  // (group, word, row)
};

// Blocks of kBlockColumns columns, each of which has whole numbers and floats.  Whole numbers are
// bytes, four of a group in a word: 0 to 255 in rows, and less 128 in columns.  A dot product is
// the sum over both.  For kExp it is a whole number below 2^30: that of the whole numbers is
// multiplied by 2^shift, and that of the floats is rounded, part by part (see ProductRows).  For
// all other forms it is a double, and that of the whole numbers is multiplied by `factor`.
struct ProductBlocks {
  const std::uint32_t* wholes;  // (block, group, column)
  const float* floats;          // (block, place, column)
  const std::int32_t* norms;    // (block, column): squared; for kExp only
  std::size_t groups, places;   // of a column
  int shift;
  double factor;
};

// Rows for products.  A row lists the groups of whole numbers in which it is not zero.  Floats are
// listed by place for four rows together, if one of the four is not zero there, up to row
// `grouped`, a multiple of kSingleRows; the rows from there on have lists of their own.  Places are
// divided into `parts`, whose sums in floats are added up in double or whole numbers.  This limits
// rounding errors, and makes the bits of a dot product independent of the lists that a row is in.
struct ProductRows {
  const std::uint32_t* begin;   // (row): where its groups begin; and the end of the last one
  const std::uint32_t* groups;  // (n)
  const std::uint32_t* words;   // (n)
  const std::int32_t* offsets;  // (row): 128 times the sum of its bytes
  const std::int32_t* norms;    // (row): squared; for kExp only
  const std::uint32_t* ends;    // (list, part): the end of its entries
  const std::uint32_t* places;  // (entry)
  const float* values;          // (entry, row of the list)
  std::size_t parts, grouped;
};

// The tails of kernels that have loops in single and double arithmetic: functions of a sum over
// features.
enum class TailForm : std::uint8_t {
  kDot,    // the dot product x itself
  kPower,  // (gamma x + coef0)^degree
  kTanh,   // tanh(gamma x + coef0)
  kExp,    // exp(-gamma x) of the squared distance x
};

// In single arithmetic kDot gives gamma x. kExp gives exp2((high + low) x) with high <= 0. If x
// exceeds `most`, it gives the value at `most`, which is nearly zero but not subnormal: high * most
// >= -125.
struct SingleTail {
  TailForm form = TailForm::kDot;
  float high = 0, low = 0, most = 0;
  double gamma = 0, coef0 = 0;
  int degree = 0;
};

// Dense columns are packed in blocks of kPackColumns, feature by feature, or for floats of
// kBlockColumns.  The rows that pass over them are packed one by one or kPackRows together, as runs
// of features: all features of the columns in their order, and between them those that no column
// has.
constexpr std::size_t kPackColumns = 32;
constexpr std::size_t kPackRows = 4;
// The most features of a run of floats, and the least of a part of their sums but for the last one.
constexpr std::size_t kRunFeatures = 16;
constexpr std::size_t kPartFeatures = 32;
// Features in the order in which they follow one another in a run.
struct FeatureRun {
  std::uint32_t absent;   // of the columns, but of no row
  std::uint32_t present;  // of the columns and of a row
  std::uint32_t foreign;  // of a row, but of no column; for distances
};
// Squared norms of the rows and of the columns of a block.  Null: distances are sums of squared
// differences.
struct RowNorms {
  const float* rows;
  const float* columns;
};
template <class Value>
struct PackedRows {
  const FeatureRun* runs;
  std::size_t run_count;
  const Value* values;  // (feature that is present or foreign, row)
  std::size_t rows;     // 1 or kPackRows
};
// Number of rows whose weighted sums are computed together.
constexpr std::size_t kSumRows = 32;

// Number of columns of a Cholesky factor that are computed together.
constexpr std::size_t kPanelColumns = 64;

// Embedded rows are padded to a multiple of kTileColumns and computed kTileRows at a time.
constexpr std::size_t kTileColumns = 32;
constexpr std::size_t kTileRows = 4;

// Kernel values in doubles that are summed and not stored.  A value is the tail of an inner value
// of column x and row z.
enum class PreciseInner : std::uint8_t {
  kProducts,     // x'z
  kDistances,    // |x - z|^2 / 2 by norms and dot products
  kDifferences,  // |x - z|^2 by differences
};
// kExp gives 2^(factor min(inner, most)), which must be above 2^-1022. kPower and kTanh take
// factor inner + summand for gamma x + coef0.
struct PreciseKernel {
  PreciseInner inner;
  TailForm form;
  double factor, summand;
  double most;  // infinite if inner values are known to be small
  int degree;
};
// Arrays may have any alignment. `out` overlaps no other array.
struct Loops {
  // x y + z, rounded twice unless compiler options fuse the operations.
  double (*product_plus)(double x, double y, double z);

  // out[k] = (float)exp(-gamma * (norm + norms[k] - 2 * dot[k])) with the C library's exp, with the
  // bits of the scalar expression.
  void (*rbf_to_float)(const double* dot, const double* norms, double norm, double gamma,
                       std::size_t count, float* out);

  Extremes (*find_extremes)(const double* f, const std::uint8_t* index_sets, std::size_t begin,
                            std::size_t end);
  // These two also return the extremes of the new f.
  Extremes (*add_pair)(const PairUpdate& update, std::size_t begin, std::size_t end);
  Extremes (*add_conjugate)(const ConjugateUpdate& update, std::size_t begin, std::size_t end);
  Partner (*find_partner)(const PartnerSearch& search, std::size_t begin, std::size_t end);
  // sums[k] += factor * rows[row * stride + k] for k < width and all terms, in the order of the
  // terms.
  void (*add_rows)(double* sums, const KernelRow& rows, std::size_t stride, const RowTerm* terms,
                   std::size_t count, std::size_t width);
  // sums[k] += factors[r] * rows[r][first + k] for k < width, over `count` rows in their order,
  // each term added with one rounding (two in plain C++), as float_sums and product_sums add
  // theirs.
  void (*add_float_rows)(double* sums, const float* const* rows, std::size_t first,
                         const double* factors, std::size_t count, std::size_t width);
  // out[k] = (float)x[k]
  void (*to_float)(const double* x, std::size_t count, float* out);

  // out[k] = row[places[k]]; places must be below 2^31.
  void (*pick_values)(const float* row, const std::uint32_t* places, std::size_t count, float* out);

  // out[k] = (gamma * dots[k] + coef0)^degree, as integer_power computes it.
  void (*polynomials)(double gamma, double coef0, int degree, const double* dots, std::size_t count,
                      float* out);

  // Dot products of one row with the first `count` blocks, summed in the order of the row's
  // features. The blocks' values are doubles or floats.
  void (*block_dots_double)(const DenseBlocks& blocks, std::size_t count, const DenseRow& row,
                            double* sums);
  void (*block_dots_float)(const DenseBlocks& blocks, std::size_t count, const DenseRow& row,
                           double* sums);

  // Dot products of one row with the first `count` blocks. All sums must be below 2^31.
  void (*block_dots_integer)(const IntegerBlocks& blocks, std::size_t count, const IntegerPair* row,
                             std::size_t pairs, double* sums);

  // Features per digit, which is for the loops over bits.
  std::size_t digit_bits;
  // out[r][k - from] = the value of row r and column k, for from <= k < to.
  void (*bit_values)(const BitBlocks& blocks, std::size_t from, std::size_t to, const BitRows& rows,
                     const BitValues<float>& values, float* const* out);
  // sums[k - from] += factors[r] * the value of row r and column k, for from <= k < to, as
  // add_float_rows adds them.
  void (*bit_sums_float)(const BitBlocks& blocks, std::size_t from, std::size_t to,
                         const BitRows& rows, const BitValues<float>& values, const double* factors,
                         double* sums);
  void (*bit_sums_double)(const BitBlocks& blocks, std::size_t from, std::size_t to,
                          const BitRows& rows, const BitValues<double>& values,
                          const double* factors, double* sums);

  // out[k] = exp(factor * x[k]) with the bits of the C library, provided that the error of the
  // library's exp is at most 0.512 units in the last place for normal results
  // (library_exp_is_close()).
  void (*library_exp)(double factor, const double* x, std::size_t count, double* out);

  // out[r][k] = value(r, k), for `rows` rows and the columns k of the first `count` blocks. The
  // bits of a value do not depend on which rows and columns are computed together with it, here and
  // in float_sums.
  void (*float_values)(const FloatBlocks& blocks, std::size_t count, const FloatPanel& panel,
                       std::size_t rows, const SingleTail& tail, float* const* out);
  // sums[k] += factors[r] * value(r, k), fused in doubles, for the columns k of the first `count`
  // blocks and the `rows` rows in their order.
  void (*float_sums)(const FloatBlocks& blocks, std::size_t count, const FloatPanel& panel,
                     const double* factors, std::size_t rows, const SingleTail& tail, double* sums);
  // float_values and float_sums by dot products, for all forms of tails.
  void (*product_values)(const ProductBlocks& blocks, std::size_t count, const ProductRows& panel,
                         std::size_t rows, const SingleTail& tail, float* const* out);
  void (*product_sums)(const ProductBlocks& blocks, std::size_t count, const ProductRows& panel,
                       const double* factors, std::size_t rows, const SingleTail& tail,
                       double* sums);
  // For kExp, the squared norm of a row of `count` floats, in parts of `part` places: its dot
  // product with itself by the operations of product_values, so that the distance of equal rows is
  // 0.
  std::int32_t (*float_norm)(const float* row, std::size_t count, std::size_t part);

  // Kernel values from dot products in doubles; kExp takes the squared distances norm + norms[k] -
  // 2 dots[k].
  void (*dot_tails)(const double* dots, const double* norms, double norm, const SingleTail& tail,
                    std::size_t count, float* out);

  // sums[r * stride + c] = the sum over the features, in their order, of (x_r - x_c)^2 or of x_r
  // x_c, for each row r and each column c of a block.
  void (*squared_differences)(const double* block, const PackedRows<double>& rows, double* sums,
                              std::size_t stride);
  void (*products)(const double* block, const PackedRows<double>& rows, double* sums,
                   std::size_t stride);
  // out[r * stride + c] = exp(-gamma |x_r - x_c|^2) in single precision, by products if there are
  // norms, else by differences.  Sums are in parts, of less than kPartFeatures + kRunFeatures
  // features each.
  void (*rbf_values)(const float* block, const PackedRows<float>& rows, const RowNorms& norms,
                     const SingleTail& tail, float* out, std::size_t stride);
  // The sums of weights[s] values[s] and of |weights[s]| values[s] over s < count, in doubles and
  // in any order.
  double (*weigh_values)(const float* values, const double* weights, std::size_t count);
  double (*weigh_values_absolutely)(const float* values, const double* weights, std::size_t count);
  // The first one, which also adds the sum of weights[s]^2 to `squares`.
  double (*weigh_values_and_square)(const float* values, const double* weights, std::size_t count,
                                    double* squares);

  // For s = 0, 1, ... count - 1: sums[r] += weights[s] * values[s * kSumRows + r].
  void (*add_weighted)(const double* values, const double* weights, std::size_t count,
                       double* sums);

  // sums[s] += value.
  void (*add_to_all)(double value, std::size_t count, double* sums);

  // Blocks, panels and triangles of a factor have kPanelColumns columns and are stored row by row.
  // block[r][c] -= sum of rows[r][k] * panel[k][c] over k < depth.
  void (*subtract_products)(float* block, const float* const* rows, std::size_t count,
                            const float* panel, std::size_t depth);
  // For each row of the block, solves x T = row for the first `steps` elements of x and subtracts x
  // T from the remaining elements of the row. T is upper triangular: `triangle` above the diagonal,
  // 1 / inverses on it, and zero below.
  void (*solve_panel)(float* block, std::size_t count, const float* triangle, const float* inverses,
                      std::size_t steps);
  // dots[r] = sum of x[k] * rows[r][k] over k < width, always as the same eight partial sums.
  void (*dot_rows_float)(const double* x, const float* const* rows, std::size_t count,
                         std::size_t width, double* dots);
  void (*dot_rows_double)(const double* x, const double* const* rows, std::size_t count,
                          std::size_t width, double* dots);
  // x[k] -= factors[r] * rows[r][k] for k < width and all rows, in the order of the rows.
  void (*subtract_rows_float)(double* x, const float* const* rows, const double* factors,
                              std::size_t count, std::size_t width);
  void (*subtract_rows_double)(double* x, const double* const* rows, const double* factors,
                               std::size_t count, std::size_t width);

  // out[r * stride + c] = sum over j < depth of rows[r * stride + j] * tile[j * kTileColumns + c],
  // for kTileRows rows and kTileColumns columns, in float.
  void (*tile_products)(const float* tile, std::size_t depth, const float* rows, std::size_t stride,
                        float* out);

  // out[0] = z'v and out[1] = z'c, each as kTileColumns partial sums; count is a multiple of those.
  void (*two_dots)(const float* z, const float* v, const float* c, std::size_t count, double* out);

  // v += factor_v z and b += factor_b z; count is a multiple of kTileColumns.
  void (*add_to_two)(const float* z, float factor_v, float factor_b, std::size_t count, float* v,
                     float* b);

  // sums[c] += factors[r] * value(r, c), rounded once, for the columns c of a block and the first
  // `count` of a group of kPackRows rows in their order.  Norms are half of the squared norms, for
  // kDistances.
  void (*add_precise_sums)(const PreciseKernel& kernel, const double* block, const double* norms,
                           const PackedRows<double>& rows, const double* row_norms,
                           const double* factors, std::size_t count, double* sums);
};

// The table of an instruction set, which must be supported.
const Loops& loops(InstructionSet set);

}  // namespace svm

#endif  // SVM_BASE_SIMD_LOOPS_H_
